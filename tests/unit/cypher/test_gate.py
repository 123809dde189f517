"""Gate of untrusted queries: refusals, attacks, rewriting by dialect, and the footprint of a query."""

import pytest

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES, DialectRule, load_dialect
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES
from tests.unit.cypher.attacks import ATTACKS, refusal


def test_columns_are_named_by_the_text_of_their_expression() -> None:
    passed = admit("MATCH (n:Function) RETURN n.name,  toUpper( n.path ), n AS node, count(*)", {}, "neo4j")
    assert passed.columns == ("n.name", "toUpper( n.path )", "node", "count(*)")


def test_return_star_lists_variables_in_alphabetical_order() -> None:
    assert admit("MATCH (b:Class)-[a:CALLS]->(c) RETURN *", {}, "neo4j").columns == ("a", "b", "c")


def test_unbounded_path_is_bounded_with_a_notice() -> None:
    passed = admit("MATCH (a:Function)-[:CALLS*]->(b) RETURN b.id", {}, "kglite", path_hops=7)
    assert "*1..7" in passed.text
    assert passed.cut_path_bound == 7
    assert admit("MATCH (a:Function)-[:CALLS*1..3]->(b) RETURN b.id", {}, "kglite").cut_path_bound is None


def test_unknown_names_are_warned_of_with_the_nearest_known_one() -> None:
    passed = admit("MATCH (n:Fonction)-[:CALL]->(m:Class) RETURN m.qualnam, n.name", {}, "neo4j")
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
    refused = refusal(query)
    assert (refused.reason, refused.line, refused.column) == (reason, *place)


_MISPLACED = [
    "(a) ((x)-[:CALLS]->(y))", "(a)-->((x)-->(y)){1,2}", "((x)-->(y)){1,2}-->(b)", "(((x)-->(y)){1,2}){1,2}", "((x)){1,2}",
    "((x)-[*1..2]->(y)){1,2}", "((x)-->{1,2}(y)){1,2}", "shortestPath(((x)-->(y)){1,2})", "(a) (b)",
]  # fmt: skip


@pytest.mark.parametrize("engine", ["kglite", "neo4j"])
@pytest.mark.parametrize("path", _MISPLACED)
def test_misplaced_groups_are_refused_with_their_own_message(engine: str, path: str) -> None:
    refused = refusal(f"MATCH {path} RETURN count(*) AS n", engine=engine)
    assert refused.reason == "quantified_path_pattern"
    assert "quantified path group" in str(refused)


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("((x)-[:CALLS]->(y)){1,2}", "()-[:CALLS*1..2]->()"),
        ("(a:Class) ((x)-[:CALLS]->(y))+ (b)", "(a:Class)-[:CALLS*1..15]->(b)"),
        ("(a)-->(b) ((x)<-[:CALLS]-())* (c)", "(a)-[]->(b)<-[:CALLS*0..15]-(c)"),
        ("((x)--(y)){2} ((v)-->(w)){,1}", "()-[*2]-()-[*0..1]->()"),
    ],
)
def test_group_of_one_bare_step_becomes_a_relationship_on_kglite_only(path: str, sent: str) -> None:
    query = f"MATCH {path} RETURN count(*) AS n"
    assert admit(query, {}, "kglite").text == f"MATCH {sent} RETURN count(*) AS n"
    assert "((x)" in admit(query, {}, "neo4j").text


@pytest.mark.parametrize(
    "query",
    [
        "OPTIONAL MATCH (a) ((x:Class)-[:INHERITS]-(y)){1,2} (b) RETURN b.id",
        "MATCH p = (a) ((x)-[:CALLS]->()-[:CALLS]->(y)){0,2} (b) RETURN b.id",
        "MATCH (a) ((x)-[:CALLS]->()-[:CALLS]->(y))+ (b) RETURN b.id",
        "MATCH (a) ((x)-[:CALLS]->(y)){1,9} ((v)-[:CALLS]->(w)){1,9} (b) RETURN [n IN x | n.name] AS names",
    ],
)
def test_other_groups_pass_on_neo4j_and_are_refused_on_kglite(query: str) -> None:
    admit(query, {}, "neo4j")
    refused = refusal(query)
    assert refused.reason == "quantified_path_pattern"
    assert "quantified path group" in str(refused)


@pytest.mark.parametrize(
    ("reason", "query"),
    [
        ("already_declared", "MATCH (x) ((x)-->(y)){1,2} (b) RETURN b.id"),
        ("already_declared", "MATCH (x) MATCH (a) ((x)-->(y)){1,2} (b) RETURN b.id"),
        ("already_declared", "MATCH ((x)-->(y)){1,2} ((x)-->(z)){1,2} RETURN 1 AS one"),
        ("type_mismatch", "MATCH ((x)-->(y)){1,2} (x) RETURN 1 AS one"),
        ("undefined_variable", "MATCH p = (a) ((x)-->(y) WHERE length(p) > 0){1,2} (b) RETURN b.id"),
        ("undefined_variable", "MATCH p = (a)-[r WHERE length(p) > 0]->{1,2}(b) RETURN b.id"),
        ("type_mismatch", "MATCH (a) ((x)-->(y)){1,2} (b) RETURN x.name"),
        ("quantifier", "MATCH (a) ((x)-->(y)){0} (b) RETURN b.id"),
        ("mixed_lengths", "MATCH (a)-[*1..2]->(c) ((x)-->(y)){1,2} (b) RETURN b.id"),
    ],
)
def test_variables_of_groups_are_lists_outside_and_single_inside(reason: str, query: str) -> None:
    assert refusal(query, engine="neo4j").reason == reason


def test_there_are_at_least_a_hundred_attacks() -> None:
    assert len({query for _, query in ATTACKS}) >= 100


@pytest.mark.parametrize("engine", DIALECT_NAMES)
@pytest.mark.parametrize(("reason", "query"), ATTACKS, ids=[query[:50] for _, query in ATTACKS])
def test_attack_is_refused_with_its_reason_and_place(engine: str, reason: str, query: str) -> None:
    refused = refusal(query, engine=engine)
    assert refused.reason == reason
    assert min(refused.line or 0, refused.column or 0) >= 1


def test_an_escaped_quote_cannot_end_a_string_for_the_engine() -> None:
    passed = admit("MATCH (n) WHERE n.name = 'a\\u0027 DELETE n //' RETURN n.name", {}, "neo4j")
    assert passed.text == "MATCH (n) WHERE n.name = 'a\\' DELETE n //' RETURN n.name AS `n.name`"


_DIALECT_PARAMETERS: dict[str, Value] = {"id": "x", "key": "name", "rows": [{"type": "a"}], "a b": 1}
_RULES = [(name, rule) for name in DIALECT_NAMES for rule in load_dialect(name).rules if rule.example]


@pytest.mark.parametrize(("engine", "rule"), _RULES, ids=[f"{name} {rule.construct}" for name, rule in _RULES])
def test_the_example_of_a_rule_meets_the_rule(engine: str, rule: DialectRule) -> None:
    if rule.change is not None:
        assert rule.construct in admit(rule.example, _DIALECT_PARAMETERS, engine).rewrites
        return
    assert refusal(rule.example, _DIALECT_PARAMETERS, engine).reason in (rule.reason, "type_mismatch")


@pytest.mark.parametrize("engine", DIALECT_NAMES)
def test_every_function_of_neo4j_either_passes_or_is_refused_with_a_reason(engine: str) -> None:
    dialect = load_dialect(engine)
    assert dialect.functions.isdisjoint(dialect.missing_functions)
    assert dialect.functions | set(dialect.missing_functions) == set(SIGNATURES)


def test_an_unknown_dialect_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="kglite, neo4j"):
        admit("RETURN 1 AS x", {}, "nosuch")


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
    assert admit(query, {}, "kglite").about.calls is calls
