"""Embedded graph engine on the kglite library: checks its release, and answers queries in the sandbox process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import kglite

from repoquarry.graphstore.engines import require_release
from repoquarry.graphstore.engines.kglite import loaded_graphs
from repoquarry.graphstore.engines.kglite.graph_folder import GraphFolder
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache
from repoquarry.graphstore.graph_engine import QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Value

_SUPPORTED = (0, 21, 1), (0, 22)
"""Lowest release that passes the contract tests, and the first that is not tested; also in pyproject.toml."""


def require_supported(version: str) -> None:
    """Require a tested release of kglite. Raises: EngineUnavailableError with the remedies."""
    otherwise = ", or use Neo4j (REPOQUARRY_STORE_ENGINE=neo4j) and index the repositories again"
    require_release("kglite", version, _SUPPORTED, otherwise)


require_supported(kglite.__version__)
kglite.set_query_warning_policy("silent")  # The gate issues warnings in terms of the schema.
warnings.filterwarnings(
    "ignore",
    category=kglite.MappedFallbackWarning,
)  # Concerns a storage mode that is not used here.


class SandboxedFolder:
    """Folder of graphs in a child process that answers queries one after the other."""

    def __init__(self, folder: str) -> None:
        self._views = GraphCache(GraphFolder(Path(folder)), alone=True)
        self._view = self._views.nothing

    def refresh(self, scope: QueryScope) -> bool:
        before, self._view = self._view, self._views.view(scope)
        return self._view is not before

    def answer(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits
    ) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
        return loaded_graphs.stream_query(self._view, text, parameters, limits)


open_sandboxed = SandboxedFolder
"""Opens the target of the queries in `repoquarry.graphstore.query.sandbox_main`."""
