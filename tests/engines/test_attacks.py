"""Queries that must never run, and costly ones that may, sent through the store: each is refused or bounded, and nothing changes."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from repoquarry.graphstore.errors import GraphStoreError, QueryRefusedError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
from tests.unit.cypher.attacks import ATTACKS, BOMBS

_LIMITS = QueryLimits(seconds=2.0, rows=1000, bytes=1_000_000, memory_bytes=600_000_000, path_hops=6)
_TO_REFUSE = replace(_LIMITS, seconds=60.0)
"""Long queries are refused by another process, under the query's clock: on a busy machine that takes seconds."""


@pytest.fixture(scope="module")
def store(shared_engine_settings: StoreSettings) -> Iterator[Store]:
    with Store.open(shared_engine_settings, writable=True) as opened:
        opened.engine.replace_repository(random_graph("attacked", 200, 400))
        yield opened


def _is_whole(store: Store) -> bool:
    return store.query("MATCH (f:Function) RETURN count(f) AS n").rows == [(200,)]


def test_every_attack_is_refused_and_nothing_changes(store: Store) -> None:
    for reason, query in ATTACKS:
        with pytest.raises(QueryRefusedError) as refusal:
            store.query(query, limits=_TO_REFUSE)
        assert refusal.value.reason == reason
    assert _is_whole(store)


@pytest.mark.slow
@pytest.mark.parametrize("query", BOMBS)
def test_a_costly_query_is_bounded_and_the_store_still_answers(store: Store, query: str) -> None:
    started = time.monotonic()
    try:
        found = store.query(query, limits=_LIMITS)
    except GraphStoreError as error:
        assert str(error)  # noqa: PT017 - an error or few rows, either is a bound
    else:
        assert len(found.rows) <= _LIMITS.rows
    assert time.monotonic() - started < 30
    assert _is_whole(store)


def test_a_pattern_that_is_large_when_compiled_is_answered_or_refused_for_that_reason(store: Store) -> None:
    query = r"MATCH (f:Function) RETURN count(CASE WHEN f.name =~ '\\p{L}{300}' THEN 1 END) AS n"
    try:
        assert store.query(query).rows == [(0,)]
    except QueryRefusedError as refusal:
        is_said = refusal.reason == "regular_expression" and "when it is compiled" in str(refusal)
        assert is_said, refusal  # noqa: PT017 - one engine answers, the other refuses


def test_a_category_of_characters_is_repeated(store: Store) -> None:
    assert store.query(r"RETURN 'über' =~ '\\p{L}+' AS letters, 'x1' =~ '\\p{L}+' AS more").rows == [(True, False)]
