"""What the gate returns: text, columns, bounds, warnings; and its refusals with their places."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.cypher.gate import check
from repoquarry.graphstore.errors import QueryRefusedError


def test_columns_are_named_by_the_text_of_their_expression() -> None:
    passed = check("MATCH (n:Function) RETURN n.name,  toUpper( n.path ), n AS node, count(*)", {}, "neo4j")
    assert passed.columns == ("n.name", "toUpper( n.path )", "node", "count(*)")


def test_return_star_lists_variables_in_alphabetical_order() -> None:
    assert check("MATCH (b:Class)-[a:CALLS]->(c) RETURN *", {}, "neo4j").columns == ("a", "b", "c")


def test_a_path_without_a_bound_is_bounded_and_says_so() -> None:
    passed = check("MATCH (a:Function)-[:CALLS*]->(b) RETURN b.id", {}, "kglite", path_hops=7)
    assert "*1..7" in passed.text
    assert passed.cut_path_bound == 7
    assert check("MATCH (a:Function)-[:CALLS*1..3]->(b) RETURN b.id", {}, "kglite").cut_path_bound is None


def test_unknown_names_are_warned_of_with_the_nearest_known_one() -> None:
    passed = check("MATCH (n:Fonction)-[:CALL]->(m:Class) RETURN m.qualnam, n.name", {}, "neo4j")
    assert [warning.split(" (")[0] for warning in passed.warnings] == [
        "The schema has no label 'Fonction'; did you mean 'Function'?",
        "The schema has no relationship type 'CALL'; did you mean 'CALLS'?",
        "The schema has no property 'qualnam'; did you mean 'qualname'?",
    ]


@pytest.mark.parametrize(
    ("reason", "place", "query"),
    [
        ("undefined_variable", (2, 8), "MATCH (n:Function)\nRETURN m.name"),
        ("type_mismatch", (1, 13), "RETURN size(1)"),
        ("type_mismatch", (1, 38), "MATCH (a)-[r:CALLS]->(b) RETURN size(r)"),
        ("misplaced_aggregation", (1, 17), "MATCH (n) WHERE count(*) > 1 RETURN n"),
        ("implicit_grouping", (1, 18), "MATCH (n) RETURN n.lines + count(*)"),
        ("no_alias", (1, 16), "MATCH (n) WITH n.name RETURN 1"),
        ("duplicate_column", (1, 16), "RETURN 1 AS a, 2 AS a"),
        ("union_columns", (1, 21), "RETURN 1 AS a UNION RETURN 2 AS b"),
        ("unknown_function", (1, 8), "RETURN foo(1)"),
        ("arity", (1, 8), "RETURN size()"),
        ("pattern_introduces_variable", (1, 23), "MATCH (n) WHERE (n)-->(m) RETURN n"),
        ("bad_bound", (1, 26), "MATCH (n) RETURN n LIMIT n.x"),
        ("missing_parameter", (1, 8), "RETURN $p"),
        ("no_return", (1, 1), "MATCH (n)"),
        ("nothing_in_scope", (1, 1), "RETURN *"),
    ],
)
def test_what_neo4j_rejects_is_rejected_here_with_its_place(reason: str, place: tuple[int, int], query: str) -> None:
    with pytest.raises(QueryRefusedError) as refusal:
        check(query, {}, "kglite")
    assert (refusal.value.reason, refusal.value.line, refusal.value.column) == (reason, *place)


@pytest.mark.parametrize("engine", ["kglite", "neo4j"])
@pytest.mark.parametrize(
    "path", ["((x)-[:CALLS]->(y)){1,2}", "(a:Class) ((x)-[:CALLS]->(y))+ (b)", "(a)-->(b) ((x)-->(y))* (c)"]
)
def test_quantified_groups_are_refused_with_their_own_message(engine: str, path: str) -> None:
    with pytest.raises(QueryRefusedError, match="Quantified path patterns"):
        check(f"MATCH {path} RETURN count(*) AS n", {}, engine)
