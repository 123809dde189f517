"""Folder of graph files: one for each repository, and small ones for the list of repositories and packages and for links between them.

Replaces, changes, deletes, adopts and repairs the graph of a repository: its own file and the small ones change, no other. The writer
holds the store's writer lock.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import kglite
from msgspec import structs

from repoquarry.graphstore.engines import graph_catalog as catalogues
from repoquarry.graphstore.engines.change_plan import require_endpoints
from repoquarry.graphstore.engines.graph_catalog import Catalogue, CatalogueEntry, Link, links_of
from repoquarry.graphstore.engines.kglite.change_writer import (
    LISTED,
    apply_changes,
    directory_rows,
    drop_unused_packages,
    listed_changes,
    load_tables,
)
from repoquarry.graphstore.engines.kglite.graph_files import (
    JOINED,
    SUFFIX,
    GraphFiles,
    GraphPrefetcher,
    entry_of,
    unmarked,
)
from repoquarry.graphstore.engines.kglite.library import remove_unpacked
from repoquarry.graphstore.engines.repository_links import linked_repositories, split_changes, split_links
from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError, StoreFullError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import GraphChanges, RepositoryGraph
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

DIRECTORY: Final = "directory-"
"""Prefix of the files with the list of repositories."""

_log = logging.getLogger(__name__)


class RepositoryDirectory:
    """Graph of the repositories and packages only, one file of the folder."""

    def __init__(self, files: GraphFiles) -> None:
        self._files = files

    def listing(self, before: Catalogue, repository: str, listed: RepositoryGraph | None) -> str:
        """Write a new file of repositories and packages, with `listed` for the repository; return its name."""
        graph = self.without(before, repository)
        for _ in load_tables(graph, listed) if listed is not None else ():
            pass
        drop_unused_packages(graph)
        return self.put(before, graph)

    def without(self, before: Catalogue, repository: str) -> Any:
        """Return a private graph of the repositories and packages without the repository."""
        graph = self._files.load(before.directory) if before.directory else kglite.KnowledgeGraph()
        if repository in before.entries:
            graph.cypher("MATCH (r:Repository {id: $id}) DETACH DELETE r", params={"id": repository})
        return graph

    def put(self, before: Catalogue, graph: Any) -> str:
        """Save the graph under a new name, which is returned. Raises: as `GraphFiles.save`."""
        file = f"{DIRECTORY}{before.sequence + 1}{SUFFIX}"
        self._files.save(graph, file)
        return file

    def rebuild_directory(self) -> Catalogue:
        """Write a catalog of the existing graphs, the newest of each repository."""
        found = Catalogue()
        graphs = [path for path in self._files.path.glob(f"*{SUFFIX}") if not path.name.startswith((JOINED, DIRECTORY))]
        for path in sorted(graphs, key=lambda path: path.stat().st_mtime_ns):
            try:
                graph, links = self._files.load(path.name), self._files.links(path.name)
            except (FileNotFoundError, StoreCorruptError) as exc:
                _log.warning("graph_lost path=%s error=%s", path, exc)
                continue
            for row in graph.cypher("MATCH (r:Repository) RETURN r.id AS id").to_list():
                found = found.with_entry(row["id"], entry_of(row["id"], path.name, graph, links), "")
        return self.rebuild(found)

    def repair_directory(self, known: Catalogue) -> Catalogue:
        """Keep the list of all repositories if it is readable, otherwise rebuild it; return the catalog."""
        try:
            graph: Any = self._files.load(known.directory) if known.directory else kglite.KnowledgeGraph()
            listed = set(graph.cypher("MATCH (r:Repository) RETURN r.id AS id").column("id"))
            if listed == known.entries.keys():
                return known
            reason = "a deletion was not finished"
        except (FileNotFoundError, StoreCorruptError) as exc:
            reason = str(exc)
        _log.warning("graph_directory_rebuilt reason=%s", reason)
        return self.rebuild(known)

    def rebuild(self, known: Catalogue) -> Catalogue:
        """Rebuild the list from the graphs and write the catalog without unreadable graphs."""
        listing = kglite.KnowledgeGraph()
        for entry in known.entries.values():
            try:
                part = self._files.load(entry.file)
            except (FileNotFoundError, StoreCorruptError):
                continue  # Marked as unreadable by now: the next indexing of the repository rewrites it.
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
    """Files of a store's graphs. Reading is safe at any time; writing is for the holder of the writer lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = GraphFiles(path)
        self._directory = RepositoryDirectory(self.files)
        self._ahead = GraphPrefetcher(self.files.load)

    def stamp(self) -> Stamp | None:
        """Return an identifier of the folder's state; None if nothing was ever written."""
        try:
            found = os.stat(self.path / catalogues.FILE_NAME)
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def catalogue(self) -> Catalogue:
        """Read the catalog. Raises: StoreCorruptError."""
        return catalogues.read(self.path)

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> Catalogue:
        """Replace a repository's graph; `count` receives the number of loaded rows.

        Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError; then the stored state is unchanged.
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
        """Context in which the graph of a repository is prefetched for `change`. Raises: StoreCorruptError."""
        entry = self.catalogue().entries.get(repository)
        return self._ahead.reading(entry.file) if entry is not None else nullcontext()

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> None:
        """Apply changes to a stored repository.

        Raises: ChangesRefusedError, InvalidGraphError; as `put`. Then the stored state is unchanged.
        """
        old = before.entries.get(changes.repository)
        if old is None:
            raise ChangesRefusedError(f"{changes.repository} is not stored, but the changes start from {changes.base}")
        own, removed, added = split_changes(changes)
        graph, links = self._ahead.take(old.file), set(self.files.links(old.file))
        apply_changes(graph, own, progress)
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

    def adopt(self, other: GraphFolder, repository: str, links: list[Link], before: Catalogue) -> Catalogue:
        """Move a repository's graph without links from another folder of the same file system.

        Raises: KeyError if the other folder has none; StoreFullError, StoreUnwritableError. Then the stored state is unchanged.
        """
        given = other.catalogue()
        old = given.entries[repository]
        directory = self._directory.without(before, repository)
        directory.extend(other.files.load(given.directory))
        drop_unused_packages(directory)
        self.files.save_links(old.file, links)
        with translate_write_errors(self.path):
            (other.path / old.file).replace(self.path / old.file)
        entry = CatalogueEntry(
            old.file, old.nodes, old.relationships + len(links), linked_repositories(repository, links)
        )
        return self._commit(before, before.with_entry(repository, entry, self._directory.put(before, directory)))

    def exchange(self, removed: set[Link], added: set[Link], before: Catalogue) -> Catalogue:
        """Remove existing links, and add missing ones to the list of the repository in which they start.

        Raises: StoreCorruptError, StoreFullError, StoreUnwritableError. Then the stored state is unchanged.
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
        """Remove a repository. Raises: as `put`; then the stored state is unchanged.

        On a full disk the catalog is replaced first: without the files that it no longer names there is space for the list of
        repositories, which `clean` corrects otherwise.
        """
        try:
            return self._delete(repository, before)
        except StoreFullError:
            for cached in (*self.path.glob(f"{JOINED}*"), *self.path.glob("*.tmp*")):
                cached.unlink(missing_ok=True)
        after = self._commit(before, before.without(repository, before.directory))
        with suppress(StoreFullError):
            listing = self._directory.without(before, repository)
            drop_unused_packages(listing)
            file = self._directory.put(after, listing)
            after = self._commit(after, structs.replace(after, sequence=after.sequence + 1, directory=file))
        return after

    def _delete(self, repository: str, before: Catalogue) -> Catalogue:
        directory = self._directory.listing(before, repository, None) if len(before.entries) > 1 else ""
        return self._commit(before, before.without(repository, directory))

    def clean(self) -> None:
        """Remove files of killed writers; rebuild a damaged catalog or list of repositories from the graphs."""
        if not self.path.is_dir():
            return
        remove_unpacked()
        for leftover in self.path.glob("*.tmp*"):
            leftover.unlink(missing_ok=True)
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._directory.rebuild_directory()
        known = self._directory.repair_directory(self._without_missing(known))
        needed = known.files() | {catalogues.FILE_NAME}
        for file in self.path.iterdir():
            if unmarked(file.name) not in needed and not file.name.startswith(JOINED):
                file.unlink(missing_ok=True)

    def _without_missing(self, known: Catalogue) -> Catalogue:
        """Return the catalog of the repositories whose files exist; write it if others were listed."""
        entries = {
            name: entry
            for name, entry in known.entries.items()
            if (self.path / entry.file).exists() and (self.path / links_of(entry.file)).exists()
        }
        if len(entries) == len(known.entries):
            return known
        _log.warning("graph_files_missing repositories=%s", sorted(known.entries.keys() - entries.keys()))
        return self._directory.rebuild(structs.replace(known, entries=entries))

    def _commit(self, before: Catalogue, after: Catalogue) -> Catalogue:
        catalogues.write(self.path, after)
        for file in before.files() - after.files():
            self.files.remove(file)
        return after

    def is_damaged(self, repository: str) -> bool:
        entry = self.catalogue().entries.get(repository)
        return entry is not None and self.files.is_marked(entry.file)


def refuse_unknown(ends: Mapping[str, Iterable[str]], catalogue: Catalogue) -> None:
    """Check the ends of links by label. Ends in stored repositories are trusted, because checking each would read these repositories.

    Raises: InvalidGraphError for an end in a repository that is not stored.
    """
    trusted = {
        label: {node for node in ids if node.partition(":")[0] in catalogue.entries} for label, ids in ends.items()
    }
    require_endpoints({label: sorted(ids) for label, ids in ends.items()}, trusted)
