"""A kind of work, one piece of it while it runs, and how it ends when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from repoquarry.server.errors import Failure, ServerError
from repoquarry.server.jobs.bell import Bell
from repoquarry.server.state.database import StateDatabase
from repoquarry.server.state.records import FAILED, Work
from repoquarry.v1 import index_service_pb2 as index_pb

_CANCEL_POLL_SECONDS = 1.0


class WorkHandle:
    """What running work may do: tell of events, ask whether it was cancelled, store progress."""

    def __init__(self, work: Work, state: StateDatabase, bell: Bell, stopping: threading.Event) -> None:
        self.work = work
        self._state = state
        self._bell = bell
        self._stopping = stopping
        self._cancelled = work.cancel
        self._asked = 0.0

    def emit(self, *events: bytes, **changes: object) -> None:
        """Append events and change columns, as one."""
        self._state.change(self.work.id, changes, *events)
        self._bell.ring()

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


class FellShortError(ServerError):
    """Work that came to its end with a result, and failed all the same: both are stored."""

    def __init__(self, failure: Failure, events: list[bytes], result: bytes) -> None:
        super().__init__(failure.message)
        self.failure, self.events, self.result = failure, events, result


@dataclass(frozen=True)
class WorkKind:
    """One kind of work: how its changes of state are told, and what it does.

    `run` returns the events of success and the stored result; it raises to fail, and is cancelled when it raises while
    `WorkHandle.cancelled` holds. What it raises as `FellShortError` is failed work with a result.
    """

    name: str
    state_event: Callable[[str, Failure | None, str], bytes]
    run: Callable[[WorkHandle], tuple[list[bytes], bytes]]
    threads: int


def job_error(failure: Failure) -> index_pb.JobError:
    """A failure in the form in which jobs and tasks carry it."""
    return index_pb.JobError(reason=failure.reason, message=failure.message, metadata=dict(failure.metadata))


def end_as_failed(
    state: StateDatabase,
    kind: WorkKind,
    work: Work,
    failure: Failure,
    *events: bytes,
    result: bytes | None = None,
) -> None:
    """End work with an error, behind the events that tell of what it came to."""
    event = kind.state_event(FAILED, failure, "")
    state.end(work.id, FAILED, *events, event, error=job_error(failure).SerializeToString(), result=result)
