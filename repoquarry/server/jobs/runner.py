"""The threads that run queued work of one kind."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from repoquarry.server.errors import failure_of
from repoquarry.server.jobs.bell import Bell
from repoquarry.server.jobs.work import FellShortError, WorkHandle, WorkKind, end_as_failed
from repoquarry.server.state.database import StateDatabase
from repoquarry.server.state.records import CANCELLED, FAILED, QUEUED, RUNNING, SUCCEEDED, Work
from repoquarry.server.telemetry.observer import Observer, observed_work

_log = logging.getLogger(__name__)
_RETRY_SECONDS = 1.0
"""Pause before something that could not be stored is stored again."""


class Runner:
    """Runs the queued work of one kind that belongs to this process."""

    def __init__(
        self, kind: WorkKind, state: StateDatabase, bell: Bell, owner: str, observers: Sequence[Observer] = ()
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
        """Ask running work to stop and wait for it; what does not end in time is recovered at the next start."""
        self._stopping.set()
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
            self._bell.ring()
            self._run(work)
            self._bell.ring()

    def _start_next(self) -> Work | None:
        """The oldest queued work, started; None where there is none, or where that cannot be stored for now."""
        kind = self._kind.name
        try:
            work = self._state.start_next(kind, self._owner, self._kind.state_event(RUNNING, None, ""))
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
        except FellShortError as short:
            failure, events, result = short.failure, short.events, short.result
            self._surely(work, lambda: end_as_failed(self._state, self._kind, work, failure, *events, result=result))
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
            self._surely(work, lambda: self._state.change(work.id, {"state": QUEUED, "pending": None}, event))
            _log.info("work_put_back kind=%s id=%s", work.kind, work.id)
            return QUEUED
        failure = failure_of(error)
        unforeseen = failure.reason == "INTERNAL"
        _log.error("work_failed kind=%s id=%s reason=%s", work.kind, work.id, failure.reason, exc_info=unforeseen)
        self._surely(work, lambda: end_as_failed(self._state, self._kind, work, failure))
        return FAILED

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
        self._state.unstored[what] = failure_of(error)
        self._bell.ring()
