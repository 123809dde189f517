"""The content of one statement is bounded by bytes, and by rows where they are small."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given as generated
from hypothesis import strategies

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.neo4j.change_writer import BatchLimits, size_of
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, sample_graph

_ROWS = strategies.lists(strategies.dictionaries(strategies.text(max_size=3), strategies.text(max_size=40), max_size=3))


@generated(_ROWS, strategies.integers(1, 120), strategies.integers(1, 9))
def test_batches_hold_all_rows_in_order_and_keep_to_both_limits(
    rows: list[dict[str, str]], most_bytes: int, most_rows: int
) -> None:
    batches = list(BatchLimits(most_bytes, most_rows).split(iter(rows)))
    assert [row for batch in batches for row in batch] == rows
    for batch in batches:
        assert 1 <= len(batch) <= most_rows
        assert len(batch) == 1 or sum(map(size_of, batch)) <= most_bytes
    for batch, following in pairwise(batches):  # no batch ends early
        assert len(batch) == most_rows or sum(map(size_of, batch)) + size_of(following[0]) > most_bytes


def test_rows_are_made_when_their_batch_is() -> None:
    made: list[int] = []

    def rows() -> Iterator[list[str]]:
        for number in range(100):
            made.append(number)
            yield ["x" * 10]

    batches = BatchLimits(bytes=50).split(rows())
    assert len(next(batches)) == 4  # of 12 bytes
    assert len(made) == 5


def _wordy() -> RepositoryGraph:
    b = GraphBuilder("wordy")
    b.repository_node()
    for number in range(60):
        b.module(f"m{number}.py", docstring="word " * 200)
    return b.build()


@pytest.mark.neo4j
@pytest.mark.parametrize("transaction_rows", [20_000, 0])
def test_a_write_sends_few_rows_where_they_are_long(neo4j_settings: StoreSettings, transaction_rows: int) -> None:
    settings = replace(neo4j_settings, neo4j_batch_bytes=10_000, neo4j_transaction_rows=transaction_rows)
    engine = open_engine(settings, writable=True)
    try:
        for graph in (_wordy(), sample_graph("wordy"), _wordy()):  # first, then a difference or an exchange
            done: list[int] = [0]
            engine.replace_repository(graph, lambda now, total, done=done: done.append(now))  # type: ignore[misc]
            steps = [after - before for before, after in pairwise(done)]
            assert everything(engine) == content_of(graph)
            if graph.counts() == _wordy().counts():
                assert max(steps) < 10
                assert len(steps) > 6
    finally:
        engine.close()
