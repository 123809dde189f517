"""Embedded graph engine on DuckDB: one immutable database file per repository and revision, and a catalog of the current files.

Queries are compiled to SQL. Untrusted ones run in a child process; the connection has no access to files and loads nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from repoquarry.graphstore.engines.change_plan import check_changes, check_graph
from repoquarry.graphstore.engines.duckdb.graph_folder import FOLDER, DatabaseFolder, refuse_unknown
from repoquarry.graphstore.engines.duckdb.graph_views import GraphViews, run_query
from repoquarry.graphstore.engines.graph_catalog import Link
from repoquarry.graphstore.errors import NotFoundError, StoreReadOnlyError
from repoquarry.graphstore.graph_engine import (
    DeletionSummary,
    EngineInfo,
    Progress,
    QueryLimits,
    QueryOutcome,
    QueryResult,
    QueryScope,
    RowSink,
    UntrustedQuery,
)
from repoquarry.graphstore.model.graph_tables import GraphChanges, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_scheduler import QueryLoad, QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.sandbox import QuerySandbox
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors


class DuckdbEngine:
    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        self._writable = writable
        self._folder = DatabaseFolder(settings.folder / FOLDER)
        self._views = GraphViews(self._folder)
        self._write_guard = threading.Lock()
        lanes = SchedulerSettings(
            settings.quick_workers, settings.query_workers, settings.quick_seconds, settings.max_queued_queries
        )
        self._sandbox = QuerySandbox(
            ("repoquarry.graphstore.engines.duckdb", str(self._folder.path)), QueryScheduler(lanes)
        )
        if writable:
            with translate_write_errors(self._folder.path):
                self._folder.path.mkdir(exist_ok=True)
                self._folder.clean()

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("duckdb", frozenset())

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> None:
        """Implement `GraphEngine.replace_repository`; the cost depends on this repository only."""
        elsewhere = check_graph(graph)
        with self._writing():
            before = self._folder.catalogue()
            refuse_unknown({(label, end, label, end) for label, ends in elsewhere.items() for end in ends}, before)
            done, total = 0, sum(graph.counts().values())

            def count(rows: int) -> None:
                nonlocal done
                done += rows
                if progress is not None and rows:
                    progress(done, total)

            self._folder.put(graph, before, count)

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> None:
        """Implement `GraphEngine.change_repository`: copy the repository's file, and change the copy."""
        check_changes(changes)
        with self._writing():
            self._folder.change(changes, self._folder.catalogue(), progress)

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        return nullcontext()

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        """Implement `GraphEngine.exchange_links` by rewriting tables of links in copies of the files."""
        with self._writing():
            self._folder.exchange(set(_rows(removed)), set(_rows(added)), self._folder.catalogue())

    def delete_repository(self, repository: str) -> DeletionSummary:
        with self._writing():
            before = self._folder.catalogue()
            old = before.entries.get(repository)
            if old is None:
                raise NotFoundError(f"no repository {repository!r} is indexed", kind="repository", value=repository)
            self._folder.delete(repository, before)
        return DeletionSummary(old.nodes, old.relationships)

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        scope = scope or _scope_of(text, parameters)
        return run_query(self._views.session(scope), text, parameters, limits)

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
        with self._write_guard:
            yield


def _scope_of(text: str, parameters: Mapping[str, Value]) -> QueryScope:
    # Lazy import: only callers with a text load the parser.
    from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope

    return analyze_text_scope(text).scope(parameters)


def _rows(tables: Sequence[RelationshipTable]) -> list[Link]:
    return [
        (table.start_label, start, table.end_label, end)
        for table in tables
        for start, end in zip(table.start, table.end, strict=True)
    ]
