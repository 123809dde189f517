"""Refusals of corpus queries are true: Neo4j refuses the query too, or the embedded engine answers it otherwise without the rules."""

from collections.abc import Mapping

import pytest

from repoquarry.graphstore.errors import GraphStoreError, QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from tests.engines.differential.compared_queries import ComparedQuery, list_queries
from tests.engines.differential.engine_pair import LIMITS, Answer, compare_answers
from tests.engines.differential.recorded_rows import RecordedRows


def _refusal(text: str, parameters: Mapping[str, Value]) -> str:
    """Return the message of a refusal without its position, empty for a query that is answered."""
    try:
        admit(text, parameters, "kglite")
    except QueryRefusedError as refusal:
        return str(refusal).partition(" (line ")[0]
    return ""


REFUSED = [(query, message) for query in list_queries() if (message := _refusal(query.text, query.parameters))]
_WITNESSES: tuple[tuple[str, Value], ...] = (
    ("RETURN round(2.5, 0, 'HALF_EVEN') AS x", 2.0),
    ("RETURN 1 IS :: ANY<INTEGER | STRING> AS x", True),
    ("RETURN ['[\"x\"]'] IN [['x']] AS x", False),
)
"""Queries, and Neo4j's value, for refusals of more than the engine gets wrong: the corpus has only what it gets right."""


def _answer_as_written(engine: GraphEngine, query: ComparedQuery, columns: tuple[str, ...]) -> Answer:
    """Run the text without the gate and its rules; the columns are those of the reference, which the gate names."""
    try:
        return Answer(columns, tuple(engine.run(query.text, query.parameters, LIMITS).rows))
    except GraphStoreError as error:
        return Answer(error=str(error), kind="failed")


def test_engine_has_another_answer_for_each_refusal(embedded: GraphEngine, recorded: RecordedRows) -> None:
    """A refusal of a query that Neo4j answers names a construct with which the engine fails, or gives other rows."""
    proven = set()
    answered = [(query, message) for query, message in REFUSED if not recorded.get(query).error]
    for query, message in answered:
        expected = recorded.get(query)
        verdict = compare_answers(query.text, _answer_as_written(embedded, query, expected.columns), expected)
        if verdict.kind in ("failed", "DIFFERENT"):
            proven.add(message)
    for text, value in _WITNESSES:
        found = _answer_as_written(embedded, ComparedQuery("witness", text, {}), ("x",))
        assert found.error or found.rows != ((value,),), f"the engine gives Neo4j's value: {text}"
        proven.add(_refusal(text, {}))
    assert len(answered) > 10
    assert {message for _, message in answered} <= proven


@pytest.mark.neo4j
def test_neo4j_refuses_what_both_reject_and_gives_the_values_of_witnesses(
    reference: GraphEngine, recorded: RecordedRows
) -> None:
    rejected = [query for query, _ in REFUSED if recorded.get(query).error]
    assert len(rejected) > 5
    assert [query.text for query in rejected if not _answer_as_written(reference, query, ()).error] == []
    for text, value in _WITNESSES:
        assert _answer_as_written(reference, ComparedQuery("witness", text, {}), ("x",)).rows == ((value,),), text


@pytest.mark.parametrize("engine", ["kglite", "duckdb", "neo4j"])
def test_rewritten_queries_are_queries(engine: str) -> None:
    """A text that the parser of the gate does not take back is a fault of a rule or of the renderer."""
    count = 0
    for query in list_queries():
        try:
            text = admit(query.text, query.parameters, engine).text
        except QueryRefusedError:
            continue
        assert render(parse(text)), text
        count += 1
    assert count > 500
