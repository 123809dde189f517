"""Repositories in which a query can match, as far as its text proves it; otherwise all of them."""

import pytest

from repoquarry.graphstore.graph_engine import WHOLE, QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope
from tests.internal_queries import QUERIES

_A = QueryScope(frozenset({"a"}))
_GIVEN: dict[str, Value] = {
    "r": "a",
    "rs": ["a", "b"],
    "id": "a:m.py::f",
    "ids": ["a:x", "b:y"],
    "groups": [["a:x"], ["b:y"]],
    "none": None,
}

_PROVEN: dict[str, QueryScope] = {
    "MATCH (f:Function {repository: 'a'}) RETURN f": _A,
    "MATCH (f:Function) WHERE f.repository = $r AND f.name = 'x' RETURN f": _A,
    "MATCH (f:Function)-[:CALLS]->(g) WHERE 'a' = g.repository RETURN f": _A,
    "MATCH (f:Function) WHERE f.repository IN $rs RETURN f": QueryScope(frozenset({"a", "b"})),
    "MATCH (f:Function) WHERE f.repository IN ['a'] RETURN f": _A,
    "MATCH (f:Function {id: $id}) RETURN f": _A,
    "UNWIND $ids AS id MATCH (f:Function {id: id})<-[:CALLS]-(g) RETURN g": QueryScope(frozenset({"a", "b"})),
    "UNWIND $ids AS id WITH id AS one MATCH (f {id: one}) RETURN f": QueryScope(frozenset({"a", "b"})),
    "MATCH (r:Repository {id: 'a'})-[:CONTAINS*]->(m:Module) RETURN m": _A,
    "MATCH (f:Function) WHERE f.repository = $none RETURN f": QueryScope(frozenset()),
    "MATCH (f {repository: 'a'}) WITH f MATCH (f)-[:CALLS]->(g) RETURN g": _A,
    "MATCH (f {repository: 'a'}) WITH f AS g MATCH (g)-[:CALLS]->(h) RETURN h": _A,
    "MATCH (f {repository: 'a'}) RETURN COUNT { (f)-[:CALLS]->() } AS n": _A,
    "MATCH (f {repository: 'a'}) WHERE EXISTS { MATCH (f)-[:CALLS]->(g) } RETURN [(f)-[:CALLS]->(g) | g.name] AS names": _A,
    "MATCH (f {repository: 'a'}) OPTIONAL MATCH (g:Name {name: f.name}) WHERE g.repository = f.repository RETURN g": _A,
    "MATCH (f {repository: 'a'}) CALL (f) { MATCH (f)-[:CALLS]->(g) RETURN g } RETURN g": _A,
    "MATCH (f:Function) WHERE ($r = '' OR f.repository = $r) RETURN f": _A,
    "MATCH (f {repository: 'a'}) RETURN f.id AS id UNION MATCH (f {repository: 'b'}) RETURN f.id AS id": QueryScope(
        frozenset({"a", "b"})
    ),
    "MATCH (a:Module {repository: 'a'})-[:DEPENDS_ON]->(b:Module) RETURN b": _A,
    "MATCH (:Repository {id: 'a'})-[:DEPENDS_ON]->(p) RETURN p.name": _A,
    "MATCH (f {id: $id})-[:CALLS]->(e:External)-[:PROVIDES]->(g) RETURN g": QueryScope(frozenset({"a"}), links=1),
    "MATCH (r:Repository) RETURN r.id": QueryScope(directory=True),
    "MATCH (r:Repository)-[:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(o:Repository) RETURN o.id": QueryScope(
        directory=True
    ),
    "MATCH (r:Repository {id: $r})-->(p:Package) RETURN DISTINCT p": QueryScope(directory=True),
    "MATCH (f:Function {repository: 'a'})-->(g:Function) RETURN g": _A,
    "MATCH (m:Module {repository: 'a'})--(c:Class) RETURN c": _A,
    "RETURN 1 AS one": QueryScope(frozenset()),
    "MATCH (f {repository: 'a'}) CALL { WITH f MATCH (f)-[:CALLS]->(g) RETURN g } RETURN g": _A,
    "MATCH (f {repository: 'a'}) CALL { WITH * MATCH (f)-[:CALLS]->(g) RETURN g } RETURN g": _A,
    "MATCH (f {repository: 'a'}) CALL (*) { MATCH (f)-[:CALLS]->(g) RETURN g } RETURN g": _A,
    "UNWIND $ids AS id CALL (id) { MATCH (f {id: id}) RETURN f } RETURN f": QueryScope(frozenset({"a", "b"})),
    "UNWIND $groups AS ids MATCH (f) WHERE f.id IN ids RETURN f": QueryScope(frozenset({"a", "b"})),
    "MATCH (m:Module {repository: 'a'}), (:Repository {id: 'a'})-[:DEPENDS_ON]->(:Package) RETURN m": _A,
}

_NOT_PROVEN = [
    "MATCH (f:Function) RETURN f",
    "MATCH (f:Function) WHERE f.repository = 'a' OR f.name = 'x' RETURN f",
    "MATCH (f:Function) WHERE NOT f.repository = 'a' RETURN f",
    "MATCH (f:Function) WHERE f.repository STARTS WITH 'a' RETURN f",
    "MATCH (f:Function {repository: 'a'}), (g:Function) RETURN g",
    "MATCH (f:Function {repository: 'a'}) MATCH (g:Function {name: f.name}) RETURN g",
    "MATCH (f {repository: 'a'}) WITH 1 AS one MATCH (f)-[:CALLS]->(g) RETURN g",
    "MATCH (f {repository: 'a'}) WITH f.name AS f MATCH (g {name: f}) RETURN g",
    "MATCH (f {repository: 'a'})-->(g) RETURN g",
    "MATCH (f {repository: 'a'})-[:!CALLS]->(g) RETURN g",
    "MATCH (f:Function {repository: 'a'})--(e:External) RETURN e",
    "MATCH (f:Function {repository: 'a'})-[*1..3]->(g:Function) RETURN g",
    "MATCH (f:Function {repository: 'a'})-->(g:!External) RETURN g",
    "MATCH (:Repository {id: 'a'})-[:DEPENDS_ON]->(p)<-[:DEPENDS_ON]-(r) RETURN r",
    "MATCH (f {repository: 'a'})-[:CALLS|PROVIDES*]->(g) RETURN g",
    "MATCH (f {repository: 'a'}) RETURN [(g:Class)-[:DEFINES]->(h) | h.name] AS names",
    "MATCH (f {repository: 'a'}) WHERE EXISTS { MATCH (g:Function) WHERE g.name = f.name } RETURN f",
    "MATCH (f {repository: 'a'}) RETURN COUNT { MATCH (g:Function) RETURN g } AS n",
    "MATCH (f {repository: 'a'}) CALL { MATCH (g:Function) RETURN g } RETURN g",
    "MATCH (f {repository: 'a'}) RETURN f.id AS id UNION MATCH (f:Class) RETURN f.id AS id",
    "MATCH (p:Package {id: 'package:pypi/x'})<-[:DEPENDS_ON]-(r:Repository {id: 'a'}) MATCH (p)<-[:PROVIDES]-(q {id: 'a'}) RETURN q",
    "MATCH (f:Function) WHERE ($r = '' OR f.repository = $other) RETURN f",
    "MATCH (f {repository: ''}) RETURN f",
    "MATCH (p {id: 'package:pypi/x'}) RETURN p",
    "MATCH (f:Function) WHERE f.repository <> 'a' RETURN f",
    "MATCH (f:Function) WHERE f.repository = f.name RETURN f",
    "MATCH (r:Repository {id: 'a'})-[:PROVIDES]->(p)<-[:DEPENDS_ON]-(q) RETURN q",
    "MATCH (r:Repository {id: 'a'})-[*1..3]-(q) RETURN q",
    "MATCH (f {repository: 'a'}) CALL { MATCH (f:Function) RETURN count(f) AS n } RETURN n",
    "MATCH (f {repository: 'a'}), (g {repository: 'a'}) CALL (g) { MATCH (f:Function) RETURN count(f) AS n } RETURN n",
    "MATCH (f {repository: 'a'}) CALL () { MATCH (f:Function) RETURN count(f) AS n } RETURN n",
    "MATCH (f {repository: 'a'}) CALL { WITH f RETURN 1 AS n UNION MATCH (f:Function) RETURN count(f) AS n } RETURN n",
    "MATCH (f {repository: 'a'}) CALL { WITH 1 AS one MATCH (f:Function) RETURN count(f) AS n } RETURN n",
    "UNWIND $ids AS id CALL { UNWIND ['b:x'] AS id MATCH (f {id: id}) RETURN f } RETURN f",
    "UNWIND $ids AS id RETURN [id IN ['b:x'] | COUNT { MATCH (f {id: id}) }] AS n",
    "MATCH (f {repository: 'a'}) RETURN any(f IN [{repository: 'b'}] WHERE EXISTS { MATCH (g) WHERE g.repository = f.repository }) AS x",
    "MATCH (f {repository: 'a'}) WITH {repository: 'b'} AS f WHERE EXISTS { MATCH (g) WHERE g.repository = f.repository } RETURN f",
    "MATCH (m:Module {repository: 'a'}), (r:Repository {id: 'a'})-[:DEPENDS_ON]->(:Package)<-[:DEPENDS_ON]-(q:Repository) RETURN m, q",
    "MATCH (m:Module {repository: 'a'}), (r:Repository {id: 'a'})-[:PROVIDES]->(:Package)<-[:DEPENDS_ON]-(q:Repository) RETURN m, q",
    "MATCH (m:Module {repository: 'a'}), (:Repository {id: 'a'})-[:DEPENDS_ON]->(p) WITH p AS q MATCH (q)<-[:DEPENDS_ON]-(r:Repository) RETURN r",
    "MATCH (m:Module {repository: 'a'}), (:Repository {id: 'a'})-[:DEPENDS_ON]->(p) UNWIND [p] AS q MATCH (q)<-[:DEPENDS_ON]-(r:Repository) RETURN r",
    "MATCH (m {repository: 'a'}), (:Repository {id: 'a'})-[d:DEPENDS_ON]->() WITH endNode(d) AS q MATCH (q)<-[:DEPENDS_ON]-(r:Repository) RETURN r",
    "MATCH (m {repository: 'a'}), (:Repository {id: 'a'})-[:DEPENDS_ON]->(p) RETURN [q IN [p] | COUNT { (q)<-[:DEPENDS_ON]-(:Repository) }] AS n",
    "MATCH (m:Module {repository: 'a'}), (:Repository {id: 'a'})-[:DEPENDS_ON]->(:Package {id: m.x})<-[:DEPENDS_ON]-(r:Repository) RETURN r",
]


@pytest.mark.parametrize("query", _PROVEN)
def test_what_the_text_proves_is_the_scope(query: str) -> None:
    found, scope = analyze_text_scope(query), _PROVEN[query]
    assert found.scope(_GIVEN) == scope
    assert scope.directory or found.sources(_GIVEN) == (None if scope.links else scope.repositories)


@pytest.mark.parametrize("query", _NOT_PROVEN)
def test_what_it_does_not_prove_is_about_all(query: str) -> None:
    assert analyze_text_scope(query).scope(_GIVEN) == WHOLE
    assert analyze_text_scope(query).sources(_GIVEN) is None


def test_a_repository_that_is_named_is_the_source_of_its_row() -> None:
    assert analyze_text_scope("MATCH (r:Repository {id: $r}) RETURN r.name").sources(_GIVEN) == frozenset({"a"})


def test_an_empty_repository_means_all_in_our_own_queries() -> None:
    assert analyze_text_scope(QUERIES["most_branches"].text).scope({"repository": "", "limit": 5}) == WHOLE
    assert analyze_text_scope(QUERIES["most_branches"].text).scope({"repository": "a", "limit": 5}) == _A


def test_most_of_our_own_queries_are_about_what_they_are_asked_about() -> None:
    whole = sorted(name for name, query in QUERIES.items() if analyze_text_scope(query.text).scope({}) == WHOLE)
    assert whole == ["packages"]
