"""Queries of the corpus, recipes of the documentation, anchored queries and lookups by id: equal on both engines."""

import re
from collections import Counter

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.query_library import QueryLibrary
from tests.documentation.pages import Block, list_pages, read_blocks
from tests.engines.differential import corpus
from tests.engines.differential.engine_pair import LIMITS, compare

CASES = corpus.read()
MANUAL = [case for case in CASES if not case.chapter.startswith(("Never refused", "Rejected"))]
_MAX_REFUSED_SHARE = 0.03


def test_the_corpus_is_large_and_little_of_it_is_refused_on_the_embedded_engine() -> None:
    refused = Counter[str]()
    for case in MANUAL:
        try:
            admit(case.query, case.parameters, "kglite")
        except QueryRefusedError as refusal:
            refused[refusal.reason] += 1
    assert len(MANUAL) >= 150
    assert refused.total() / len(MANUAL) <= _MAX_REFUSED_SHARE, refused


@pytest.mark.neo4j
@pytest.mark.parametrize("case", CASES, ids=[f"{case.chapter} {case.line}" for case in CASES])
def test_rows_are_equal_on_both_engines(twins: tuple[GraphEngine, GraphEngine], case: corpus.Case) -> None:
    verdict = compare(*twins, case.query, case.parameters)
    wanted = {"Rejected by both engines": ("rejected",), "Never refused": ("equal",)}
    assert verdict.kind in wanted.get(case.chapter.partition(":")[0], ("equal", "refused")), (
        f"{verdict.kind}: {verdict.detail}\n{case.query}"
    )
    if verdict.kind == "equal":
        assert (verdict.rows == 0) == case.is_empty, (
            f"{verdict.rows} rows: what it names may be missing from the graphs"
        )


_NAMED = {query.text: query for query in QueryLibrary().queries.values()}
# The service runs searches before a query: tests/engines/test_search_procedures.py compares them.
_RECIPES = [
    b
    for page in list_pages()
    for b in read_blocks(page)
    if b.language == "cypher" and b.is_executed and "CALL db.index." not in b.text
]


def test_there_are_recipes() -> None:
    assert _RECIPES


@pytest.mark.neo4j
@pytest.mark.parametrize("recipe", _RECIPES, ids=lambda recipe: recipe.place)
def test_recipe_gives_equal_rows(twins: tuple[GraphEngine, GraphEngine], recipe: Block) -> None:
    query = _NAMED.get(recipe.text.strip())
    given: dict[str, Value] = {"repository": "quarry"} if "$repository" in recipe.text else {}
    if query is not None:
        given = query.bind(corpus.NAMED_VALUES.get(query.name, {}))
    verdict = compare(*twins, recipe.text.strip(), given)
    assert verdict.kind == "equal", f"{verdict.kind}: {verdict.detail}"
    assert verdict.rows, "what the recipe names is missing from the frozen graphs"


_NULLS = "MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) "


def test_a_variable_that_may_be_null_is_found_by_its_id() -> None:
    text = admit(_NULLS + "OPTIONAL MATCH (b)-[:CALLS]->(c) RETURN c.id", {}, "kglite").text
    assert "(b {id: b.id})-[:CALLS]->" in text
    assert "(f {id" not in text, "what is never null is left as it was"


def test_a_pattern_begins_at_its_bound_end() -> None:
    text = admit(
        "MATCH (f:Function) WHERE NOT EXISTS { (t:Function)-[:CALLS*1..3]->(f) } RETURN f.id", {}, "kglite"
    ).text
    assert "(f)<-[:CALLS*1..3]-(t:Function)" in text


def test_equal_computed_strings_are_joined_by_grouping() -> None:
    join = "MATCH (f:Function), (c:Class) WHERE toLower(f.name) = toLower(c.name) RETURN f.id"
    assert "collect(" in admit(join, {}, "kglite").text
    assert "collect(" not in admit(join.replace("toLower", "size"), {}, "kglite").text, "1 and 1.0 are two groups"


def test_a_collected_list_is_joined_by_lookups() -> None:
    join = "MATCH (f:Function) WITH collect(f.name) AS names MATCH (c:Class) WHERE c.name IN names RETURN c.id"
    assert re.search(r"UNWIND \w+ AS (\w+) MATCH \(c:Class \{name: \1\}\)", admit(join, {}, "kglite").text)
    for other in (
        join.replace(" MATCH (c", " OPTIONAL MATCH (c"),
        join.replace("collect(f.name)", "collect(f.calls_in)"),
    ):
        assert "UNWIND" not in admit(other, {}, "kglite").text


_BY_IDS = (
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
@pytest.mark.parametrize("query", _BY_IDS, ids=range(len(_BY_IDS)))
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
