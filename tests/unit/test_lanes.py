"""Turns of queries: quick ones always find a place, clients take turns, and nobody holds all slow places."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable

import pytest

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, TooManyQueriesError
from repoquarry.graphstore.lanes import Lanes, LaneSettings

_SETTINGS = LaneSettings(quick_places=1, slow_places=2, quick_seconds=0.05, waiting=4)


def _never() -> bool:
    return False


class _Engine:
    """Runs queries that last as long as their text says, and writes down who ran and when a place was refused."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.guard = threading.Lock()
        self.running = 0
        self.most = 0

    def ask(self, client: str, text: str, seconds: float = 0.0, cancelled: Callable[[], bool] = _never) -> float:
        """Seconds from asking to the answer."""
        started = time.monotonic()

        def attempt(limit: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> None:
            with self.guard:
                self.running += 1
                self.most = max(self.most, self.running)
            try:
                begun()
                ends = time.monotonic() + float(text.split()[0])
                latest = time.monotonic() + limit if limit else float("inf")
                while time.monotonic() < ends:
                    if stopped():
                        raise QueryCancelledError("stopped")
                    if time.monotonic() > latest:
                        raise QueryLimitError("late", limit="seconds")
                    time.sleep(0.005)
            finally:
                with self.guard:
                    self.running -= 1

        self.lanes.run(client, text, seconds, cancelled, attempt)  # type: ignore[arg-type]  # the parameters have other names
        return time.monotonic() - started


@pytest.fixture
def engine() -> _Engine:
    return _Engine(Lanes(_SETTINGS))


def _start(engine: _Engine, client: str, text: str, failures: list[Exception] | None = None) -> threading.Thread:
    def ask() -> None:
        try:
            engine.ask(client, text)
        except (QueryCancelledError, QueryLimitError, TooManyQueriesError) as exc:
            assert failures is not None
            failures.append(exc)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def test_a_quick_query_finds_a_place_beside_slow_ones(engine: _Engine) -> None:
    slow = [_start(engine, f"slow{number}", f"1.0 {number}") for number in range(6)]
    time.sleep(0.6)  # each has had its try by now
    times = [engine.ask("quick", "0.001 x") for _ in range(10)]
    assert sorted(times)[8] < 0.5
    for thread in slow:
        thread.join()
    assert engine.most <= 3


def test_a_slow_query_moves_to_a_free_place_undisturbed(engine: _Engine) -> None:
    assert engine.ask("one", "0.3 x") < 0.55, "it ran twice"


def test_one_client_leaves_a_slow_place_to_others(engine: _Engine) -> None:
    greedy = [_start(engine, "greedy", f"0.8 {number}") for number in range(3)]
    time.sleep(0.4)
    assert engine.ask("other", "0.3 z") < 0.9, "the other client waited for the greedy one"
    for thread in greedy:
        thread.join()


def test_one_client_cannot_fill_the_queue(engine: _Engine) -> None:
    failures: list[Exception] = []
    threads = [_start(engine, "greedy", f"0.5 {number}", failures) for number in range(12)]
    time.sleep(0.1)
    assert engine.ask("other", "0.001 z") < 1.5
    for thread in threads:
        thread.join()
    assert failures
    assert {type(failure) for failure in failures} == {TooManyQueriesError}


def test_a_query_that_waits_can_be_cancelled(engine: _Engine) -> None:
    slow = [_start(engine, f"slow{number}", f"0.6 {number}") for number in range(4)]
    time.sleep(0.2)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(QueryCancelledError):
        engine.ask("other", "5.0 x", cancelled=stop.is_set)
    for thread in slow:
        thread.join()
    assert engine.ask("other", "0.001 y") < 0.3, "every place was given back"


def test_a_query_keeps_its_own_time_limit(engine: _Engine) -> None:
    with pytest.raises(QueryLimitError):
        engine.ask("one", "5.0 x", seconds=0.3)


def test_what_was_slow_and_is_quick_now_is_forgotten(engine: _Engine) -> None:
    lanes = engine.lanes

    def run(text: str, seconds: float) -> None:
        def attempt(limit: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> None:
            begun()
            ends = time.monotonic() + seconds
            while time.monotonic() < ends:
                if stopped():
                    raise QueryCancelledError("stopped")
                time.sleep(0.005)

        lanes.run("one", text, 0.0, _never, attempt)  # type: ignore[arg-type]  # the parameters have other names

    busy = [_start(engine, f"slow{number}", f"0.5 {number}") for number in range(3)]
    time.sleep(0.2)
    run("q", 0.2)  # no slow place is free: it is stopped, remembered and run again
    for thread in busy:
        thread.join()
    run("q", 0.0)
    assert hashlib.sha256(b"q").digest() not in lanes._slow
