"""Embedded graph engine on DuckDB: checks its release, and answers queries in the sandbox process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from repoquarry.graphstore.engines import require_release
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.graph_engine import QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Value

try:
    import duckdb
    import pyarrow as pa
except ImportError as exc:
    raise EngineUnavailableError(
        f"the engine duckdb needs packages that are not installed ({exc}); install 'repoquarry[duckdb]'"
    ) from exc

_SUPPORTED = (2, 0), (2, 1)
"""Lowest release that passes the comparison with Neo4j, and the first that is not tested; also in pyproject.toml."""


def require_supported(version: str) -> None:
    """Require a tested release of DuckDB. Raises: EngineUnavailableError with the remedy."""
    require_release("duckdb", version, _SUPPORTED)


require_supported(duckdb.__version__)


class SandboxedFolder:
    """Folder of databases in a child process that answers queries one after the other."""

    def __init__(self, folder: str) -> None:
        # Lazy import: the modules import this package.
        from repoquarry.graphstore.engines.duckdb import graph_views
        from repoquarry.graphstore.engines.duckdb.graph_folder import DatabaseFolder

        self._module = graph_views
        self._views = graph_views.GraphViews(DatabaseFolder(Path(folder)))
        self._scope = QueryScope()
        self._files: tuple[str, ...] = ()
        # Libraries import modules at their first call, which fails while a query may open no file.
        np.unique(pa.array([0, None]).fill_null(0).to_numpy(zero_copy_only=False))

    def refresh(self, scope: QueryScope) -> bool:
        before, self._scope, self._files = self._files, scope, self._views.files(scope)
        self._views.session(scope)
        return before != self._files

    def answer(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits
    ) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
        return self._module.stream_query(self._views.session(self._scope), text, parameters, limits)


open_sandboxed = SandboxedFolder
"""Opens the target of the queries in `repoquarry.graphstore.query.sandbox_main`."""
