"""The frozen graphs on both engines for the whole session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.engine_pair import load_graphs
from tests.neo4j_server import Neo4jServer, empty, times_emptied

Twins = tuple[GraphEngine, GraphEngine]


class Pair:
    """The embedded engine, and Neo4j, which is filled again where another test has emptied it since."""

    def __init__(self, embedded: GraphEngine, graphs: list[RepositoryGraph], server: Neo4jServer, folder: Path) -> None:
        self._embedded = embedded
        self._graphs = graphs
        self._server = server
        self._settings = server.settings(folder)
        self._reference: GraphEngine | None = None
        self._filled = -1

    def twins(self) -> Twins:
        if self._reference is None or self._filled != times_emptied(self._server):
            self.close()
            empty(self._server)
            self._reference = open_engine(self._settings, writable=True)
            for graph in self._graphs:
                self._reference.replace_repository(graph)
            self._filled = times_emptied(self._server)
        return self._embedded, self._reference

    def close(self) -> None:
        if self._reference is not None:
            self._reference.close()


@pytest.fixture(scope="session")
def pair(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("twins")
    (folder / "kglite").mkdir()
    graphs = load_graphs()
    embedded = open_engine(StoreSettings(folder / "kglite"), writable=True)
    for graph in graphs:
        embedded.replace_repository(graph)
    made = Pair(embedded, graphs, neo4j_instance, folder / "neo4j")
    try:
        yield made
    finally:
        made.close()
        embedded.close()


@pytest.fixture
def twins(pair: Pair) -> Twins:
    return pair.twins()
