"""What a query is about: read from its tree, never from its text."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import QueryFootprint, admit

_PARAMETERS: dict[str, Value] = {"r": "one", "rs": ["one", "two"], "name": "x"}


def _about(query: str) -> QueryFootprint:
    return admit(query, _PARAMETERS, "kglite").about


@pytest.mark.parametrize(
    ("query", "calls"),
    [
        ("MATCH (f:Function)-[:CALLS]->(g) RETURN g.id", True),
        ("MATCH (f:Function)--(g) RETURN g.id", True),
        ("MATCH (f:Function) WHERE f.calls_in = 0 RETURN f.id", True),
        ("MATCH (f:Class) WHERE EXISTS { (f)-[:UNRESOLVED]->() } RETURN f.id", True),
        ("MATCH (f:Function) WHERE f.name = 'CALLS -- calls_in' RETURN f.id // -[:CALLS]->", False),
        ("MATCH (c:Class)-[:INHERITS*1..3]->(b) RETURN b.id", False),
    ],
)
def test_calls_are_seen_in_patterns_and_properties_only(query: str, calls: bool) -> None:
    assert _about(query).calls is calls


@pytest.mark.parametrize(
    ("query", "repositories"),
    [
        ("MATCH (f:Function {repository: 'one'})-[:CALLS]->(g) RETURN g.id", {"one"}),
        ("MATCH (f:Function)-[:CALLS]->(g) WHERE f.repository = 'one' AND g.name = 'x' RETURN g.id", {"one"}),
        ("MATCH (f:Function) WHERE f.repository IN ['one', 'two'] RETURN f.id", {"one", "two"}),
        ("MATCH (f:Function) WHERE f.repository IN $rs RETURN f.id", {"one", "two"}),
        ("MATCH (r:Repository {id: $r})-[:CONTAINS]->(d) MATCH (d)-[:CONTAINS]->(m:Module) RETURN m.id", {"one"}),
        ("MATCH (f:Function {repository: 'one'}) RETURN f.id AS x UNION MATCH (c:Class {repository: 'two'}) RETURN c.id AS x",
         {"one", "two"}),
        ("MATCH (r:Repository {id: $r}) RETURN r.name", {"one"}),
        ("MATCH (f:Function {repository: 'one'}) WITH f AS g MATCH (g)-[:CALLS]->(h) RETURN h.id", {"one"}),
        ("MATCH (f {id: 'one:a.py::f'})-[:CALLS]->(g) RETURN g.id", {"one"}),
        # what may draw from any repository
        ("MATCH (f:Function {repository: 'one'}) WITH 1 AS one MATCH (f)-[:CALLS]->(g) RETURN g.id", None),
        ("MATCH (f:Function {repository: 'one'}) WITH f.name AS f MATCH (g {name: f}) RETURN g.id", None),
        ("MATCH (f:Function {repository: 'one'}) WHERE EXISTS { MATCH (g:Class) WHERE g.name = f.name } RETURN f.id", None),
        ("MATCH (f:Function) RETURN f.id", None),
        ("MATCH (f:Function) WHERE f.repository = 'one' OR f.name = 'x' RETURN f.id", None),
        ("MATCH (f:Function) WHERE f.repository <> 'one' RETURN f.id", None),
        ("MATCH (f:Function {repository: 'one'}), (g:Function) WHERE f.name = g.name RETURN g.id", None),
        ("MATCH (f:Function {repository: 'one'}) RETURN f.id AS x UNION MATCH (c:Class) RETURN c.id AS x", None),
        ("MATCH (r:Repository {id: 'one'})-[:PROVIDES]->(p)<-[:DEPENDS_ON]-(q) RETURN q.id", None),
        ("MATCH (r:Repository {id: 'one'})-[*1..3]-(q) RETURN q.id", None),
        ("MATCH (f:Function) WHERE f.repository = f.name RETURN f.id", None),
    ],
)  # fmt: skip
def test_repositories_are_those_that_everything_must_belong_to(query: str, repositories: set[str] | None) -> None:
    found = admit(query, _PARAMETERS, "kglite").reach.sources(_PARAMETERS)
    assert found == repositories
