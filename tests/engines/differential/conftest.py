"""The frozen graphs on the embedded engine, and Neo4j's recorded rows over them; for tests marked long on Neo4j as well."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.engine_pair import filled_engine
from tests.engines.differential.recorded_rows import RecordedRows
from tests.neo4j_server import Neo4jServer, empty, times_emptied

Twins = tuple[GraphEngine, GraphEngine]


class FilledServer:
    """Neo4j with the frozen graphs, which are written again where another test has emptied it since."""

    def __init__(self, server: Neo4jServer, settings: StoreSettings) -> None:
        self._server = server
        self._settings = settings
        self._opened = ExitStack()
        self._engine: GraphEngine | None = None
        self._filled = -1

    def engine(self) -> GraphEngine:
        if self._engine is None or self._filled != times_emptied(self._server):
            self.close()
            empty(self._server)
            self._engine = self._opened.enter_context(filled_engine(self._settings))
            self._filled = times_emptied(self._server)
        return self._engine

    def close(self) -> None:
        self._opened.close()


@pytest.fixture(scope="session")
def recorded() -> RecordedRows:
    return RecordedRows.load()


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphEngine]:
    """The embedded engine with the frozen graphs."""
    with filled_engine(StoreSettings(tmp_path_factory.mktemp("embedded"))) as engine:
        yield engine


@pytest.fixture(scope="session")
def filled_server(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilledServer]:
    server = FilledServer(neo4j_instance, neo4j_instance.settings(tmp_path_factory.mktemp("reference")))
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def reference(filled_server: FilledServer) -> GraphEngine:
    """Neo4j with the frozen graphs."""
    return filled_server.engine()


@pytest.fixture
def twins(embedded: GraphEngine, reference: GraphEngine) -> Twins:
    return embedded, reference
