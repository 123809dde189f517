"""Index jobs and tasks have the same life: this is what their two services share.

Reading events is a look at the stored history, never a subscription to a running thread, so that a client that comes late or
comes again sees the same as one that was there all the time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.server.application.host import Host
from repoquarry.server.contract.names import work_of
from repoquarry.server.errors import RequestError, invalid, refuse
from repoquarry.server.state.records import ACTIVE, CANCELLED, QUEUED, StoredEvent, Work

_WAIT_SECONDS = 1.0
"""Longest wait for the bell: another process may write the history, and its bell is not heard here."""


@dataclass(frozen=True)
class WorkType:
    """How one kind of work is called: in the database, in resource names, and in errors."""

    kind: str
    collection: str
    noun: str
    missing: str


class WorkBook:
    """The stored work of one kind."""

    def __init__(self, host: Host, work_type: WorkType) -> None:
        self._host = host
        self._type = work_type

    def get(self, name: str) -> Work:
        """The work of a resource name. Raises: RequestError."""
        id_ = work_of(self._type.collection, name)
        work = self._host.state.get(self._type.kind, id_)
        if work is None:
            raise refuse(self._type.missing, f"there is no {self._type.noun} {name!r}", name=name)
        return work

    def read(self, name: str, after: int) -> tuple[list[StoredEvent], bool]:
        """Events behind `after`, and whether there will be no more.

        Raises: RequestError, also where no more can be stored for now: the work goes on when there is room.
        """
        if after < 0:
            raise invalid("after_sequence", f"{after} is negative")
        work = self.get(name)
        events = self._host.state.events(work.id, after)
        unstored = self._host.state.unstored
        failure = unstored.get(work.id) or (unstored.get(work.kind) if work.state == QUEUED else None)
        if failure and not events and work.state in ACTIVE:
            raise RequestError(failure)
        seen = events[-1].sequence if events else after
        return events, work.state not in ACTIVE and seen >= work.last_sequence

    def follow(self, name: str, after: int) -> Iterator[StoredEvent]:
        """Events behind `after` until the work has ended. Raises: RequestError."""
        while True:
            rings = self._host.bell.rings
            events, ended = self.read(name, after)
            yield from events
            if ended:
                return
            if events:
                after = events[-1].sequence
            else:
                self._host.bell.wait(rings, _WAIT_SECONDS)

    def cancel(self, name: str, queued_event: bytes) -> Work:
        """Cancel work: at once while it is queued, soon while it runs. Raises: RequestError when it has ended."""
        work = self.get(name)
        state = self._host.state
        ended = {"state": CANCELLED, "cancel": 1, "ended": time.time_ns() // 1000}
        stopped = state.change(work.id, ended, queued_event, only_from=(QUEUED,))
        if not stopped and not state.change(work.id, {"cancel": 1}):
            raise refuse("WRONG_STATE", f"{name} has ended: {self.get(name).state}", state=self.get(name).state)
        self._host.bell.ring()
        return self.get(name)


def timestamp(microseconds: int) -> Timestamp:
    """A stored time as a message."""
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1000)


def timestamp_or_none(microseconds: int | None) -> Timestamp | None:
    """A stored time as a message; one that is not set stays None."""
    return None if microseconds is None else timestamp(microseconds)
