"""Registry of graph engines (DuckDB, kglite, Neo4j), one folder each; opens the engine that the settings name.

Engines are imported when they are opened, so that a store on one engine does not load the library of another.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Final

from repoquarry.graphstore.errors import EngineUnavailableError, NotFoundError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.settings import StoreSettings

ENGINES: Final[Mapping[str, str]] = {
    "duckdb": "repoquarry.graphstore.engines.duckdb.engine:DuckdbEngine",
    "kglite": "repoquarry.graphstore.engines.kglite.engine:KgliteEngine",
    "neo4j": "repoquarry.graphstore.engines.neo4j.engine:Neo4jEngine",
}


def require_release(
    library: str, version: str, supported: tuple[tuple[int, ...], tuple[int, ...]], otherwise: str = ""
) -> None:
    """Require a tested release of an engine's library: the lowest, and the first that is not tested. Raises: EngineUnavailableError."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[: len(supported[0])])
    if not supported[0] <= numbers < supported[1]:
        lowest, below = (".".join(map(str, bound)) for bound in supported)
        raise EngineUnavailableError(
            f"{library} {version} is installed, whose answers are not tested; install '{library}>={lowest},<{below}'{otherwise}"
        )


def open_engine(settings: StoreSettings, *, writable: bool) -> GraphEngine:
    """Open the engine that `settings.engine` names; the caller holds the writer lock if `writable`.

    Raises: NotFoundError for an unknown name, with the known ones; EngineUnavailableError; StoreCorruptError; StoreNewerError if a newer
    version wrote the database.
    """
    target = ENGINES.get(settings.engine)
    if target is None:
        known = ", ".join(sorted(ENGINES))
        raise NotFoundError(f"unknown engine {settings.engine!r}; known: {known}", kind="engine", value=settings.engine)
    module, name = target.split(":")
    opened: GraphEngine = getattr(importlib.import_module(module), name)(settings, writable=writable)
    return opened
