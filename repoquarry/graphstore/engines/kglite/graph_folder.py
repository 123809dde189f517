"""Folder of graph files: directory of repositories, replacement, repair.

Writing a repository touches its own file and the small ones, whatever else is stored. Whoever writes holds the store's writer lock.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

import kglite
import msgspec

from repoquarry.graphstore.engines.change_plan import require_endpoints
from repoquarry.graphstore.engines.kglite import catalog as catalogues
from repoquarry.graphstore.engines.kglite.catalog import Catalogue, CatalogueEntry, Link, links_of
from repoquarry.graphstore.engines.kglite.change_writer import (
    LISTED,
    apply_changes,
    directory_rows,
    drop_unused_packages,
    linked_repositories,
    listed_changes,
    load_tables,
    split_changes,
    split_links,
)
from repoquarry.graphstore.engines.kglite.graph_files import (
    JOINED,
    SUFFIX,
    GraphFiles,
    GraphPrefetcher,
    entry_of,
    unmarked,
)
from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import GraphChanges, RepositoryGraph
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

DIRECTORY: Final = "directory-"
"""Beginning of the names of the files with the list of repositories."""

_log = logging.getLogger(__name__)


class RepositoryDirectory:
    """A graph of the repositories and packages alone, one file of the folder."""

    def __init__(self, files: GraphFiles) -> None:
        self._files = files

    def listing(self, before: Catalogue, repository: str, listed: RepositoryGraph | None) -> str:
        """Name of a new file with the repositories and packages, in which `listed` stands for the repository."""
        graph = self.without(before, repository)
        for _ in load_tables(graph, listed) if listed is not None else ():
            pass
        drop_unused_packages(graph)
        return self.put(before, graph)

    def without(self, before: Catalogue, repository: str) -> Any:
        """A graph of its own of the repositories and packages, in which the repository is not."""
        graph = self._files.load(before.directory) if before.directory else kglite.KnowledgeGraph()
        if repository in before.entries:
            graph.cypher("MATCH (r:Repository {id: $id}) DETACH DELETE r", params={"id": repository})
        return graph

    def put(self, before: Catalogue, graph: Any) -> str:
        """Save it under a new name, which is returned. Raises: as `GraphFiles.save`."""
        file = f"{DIRECTORY}{before.sequence + 1}{SUFFIX}"
        self._files.save(graph, file)
        return file

    def rebuild_directory(self) -> Catalogue:
        """A catalogue of the graphs that are there, the newest of each repository, written down."""
        found = Catalogue()
        graphs = [path for path in self._files.path.glob(f"*{SUFFIX}") if not path.name.startswith((JOINED, DIRECTORY))]
        for path in sorted(graphs, key=lambda path: path.stat().st_mtime_ns):
            graph = self._files.load(path.name)
            links = self._files.links(path.name)
            repository = graph.cypher("MATCH (r:Repository) RETURN r.id AS id").to_list()[0]["id"]
            found = found.with_entry(repository, entry_of(repository, path.name, graph, links), "")
        return self._made_anew(found)

    def repair_directory(self, known: Catalogue) -> Catalogue:
        """The same where the list of all repositories can be read, else with one that is made anew."""
        try:
            if known.directory:
                self._files.load(known.directory)
        except (FileNotFoundError, StoreCorruptError) as exc:
            _log.warning("graph_directory_made_anew problem=%s", exc)
            return self._made_anew(known)
        return known

    def _made_anew(self, known: Catalogue) -> Catalogue:
        """The catalogue with a list of what its graphs say of themselves, written down; those that cannot be read are not in it."""
        listing = kglite.KnowledgeGraph()
        for entry in known.entries.values():
            try:
                part = self._files.load(entry.file)
            except (FileNotFoundError, StoreCorruptError):
                continue  # marked by now: the next run over the repository writes it anew
            for label in part.node_types:
                if label not in LISTED:
                    part.cypher(f"MATCH (n:{label}) DETACH DELETE n")
            listing.extend(part)
        file = self.put(known, listing)
        whole = Catalogue(sequence=known.sequence + 1, directory=file, entries=known.entries)
        catalogues.write(self._files.path, whole)
        return whole


FOLDER = "graphs"


Stamp = tuple[int, int, int]


class GraphFolder:
    """The files of a store's graphs. Reading them is safe at any time; writing is for the holder of the writer lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = GraphFiles(path)
        self._directory = RepositoryDirectory(self.files)
        self._ahead = GraphPrefetcher(self.files.load)

    def stamp(self) -> Stamp | None:
        """What identifies the state of the folder; None when nothing was ever written."""
        try:
            found = os.stat(self.path / catalogues.FILE_NAME)
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def catalogue(self) -> Catalogue:
        """Raises: StoreCorruptError."""
        return catalogues.read(self.path)

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> Catalogue:
        """Store a repository's graph in place of the one before; `count` is told how many rows were loaded.

        Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError. Then what was stored is as it was.
        """
        own, links = split_links(graph)
        loaded = kglite.KnowledgeGraph()
        for rows in load_tables(loaded, own):
            count(rows)
        count(len(links))
        entry = self.files.put(graph.repository, loaded, links)
        directory = self._directory.listing(before, graph.repository, directory_rows(graph))
        return self._commit(before, before.with_entry(graph.repository, entry, directory))

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        """Inside, the graph of a repository is being loaded for `change`. Raises: StoreCorruptError."""
        entry = self.catalogue().entries.get(repository)
        return self._ahead.reading(entry.file) if entry is not None else nullcontext()

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> tuple[int, int, int, int]:
        """Apply changes to a stored repository; what was written and deleted, as `changing.apply`.

        Raises: ChangesRefusedError, InvalidGraphError; as `put`. Then what was stored is as it was.
        """
        old = before.entries.get(changes.repository)
        if old is None:
            raise ChangesRefusedError(f"{changes.repository} is not stored, and the changes start from {changes.base}")
        own, removed, added = split_changes(changes)
        graph, links = self._ahead.take(old.file), set(self.files.links(old.file))
        counts = apply_changes(graph, own, progress)
        if not links >= removed:
            raise ChangesRefusedError(f"{len(removed - links)} links are not stored, {min(removed - links)}")
        links = (links - removed) | added
        ends: dict[str, set[str]] = {}
        for start_label, start, end_label, end in added:
            ends.setdefault(start_label, set()).add(start)
            ends.setdefault(end_label, set()).add(end)
        refuse_unknown(ends, before)
        entry = self.files.put(changes.repository, graph, sorted(links))
        directory = self.files.load(before.directory)
        apply_changes(directory, listed_changes(own))
        self._commit(before, before.with_entry(changes.repository, entry, self._directory.put(before, directory)))
        written, joined, gone, unjoined = counts
        return written, joined + len(added), gone, unjoined + len(removed)

    def adopt(self, other: GraphFolder, repository: str, links: list[Link], before: Catalogue) -> Catalogue:
        """Take a repository's graph, which stands alone, from another folder of the same file system; it is moved.

        Raises: KeyError when the other folder has none; StoreFullError, StoreUnwritableError. Then what was stored is as it was.
        """
        given = other.catalogue()
        old = given.entries[repository]
        directory = self._directory.without(before, repository)
        directory.extend(other.files.load(given.directory))
        drop_unused_packages(directory)
        catalogues.replace_file(self.path / links_of(old.file), msgspec.msgpack.encode(links))
        with translate_write_errors(self.path):
            (other.path / old.file).replace(self.path / old.file)
        entry = CatalogueEntry(
            old.file, old.nodes, old.relationships + len(links), linked_repositories(repository, links)
        )
        return self._commit(before, before.with_entry(repository, entry, self._directory.put(before, directory)))

    def exchange(self, removed: set[Link], added: set[Link], before: Catalogue) -> Catalogue:
        """Remove links from the lists that have them, and add those that no list has to that of the repository that they start in.

        Raises: StoreCorruptError, StoreFullError, StoreUnwritableError. Then what was stored is as it was.
        """
        ends = {node.partition(":")[0] for _, start, _, end in removed | added for node in (start, end)}
        stored = {
            name: set(self.files.links(before.entries[name].file)) for name in sorted(ends & before.entries.keys())
        }
        missing = added.difference(*stored.values())
        after = before
        for name, links in stored.items():
            now = (links - removed) | {link for link in missing if link[1].partition(":")[0] == name}
            if now != links:
                after = after.with_entry(
                    name, self.files.relist(name, before.entries[name], sorted(now)), before.directory
                )
        return self._commit(before, after) if after is not before else before

    def delete(self, repository: str, before: Catalogue) -> Catalogue:
        """Remove a repository. Raises: as `put`."""
        directory = self._directory.listing(before, repository, None) if len(before.entries) > 1 else ""
        return self._commit(before, before.without(repository, directory))

    def clean(self) -> None:
        """Remove what a killed writer left; make a damaged catalogue or list of repositories anew from the graphs that are there."""
        if not self.path.is_dir():
            return
        catalogues.remove_unpacked()
        for leftover in self.path.glob("*.tmp*"):
            leftover.unlink(missing_ok=True)
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._directory.rebuild_directory()
        known = self._directory.repair_directory(known)
        needed = known.files() | {catalogues.FILE_NAME}
        for file in self.path.iterdir():
            if unmarked(file.name) not in needed and not file.name.startswith(JOINED):
                file.unlink(missing_ok=True)

    def _commit(self, before: Catalogue, after: Catalogue) -> Catalogue:
        catalogues.write(self.path, after)
        for file in before.files() - after.files():
            self.files.remove(file)
        return after

    def is_damaged(self, repository: str) -> bool:
        """Whether somebody found that what is stored of the repository cannot be read."""
        entry = self.catalogue().entries.get(repository)
        return entry is not None and self.files.is_marked(entry.file)


def refuse_unknown(ends: Mapping[str, Iterable[str]], catalogue: Catalogue) -> None:
    """Check the ends of links by label. Those in stored repositories are trusted: to look for each would cost what these cost.

    Raises: InvalidGraphError for an end in a repository that is not stored.
    """
    trusted = {
        label: {node for node in ids if node.partition(":")[0] in catalogue.entries} for label, ids in ends.items()
    }
    require_endpoints({label: sorted(ids) for label, ids in ends.items()}, trusted)
