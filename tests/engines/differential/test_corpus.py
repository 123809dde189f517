"""Queries of the corpus, recipes of the documentation and lookups by id: the embedded engine and Neo4j give the recorded rows."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from tests.engines.differential import corpus
from tests.engines.differential.compared_queries import ComparedQuery, list_named_queries, list_queries, many_ids
from tests.engines.differential.engine_pair import LIMITS, Answer, answer, compare_answers, has_other_ties
from tests.engines.differential.recorded_rows import COMMAND, RecordedRows

QUERIES = list_queries()
MANUAL = [case for case in corpus.read() if not case.chapter.startswith(("Never refused", "Rejected"))]
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


@pytest.mark.parametrize("query", QUERIES, ids=[query.name for query in QUERIES])
def test_embedded_engine_gives_the_recorded_rows(
    embedded: GraphEngine, recorded: RecordedRows, query: ComparedQuery
) -> None:
    found = answer(embedded, query.text, query.parameters)
    verdict = compare_answers(query.text, found, recorded.get(query))
    assert verdict.kind in query.accepted, f"{verdict.kind}: {verdict.detail}\n{query.text}"
    if verdict.kind == "equal" and query.has_rows is not None:
        assert (verdict.rows > 0) == query.has_rows, (
            f"{verdict.rows} rows: what the query names may be missing from the graphs"
        )


@pytest.mark.neo4j
@pytest.mark.parametrize("query", QUERIES, ids=[query.name for query in QUERIES])
def test_neo4j_gives_the_recorded_rows(reference: GraphEngine, recorded: RecordedRows, query: ComparedQuery) -> None:
    found, expected = answer(reference, query.text, query.parameters), recorded.get(query)
    verdict = compare_answers(query.text, found, expected)
    tied = verdict.kind == "DIFFERENT" and has_other_ties(query.text, found, expected)
    assert tied or verdict.kind in {"equal", "rejected"}, f"{verdict.kind}: {verdict.detail}\n{query.text}"


def test_comparison_reports_a_missing_row_another_value_and_another_error(recorded: RecordedRows) -> None:
    query = next(query for query in QUERIES if len(recorded.get(query).rows) > 1)
    expected = recorded.get(query)
    fewer = replace(expected, rows=expected.rows[1:])
    others = replace(expected, rows=(("another",) * len(expected.columns), *expected.rows[1:]))
    failed = Answer(error="QueryFailedError: no", kind="failed")
    kinds = [compare_answers(query.text, found, expected).kind for found in (expected, fewer, others, failed)]
    assert kinds == ["equal", "DIFFERENT", "DIFFERENT", "failed"]
    assert compare_answers(query.text, expected, failed).kind == "DIFFERENT"


def test_recorded_rows_are_those_of_the_compared_queries(recorded: RecordedRows) -> None:
    queries = [*QUERIES, *list_named_queries()]
    assert recorded.list_missing(queries) == [], f"run {COMMAND}"
    assert recorded.list_unused(queries) == [], f"run {COMMAND}"
    assert [query for query in QUERIES if query.name.startswith("docs/")], "no recipe of the pages is compared"


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


def test_ids_given_twice_give_one_row_each(embedded: GraphEngine) -> None:
    asked = admit("MATCH (f) WHERE f.id IN $ids RETURN f.id AS id", {"ids": many_ids()}, "kglite")
    rows = embedded.run(asked.text, asked.parameters, LIMITS).rows
    assert sorted(str(row[0]) for row in rows) == sorted({str(one) for one in many_ids()} - {"not:there"})


@pytest.mark.parametrize("given", [["a:b"], ["a:b", "c:d"]])
def test_ids_are_sought(given: list[Value]) -> None:
    checked = admit("MATCH (f:Function)-[:CALLS]->(g) WHERE g.id IN $ids RETURN f.id AS f", {"ids": given}, "kglite")
    sought = re.match(r"UNWIND \$ids AS (\w+) WITH DISTINCT \1 MATCH .*\(g \{id: \1\}\)", checked.text)
    assert sought, checked.text
    assert checked.text.count("$ids") == 1, "no search through the list for every row"


@pytest.mark.parametrize("given", [[], [1], ["a", 1], None])
def test_values_other_than_lists_of_texts_are_unchanged(given: Value) -> None:
    query = "MATCH (f:Function) WHERE f.id IN $ids RETURN f.id AS f"
    assert "{id:" not in admit(query, {"ids": given}, "kglite").text


@pytest.mark.parametrize("dialect", ["kglite", "duckdb", "neo4j"])
def test_rewritten_texts_are_read_by_the_own_parser(dialect: str) -> None:
    read = 0
    for case in corpus.read():
        try:
            text = admit(case.query, case.parameters, dialect).text
        except QueryRefusedError:
            continue
        assert render(parse(text)) == text, case.query
        read += 1
    assert read > 900
