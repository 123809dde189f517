"""Durable work: gap-free events, one job a repository, idempotent creation, recovery."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.graphstore.errors import StoreFullError
from repoquarry.server.errors import ServerFailure
from repoquarry.server.jobs import runner as runner_module
from repoquarry.server.jobs.database import (
    CANCELLED,
    FAILED,
    INDEX,
    QUEUED,
    RUNNING,
    SUCCEEDED,
    TASK,
    WAITING,
    BusyError,
    NewWork,
    RequestReusedError,
    StateDatabase,
    Work,
)
from repoquarry.server.jobs.runner import (
    IncompleteWorkError,
    WorkHandle,
    WorkKind,
    WorkNotifier,
    WorkRunner,
    is_alive,
    recover,
    this_process,
)

GONE = "999999999:0.00"


@pytest.fixture
def state(tmp_path: Path) -> StateDatabase:
    return StateDatabase(tmp_path / "state.db")


def new(subject: str = "a", spec: bytes = b"spec") -> NewWork:
    return NewWork(subject, spec, b"queued")


def told(state: StateDatabase, id_: str) -> list[bytes]:
    return [event.payload for event in state.events(id_, 0)]


def kind(run: object = None) -> WorkKind:
    def event(name: str, failure: ServerFailure | None, note: str) -> bytes:
        return f"{name} {failure.reason if failure else ''}{note}".strip().encode()

    def nothing(handle: WorkHandle) -> tuple[list[bytes], bytes]:
        return [b"report"], b"result"

    return WorkKind(INDEX, event, run or nothing, 1)  # type: ignore[arg-type]


def require(state: StateDatabase, kind: str, work: Work) -> Work:
    found = state.get(kind, work.id)
    assert found is not None
    return found


def test_one_job_a_repository_and_all_or_none(state: StateDatabase) -> None:
    (first,) = state.create(INDEX, [new("a")], owner="me")
    with pytest.raises(BusyError) as caught:
        state.create(INDEX, [new("b"), new("a")], owner="me")
    assert (caught.value.subject, caught.value.work) == ("a", first.id)
    assert [work.id for work in state.newest(INDEX)] == [first.id]
    state.end(first.id, SUCCEEDED, b"done")
    assert state.create(INDEX, [new("a")], owner="me")
    assert len(state.create(TASK, [new(""), new("")], owner="me")) == 2


def test_a_request_id_gives_the_same_work_again(state: StateDatabase) -> None:
    (first,) = state.create(TASK, [new("")], owner="me", request="r", digest="x")
    (again,) = state.create(TASK, [new("")], owner="me", request="r", digest="x")
    assert again.id == first.id
    with pytest.raises(RequestReusedError):
        state.create(TASK, [new("")], owner="me", request="r", digest="y")


def test_ended_work_does_not_change(state: StateDatabase) -> None:
    (work,) = state.create(TASK, [new("")], owner="me")
    assert state.end(work.id, CANCELLED, b"cancelled")
    assert not state.end(work.id, SUCCEEDED, b"done", result=b"x")
    assert not state.change(work.id, {"cancel": 1})
    found = require(state, TASK, work)
    assert (found.state, found.result, told(state, work.id)) == (CANCELLED, None, [b"queued", b"cancelled"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 2), max_size=30))
def test_sequences_have_no_gaps_whoever_writes(tmp_path_factory: pytest.TempPathFactory, writers: list[int]) -> None:
    state = StateDatabase(tmp_path_factory.mktemp("state") / "state.db")
    works = [work for _ in range(3) for work in state.create(TASK, [new("")], owner="me")]
    for writer in writers:
        state.change(works[writer].id, {}, b"event")
    for place, work in enumerate(works):
        sequences = [event.sequence for event in state.events(work.id, 0)]
        assert sequences == list(range(1, writers.count(place) + 2))


def test_two_threads_get_no_sequence_twice(state: StateDatabase) -> None:
    (work,) = state.create(TASK, [new("")], owner="me")

    def write() -> None:
        for _ in range(50):
            state.change(work.id, {}, b"event")

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.sequence for event in state.events(work.id, 0)] == list(range(1, 102))


@pytest.mark.parametrize(
    ("change", "resume", "max_attempts", "expected"),
    [
        ({}, True, 3, (QUEUED, "me", 1, b"QUEUED resumed after the server stopped")),
        ({}, True, 1, (FAILED, GONE, 1, b"FAILED ATTEMPTS_EXHAUSTED")),
        ({"state": WAITING}, True, 1, (QUEUED, "me", 0, b"QUEUED resumed after the server stopped")),
        ({"state": QUEUED}, False, 3, (FAILED, GONE, 1, b"FAILED WORKER_LOST")),
    ],
    ids=["resumed", "ends the server each time", "waits for a person", "resuming is off"],
)
def test_work_of_a_process_that_is_gone(
    state: StateDatabase, change: dict[str, Any], resume: bool, max_attempts: int, expected: tuple[object, ...]
) -> None:
    (work,) = state.create(TASK, [new()], owner=GONE)
    state.start_next(TASK, GONE, b"running")
    state.change(work.id, change)
    recover(state, {INDEX: kind, TASK: kind}, "me", resume=resume, max_attempts=max_attempts)
    found = require(state, TASK, work)
    assert (found.state, found.owner, found.attempts, told(state, work.id)[-1]) == expected


def test_queued_work_is_not_to_blame_for_the_end_of_its_process(state: StateDatabase) -> None:
    (work,) = state.create(INDEX, [new()], owner=GONE)
    state.start_next(INDEX, GONE, b"running")
    state.change(work.id, {"state": QUEUED})
    for _ in range(5):
        recover(state, {INDEX: kind}, "me", resume=True, max_attempts=1)
        state.change(work.id, {"owner": GONE})
    assert require(state, INDEX, work).state == QUEUED


def test_work_that_ran_when_processes_died_waits_and_then_runs_alone(state: StateDatabase) -> None:
    """So a server that is killed again and again dies while the work waits, and what does end servers is found out."""
    works = state.create(TASK, [new("a"), new("b"), new("c")], owner="me")
    for work, attempts in zip(works, (2, 2, 0), strict=True):
        state.change(work.id, {"attempts": attempts})
    started = [state.start_next(TASK, "me", b"", 0), state.start_next(TASK, "me", b"", 0)]
    assert [work and work.subject for work in started] == ["c", None]
    started = [state.start_next(TASK, "me", b""), state.start_next(TASK, "me", b"")]
    assert [work and work.subject for work in started] == ["a", None]
    state.end(works[0].id, SUCCEEDED)
    last = state.start_next(TASK, "me", b"")
    assert last is not None
    assert (last.subject, last.attempts) == ("b", 3)


def test_a_runner_starts_such_work_when_its_process_has_lived_for_a_while(
    state: StateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "_RESTART_SECONDS", (0.0, 0.5, 3_600.0))
    works = state.create(TASK, [new("a"), new("b")], owner="me")
    for work, attempts in zip(works, (2, 1), strict=True):
        state.change(work.id, {"attempts": attempts})
    begun = time.monotonic()
    runner = WorkRunner(WorkKind(TASK, kind().state_event, kind().run, 1), state, WorkNotifier(), "me")
    runner.wake()
    while (second := state.get(TASK, works[1].id)) is not None and second.state != SUCCEEDED:
        assert time.monotonic() - begun < 60
        time.sleep(0.05)
    assert time.monotonic() - begun >= 0.5
    assert require(state, TASK, works[0]).state == QUEUED
    runner.stop(10)


def test_a_stop_in_order_is_nobodys_fault(state: StateDatabase) -> None:
    """Neither that of work that ends in time, nor of work that does not."""
    release = threading.Event()

    def stubborn(handle: WorkHandle) -> tuple[list[bytes], bytes]:
        release.wait(60)
        return until_cancelled(handle)

    (work,) = state.create(INDEX, [new()], owner="me")
    runner = WorkRunner(kind(stubborn), state, WorkNotifier(), "me")
    runner.wake()
    while (now := state.get(INDEX, work.id)) is not None and now.state != RUNNING:
        time.sleep(0.01)
    runner.stop(0)
    now = require(state, INDEX, work)
    assert (now.state, now.attempts) == (RUNNING, 0)
    release.set()
    runner.stop(10)
    now = require(state, INDEX, work)
    assert (now.state, now.attempts) == (QUEUED, 0)


@pytest.mark.parametrize("stored", [QUEUED, RUNNING, WAITING])
def test_commands_leave_the_work_of_a_stopped_service_to_the_next_service(state: StateDatabase, stored: str) -> None:
    (work,) = state.create(TASK, [new()], owner=f"{GONE}:service")
    state.start_next(TASK, f"{GONE}:service", b"running")
    state.change(work.id, {"state": stored})
    recover(state, {TASK: kind}, "command", resume=False, max_attempts=3)
    assert require(state, TASK, work).state == QUEUED
    recover(state, {TASK: kind}, "next:service", resume=True, max_attempts=3)
    found = require(state, TASK, work)
    assert (found.state, found.owner) == (QUEUED, "next:service")


def test_work_of_a_living_process_is_left_alone(state: StateDatabase) -> None:
    (work,) = state.create(INDEX, [new()], owner=this_process())
    recover(state, {INDEX: kind}, "other", resume=False, max_attempts=3)
    found = require(state, INDEX, work)
    assert found.state == QUEUED
    assert is_alive(this_process())
    assert not is_alive(GONE)


def run_one(state: StateDatabase, work_kind: WorkKind, *, stop: bool = False, cancel: bool = False) -> list[bytes]:
    (work,) = state.create(INDEX, [new()], owner="me")
    runner = WorkRunner(work_kind, state, bell := WorkNotifier(), "me")
    runner.wake()
    while (now := state.get(INDEX, work.id)) is not None and now.state in (QUEUED, RUNNING):
        rings = bell.rings
        if now.state == RUNNING and cancel:
            state.change(work.id, {"cancel": 1})
            runner.cancelled(work.id)
        if now.state == RUNNING and stop:
            break
        bell.wait(rings, 0.05)
    runner.stop(10)
    return told(state, work.id)


def until_cancelled(handle: WorkHandle) -> tuple[list[bytes], bytes]:
    waiting = threading.Event()
    while not handle.cancelled():
        waiting.wait(0.01)
    raise RuntimeError("stopped")


def broken(handle: WorkHandle) -> tuple[list[bytes], bytes]:
    raise ZeroDivisionError("secret detail")


def test_internal_error_fails_the_job_without_its_text(state: StateDatabase) -> None:
    assert run_one(state, kind(broken)) == [b"queued", b"RUNNING", b"FAILED INTERNAL"]
    assert b"secret" not in (state.newest(INDEX)[0].error or b"")


def test_cancelled_work_ends_as_cancelled(state: StateDatabase) -> None:
    assert run_one(state, kind(until_cancelled), cancel=True) == [b"queued", b"RUNNING", b"CANCELLED"]


def test_a_stopping_server_puts_work_back(state: StateDatabase) -> None:
    events = run_one(state, kind(until_cancelled), stop=True)
    assert events[-1].startswith(b"QUEUED the server is stopping")


class FullDisk:
    """Lets nothing be stored of the kind of change that it is given, until there is room."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, state: StateDatabase, refused: str) -> None:
        self.room = False
        self._stored: Callable[..., Any] = getattr(state, refused)
        monkeypatch.setattr(state, refused, self._store)

    def _store(self, *arguments: Any, **options: Any) -> Any:
        if not self.room:
            raise StoreFullError("no space is left")
        return self._stored(*arguments, **options)


@pytest.mark.parametrize("refused", ["end", "start_next"])
def test_work_resumes_after_a_full_disk_has_room(
    state: StateDatabase, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    (work,) = state.create(INDEX, [new()], owner="me")
    disk = FullDisk(monkeypatch, state, refused)
    runner = WorkRunner(kind(), state, bell := WorkNotifier(), "me")
    runner.wake()
    key = work.id if refused == "end" else INDEX
    while key not in state.unstored:
        bell.wait(bell.rings, 0.05)
    assert state.unstored[key].reason == "STORE_FULL"
    disk.room = True
    while (now := state.get(INDEX, work.id)) is not None and now.state in (QUEUED, RUNNING):
        bell.wait(bell.rings, 0.05)
    runner.stop(10)
    assert told(state, work.id) == [b"queued", b"RUNNING", b"report", b"SUCCEEDED"]
    assert not state.unstored


def test_a_runner_on_a_full_disk_stops(state: StateDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    (work,) = state.create(INDEX, [new()], owner="me")
    FullDisk(monkeypatch, state, "end")
    runner = WorkRunner(kind(), state, bell := WorkNotifier(), "me")
    runner.wake()
    while work.id not in state.unstored:
        bell.wait(bell.rings, 0.05)
    runner.stop(60)
    assert not any(thread.name.startswith(f"{INDEX}-") for thread in threading.enumerate())
    assert require(state, INDEX, work).state == RUNNING  # the next process finds it


def test_old_work_is_forgotten_with_its_events(state: StateDatabase) -> None:
    (old,) = state.create(TASK, [new("")], owner="me")
    (running,) = state.create(TASK, [new("")], owner="me")
    state.end(old.id, SUCCEEDED, b"done")
    assert state.purge(10, 1_000, 0) == 0  # its age counts from here
    assert state.purge(10, 1_011, 11) == 1
    assert state.events(old.id, 0) == []
    assert state.get(TASK, running.id) is not None


DAY = 86_400_000_000


def test_a_clock_that_jumps_ahead_forgets_nothing(state: StateDatabase) -> None:
    """However often it is looked at: the age of work is what was seen to pass, a day at most where nobody looked."""
    (old,) = state.create(TASK, [new("")], owner="me")
    state.end(old.id, SUCCEEDED, b"done")
    now = time.time_ns() // 1000
    for wrong in (now, now + 400 * DAY, now + 800 * DAY, now, now + 3000 * DAY, now + 3000 * DAY):
        assert state.purge(30 * DAY, wrong, 0) == 0
        assert state.purge(30 * DAY, wrong + DAY, 60_000_000) == 0  # a minute later, says the process
    assert state.events(old.id, 0)


def test_work_is_forgotten_by_servers_that_run_long_and_by_ones_that_start_daily(state: StateDatabase) -> None:
    for counted in (DAY // 24, 0):
        (old,) = state.create(TASK, [new("")], owner="me")
        state.end(old.id, SUCCEEDED, b"done")
        now = time.time_ns() // 1000
        step = counted or DAY
        looks = 0
        while not state.purge(30 * DAY, now, counted):
            now += step
            looks += 1
            assert looks * step <= 32 * DAY
        assert looks * step >= 30 * DAY


def test_work_that_fell_short_is_failed_and_keeps_its_result(state: StateDatabase) -> None:
    def short(handle: WorkHandle) -> tuple[list[bytes], bytes]:
        raise IncompleteWorkError(ServerFailure("CHECKS_FAILED", "a check does not hold"), [b"answer"], b"result")

    assert run_one(state, kind(short)) == [b"queued", b"RUNNING", b"answer", b"FAILED CHECKS_FAILED"]
    (found,) = state.newest(INDEX)
    assert (found.state, found.result) == (FAILED, b"result")
    assert found.error is not None
    assert b"a check does not hold" in found.error
