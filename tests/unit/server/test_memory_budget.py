"""How many repositories of a list fit beside each other, and which failures are worth another attempt."""

from __future__ import annotations

import pytest

from repoquarry.server.bulk.bulk_indexer import MemoryBudget, is_retryable

MIB = 1024 * 1024


def test_another_repository_is_expected_to_take_what_the_largest_took() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert room.can_start_another([], {})
    assert room.can_start_another([1], {})  # 400 MiB each, as long as none was measured
    assert not room.can_start_another([1, 2], {})
    room.note(600 * MIB)
    assert room.can_start_another([], {})
    assert not room.can_start_another([1], {})


def test_one_that_takes_more_than_expected_leaves_no_room() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert not room.can_start_another([7], {7: 700 * MIB})


def test_the_peak_counts_this_process_and_the_limit_does_not() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert not room.is_exceeded({1: 500 * MIB, 2: 500 * MIB})
    assert room.is_exceeded({1: 500 * MIB, 2: 501 * MIB})
    assert room.peak > 1_001 * MIB
    peak = room.peak
    assert not room.is_exceeded({})
    assert room.peak == peak


@pytest.mark.parametrize(
    ("reason", "message", "passes"),
    [
        ("WORKER_LOST", "killed", True),
        ("SOURCE_REJECTED", "git: Could not resolve host: example.org", True),
        ("SOURCE_REJECTED", "early EOF; unable to read 0123456789012345678901234567890123456789", False),
        ("SOURCE_NOT_FOUND", "repository not found", False),
    ],
)
def test_which_failures_may_pass(reason: str, message: str, passes: bool) -> None:
    assert is_retryable(reason, message) is passes
