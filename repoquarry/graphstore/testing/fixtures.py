"""Fixtures of the compliance suite; a test module of another engine overrides `open_engine` and, if it has to, the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from repoquarry.graphstore import engines
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.settings import StoreSettings


class EngineOpener(Protocol):
    def __call__(self, settings: StoreSettings, *, writable: bool) -> GraphEngine: ...


@pytest.fixture(scope="session")
def open_engine() -> EngineOpener:
    """Open the engine under test."""
    return engines.open_engine


@pytest.fixture
def engine_settings(tmp_path: Path) -> StoreSettings:
    """Settings of an empty store."""
    return StoreSettings(tmp_path)


@pytest.fixture(scope="module")
def shared_engine_settings(tmp_path_factory: pytest.TempPathFactory) -> StoreSettings:
    """Settings of an empty store that the tests of a module share."""
    return StoreSettings(tmp_path_factory.mktemp("shared"), embedding=None)


@pytest.fixture
def engine(open_engine: EngineOpener, engine_settings: StoreSettings) -> Iterator[GraphEngine]:
    """Empty engine, open for writing."""
    opened = open_engine(engine_settings, writable=True)
    try:
        yield opened
    finally:
        opened.close()
