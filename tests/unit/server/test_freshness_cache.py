"""Checks of sources: one at a time, in the background when they take long, at intervals that grow with their duration."""

import threading
import time
from collections.abc import Iterator

import pytest

from repoquarry.server.application.basis import FreshnessCache
from repoquarry.v1.basis_pb2 import Freshness

_CURRENT, _STALE = (Freshness(state=state) for state in (Freshness.STATE_CURRENT, Freshness.STATE_STALE))


class FakeSource:
    """Source whose check takes `seconds` of a fake clock, and ends when `open` is set."""

    def __init__(self) -> None:
        self.now, self.seconds, self.freshness, self.checks = 1_000.0, 0.6, _CURRENT, 0
        self.open = threading.Event()
        self.open.set()

    def check(self, repository: str) -> Freshness:
        self.checks += 1
        found = self.freshness
        assert self.open.wait(30)
        self.now += self.seconds
        return found


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


@pytest.fixture
def cache(source: FakeSource) -> Iterator[FreshnessCache]:
    cache = FreshnessCache(source.check, 5.0, lambda: source.now)
    yield cache
    source.open.set()
    cache.close()


def test_slow_check_runs_once_in_the_background(source: FakeSource, cache: FreshnessCache) -> None:
    assert cache.find("shop", "1") == _CURRENT
    source.now += 31
    source.freshness = _STALE
    source.open.clear()
    assert [cache.find("shop", "1") for _ in range(3)] == [_CURRENT] * 3
    source.open.set()
    while cache.find("shop", "1") != _STALE:
        time.sleep(0.01)
    assert source.checks == 2


@pytest.mark.parametrize(("seconds", "interval"), [(0.01, 5), (0.6, 30), (6.0, 300)])
def test_interval_grows_with_the_duration(
    source: FakeSource, cache: FreshnessCache, seconds: float, interval: float
) -> None:
    source.seconds = seconds
    cache.find("shop", "1")
    source.now += interval - 0.1
    cache.find("shop", "1")
    assert source.checks == 1
    source.now += 0.2
    cache.find("shop", "1")
    while source.checks < 2:
        time.sleep(0.01)


@pytest.mark.parametrize(("seconds", "pause", "revision"), [(0.01, 10, "1"), (0.6, 400, "1"), (0.6, 0, "2")])
def test_answer_waits_for_a_quick_check_and_for_a_first_or_an_overdue_one(
    source: FakeSource, cache: FreshnessCache, seconds: float, pause: float, revision: str
) -> None:
    source.seconds = seconds
    cache.find("shop", "1")
    source.now += pause
    source.freshness = _STALE
    assert cache.find("shop", revision) == _STALE


def test_failed_check_is_raised_and_repeated(source: FakeSource) -> None:
    def fail(repository: str) -> Freshness:
        source.checks += 1
        raise OSError(repository)

    cache = FreshnessCache(fail, 5.0)
    for _ in range(2):
        with pytest.raises(OSError, match="shop"):
            cache.find("shop", "1")
    assert source.checks == 2
