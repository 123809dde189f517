"""Results that wait for readers: the budget of memory, temporary files beyond it, and nothing left behind."""

from collections.abc import Generator

import pytest

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.query.result_buffer import BufferedRows, ResultBufferBudget, ResultBufferSettings, RowBatcher

_ROWS = [(number, "text " * 50) for number in range(5_000)]


def _filled(budget: ResultBufferBudget, client: str = "") -> BufferedRows:
    held = BufferedRows(budget, client)
    RowBatcher(QueryLimits(rows=0, bytes=0), held.add).take(iter(_ROWS))
    return held


@pytest.mark.parametrize("memory", [0, 300_000, 100_000_000])
def test_rows_come_back_in_order_from_memory_and_files(memory: int) -> None:
    budget = ResultBufferBudget(ResultBufferSettings(memory_bytes=memory))
    first, second = _filled(budget), _filled(budget)
    assert budget.memory_bytes <= memory
    for held in (second, first):
        assert [row for batch in held.batches() for row in batch] == _ROWS
    assert budget.memory_bytes == 0


def test_a_reader_that_goes_away_gives_its_room_back() -> None:
    budget = ResultBufferBudget(ResultBufferSettings(memory_bytes=10_000_000))
    held = _filled(budget)
    batches = held.batches()
    next(batches)
    assert isinstance(batches, Generator)
    batches.close()
    assert budget.memory_bytes == 0
    unread = _filled(budget)
    assert budget.memory_bytes > 0
    del unread
    assert budget.memory_bytes == 0


def test_one_client_cannot_use_all_of_the_room() -> None:
    budget = ResultBufferBudget(ResultBufferSettings(memory_bytes=0, disk_bytes=4_000_000))
    kept = _filled(budget, "greedy")
    with pytest.raises(QueryLimitError, match="unread query results") as caught:
        _filled(budget, "greedy")
    assert caught.value.limit == "results.disk_bytes"
    assert [row for batch in _filled(budget, "other").batches() for row in batch] == _ROWS
    kept.close()
    _filled(budget, "greedy").close()


def test_rows_of_a_query_that_begins_again_are_forgotten() -> None:
    budget = ResultBufferBudget(ResultBufferSettings())
    held = _filled(budget)
    held.clear()
    RowBatcher(QueryLimits(), held.add).take(iter([(1,)]))
    assert list(held.batches()) == [[(1,)]]
