"""Runner of queued work in threads: stores progress and results, notifies readers, and recovers work of exited processes."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.server.errors import ServerError, ServerFailure, to_failure
from repoquarry.server.jobs import database
from repoquarry.server.observer import Observer, observed_work
from repoquarry.v1 import index_service_pb2 as index_pb

if TYPE_CHECKING:
    import asyncio


class WorkNotifier:
    """Notifier of waiting threads and event loops. A notification has no content: the waiter reads the stored state again."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def rings(self) -> int:
        """Number of notifications. Read it before reading the state and pass it to `wait`, so that no notification is missed."""
        return self._rings

    def notify(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()
            for loop, event in self._waiting:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)

    def wait(self, seen: int, seconds: float) -> None:
        with self._condition:
            self._condition.wait_for(lambda: self._rings != seen, seconds)

    async def wait_async(self, seen: int, seconds: float) -> None:
        """Wait as `wait` does, without blocking a thread."""
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
    """Return a name of this process that no earlier or later process has: its id and start time."""
    return _process(os.getpid())


_SERVICE = ":service"


def this_service() -> str:
    """Return the name of this process as a service, whose work waits for the next start of a service."""
    return this_process() + _SERVICE


def _process(pid: int) -> str:
    import psutil

    return f"{pid}:{psutil.Process(pid).create_time():.2f}"


def is_alive(owner: str) -> bool:
    import psutil

    pid = owner.partition(":")[0]
    try:
        return _process(int(pid)) == owner.removesuffix(_SERVICE)
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.AccessDenied:
        return True


_CANCEL_POLL_SECONDS = 1.0


class WorkHandle:
    """Handle of running work: emits events, stores progress, reports cancellation."""

    def __init__(
        self, work: database.Work, state: database.StateDatabase, bell: WorkNotifier, stopping: threading.Event
    ) -> None:
        self.work = work
        self._state = state
        self._bell = bell
        self._stopping = stopping
        self._cancelled = work.cancel
        self._asked = 0.0

    def emit(self, *events: bytes, **changes: object) -> None:
        """Append events and change columns in one transaction."""
        self._state.change(self.work.id, changes, *events)
        self._bell.notify()

    def cancelled(self) -> bool:
        """Return whether the caller cancelled the work or the process stops; cheap enough for inner loops."""
        return self._stopping.is_set() or self.cancelled_by_caller()

    def cancelled_by_caller(self) -> bool:
        if not self._cancelled and time.monotonic() - self._asked > _CANCEL_POLL_SECONDS:
            self._asked = time.monotonic()
            current = self._state.get(self.work.kind, self.work.id)
            self._cancelled = current is None or current.cancel
        return self._cancelled

    def recheck(self) -> None:
        """Read the stored state at the next call of `cancelled`."""
        self._asked = 0.0


class IncompleteWorkError(ServerError):
    """Work failed and has a result nevertheless; both are stored."""

    def __init__(self, failure: ServerFailure, events: list[bytes], result: bytes) -> None:
        super().__init__(failure.message)
        self.failure, self.events, self.result = failure, events, result


@dataclass(frozen=True)
class WorkKind:
    """Kind of work: encoder of its state events, and its execution.

    `run` returns the events of success and the stored result. An exception fails the work, or cancels it while
    `WorkHandle.cancelled` holds; `IncompleteWorkError` fails the work and stores a result.
    """

    name: str
    state_event: Callable[[str, ServerFailure | None, str], bytes]
    run: Callable[[WorkHandle], tuple[list[bytes], bytes]]
    threads: int


def job_error(failure: ServerFailure) -> index_pb.JobError:
    return index_pb.JobError(reason=failure.reason, message=failure.message, metadata=dict(failure.metadata))


def fail_work(
    state: database.StateDatabase,
    kind: WorkKind,
    work: database.Work,
    failure: ServerFailure,
    *events: bytes,
    result: bytes | None = None,
) -> None:
    """End work with an error, after the events of its result."""
    event = kind.state_event(database.FAILED, failure, "")
    state.end(work.id, database.FAILED, *events, event, error=job_error(failure).SerializeToString(), result=result)


_log = logging.getLogger(__name__)


def recover(
    state: database.StateDatabase,
    kinds: Mapping[str, Callable[[], WorkKind]],
    owner: str,
    *,
    resume: bool,
    max_attempts: int,
) -> None:
    """Take over the work of processes that have exited: queue the work again (`resume`), or fail it with the reason.

    Without `resume`, work of a service is left queued for the next start of a service.
    Only work that was running may have caused the exit of its process: neither queued work nor work that waited for approval.
    `kinds` are built only for kinds that have such work.
    """
    for work in list(state.active()):
        if work.owner == owner or is_alive(work.owner):
            continue
        kind = kinds[work.kind]()
        if work.cancel:
            event = kind.state_event(database.CANCELLED, None, "cancelled before the server stopped")
            state.end(work.id, database.CANCELLED, event)
        elif not resume and work.owner.endswith(_SERVICE):
            if work.state != database.QUEUED:
                event = kind.state_event(database.QUEUED, None, "the server stopped; resumes at its next start")
                state.change(work.id, {"state": database.QUEUED, "pending": None}, event, only_from=database.ACTIVE)
            continue
        elif not resume:
            failure = ServerFailure("WORKER_LOST", "the process that ran the work stopped before its end")
            fail_work(state, kind, work, failure)
        elif work.state == database.RUNNING and work.attempts >= max_attempts:
            message = f"the server stopped {work.attempts} times while the work ran"
            fail_work(state, kind, work, ServerFailure("ATTEMPTS_EXHAUSTED", message))
        else:
            if work.state == database.WAITING:
                state.excuse(work.id)
            note = "resumed after the server stopped" if work.started else ""
            changes = {"state": database.QUEUED, "owner": owner, "pending": None}
            state.change(work.id, changes, kind.state_event(database.QUEUED, None, note), only_from=database.ACTIVE)
        _log.warning("work_recovered kind=%s id=%s attempts=%d resume=%s", work.kind, work.id, work.attempts, resume)


_RESTART_SECONDS = (0.0, 2.0, 8.0, 30.0)
"""Age in seconds of a process before it starts work, by the number of processes that exited while the work ran.

A server that is restarted in quick succession exits while such work waits, so that the work is not blamed."""
_RETRY_SECONDS = 1.0
"""Pause before a failed write is retried."""


class WorkRunner:
    """Runner of the queued work of one kind that belongs to this process."""

    def __init__(
        self,
        kind: WorkKind,
        state: database.StateDatabase,
        bell: WorkNotifier,
        owner: str,
        observers: Sequence[Observer] = (),
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

    def wake(self) -> None:
        """Check for queued work now."""
        with self._wake:
            for number in range(self._kind.threads if not self._threads else 0):
                thread = threading.Thread(target=self._loop, name=f"{self._kind.name}-{number}", daemon=True)
                thread.start()
                self._threads.append(thread)
            self._wake.notify_all()

    def cancelled(self, id_: str) -> None:
        """Make running work read its stored cancellation."""
        handle = self._running.get(id_)
        if handle is not None:
            handle.recheck()

    def stop(self, seconds: float) -> None:
        """Stop running work and wait at most `seconds`; work that does not end in time is recovered at the next start.

        The attempt does not count, because the process stops on request.
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

    def _start_next(self) -> database.Work | None:
        """Start the oldest queued work; None where there is none, or where its start cannot be stored for now."""
        kind = self._kind.name
        try:
            age = time.monotonic() - self._begun
            ready = sum(seconds <= age for seconds in _RESTART_SECONDS)
            event = self._kind.state_event(database.RUNNING, None, "")
            limits = [] if ready == len(_RESTART_SECONDS) else [ready - 1]
            work = self._state.start_next(kind, self._owner, event, *limits)
        except Exception as exc:
            self._note_unstored(kind, exc)
            return None
        self._state.unstored.pop(kind, None)
        return work

    def _run(self, work: database.Work) -> None:
        handle = WorkHandle(work, self._state, self._bell, self._stopping)
        self._running[work.id] = handle
        _log.info("work_started kind=%s id=%s attempt=%d", work.kind, work.id, work.attempts)
        try:
            with observed_work(self._observers, work.kind, database.FAILED) as outcome:
                outcome.name = self._attempt(handle)
        finally:
            self._running.pop(work.id, None)

    def _attempt(self, handle: WorkHandle) -> str:
        """Run the work and store its end. Returns the new state."""
        work = handle.work
        try:
            events, result = self._kind.run(handle)
        except IncompleteWorkError as short:
            failure, events, result = short.failure, short.events, short.result
            self._store_end(work, lambda: fail_work(self._state, self._kind, work, failure, *events, result=result))
            _log.info("work_incomplete kind=%s id=%s reason=%s", work.kind, work.id, failure.reason)
            return database.FAILED
        except Exception as exc:
            return self._fail(handle, exc)
        events = [*events, self._kind.state_event(database.SUCCEEDED, None, "")]
        self._store_end(work, lambda: self._state.end(work.id, database.SUCCEEDED, *events, result=result))
        _log.info("work_succeeded kind=%s id=%s", work.kind, work.id)
        return database.SUCCEEDED

    def _fail(self, handle: WorkHandle, error: Exception) -> str:
        work = handle.work
        handle.recheck()
        if handle.cancelled_by_caller():
            event = self._kind.state_event(database.CANCELLED, None, "")
            self._store_end(work, lambda: self._state.end(work.id, database.CANCELLED, event))
            _log.info("work_cancelled kind=%s id=%s", work.kind, work.id)
            return database.CANCELLED
        if self._stopping.is_set():
            event = self._kind.state_event(database.QUEUED, None, "the server is stopping; resumes at the next start")
            self._excuse(work.id)
            self._store_end(
                work, lambda: self._state.change(work.id, {"state": database.QUEUED, "pending": None}, event)
            )
            _log.info("work_requeued kind=%s id=%s", work.kind, work.id)
            return database.QUEUED
        failure = to_failure(error)
        unforeseen = failure.reason == "INTERNAL"
        _log.error("work_failed kind=%s id=%s reason=%s", work.kind, work.id, failure.reason, exc_info=unforeseen)
        self._store_end(work, lambda: fail_work(self._state, self._kind, work, failure))
        return database.FAILED

    def _excuse(self, id_: str) -> None:
        """Revert the attempt of running work, once."""
        if id_ in self._excused:
            return
        self._excused.add(id_)
        try:
            self._state.excuse(id_)
        except Exception as exc:
            self._note_unstored(id_, exc)

    def _store_end(self, work: database.Work, store: Callable[[], object]) -> None:
        """Store the end of work, and retry until it succeeds: a full disk may get free space. Followers see the failure meanwhile.

        If the process stops first, the next process recovers the work as after a crash.
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
            _log.error("work_not_stored kind=%s what=%s", self._kind.name, what, exc_info=True)
        self._state.unstored[what] = to_failure(error)
        self._bell.notify()
