"""One indexed repository, most of this project's own `graphstore` package, on both engines for the whole session."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import repoquarry.graphstore
from repoquarry.graphstore.engine import GraphEngine
from repoquarry.graphstore.engines.registry import open_engine
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.neo4j_server import Neo4jServer, empty, times_emptied

Twins = tuple[GraphEngine, GraphEngine]
_LEFT_OUT = ("index", "rewrites", "__pycache__", "*.so")
"""Without these two folders every query of the corpus that has rows still has some, and those over all pairs of functions have four tenths fewer."""


class Pair:
    """The embedded engine, and Neo4j, which is filled again where another test has emptied it since."""

    def __init__(self, embedded: GraphEngine, graph: RepositoryGraph, server: Neo4jServer, folder: Path) -> None:
        self._embedded = embedded
        self._graph = graph
        self._server = server
        self._settings = StoreSettings(
            folder, "neo4j", server.uri, neo4j_user=server.user, neo4j_password=server.password
        )
        self._reference: GraphEngine | None = None
        self._filled = -1

    def twins(self) -> Twins:
        if self._reference is None or self._filled != times_emptied(self._server):
            self.close()
            empty(self._server)
            self._reference = open_engine(self._settings, writable=True)
            self._reference.replace_repository(self._graph)
            self._filled = times_emptied(self._server)
        return self._embedded, self._reference

    def close(self) -> None:
        if self._reference is not None:
            self._reference.close()


@pytest.fixture(scope="session")
def pair(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("twins")
    package = Path(repoquarry.graphstore.__file__).parent
    source = shutil.copytree(package, folder / "graphstore", ignore=shutil.ignore_patterns(*_LEFT_OUT))
    with Store.open(StoreSettings(folder / "kglite"), writable=True) as store:
        report = index_repository(str(source), store, IngestSettings(workers=1))
        made = Pair(store.engine, store.graph(report.repository), neo4j_instance, folder / "neo4j")
        try:
            yield made
        finally:
            made.close()


@pytest.fixture
def twins(pair: Pair) -> Twins:
    """The embedded engine and Neo4j with the same graph."""
    return pair.twins()
