"""A first MATCH by a list of ids: the same rows as on Neo4j, also for ids given twice or not there, and sought, not scanned for."""

from __future__ import annotations

import re

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from tests.engines.differential.engine_pair import LIMITS, compare

_CASES = (
    "MATCH (f) WHERE f.id IN $ids RETURN f.id AS f, labels(f) AS l",
    "MATCH (f:Function) WHERE f.id IN $ids AND f.calls_in >= 0 RETURN f.id AS f",
    "MATCH (f:Function) WHERE f.id IN $ids OR f.name = 'run' RETURN f.id AS f",
    "MATCH (f:Function) WHERE NOT f.id IN $ids RETURN count(f) AS n",
    "MATCH (f:Function)-[:CALLS]->(g) WHERE g.id IN $ids RETURN f.id AS f, g.id AS g",
    "MATCH (f)-[:CALLS]-(g) WHERE g.id IN $ids AND f.id IN $ids RETURN f.id AS f, g.id AS g",
    "MATCH (m)-[:DEFINES]->(f), (f)-[:CALLS]->(g) WHERE f.id IN $ids RETURN m.id AS m, count(*) AS n",
    "MATCH p = (f)-[:CALLS*1..2]->(g) WHERE f.id IN $ids RETURN [n IN nodes(p) | n.id] AS ids",
    "MATCH (f:Function {name: 'run'}) WHERE f.id IN $ids RETURN f.id AS f",
    "MATCH (f) WHERE f.id IN $ids WITH f, f.name AS name OPTIONAL MATCH (f)-[:CALLS]->(g) RETURN f.id AS f, count(g) AS n",
    "MATCH (f) WHERE f.id IN $ids WITH *, 1 AS one RETURN count(*) AS n, sum(one) AS m",
    "MATCH (f) WHERE f.id IN $ids WITH DISTINCT * RETURN count(*) AS n",
    "MATCH (f) WHERE f.id IN $ids RETURN *",
    "MATCH (f) WHERE f.id IN $ids RETURN f.id AS f, COLLECT { MATCH (f)-[:CALLS]->(g) RETURN g.id ORDER BY g.id LIMIT 2 } AS gs ORDER BY f",
    "MATCH (f:Function) WHERE f.id IN $ids RETURN percentileCont(f.calls_in, 0.5) AS p",
    "MATCH (f:Function) WHERE f.id IN $ids RETURN f.id AS x UNION ALL MATCH (c:Class) WHERE c.id IN $ids RETURN c.id AS x",
    "OPTIONAL MATCH (f) WHERE f.id IN $ids RETURN f.id AS f",
    "MATCH (a:Repository) MATCH (f:Class) WHERE f.id IN $ids RETURN count(*) AS n",
    "MATCH (f) WHERE f.id IN [] RETURN f.id AS f",
    "MATCH (f) WHERE EXISTS { MATCH (g)-[:CALLS]->(f) WHERE g.id IN $ids } RETURN f.id AS f",
    "MATCH (f) WHERE f.id IN $ids CALL (f) { MATCH (f)-[:CALLS]->(g) WHERE g.id IN $ids RETURN count(g) AS n } RETURN f.id AS f, n",
)  # fmt: skip


@pytest.mark.neo4j
@pytest.mark.parametrize("query", _CASES, ids=range(len(_CASES)))
def test_a_list_of_ids_gives_equal_rows(twins: tuple[GraphEngine, GraphEngine], query: str) -> None:
    verdict = compare(*twins, query, {"ids": _ids(twins[0])})
    assert verdict.kind == "equal", f"{verdict.kind}: {verdict.detail}"


@pytest.mark.neo4j
def test_ids_given_twice_give_one_row_each(twins: tuple[GraphEngine, GraphEngine]) -> None:
    ids = _ids(twins[0])
    asked = admit("MATCH (f) WHERE f.id IN $ids RETURN f.id AS id", {"ids": ids}, "kglite")
    rows = twins[0].run(asked.text, asked.parameters, LIMITS).rows
    assert sorted(str(row[0]) for row in rows) == sorted({str(one) for one in ids} - {"not:there"})


@pytest.mark.parametrize("given", [["a:b"], ["a:b", "c:d"]])
def test_ids_are_sought(given: list[Value]) -> None:
    checked = admit("MATCH (f:Function)-[:CALLS]->(g) WHERE g.id IN $ids RETURN f.id AS f", {"ids": given}, "kglite")
    sought = re.match(r"UNWIND \$ids AS (\w+) WITH DISTINCT \1 MATCH .*\(g \{id: \1\}\)", checked.text)
    assert sought, checked.text
    assert checked.text.count("$ids") == 1, "no search through the list for every row"


@pytest.mark.parametrize("given", [[], [1], ["a", 1], None])
def test_what_is_no_list_of_texts_is_left_as_it_is(given: Value) -> None:
    query = "MATCH (f:Function) WHERE f.id IN $ids RETURN f.id AS f"
    assert "{id:" not in admit(query, {"ids": given}, "kglite").text


def _ids(engine: GraphEngine) -> list[Value]:
    """Some functions and classes, the first of them twice, and one that is not there."""
    asked = admit("MATCH (n) WHERE n:Function OR n:Class RETURN n.id AS id ORDER BY id", {}, "kglite")
    rows: list[Value] = [row[0] for row in engine.run(asked.text, asked.parameters, LIMITS).rows]
    assert len(rows) > 20
    return [*rows[::3], rows[0], "not:there"]
