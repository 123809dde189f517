"""Base of the embedded engines: immutable graph files in one folder, one per repository and revision, and a catalog of the current ones.

A write makes new files next to the stored ones, and replaces the catalog by an atomic rename. Readers in all processes see the previous
catalog until then, also after a kill, so no log is needed. The writer holds the store's writer lock.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

from repoquarry.graphstore.engines import graph_catalog as catalogues
from repoquarry.graphstore.engines.change_plan import check_changes, check_graph, require_endpoints
from repoquarry.graphstore.engines.graph_catalog import Catalogue, CatalogueEntry, Link
from repoquarry.graphstore.engines.repository_links import list_links
from repoquarry.graphstore.errors import ChangesRefusedError, NotFoundError, StoreCorruptError, StoreReadOnlyError
from repoquarry.graphstore.graph_engine import (
    DeletionSummary,
    Progress,
    QueryOutcome,
    QueryScope,
    RowSink,
    UntrustedQuery,
)
from repoquarry.graphstore.model.graph_tables import GraphChanges, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_scheduler import QueryLoad, QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.sandbox import QuerySandbox
from repoquarry.graphstore.query.shipped_scopes import find_shipped_scope
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

MAX_CATALOG_READS: Final = 20
"""Maximum reads of the catalog while writers replace it."""

_MARK: Final = ".damaged"
"""Suffix of the marker of a file that a reader could not read."""


class MarkedFiles:
    """Graph files of one folder; unreadable ones are marked for the next writer."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def remove(self, file: str) -> None:
        """Remove a file with its marker."""
        (self.path / file).unlink(missing_ok=True)
        (self.path / (file + _MARK)).unlink(missing_ok=True)

    def is_marked(self, file: str) -> bool:
        return (self.path / (file + _MARK)).exists()

    def mark_damaged(self, file: str, problem: Exception) -> StoreCorruptError:
        """Mark an unreadable file if possible, and return the error."""
        with suppress(OSError):
            (self.path / (file + _MARK)).touch()
        return StoreCorruptError(f"{self.path / file} cannot be read ({problem}); re-index the repository")

    def unmarked_files(self) -> Iterator[tuple[Path, str]]:
        """Yield the files and markers of the folder, with the name of the file that each is or marks."""
        for file in self.path.iterdir():
            yield file, file.name.removesuffix(_MARK)

    def remove_leftovers(self) -> None:
        """Remove files of killed writers."""
        for leftover in self.path.glob("*.tmp*"):
            leftover.unlink(missing_ok=True)


class CatalogFolder(MarkedFiles, ABC):
    """Folder of an engine. Reading is safe at any time; writing is for the holder of the writer lock.

    A write that raises leaves the stored state unchanged.
    """

    def catalogue(self) -> Catalogue:
        """Read the catalog. Raises: StoreCorruptError."""
        return catalogues.read(self.path)

    def stamp(self) -> tuple[int, int, int] | None:
        """Return an identifier of the folder's state; None if nothing was ever written."""
        try:
            found = os.stat(self.path / catalogues.FILE_NAME)
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def is_damaged(self, repository: str) -> bool:
        entry = self.catalogue().entries.get(repository)
        return entry is not None and self.is_marked(entry.file)

    @abstractmethod
    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> None:
        """Replace a repository's graph; `count` receives the number of loaded rows.

        Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError.
        """

    @abstractmethod
    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> None:
        """Apply changes to a stored repository. Raises: ChangesRefusedError, InvalidGraphError; as `put`."""

    @abstractmethod
    def delete(self, repository: str, before: Catalogue) -> None:
        """Remove a repository. Raises: as `put`."""

    @abstractmethod
    def clean(self) -> None:
        """Remove files of killed writers, and rebuild a damaged catalog from the graphs."""

    @abstractmethod
    def links(self, file: str) -> list[Link]:
        """Return the links of a graph file to other repositories. Raises: FileNotFoundError, StoreCorruptError."""

    @abstractmethod
    def relist(self, repository: str, old: CatalogueEntry, links: list[Link]) -> CatalogueEntry:
        """Publish the same graph with other links under a new name, by which readers notice the change."""

    def exchange(self, removed: set[Link], added: set[Link], before: Catalogue) -> None:
        """Remove existing links, and add missing ones to the list of the repository in which they start. Raises: as `put`."""
        ends = {node.partition(":")[0] for _, start, _, end in removed | added for node in (start, end)}
        stored = {name: set(self.links(before.entries[name].file)) for name in sorted(ends & before.entries.keys())}
        missing = added.difference(*stored.values())
        after = before
        for name, links in stored.items():
            now = (links - removed) | {link for link in missing if link[1].partition(":")[0] == name}
            if now != links:
                after = after.with_entry(name, self.relist(name, before.entries[name], sorted(now)), before.directory)
        if after is not before:
            self.commit(before, after)

    def commit(self, before: Catalogue, after: Catalogue) -> Catalogue:
        """Replace the catalog, and remove the files that only the previous one names."""
        catalogues.write(self.path, after)
        for file in before.files() - after.files():
            self.remove(file)
        return after


def changed_entry(changes: GraphChanges, catalogue: Catalogue) -> CatalogueEntry:
    """Return the entry of the repository that changes start from. Raises: ChangesRefusedError."""
    entry = catalogue.entries.get(changes.repository)
    if entry is None:
        raise ChangesRefusedError(f"{changes.repository} is not stored, but the changes start from {changes.base}")
    return entry


def change_links(links: set[Link], removed: set[Link], added: set[Link], catalogue: Catalogue) -> list[Link]:
    """Return the links after a change, sorted. Raises: ChangesRefusedError, InvalidGraphError."""
    if not links >= removed:
        raise ChangesRefusedError(f"{len(removed - links)} links are not stored, {min(removed - links)}")
    ends: dict[str, set[str]] = {}
    for start_label, start, end_label, end in added:
        ends.setdefault(start_label, set()).add(start)
        ends.setdefault(end_label, set()).add(end)
    _refuse_unknown(ends, catalogue)
    return sorted((links - removed) | added)


def _refuse_unknown(ends: Mapping[str, Iterable[str]], catalogue: Catalogue) -> None:
    """Check the ends of links by label. Ends in stored repositories are trusted, because checking each would read these repositories.

    Raises: InvalidGraphError for an end in a repository that is not stored.
    """
    trusted = {
        label: {node for node in ids if node.partition(":")[0] in catalogue.entries} for label, ids in ends.items()
    }
    require_endpoints({label: sorted(ids) for label, ids in ends.items()}, trusted)


Folder = TypeVar("Folder", bound=CatalogFolder)


class FolderViews(ABC, Generic[Folder]):
    """Open files of one process. Thread-safe."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._guard = threading.RLock()
        self._stamp: object = ()
        self._catalogue = Catalogue()

    def catalogue(self) -> Catalogue:
        """Return the current catalog. Raises: StoreCorruptError."""
        with self._guard:
            stamp = self._folder.stamp()
            if stamp != self._stamp:
                self._catalogue, self._stamp = self._folder.catalogue(), stamp
                self._forget_replaced(self._catalogue.files())
            return self._catalogue

    @abstractmethod
    def _forget_replaced(self, files: set[str]) -> None:
        """Release what was opened of other files than the current ones."""

    @abstractmethod
    def drop(self) -> None:
        """Release everything."""


Views = TypeVar("Views", bound=FolderViews)  # type: ignore[type-arg]  # each engine's own folder


class EmbeddedEngine(Generic[Folder, Views]):
    """Engine on a folder; untrusted queries run in child processes of `package`."""

    def __init__(
        self,
        settings: StoreSettings,
        folder: Folder,
        views: Views,
        package: str,
        *,
        writable: bool,
        translated_errors: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._writable, self._folder, self._views, self._translated = writable, folder, views, translated_errors
        self._write_guard = threading.Lock()
        lanes = SchedulerSettings(
            settings.quick_workers, settings.query_workers, settings.quick_seconds, settings.max_queued_queries
        )
        self._sandbox = QuerySandbox((package, str(folder.path)), QueryScheduler(lanes))
        if writable:
            with translate_write_errors(folder.path), translated_errors():
                folder.path.mkdir(exist_ok=True)
                folder.clean()

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> None:
        """Implement `GraphEngine.replace_repository`; the cost depends on this repository only."""
        elsewhere = check_graph(graph)
        with self._writing():
            before = self._folder.catalogue()
            _refuse_unknown(elsewhere, before)
            done, total = 0, sum(graph.counts().values())

            def count(rows: int) -> None:
                nonlocal done
                done += rows
                if progress is not None and rows:
                    progress(done, total)

            self._folder.put(graph, before, count)

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> None:
        """Implement `GraphEngine.change_repository` on a copy of the repository's file."""
        check_changes(changes)
        with self._writing():
            self._folder.change(changes, self._folder.catalogue(), progress)

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        """Implement `GraphEngine.exchange_links` by rewriting lists of links, not graphs."""
        with self._writing():
            self._folder.exchange(set(list_links(removed)), set(list_links(added)), self._folder.catalogue())

    def delete_repository(self, repository: str) -> DeletionSummary:
        with self._writing():
            before = self._folder.catalogue()
            old = before.entries.get(repository)
            if old is None:
                raise NotFoundError(f"no repository {repository!r} is indexed", kind="repository", value=repository)
            self._folder.delete(repository, before)
        return DeletionSummary(old.nodes, old.relationships)

    def run_untrusted(self, query: UntrustedQuery, rows: RowSink) -> QueryOutcome:
        """Run in a child process, whose memory and time the operating system limits."""
        return self._sandbox.run(query, rows)

    def query_load(self) -> QueryLoad:
        return self._sandbox.query_load()

    def repositories(self) -> Sequence[str]:
        return sorted(self._views.catalogue().entries)

    def is_damaged(self, repository: str) -> bool:
        return self._folder.is_damaged(repository)

    def close(self) -> None:
        self._sandbox.close()
        self._views.drop()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if not self._writable:
            raise StoreReadOnlyError(f"{self._folder.path.parent} was opened for reading")
        with self._write_guard, self._translated():
            yield


def scope_of(text: str, parameters: Mapping[str, Value]) -> QueryScope:
    """Return the scope of a query without a declared one."""
    if (shipped := find_shipped_scope(text)) is not None:
        return shipped.scope(parameters)
    # Lazy import: only callers with a text of their own load the parser.
    from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope

    return analyze_text_scope(text).scope(parameters)
