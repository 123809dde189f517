"""Threads that run queued work; recovery after a crash, owner processes, notification."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.server.errors import ServerError, ServerFailure, to_failure
from repoquarry.server.jobs.database import (
    ACTIVE,
    CANCELLED,
    FAILED,
    QUEUED,
    RUNNING,
    SUCCEEDED,
    WAITING,
    StateDatabase,
    Work,
)
from repoquarry.server.observer import Observer, observed_work
from repoquarry.v1 import index_service_pb2 as index_pb

if TYPE_CHECKING:
    import asyncio


class WorkNotifier:
    """Wakes those who wait for news, in threads and in event loops. Who waits looks again itself; the bell carries nothing."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def rings(self) -> int:
        """How often it has rung: read it before looking, and give it to `wait`, so that no ring is missed."""
        return self._rings

    def notify(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()
            for loop, event in self._waiting:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)

    def wait(self, seen: int, seconds: float) -> None:
        """Return when it rang after `seen`, or after that time."""
        with self._condition:
            self._condition.wait_for(lambda: self._rings != seen, seconds)

    async def wait_async(self, seen: int, seconds: float) -> None:
        """As `wait`, without holding a thread."""
        import asyncio

        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._condition:
            if self._rings != seen:
                return
            self._waiting.add(entry)
        try:
            await asyncio.wait_for(entry[1].wait(), seconds)
        except TimeoutError:
            return
        finally:
            with self._condition:
                self._waiting.discard(entry)


def this_process() -> str:
    """A name for this process that no other process has, before or after it: its id and when it started."""
    return _process(os.getpid())


def _process(pid: int) -> str:
    import psutil

    return f"{pid}:{psutil.Process(pid).create_time():.2f}"


def is_alive(owner: str) -> bool:
    """Whether the process of that name still runs."""
    import psutil

    pid = owner.partition(":")[0]
    try:
        return _process(int(pid)) == owner
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.AccessDenied:
        return True


_CANCEL_POLL_SECONDS = 1.0


class WorkHandle:
    """What running work may do: tell of events, ask whether it was cancelled, store progress."""

    def __init__(self, work: Work, state: StateDatabase, bell: WorkNotifier, stopping: threading.Event) -> None:
        self.work = work
        self._state = state
        self._bell = bell
        self._stopping = stopping
        self._cancelled = work.cancel
        self._asked = 0.0

    def emit(self, *events: bytes, **changes: object) -> None:
        """Append events and change columns, as one."""
        self._state.change(self.work.id, changes, *events)
        self._bell.notify()

    def cancelled(self) -> bool:
        """Whether the caller cancelled it or the process stops; cheap enough for inner loops."""
        return self._stopping.is_set() or self.cancelled_by_caller()

    def cancelled_by_caller(self) -> bool:
        if not self._cancelled and time.monotonic() - self._asked > _CANCEL_POLL_SECONDS:
            self._asked = time.monotonic()
            current = self._state.get(self.work.kind, self.work.id)
            self._cancelled = current is None or current.cancel
        return self._cancelled

    def recheck(self) -> None:
        """Ask the stored state at the next `cancelled`, whatever the time."""
        self._asked = 0.0


class IncompleteWorkError(ServerError):
    """Work that came to its end with a result, and failed all the same: both are stored."""

    def __init__(self, failure: ServerFailure, events: list[bytes], result: bytes) -> None:
        super().__init__(failure.message)
        self.failure, self.events, self.result = failure, events, result


@dataclass(frozen=True)
class WorkKind:
    """One kind of work: how its changes of state are told, and what it does.

    `run` returns the events of success and the stored result; it raises to fail, and is cancelled when it raises while
    `WorkHandle.cancelled` holds. What it raises as `IncompleteWorkError` is failed work with a result.
    """

    name: str
    state_event: Callable[[str, ServerFailure | None, str], bytes]
    run: Callable[[WorkHandle], tuple[list[bytes], bytes]]
    threads: int


def job_error(failure: ServerFailure) -> index_pb.JobError:
    """A failure in the form in which jobs and tasks carry it."""
    return index_pb.JobError(reason=failure.reason, message=failure.message, metadata=dict(failure.metadata))


def fail_work(
    state: StateDatabase,
    kind: WorkKind,
    work: Work,
    failure: ServerFailure,
    *events: bytes,
    result: bytes | None = None,
) -> None:
    """End work with an error, behind the events that tell of what it came to."""
    event = kind.state_event(FAILED, failure, "")
    state.end(work.id, FAILED, *events, event, error=job_error(failure).SerializeToString(), result=result)


_log = logging.getLogger(__name__)


def recover(
    state: StateDatabase, kinds: Mapping[str, Callable[[], WorkKind]], owner: str, *, resume: bool, max_attempts: int
) -> None:
    """Take over work whose process is gone: queue it again (`resume`), or report it as failed with the reason.

    Only work that ran when its process ended may be to blame for that: not queued work, and not work that waited for a person.
    `kinds` are asked for only where work of theirs was left.
    """
    for work in list(state.active()):
        if work.owner == owner or is_alive(work.owner):
            continue
        kind = kinds[work.kind]()
        if work.cancel:
            state.end(work.id, CANCELLED, kind.state_event(CANCELLED, None, "cancelled before the server stopped"))
        elif not resume:
            fail_work(state, kind, work, ServerFailure("WORKER_LOST", "the process that ran it stopped in the middle"))
        elif work.state == RUNNING and work.attempts >= max_attempts:
            message = f"the server died {work.attempts} times while it ran"
            fail_work(state, kind, work, ServerFailure("ATTEMPTS_EXHAUSTED", message))
        else:
            if work.state == WAITING:
                state.excuse(work.id)
            note = "resumed after the server stopped" if work.started else ""
            changes = {"state": QUEUED, "owner": owner, "pending": None}
            state.change(work.id, changes, kind.state_event(QUEUED, None, note), only_from=ACTIVE)
        _log.warning("work_recovered kind=%s id=%s attempts=%d resume=%s", work.kind, work.id, work.attempts, resume)


_RESTART_SECONDS = (0.0, 2.0, 8.0, 30.0)
"""How long a process has to live before it starts work by the number of processes that ended while the work ran; more of them
count as the last. So a server that is restarted again and again dies while such work waits, and the work is not to blame."""

_RETRY_SECONDS = 1.0
"""Pause before something that could not be stored is stored again."""


class WorkRunner:
    """Runs the queued work of one kind that belongs to this process."""

    def __init__(
        self, kind: WorkKind, state: StateDatabase, bell: WorkNotifier, owner: str, observers: Sequence[Observer] = ()
    ) -> None:
        self._kind = kind
        self._observers = observers
        self._state = state
        self._bell = bell
        self._owner = owner
        self._stopping = threading.Event()
        self._wake = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._running: dict[str, WorkHandle] = {}
        self._excused: set[str] = set()
        self._begun = time.monotonic()

    def start(self) -> None:
        for number in range(self._kind.threads):
            thread = threading.Thread(target=self._loop, name=f"{self._kind.name}-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self) -> None:
        """Look for queued work now."""
        with self._wake:
            if not self._threads:
                self.start()
            self._wake.notify_all()

    def cancelled(self, id_: str) -> None:
        """Tell running work that its stored state says that it is cancelled."""
        handle = self._running.get(id_)
        if handle is not None:
            handle.recheck()

    def stop(self, seconds: float) -> None:
        """Ask running work to stop and wait for it; what does not end in time is recovered at the next start.

        It is not to blame for an end in order, also where it does not end in time.
        """
        self._stopping.set()
        for id_ in list(self._running):
            self._excuse(id_)
        with self._wake:
            self._wake.notify_all()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _loop(self) -> None:
        while not self._stopping.is_set():
            work = self._start_next()
            if work is None:
                with self._wake:
                    self._wake.wait(1.0)
                continue
            self._bell.notify()
            self._run(work)
            self._bell.notify()

    def _start_next(self) -> Work | None:
        """The oldest queued work, started; None where there is none, or where that cannot be stored for now."""
        kind = self._kind.name
        try:
            age = time.monotonic() - self._begun
            ready = sum(seconds <= age for seconds in _RESTART_SECONDS)
            event = self._kind.state_event(RUNNING, None, "")
            if ready == len(_RESTART_SECONDS):
                work = self._state.start_next(kind, self._owner, event)
            else:
                work = self._state.start_next(kind, self._owner, event, ready - 1)
        except Exception as exc:
            self._note_unstored(kind, exc)
            return None
        self._state.unstored.pop(kind, None)
        return work

    def _run(self, work: Work) -> None:
        handle = WorkHandle(work, self._state, self._bell, self._stopping)
        self._running[work.id] = handle
        _log.info("work_started kind=%s id=%s attempt=%d", work.kind, work.id, work.attempts)
        try:
            with observed_work(self._observers, work.kind, FAILED) as outcome:
                outcome.name = self._attempt(handle)
        finally:
            self._running.pop(work.id, None)

    def _attempt(self, handle: WorkHandle) -> str:
        """Run the work and store how it ended; the state that it has then."""
        work = handle.work
        try:
            events, result = self._kind.run(handle)
        except IncompleteWorkError as short:
            failure, events, result = short.failure, short.events, short.result
            self._surely(work, lambda: fail_work(self._state, self._kind, work, failure, *events, result=result))
            _log.info("work_fell_short kind=%s id=%s reason=%s", work.kind, work.id, failure.reason)
            return FAILED
        except Exception as exc:
            return self._fail(handle, exc)
        events = [*events, self._kind.state_event(SUCCEEDED, None, "")]
        self._surely(work, lambda: self._state.end(work.id, SUCCEEDED, *events, result=result))
        _log.info("work_succeeded kind=%s id=%s", work.kind, work.id)
        return SUCCEEDED

    def _fail(self, handle: WorkHandle, error: Exception) -> str:
        work = handle.work
        handle.recheck()
        if handle.cancelled_by_caller():
            event = self._kind.state_event(CANCELLED, None, "")
            self._surely(work, lambda: self._state.end(work.id, CANCELLED, event))
            _log.info("work_cancelled kind=%s id=%s", work.kind, work.id)
            return CANCELLED
        if self._stopping.is_set():
            event = self._kind.state_event(QUEUED, None, "the server is stopping; it goes on at the next start")
            self._excuse(work.id)
            self._surely(work, lambda: self._state.change(work.id, {"state": QUEUED, "pending": None}, event))
            _log.info("work_put_back kind=%s id=%s", work.kind, work.id)
            return QUEUED
        failure = to_failure(error)
        unforeseen = failure.reason == "INTERNAL"
        _log.error("work_failed kind=%s id=%s reason=%s", work.kind, work.id, failure.reason, exc_info=unforeseen)
        self._surely(work, lambda: fail_work(self._state, self._kind, work, failure))
        return FAILED

    def _excuse(self, id_: str) -> None:
        """Take back the attempt of running work, once."""
        if id_ in self._excused:
            return
        self._excused.add(id_)
        try:
            self._state.excuse(id_)
        except Exception as exc:
            self._note_unstored(id_, exc)

    def _surely(self, work: Work, store: Callable[[], object]) -> None:
        """Store how work ended, as often as it takes: a full disk may have room again. Who follows it is told meanwhile.

        Where the process stops first, the next one finds the work as it finds that of a process that died.
        """
        while True:
            try:
                store()
            except Exception as exc:
                self._note_unstored(work.id, exc)
            else:
                self._state.unstored.pop(work.id, None)
                return
            if self._stopping.wait(_RETRY_SECONDS):
                return

    def _note_unstored(self, what: str, error: Exception) -> None:
        if what not in self._state.unstored:
            _log.error("work_unstored kind=%s what=%s", self._kind.name, what, exc_info=True)
        self._state.unstored[what] = to_failure(error)
        self._bell.notify()
