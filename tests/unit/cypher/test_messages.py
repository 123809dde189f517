"""Hints of refused queries, and warnings of queries that match nothing."""

import pytest

from repoquarry.graphstore.query.cypher.gate import admit
from tests.unit.cypher.attacks import refusal

_F = "MATCH (f:Function) "


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        (_F + "WHERE f.name != 'a' RETURN f", "unequal is `<>`"),
        (_F + "WHERE f.name == 'a' RETURN f", "equality is `=`"),
        (_F + "WHERE f.name LIKE 'a%' RETURN f", "LIKE is STARTS WITH"),
        (_F + "RETURN f.kind, count(*) GROUP BY f.kind", "leave GROUP BY out"),
        (_F + "RETURN f.kind AS k, count(*) AS n HAVING n > 2", "HAVING is WITH"),
        (_F + "WHERE f.name NOT IN ['a'] RETURN f", "write NOT x IN list"),
        (_F + "WHERE f.is_test && f.is_abstract RETURN f", "and is AND"),
        (_F + "WHERE !f.is_test RETURN f", "not is NOT"),
        (_F + "WHERE f.name in ('a', 'b') RETURN f", "a list has square brackets"),
        (_F + "LET x = 1 RETURN f", "LET x = y is WITH"),
        (_F + "FILTER f.is_test RETURN f", "FILTER is WITH"),
        (_F + "WHERE f.name = {name} RETURN f", "a parameter is $name"),
        (_F + "RETURN filter(x IN f.decorators WHERE x = 'a')", "filter() and extract()"),
        (_F + "RETURN f.name, LIMIT 5", "remove the comma"),
        (_F + "RETURN f.name LIMIT 5 OFFSET 3", "OFFSET is SKIP"),
        ("SELECT * FROM functions", "begins with MATCH"),
        (_F + "RETURN fn.name", "did you mean `f`?"),
        (_F + "RETURN toUper(f.name)", "did you mean `toUpper`?"),
        (_F + "RETURN len(f.name)", "did you mean `size`?"),
        ("CALL db.labels() YIELD label RETURN label", "RETURN DISTINCT labels(n)"),
        ("CALL apoc.help('a') YIELD name RETURN name", "without APOC"),
        ("RETURN date().year AS y", "date() is refused on this engine: the engine has no temporal values"),
        ("WITH {last_changed: 'x'} AS m RETURN date(m.last_changed).year AS y", "compare date(m.last_changed)"),
        ("MATCH (m:Module) WHERE date(m.last_changed) < datetime('2026-01-31') RETURN m", "date() is refused"),
        ("MATCH (m:Module) WHERE date(m.last_changed) < date('2026-02-31') RETURN m", "date() is refused"),
        (_F + "MATCH p = SHORTEST (f)-[:CALLS]->+(g) RETURN p", "write SHORTEST 2, SHORTEST 2 GROUPS"),
        (_F + "MATCH p = SHORTEST 2 (f)-[:CALLS]->(g) RETURN p", "needs one relationship with a quantifier"),
        (_F + "MATCH p = SHORTEST 2 (f)-[:CALLS]->{1,65}(g) RETURN p", "longer than 64 relationships"),
        (_F + "OPTIONAL MATCH p = SHORTEST 2 (f)-[:CALLS]->+(g) RETURN p", "COLLECT { MATCH p = SHORTEST 2"),
        (_F + "MATCH p = ALL SHORTEST (f)-[:CALLS]->+(g) WHERE length(p) > 1 RETURN p", "write MATCH ... WITH * WHERE"),
        (_F + "MATCH p = ANY SHORTEST (f)-[:CALLS]->(g) RETURN p", "needs one relationship with a quantifier"),
    ],
)
def test_refusal_says_what_to_write(query: str, hint: str) -> None:
    assert hint in str(refusal(query))


@pytest.mark.parametrize(
    ("query", "warning"),
    [
        ("MATCH (m:Method) RETURN m", "did you mean 'Function {kind: 'method'}'?"),
        ("MATCH (m:Module)-[:INHERITS]->(c) RETURN c.id", "it has (Class)-[:INHERITS]->(Class|External)"),
        ("MATCH (f:Function)-[:DEFINES]->(m:Module) RETURN m.id", "no such relationship between these nodes"),
        ("MATCH (m:Module)<-[:DEFINES]-(f) RETURN f.id", "no such relationship between these nodes"),
        (_F + "WHERE f.start_line = '1' RETURN f.id", "A comparison of Integer with String is never true"),
        (_F + "WHERE f.docstring = null RETURN f.id", "write IS NULL"),
        (_F + "WHERE f.docstring <> null RETURN f.id", "write IS NOT NULL"),
    ],
)
def test_query_that_matches_nothing_is_warned_of(query: str, warning: str) -> None:
    (found,) = admit(query, {}, "kglite").warnings
    assert warning in found


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (m:Module)-[:DEFINES]->(f:Function)-[:CALLS]->(e:External) RETURN e.id",
        "MATCH (f:Function)<-[:DEFINES]-(m) WHERE f.start_line > 1.5 AND f.name <> 1 RETURN m.id",
        "MATCH (m)-[:DEFINES|IMPORTS]-(f:Function) WHERE f.docstring IS NULL RETURN f.id",
    ],
)
def test_query_that_can_match_has_no_warning(query: str) -> None:
    assert admit(query, {}, "kglite").warnings == ()
