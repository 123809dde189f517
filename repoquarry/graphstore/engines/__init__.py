"""Table of graph engines, with one folder per engine.

Engines are imported when they are opened, so that a store on one engine does not load the library of another.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.settings import StoreSettings

ENGINES: Mapping[str, str] = {
    "kglite": "repoquarry.graphstore.engines.kglite",
    "neo4j": "repoquarry.graphstore.engines.neo4j",
}


class _EngineModule(Protocol):
    def open_engine(self, settings: StoreSettings, *, writable: bool) -> GraphEngine: ...


def open_engine(settings: StoreSettings, *, writable: bool) -> GraphEngine:
    """Open the engine that `settings.engine` names.

    Raises: NotFoundError for an unknown name, with the known ones; EngineUnavailableError; StoreCorruptError.
    """
    module = ENGINES.get(settings.engine)
    if module is None:
        known = ", ".join(sorted(ENGINES))
        raise NotFoundError(f"unknown engine {settings.engine!r}; known: {known}", kind="engine", value=settings.engine)
    return cast(_EngineModule, importlib.import_module(module)).open_engine(settings, writable=writable)
