"""Conditions on paths: a shortest path is the shortest of those that satisfy them, and subqueries may name their path."""

from collections.abc import Iterator

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder

_ENDS = "MATCH (a:Function {name: 'a'}), (c:Function {name: 'c'}) "


@pytest.fixture(scope="module")
def store(shared_engine_settings: StoreSettings) -> Iterator[Store]:
    """A direct call that is a guess, and a sure one over `b`."""
    b = GraphBuilder("app")
    b.repository_node()
    module = b.module("app.py")
    a, mid, c = (b.define("Function", module, name, line) for line, name in enumerate("abc", 1))
    b.join("CALLS", a, c, count=1, lines=[1], how="possible", confidence=0.3, targets=1)
    b.join("CALLS", a, mid, count=1, lines=[1], how="name", confidence=1.0, targets=1)
    b.join("CALLS", mid, c, count=1, lines=[2], how="name", confidence=1.0, targets=1)
    with Store.open(shared_engine_settings, writable=True) as opened:
        opened.engine.replace_repository(b.build())
        yield opened


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("MATCH p = shortestPath((a)-[:CALLS*..5]->(c)) RETURN length(p)", [[1]]),
        ("MATCH p = shortestPath((a)-[:CALLS*..5 {how: 'name'}]->(c)) RETURN length(p)", [[2]]),
        ("MATCH p = shortestPath((a)-[:CALLS {how: 'name'}]->(c)) RETURN length(p)", []),
        ("MATCH p = shortestPath((a)-[:CALLS*..5 {how: 'nothing'}]->(c)) RETURN length(p)", []),
        (
            "MATCH p = shortestPath((a)-[:CALLS*..5]->(c)) WHERE all(r IN relationships(p) WHERE r.how = 'name') RETURN length(p)",
            [[2]],
        ),
        (
            "MATCH p = shortestPath((a)-[rs:CALLS*..5]->(c)) WHERE all(r IN rs WHERE r.confidence > 0.5) RETURN size(rs)",
            [[2]],
        ),
        ("MATCH p = shortestPath((a)-[:CALLS*..5]->(c)) WHERE length(p) > 1 RETURN length(p)", [[2]]),
        ("MATCH p = allShortestPaths((a)-[:CALLS*..5]-(c)) WHERE length(p) > 1 RETURN length(p)", [[2]]),
        ("MATCH p = SHORTEST 1 (a)-[:CALLS {how: 'name'}]->+(c) RETURN length(p)", [[2]]),
        ("MATCH p = ALL SHORTEST (a)-[:CALLS {how: 'name'}]->+(c) RETURN length(p)", [[2]]),
        ("WHERE EXISTS { (a)-[:CALLS*1..5 {how: 'name'}]->(c) } RETURN 1", [[1]]),
        ("WHERE NOT EXISTS { (a)-[:CALLS*1..5 {how: 'nothing'}]->(c) } RETURN 1", [[1]]),
        ("WHERE (a)-[:CALLS*1..5 {how: 'name'}]->(c) RETURN 1", [[1]]),
        ("WHERE EXISTS { MATCH p = (a)-[:CALLS*1..5]->(c) WHERE length(p) = 2 } RETURN 1", [[1]]),
        ("WHERE EXISTS { (a)-[rs:CALLS*1..5]->(c) WHERE size(rs) = 2 AND rs[0].how = 'name' } RETURN 1", [[1]]),
        ("RETURN COUNT { (a)-[:CALLS*1..5 {how: 'name'}]->() }", [[2]]),
        ("RETURN COUNT { (a)-[rs:CALLS*1..5]->() WHERE rs[0].how = 'name' }", [[2]]),
    ],
)  # fmt: skip
def test_condition_decides_which_paths_there_are(store: Store, query: str, rows: list[list[int]]) -> None:
    if store.engine.info.dialect == "neo4j" and "shortest" in query.lower() and "{how" in query:
        with pytest.raises(QueryRefusedError, match="not supported"):
            store.query(_ENDS + query)
        return
    assert [list(row) for row in store.query(_ENDS + query).rows] == rows
