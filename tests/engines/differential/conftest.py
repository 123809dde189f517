"""One indexed repository, this project's own `graphstore` package, on both engines for the whole session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import repoquarry.graphstore
from repoquarry.graphstore.engine import GraphEngine
from repoquarry.graphstore.engines.registry import open_engine
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.neo4j_server import Neo4jServer, empty


@pytest.fixture(scope="session")
def twins(
    neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[GraphEngine, GraphEngine]]:
    """The embedded engine and Neo4j with the same graph."""
    folder = tmp_path_factory.mktemp("twins")
    source = Path(repoquarry.graphstore.__file__).parent
    empty(neo4j_instance)
    settings = StoreSettings(
        folder / "neo4j", "neo4j", neo4j_instance.uri, neo4j_user=neo4j_instance.user,
        neo4j_password=neo4j_instance.password,
    )  # fmt: skip
    with Store.open(StoreSettings(folder / "kglite"), writable=True) as store:
        report = index_repository(str(source), store, IngestSettings(workers=1))
        reference = open_engine(settings, writable=True)
        try:
            reference.replace_repository(store.graph(report.repository))
            yield store.engine, reference
        finally:
            reference.close()
