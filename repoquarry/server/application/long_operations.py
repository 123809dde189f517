"""Long-running operations (index jobs, batches, tasks, provisionings): creation, lookup, cancellation and event streams.

All kinds share this code, including pages, resumption and retention; an `OperationType` describes the differences. Events are read
from the stored history, never from a running thread, so that a client that connects late or again misses none.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from repoquarry.server import resource_names
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.errors import RequestError, ServerFailure, invalid_field, request_error
from repoquarry.server.jobs import database
from repoquarry.server.jobs.runner import WorkHandle, WorkKind, WorkRunner, job_error

ResourceT = TypeVar("ResourceT", bound=Message)
ResponseT = TypeVar("ResponseT", bound=Message)

_WAIT_SECONDS = 1.0
"""Longest wait for a notification: another process may write the history, and its notifications do not arrive here."""


@dataclass(frozen=True)
class OperationType(Generic[ResourceT, ResponseT]):
    """Description of one kind of long-running operation.

    The resource message has `name`, `state`, `error`, `last_sequence`, `attempts` and three times; the event in the response of
    its stream has `sequence`, `event_time` and `state_changed`. The fields that only this kind has are set by `build_resource`.
    """

    kind: str
    """Kind of the rows in the state database."""
    collection: str
    """Collection of the resource names."""
    noun: str
    """Name of the kind in error messages."""
    not_found_reason: str
    resource: type[ResourceT]
    response: type[ResponseT]
    """Response of the event stream."""
    build_resource: Callable[[database.Work], ResourceT]
    default_page_size: int = 50
    max_page_size: int = 500


class LongOperations(Generic[ResourceT, ResponseT]):
    """The stored operations of one kind, and their execution in this process.

    `needs_writer` says that only a process that may write the store executes them.
    """

    def __init__(
        self,
        host: ApplicationContext,
        operation_type: OperationType[ResourceT, ResponseT],
        run: Callable[[WorkHandle], tuple[list[bytes], bytes]],
        *,
        threads: int = 1,
        needs_writer: bool = False,
    ) -> None:
        self._host = host
        self._type = operation_type
        self._states = operation_type.resource.DESCRIPTOR.enum_types_by_name["State"]
        self.kind = WorkKind(operation_type.kind, self.encode_state, run, threads)
        self.runner: WorkRunner | None = None
        if host.can_write or not needs_writer:
            self.runner = WorkRunner(self.kind, host.state, host.bell, host.owner, host.observers)

    def create(
        self, specs: Sequence[bytes], request_id: str, caller: Caller, repositories: Sequence[str] = ()
    ) -> list[ResourceT]:
        """Queue an operation for each spec, all or none; an index job also has a repository. Raises: RequestError."""
        queued = self.encode_state(database.QUEUED, None, "")
        creator = caller.owner if repositories else ""
        subjects = repositories or [caller.owner] * len(specs)
        items = [database.NewWork(id_, spec, queued, creator) for id_, spec in zip(subjects, specs, strict=True)]
        digest = hashlib.sha256(b"\0".join([caller.owner.encode(), *specs])).hexdigest()
        self._host.delete_expired_work()
        try:
            works = self._host.state.create(
                self._type.kind, items, owner=self._host.owner, request=request_id, digest=digest
            )
        except database.BusyError as exc:
            job = f"{self._type.collection}/{exc.work}"
            message = f"{exc.subject} is already queued or being indexed: {job}"
            raise request_error("REPOSITORY_BUSY", message, repository=exc.subject, job=job) from exc
        except database.RequestReusedError as exc:
            message = f"request_id {request_id!r} was already used for another {self._type.noun}"
            raise request_error("REQUEST_ID_REUSED", message) from exc
        if self.runner is not None:
            self.runner.wake()
        return [self.to_message(work) for work in works]

    def require(self, name: str, caller: Caller = LOCAL) -> database.Work:
        """Return the caller's operation. Raises: RequestError, also for an operation of another caller."""
        id_ = resource_names.parse_name(self._type.collection, name)
        work = self._host.state.get(self._type.kind, id_)
        if work is None:
            raise request_error(self._type.not_found_reason, f"no {self._type.noun} {name!r}", name=name)
        caller.check(work, name)
        return work

    def get(self, name: str, caller: Caller) -> ResourceT:
        """Return the message of the caller's operation. Raises: RequestError."""
        return self.to_message(self.require(name, caller))

    def list_page(
        self, request: Any, caller: Caller, *, states: Sequence[int] = (), subject: str = ""
    ) -> tuple[list[ResourceT], str]:
        """List a page of the caller's operations, newest first, with the token of the next page. Raises: RequestError."""
        size = resource_names.page_size(request, self._type.default_page_size, self._type.max_page_size)
        works = self._host.state.newest(
            self._type.kind,
            states=[self._states.values_by_number[state].name.removeprefix("STATE_") for state in states],
            subject=subject,
            creator="" if caller.admin else caller.owner,
            before=resource_names.offset(request),
            limit=size + 1,
        )
        token = resource_names.token(request, works[size - 1].ordinal) if len(works) > size else ""
        return [self.to_message(work) for work in works[:size]], token

    def cancel(self, name: str, caller: Caller) -> ResourceT:
        """Cancel the caller's operation: a queued operation at once, a running operation soon.

        Raises: RequestError, also for an operation that has ended.
        """
        work, state = self.require(name, caller), self._host.state
        event = self.encode_state(database.CANCELLED, None, "cancelled before it started")
        changes = {"state": database.CANCELLED, "cancel": 1, "ended": time.time_ns() // 1000}
        if not state.change(work.id, changes, event, only_from=(database.QUEUED,)) and not state.change(
            work.id, {"cancel": 1}
        ):
            ended_as = self.require(name, caller).state
            raise request_error("WRONG_STATE", f"{name} has ended: {ended_as}", state=ended_as)
        self._host.bell.notify()
        if self.runner is not None:
            self.runner.cancelled(work.id)
        return self.get(name, caller)

    def requeue(self, name: str, caller: Caller, only_from: Sequence[str] = (database.FAILED,)) -> ResourceT:
        """Queue the caller's failed operation again. Raises: RequestError if it is not in a state of `only_from`."""
        work = self.require(name, caller)
        event = self.encode_state(database.QUEUED, None, "resumed on request")
        if not self._host.state.requeue(work.id, self._host.owner, event, only_from):
            raise request_error("WRONG_STATE", f"{name} has not failed: {work.state}", state=work.state)
        self._host.bell.notify()
        if self.runner is not None:
            self.runner.wake()
        return self.get(name, caller)

    def read(self, name: str, after: int, caller: Caller) -> tuple[list[ResponseT], bool]:
        """Return the events after a sequence number, and whether there will be no more.

        Raises: RequestError, also where events cannot be stored for now: the operation continues when there is space.
        """
        if after < 0:
            raise invalid_field("after_sequence", f"{after} is negative")
        work = self.require(name, caller)
        events = self._host.state.events(work.id, after)
        unstored = self._host.state.unstored
        failure = unstored.get(work.id) or (unstored.get(work.kind) if work.state == database.QUEUED else None)
        if failure and not events and work.state in database.ACTIVE:
            raise RequestError(failure)
        last = events[-1].sequence if events else after
        return [
            self._decode_event(event) for event in events
        ], work.state not in database.ACTIVE and last >= work.last_sequence

    def follow(self, request: Any) -> Iterator[ResponseT]:
        """Yield the events that a request asks for until the operation has ended, to a caller in this process."""
        after = request.after_sequence
        while True:
            rings = self._host.bell.rings
            events, ended = self.read(request.name, after, LOCAL)
            yield from events
            if ended:
                return
            if events:
                last: Any = events[-1]
                after = last.event.sequence
            else:
                self._host.bell.wait(rings, _WAIT_SECONDS)

    def encode_state(self, state: str, failure: ServerFailure | None, note: str) -> bytes:
        response: Any = self._type.response()
        changed = response.event.state_changed
        changed.state, changed.note = self._states.values_by_name[f"STATE_{state}"].number, note
        if failure is not None:
            changed.error.CopyFrom(job_error(failure))
        return bytes(response.event.SerializeToString())

    def _decode_event(self, stored: database.StoredEvent) -> ResponseT:
        response = self._type.response()
        event: Any = response.event  # type: ignore[attr-defined]  # as every response of a stream of events
        event.ParseFromString(stored.payload)
        event.sequence = stored.sequence
        event.event_time.FromMicroseconds(stored.time)
        return response

    def to_message(self, work: database.Work) -> ResourceT:
        resource = self._type.build_resource(work)
        message: Any = resource
        message.name = f"{self._type.collection}/{work.id}"
        message.state = self._states.values_by_name[f"STATE_{work.state}"].number
        if work.error:
            message.error.ParseFromString(work.error)
        message.last_sequence, message.attempts = work.last_sequence, work.attempts
        message.create_time.FromMicroseconds(work.created)
        for field, microseconds in ((message.start_time, work.started), (message.end_time, work.ended)):
            if microseconds is not None:
                field.FromMicroseconds(microseconds)
        return resource
