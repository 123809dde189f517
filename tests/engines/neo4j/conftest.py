"""A Neo4j database as a new one is: without nodes, constraints and indexes."""

from collections.abc import Iterator

import neo4j
import pytest

from repoquarry.graphstore.settings import StoreSettings
from tests.neo4j_server import Neo4jServer


@pytest.fixture
def database(neo4j_instance: Neo4jServer, neo4j_settings: StoreSettings) -> Iterator[neo4j.Session]:
    """A session on the database of `neo4j_settings`, which has no schema yet."""
    with (
        neo4j.GraphDatabase.driver(neo4j_instance.uri, auth=neo4j_instance.auth) as driver,
        driver.session() as session,
    ):
        for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
            for name in session.run(f"SHOW {kinds} YIELD name, type WHERE type <> 'LOOKUP' RETURN name").value():
                session.run(f"DROP {kind} `{name}`").consume()
        yield session
