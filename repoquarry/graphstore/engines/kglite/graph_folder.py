"""Folder of graph files: one for each repository, and small ones for the list of repositories and packages and for links between them.

Replaces, changes, deletes, adopts and repairs the graph of a repository: its own file and the small ones change, no other. The writer
holds the store's writer lock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import kglite
from msgspec import structs

from repoquarry.graphstore.engines import graph_catalog as catalogues
from repoquarry.graphstore.engines.embedded_engine import CatalogFolder, change_links, changed_entry
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
)
from repoquarry.graphstore.engines.kglite.library import remove_unpacked
from repoquarry.graphstore.engines.repository_links import linked_repositories, split_changes, split_links
from repoquarry.graphstore.errors import StoreCorruptError, StoreFullError
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


class GraphFolder(CatalogFolder):
    """Files of a store's graphs."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.files = GraphFiles(path)
        self._directory = RepositoryDirectory(self.files)
        self._ahead = GraphPrefetcher(self.files.load)

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> None:
        own, links = split_links(graph)
        loaded = kglite.KnowledgeGraph()
        for rows in load_tables(loaded, own):
            count(rows)
        count(len(links))
        entry = self.files.put(graph.repository, loaded, links)
        directory = self._directory.listing(before, graph.repository, directory_rows(graph))
        self.commit(before, before.with_entry(graph.repository, entry, directory))

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        """Context in which the graph of a repository is prefetched for `change`. Raises: StoreCorruptError."""
        entry = self.catalogue().entries.get(repository)
        return self._ahead.reading(entry.file) if entry is not None else nullcontext()

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> None:
        old = changed_entry(changes, before)
        own, removed, added = split_changes(changes)
        graph, links = self._ahead.take(old.file), set(self.files.links(old.file))
        apply_changes(graph, own, progress)
        entry = self.files.put(changes.repository, graph, change_links(links, removed, added, before))
        directory = self.files.load(before.directory)
        apply_changes(directory, listed_changes(own))
        self.commit(before, before.with_entry(changes.repository, entry, self._directory.put(before, directory)))

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
        return self.commit(before, before.with_entry(repository, entry, self._directory.put(before, directory)))

    def links(self, file: str) -> list[Link]:
        return self.files.links(file)

    def relist(self, repository: str, old: CatalogueEntry, links: list[Link]) -> CatalogueEntry:
        return self.files.relist(repository, old, links)

    def delete(self, repository: str, before: Catalogue) -> None:
        """Implement `CatalogFolder.delete`.

        On a full disk the catalog is replaced first: without the files that it no longer names there is space for the list of
        repositories, which `clean` corrects otherwise.
        """
        try:
            directory = self._directory.listing(before, repository, None) if len(before.entries) > 1 else ""
            self.commit(before, before.without(repository, directory))
            return
        except StoreFullError:
            for cached in (*self.path.glob(f"{JOINED}*"), *self.path.glob("*.tmp*")):
                cached.unlink(missing_ok=True)
        after = self.commit(before, before.without(repository, before.directory))
        with suppress(StoreFullError):
            listing = self._directory.without(before, repository)
            drop_unused_packages(listing)
            file = self._directory.put(after, listing)
            self.commit(after, structs.replace(after, sequence=after.sequence + 1, directory=file))

    def clean(self) -> None:
        """Remove files of killed writers; rebuild a damaged catalog or list of repositories from the graphs."""
        if not self.path.is_dir():
            return
        remove_unpacked()
        self.remove_leftovers()
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._directory.rebuild_directory()
        known = self._directory.repair_directory(self._without_missing(known))
        needed = known.files() | {catalogues.FILE_NAME}
        for file, name in self.unmarked_files():
            if name not in needed and not name.startswith(JOINED):
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
