"""Embedded graph engine on kglite: one graph file per repository, and a catalog of the current files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from repoquarry.graphstore.engines.embedded_engine import EmbeddedEngine, scope_of
from repoquarry.graphstore.engines.kglite import loaded_graphs
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER, GraphFolder
from repoquarry.graphstore.engines.kglite.library import translated_errors
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache
from repoquarry.graphstore.engines.repository_links import list_links
from repoquarry.graphstore.graph_engine import (
    Capability,
    EngineInfo,
    QueryLimits,
    QueryResult,
    QueryScope,
    UntrustedQuery,
)
from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import decode_batch
from repoquarry.graphstore.settings import StoreSettings

_IN_PROCESS_RELATIONSHIPS = 500_000
"""Trusted queries on larger graphs run in the sandbox processes too, so that only those load such graphs."""


class KgliteEngine(EmbeddedEngine[GraphFolder, GraphCache]):
    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        folder = GraphFolder(settings.folder / FOLDER)
        views = GraphCache(folder)
        super().__init__(settings, folder, views, __package__, writable=writable, translated_errors=translated_errors)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("kglite", frozenset({Capability.ADOPTION}))

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        return self._folder.prefetch(repository)

    def adopt_repository(self, folder: Path, repository: str, links: Sequence[RelationshipTable]) -> None:
        """Implement `GraphEngine.adopt_repository` by moving the file."""
        with self._writing():
            self._folder.adopt(GraphFolder(folder / FOLDER), repository, list_links(links), self._folder.catalogue())

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        scope = scope or scope_of(text, parameters)
        if self._views.weight(scope) <= _IN_PROCESS_RELATIONSHIPS:
            return loaded_graphs.run_query(self._views.view(scope), text, parameters, limits)
        rows = _Rows()
        ended = self._sandbox.run(UntrustedQuery(text, parameters, limits, scope=scope), rows)
        return QueryResult(ended.columns, rows.rows, ended.truncated, ended.seconds)


class _Rows:
    def __init__(self) -> None:
        self.rows: list[tuple[Value, ...]] = []

    def add(self, batch: bytes) -> None:
        self.rows += decode_batch(batch)

    def clear(self) -> None:
        self.rows.clear()
