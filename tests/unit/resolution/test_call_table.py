"""Call edges as columns: what goes in as records comes out as records, sorted, whatever is chosen, renumbered or united."""

import numpy as np
import pytest

from repoquarry.ingest.resolution.model import CallEdge, CallTable, merge_call_tables, renumber, sort_calls

EDGES = [
    CallEdge(0, -1, 1, (7,), "name", 0.99),
    CallEdge(0, 3, 2, (4, 5), "attribute", 0.97),
    CallEdge(2, 1, 1, (9,), "name", 0.99),
    CallEdge(2, 1, 2, (8, 9), "possible", 0.2),
]


def test_records_come_out_sorted() -> None:
    calls = CallTable.of(reversed(EDGES))
    assert list(calls) == EDGES
    assert len(calls) == 4
    assert calls.counts.tolist() == [1, 2, 1, 2]
    assert calls.is_likely.tolist() == [True, True, True, False]
    assert not CallTable.of([])


def test_rules_that_no_chosen_edge_has_are_forgotten() -> None:
    calls = CallTable.of(EDGES)
    rows = np.array([2, 0])
    chosen = calls.chosen(rows, calls.callers[rows], calls.callees[rows])
    assert list(chosen) == [EDGES[2], EDGES[0]]
    assert chosen.rules == [("name", 0.99, 1)]


def test_edges_that_come_to_have_equal_ends_are_sorted_by_the_rest() -> None:
    calls = CallTable.of([CallEdge(0, 1, 2, (1, 2), "b", 0.5), CallEdge(0, 2, 1, (3,), "a", 0.5)])
    ends = np.array([0, 0], dtype=np.int32), np.array([5, 5], dtype=np.int32)
    assert list(sort_calls(calls, *ends)) == [CallEdge(0, 5, 1, (3,), "a", 0.5), CallEdge(0, 5, 2, (1, 2), "b", 0.5)]


def test_parts_are_united_as_if_they_were_one() -> None:
    assert merge_call_tables([CallTable.of(EDGES[:1]), CallTable.of(EDGES[1:])]) == CallTable.of(EDGES)
    assert merge_call_tables([CallTable.of([]), CallTable.of(EDGES)]) == CallTable.of(EDGES)


@pytest.mark.parametrize("given", [[], [4, 9, 4, 1, 9]])
def test_numbers_are_asked_for_once_in_the_order_of_edges(given: list[int]) -> None:
    numbers = np.array(given, dtype=np.int32)
    asked: list[int] = []
    found = renumber(numbers, numbers >= 4, lambda one: asked.append(one) or -len(asked))  # type: ignore[func-returns-value]
    assert asked == list(dict.fromkeys(one for one in given if one >= 4))
    assert found.tolist() == [one if one < 4 else ~asked.index(one) for one in given]
