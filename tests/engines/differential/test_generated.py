"""Random queries over the frozen graphs give the same rows on both engines; a difference is reported minimized."""

from __future__ import annotations

from collections import Counter

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from tests.engines.differential.engine_pair import compare
from tests.engines.differential.generator import QueryMaker
from tests.engines.differential.minimise import minimise

_QUERIES = 80
_LIMITS = QueryLimits(seconds=60.0, rows=20_000)
"""A random query may be too large to be compared; few of them are."""


def test_the_same_seed_gives_the_same_queries() -> None:
    first, second = QueryMaker(7), QueryMaker(7)
    assert [first.query() for _ in range(50)] == [second.query() for _ in range(50)]


def test_a_failing_query_is_made_smaller() -> None:
    query = (
        "MATCH (n:Function)-[:CALLS]->(m) WHERE n.name = 'a' AND m.name = 'b' RETURN n.name AS x, m.name AS y LIMIT 3"
    )
    smallest = minimise(query, lambda text: "LIMIT" in text and "(n:Function)" in text and "n.name AS x" in text)
    assert smallest == "MATCH (n:Function) RETURN n.name AS x LIMIT 3"


@pytest.mark.neo4j
@pytest.mark.slow
def test_random_queries_have_equal_rows(twins: tuple[GraphEngine, GraphEngine]) -> None:
    maker = QueryMaker(20_260_101)
    verdicts = Counter[str]()
    for _ in range(_QUERIES):
        query = maker.query()
        verdict = compare(*twins, query, limits=_LIMITS)
        if verdict.kind == "DIFFERENT":
            smallest = minimise(query, lambda text: compare(*twins, text, limits=_LIMITS).kind == "DIFFERENT")
            pytest.fail(f"{verdict.detail}\n{smallest}\nfrom {query}")
        verdicts[verdict.kind] += 1
    assert verdicts["equal"] >= 0.85 * _QUERIES, verdicts
