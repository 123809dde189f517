"""Embedded graph engine on DuckDB: one immutable database file per repository and revision, and a catalog of the current files.

Queries are compiled to SQL. Untrusted ones run in a child process; the connection has no access to files and loads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from repoquarry.graphstore.engines.duckdb.graph_folder import FOLDER, DatabaseFolder
from repoquarry.graphstore.engines.duckdb.graph_views import GraphViews, run_query
from repoquarry.graphstore.engines.embedded_engine import EmbeddedEngine, scope_of
from repoquarry.graphstore.graph_engine import EngineInfo, QueryLimits, QueryResult, QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.settings import StoreSettings


class DuckdbEngine(EmbeddedEngine[DatabaseFolder, GraphViews]):
    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        folder = DatabaseFolder(settings.folder / FOLDER)
        super().__init__(settings, folder, GraphViews(folder), __package__, writable=writable)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("duckdb", frozenset())

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        return nullcontext()

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        return run_query(self._views.session(scope or scope_of(text, parameters)), text, parameters, limits)
