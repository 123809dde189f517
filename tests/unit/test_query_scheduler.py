"""Turns of queries: quick ones always find a place, clients take turns, and nobody holds all slow places.

Queries run for as long as the test holds them, and a test continues when the lanes are in the state that it waits for: nothing here
depends on how fast the machine is.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, TooManyQueriesError
from repoquarry.graphstore.query import query_scheduler as module
from repoquarry.graphstore.query.query_scheduler import Lane, QueryScheduler, SchedulerSettings, name_client

_SETTINGS = SchedulerSettings(quick_places=1, slow_places=2, quick_seconds=0.05, waiting=4)


def _never() -> bool:
    return False


class _Engine:
    """Runs queries that end at once, or are held until they are released."""

    def __init__(self, lanes: QueryScheduler) -> None:
        self.lanes = lanes
        self.guard = threading.Lock()
        self.running = 0
        self.most = 0
        self.begun = 0
        self.released = threading.Event()
        self.failures: list[Exception] = []
        self._threads: list[threading.Thread] = []

    def ask(
        self,
        client: str,
        text: str,
        seconds: float = 0.0,
        *,
        held: bool = False,
        cancelled: Callable[[], bool] = _never,
    ) -> None:
        """Ask and wait for the answer."""

        def attempt(limit: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> None:
            with self.guard:
                self.begun += 1
                self.running += 1
                self.most = max(self.most, self.running)
            try:
                begun()
                latest = time.monotonic() + limit if limit else float("inf")
                while held and not self.released.wait(0.005):
                    if stopped():
                        raise QueryCancelledError("stopped")
                    if time.monotonic() > latest:
                        raise QueryLimitError("late", limit="seconds")
            finally:
                with self.guard:
                    self.running -= 1

        self.lanes.run(client, text, seconds, cancelled, attempt)  # type: ignore[arg-type]  # the parameters have other names

    def hold(self, client: str, text: str, cancelled: Callable[[], bool] = _never) -> None:
        """Ask in a thread for what lasts until it is released."""

        def ask() -> None:
            try:
                self.ask(client, text, held=True, cancelled=cancelled)
            except (QueryCancelledError, QueryLimitError, TooManyQueriesError) as exc:
                self.failures.append(exc)

        self._threads.append(threading.Thread(target=ask))
        self._threads[-1].start()

    def reaches(self, *, slow: int, waiting: int, failed: int = 0) -> None:
        """Wait until no query is in a quick place, that many are in slow ones, and that many wait."""
        deadline = time.monotonic() + 300
        while (found := self.state()) != (0, slow, waiting, failed):
            assert time.monotonic() < deadline, found
            time.sleep(0.005)

    def state(self) -> tuple[int, int, int, int]:
        """Queries in quick places, in slow ones, waiting, failed."""
        load = self.lanes.query_load()
        places = {lane.name: lane.running for lane in load.lanes}
        return places["quick"], places["slow"], load.waiting, len(self.failures)

    def release(self) -> None:
        """Let all end, and wait for it."""
        self.released.set()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def engine() -> Iterator[_Engine]:
    engine = _Engine(QueryScheduler(_SETTINGS))
    yield engine
    engine.release()


def test_quick_query_gets_a_slot_next_to_slow_ones(engine: _Engine) -> None:
    for number in range(6):
        engine.hold(f"slow{number}", f"{number}")
    engine.reaches(slow=2, waiting=4)
    for _ in range(10):
        engine.ask("quick", "x")
    assert engine.state() == (0, 2, 4, 0)
    engine.release()
    assert engine.most <= 3
    assert engine.state() == (0, 0, 0, 0)


def test_a_slow_query_moves_to_a_free_place_undisturbed(engine: _Engine) -> None:
    engine.hold("one", "x")
    engine.reaches(slow=1, waiting=0)
    engine.release()
    assert engine.begun == 1


def test_one_client_leaves_a_slow_place_to_others(engine: _Engine) -> None:
    for number in range(3):
        engine.hold("greedy", f"{number}")
    engine.reaches(slow=1, waiting=2)
    engine.hold("other", "z")
    engine.reaches(slow=2, waiting=2)


def test_one_client_cannot_fill_the_queue(engine: _Engine) -> None:
    for number in range(12):
        engine.hold("greedy", f"{number}")
    engine.reaches(slow=1, waiting=4, failed=7)
    engine.ask("other", "z")
    assert {type(failure) for failure in engine.failures} == {TooManyQueriesError}


def test_a_query_that_waits_can_be_cancelled(engine: _Engine) -> None:
    for number in range(4):
        engine.hold(f"slow{number}", f"{number}")
    engine.reaches(slow=2, waiting=2)
    stop = threading.Event()
    engine.hold("other", "x", stop.is_set)
    engine.reaches(slow=2, waiting=3)
    stop.set()
    engine.reaches(slow=2, waiting=2, failed=1)
    assert isinstance(engine.failures[0], QueryCancelledError)
    engine.release()
    assert engine.state() == (0, 0, 0, 1), "every place was given back"
    engine.ask("other", "y")


def test_a_query_keeps_its_own_time_limit(engine: _Engine) -> None:
    with pytest.raises(QueryLimitError):
        engine.ask("one", "x", seconds=0.3, held=True)


def _admission_order(lanes: QueryScheduler, clients: list[str]) -> list[str]:
    """Return the order in which clients get the quick place that another one leaves."""
    order: list[str] = []

    def enter(client: str) -> None:
        lane = lanes.enter(client, Lane.QUICK, _never)
        order.append(client)
        lanes.leave(client, lane)

    lanes.enter("first", Lane.QUICK, _never)
    threads = [threading.Thread(target=enter, args=(client,)) for client in clients]
    for number, thread in enumerate(threads, 1):
        thread.start()
        while lanes.query_load().waiting < number:
            time.sleep(0.001)
    lanes.leave("first", Lane.QUICK)
    for thread in threads:
        thread.join()
    return order


def test_clients_take_turns_however_many_queries_of_one_wait() -> None:
    lanes = QueryScheduler(SchedulerSettings(quick_places=1, waiting=50))
    order = _admission_order(lanes, ["greedy"] * 32 + ["late", "later"])
    assert order == ["greedy", "late", "later"] + ["greedy"] * 31


def test_users_of_one_token_take_turns_within_its_turns() -> None:
    lanes = QueryScheduler(SchedulerSettings(quick_places=1, waiting=50))
    one, two = name_client("app", "one"), name_client("app", "two")
    assert _admission_order(lanes, [one, one, one, two, "other", "other"]) == [one, "other", two, "other", one, one]


def test_naming_users_escapes_no_limit() -> None:
    lanes = QueryScheduler(SchedulerSettings(quick_places=1, slow_places=2, waiting=2))
    lanes.enter("first", Lane.QUICK, _never)
    stop = threading.Event()
    refused: list[Exception] = []

    def enter(user: str) -> None:
        try:
            lanes.enter(name_client("app", user), Lane.QUICK, stop.is_set)
        except (TooManyQueriesError, QueryCancelledError) as exc:
            refused.append(exc)

    threads = [threading.Thread(target=enter, args=(f"u{number}",)) for number in range(5)]
    for thread in threads:
        thread.start()
    while len(refused) < 3:
        time.sleep(0.001)
    stop.set()
    for thread in threads:
        thread.join()
    assert sum(isinstance(failure, TooManyQueriesError) for failure in refused) == 3


def test_a_user_whose_query_overran_leaves_quick_places_to_others(
    engine: _Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.hold("greedy", "0")
    engine.reaches(slow=1, waiting=0)
    engine.ask("other", "x")
    monkeypatch.setattr(module, "_QUIET_SECONDS", float("inf"))
    for number in range(1, 4):
        engine.hold("greedy", f"{number}")
    engine.reaches(slow=1, waiting=3)
    assert engine.begun == 2, "none of them was started to be stopped again"
    engine.ask("other", "y")


def test_a_query_of_such_a_user_is_stopped_as_soon_as_another_client_waits() -> None:
    engine = _Engine(QueryScheduler(SchedulerSettings(quick_places=1, slow_places=2, quick_seconds=1_000)))
    engine.lanes.enter("greedy", Lane.QUICK, _never)
    assert engine.lanes.move_to_slow("greedy")
    engine.hold("greedy", "1")
    while engine.begun < 1:
        time.sleep(0.001)
    engine.ask("other", "x")
    engine.reaches(slow=1, waiting=1)
    engine.lanes.leave("greedy", Lane.SLOW)
    engine.release()
    assert engine.begun == 3, "it began again in a slow place"


class _Clock:
    """Clock that a test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_what_was_slow_and_is_quick_now_is_forgotten(engine: _Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes, digest = engine.lanes, hashlib.sha256(b"q").digest()
    for number in range(3):
        engine.hold(f"slow{number}", f"{number}")
    engine.reaches(slow=2, waiting=1)
    clock = _Clock()
    monkeypatch.setattr(module, "time", clock)
    stays: list[bool] = []

    def run(seconds: float) -> None:
        def attempt(limit: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> None:
            begun()
            clock.now += seconds
            stays.append(not stopped())
            if not stays[-1]:
                engine.released.set()  # the slow places get free for it
                raise QueryCancelledError("stopped")

        lanes.run("one", "q", 0.0, _never, attempt)  # type: ignore[arg-type]  # the parameters have other names

    run(10)  # no slow place is free: it is stopped, remembered and run again
    assert stays == [False, True]
    assert digest in lanes._slow
    run(0)
    assert stays == [False, True, True]
    assert digest not in lanes._slow
