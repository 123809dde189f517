"""Queries compiled to SQL give the recorded rows of Neo4j and the rows of the embedded engine, or are refused with a reason."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.compared_queries import list_queries
from tests.engines.differential.engine_pair import Verdict, answer, compare_answers, filled_engine, has_other_ties, key
from tests.engines.differential.generator import QueryMaker
from tests.engines.differential.pattern_grid import GridGraph, grid_cases, grid_graph
from tests.engines.differential.recorded_rows import RecordedRows

_MIN_EQUAL_SHARE = 0.98
_GENERATED = 100
_LIMITS = QueryLimits(seconds=5.0, rows=20_000)
"""A random query may be too large to be compared; few of them are."""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphEngine]:
    """The frozen graphs on DuckDB."""
    with filled_engine(StoreSettings(tmp_path_factory.mktemp("compiled"), "duckdb")) as engine:
        yield engine


def test_compiled_corpus_gives_the_recorded_rows(compiled: GraphEngine, recorded: RecordedRows) -> None:
    verdicts, problems = Counter[str](), list[str]()
    for query in list_queries():
        found, expected = answer(compiled, query.text, query.parameters), recorded.get(query)
        verdict = compare_answers(query.text, found, expected)
        if verdict.kind == "DIFFERENT" and has_other_ties(query.text, found, expected):
            verdict = Verdict("equal")
        verdicts[verdict.kind] += 1
        if verdict.kind not in ("equal", "rejected", "refused", "failed"):
            problems.append(f"{verdict.kind}: {verdict.detail}\n{query.text}")
    assert not problems, "\n\n".join(problems[:5])
    assert verdicts["equal"] + verdicts["rejected"] >= _MIN_EQUAL_SHARE * verdicts.total(), verdicts


def test_rows_of_the_pattern_grid_are_those_of_the_enumeration(tmp_path: Path) -> None:
    found = []
    with filled_engine(StoreSettings(tmp_path, "duckdb"), [grid_graph()]) as engine:
        for case in grid_cases(GridGraph(grid_graph()), share=83):
            rows = [[key(cell) for cell in row] for row in answer(engine, case.text, case.parameters).rows]
            expected = [[key(cell) for cell in row] for row in case.rows]
            if rows != expected and (case.is_ordered or sorted(rows) != sorted(expected)):
                found.append(f"{case.text}\n  has {rows}\n  not {expected}")
    assert not found, "\n".join(found[:5])


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a)<-[:REFERENCES]-(b) OPTIONAL MATCH (a)<-[:DEFINES]-(c:Function) WHERE a.is_core = true "
        "RETURN b.name AS b, a.methods AS n",
        "MATCH (a)-[:CONTAINS]->(b) WHERE NOT (b)<-[:CALLS]-({name: b.name}) RETURN b.name AS n, b.path AS p",
        "MATCH (a)-[:DEFINES]->(b) RETURN b.name AS b, COUNT { (b)-[:INHERITS]->(c) WHERE c.name <> b.name } AS n",
        "MATCH (a)-[:CALLS]->(b) WHERE NOT EXISTS { (b:Class)<-[:DEFINES]-() WHERE b.name = a.name } RETURN b.id AS b",
        "MATCH (a)-[:CALLS]->(b) RETURN b.id AS b, [(b)-[:DEFINES]->(c) WHERE c.path = b.path | c.name] AS l",
        "UNWIND [1] AS one MATCH (a)-[:CALLS]->(b) CALL (b) { OPTIONAL MATCH (b:Class)-[:DEFINES]->(c) WHERE c.name > b.name "
        "RETURN count(c) AS n } RETURN b.name AS b, n",
    ],
)
def test_labels_of_an_inner_pattern_do_not_filter_outer_rows(
    compiled: GraphEngine, embedded: GraphEngine, query: str
) -> None:
    found, expected = answer(compiled, query, {}), answer(embedded, query, {})
    assert not expected.error
    assert compare_answers(query, found, expected).kind == "equal"


def test_generated_queries_have_equal_rows_compiled_and_embedded(compiled: GraphEngine, embedded: GraphEngine) -> None:
    maker, verdicts = QueryMaker(20_261_129), Counter[str]()
    for _ in range(_GENERATED):
        query = maker.query()
        expected = answer(embedded, query, {}, _LIMITS)
        if expected.error:
            continue
        verdict = compare_answers(query, answer(compiled, query, {}, _LIMITS), expected)
        assert verdict.kind in ("equal", "refused"), f"{verdict.kind}: {verdict.detail}\n{query}"
        verdicts[verdict.kind] += 1
    assert verdicts["equal"] >= 0.85 * _GENERATED, verdicts
