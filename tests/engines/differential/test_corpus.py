"""What analysts write means the same on both engines, or is refused with a reason: never a different answer."""

from __future__ import annotations

from collections import Counter

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.query.cypher.gate import admit
from tests.engines.differential import corpus
from tests.engines.differential.engine_pair import compare

CASES = corpus.read()
_MAX_REFUSED_SHARE = 0.08


def test_the_corpus_is_large_and_little_of_it_is_refused_on_the_embedded_engine() -> None:
    refused = Counter[str]()
    for case in CASES:
        try:
            admit(case.query, case.parameters, "kglite")
        except QueryRefusedError as refusal:
            refused[refusal.reason] += 1
    assert len(CASES) >= 150
    assert refused.total() / len(CASES) <= _MAX_REFUSED_SHARE, refused


@pytest.mark.neo4j
@pytest.mark.parametrize("case", CASES, ids=[f"{case.chapter} {case.line}" for case in CASES])
def test_rows_are_equal_on_both_engines(twins: tuple[GraphEngine, GraphEngine], case: corpus.Case) -> None:
    verdict = compare(*twins, case.query, case.parameters)
    wanted = ("rejected",) if case.chapter == "Rejected by both engines" else ("equal", "refused")
    assert verdict.kind in wanted, f"{verdict.kind}: {verdict.detail}\n{case.query}"
    if verdict.kind == "equal":
        assert (verdict.rows == 0) == case.is_empty, (
            f"{verdict.rows} rows: what it names may be missing from the graphs"
        )
