"""IndexService: durable index jobs and their reports."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from repoquarry.graphstore.model.values import Value, get_int
from repoquarry.ingest.run_monitor import IndexProgress
from repoquarry.ingest.sources import RepositorySource, choose_repository_id, parse_source
from repoquarry.server import resource_names
from repoquarry.server.application.context import (
    LOCAL,
    ApplicationContext,
    Caller,
    WorkCollection,
    WorkRegistry,
    timestamp,
    timestamp_or_none,
)
from repoquarry.server.errors import ServerFailure, invalid_field, request_error
from repoquarry.server.jobs.database import (
    CANCELLED,
    INDEX,
    QUEUED,
    BusyError,
    NewWork,
    RequestReusedError,
    StoredEvent,
    Work,
)
from repoquarry.server.jobs.runner import WorkHandle, WorkKind, WorkRunner, job_error
from repoquarry.server.resource_names import INDEX_JOBS, checked_repository_id, parse_repository_name, repository_name
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import index_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.ingest.pipeline import IndexReport

_SHOWN = 20
_UNITS = {"write": "nodes and relationships"}
"""What a stage counts, where it is not files."""


def progress_message(progress: IndexProgress) -> pb.IndexProgress:
    """Progress of a running job."""
    return pb.IndexProgress(
        stage=progress.stage,
        done=progress.done,
        total=progress.total,
        unit=_UNITS.get(progress.stage, "files"),
        rate_per_second=progress.rate,
        message=progress.message,
    )


def report_message(report: IndexReport, repository: Mapping[str, Value]) -> pb.IndexReport:
    """The report of a job that succeeded; `repository` are the properties of the Repository node as it is stored now."""
    unresolved = Counter(report.unresolved).most_common()
    return pb.IndexReport(
        repository=repository_name(report.repository),
        commit=report.commit or "",
        revision=report.revision,
        files=report.files,
        files_parsed=report.files - report.reused,
        lines=get_int(repository.get("lines")),
        counts=report.counts,
        left_out_count=report.left_out_count,
        left_out=[basis_pb2.LeftOut(path=item.path, reason=item.reason) for item in report.left_out[:_SHOWN]],
        parse_error_count=len(report.parse_errors),
        parse_error_paths=report.parse_errors[:_SHOWN],
        unresolved_calls=get_int(repository.get("unresolved_calls")),
        unresolved_reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in unresolved],
        stages=[
            pb.StageTime(
                stage=cost.stage,
                seconds=cost.seconds,
                cpu_seconds=cost.cpu_seconds,
                peak_memory_bytes=cost.peak_memory_bytes,
            )
            for cost in report.costs
        ],
        seconds=report.seconds,
        peak_memory_bytes=report.peak_memory_bytes,
        unchanged=report.unchanged,
        history_missing=report.history_missing,
    )


INDEX_WORK = WorkCollection(INDEX, INDEX_JOBS, "index job", "JOB_NOT_FOUND")
_MAX_SOURCES = 1_000
_MAX_LOCATION = 4_096


class IndexApplication:
    """IndexService over a store in this process."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self._book = WorkRegistry(host, INDEX_WORK)
        self.kind = WorkKind(INDEX, state_event, self._run, threads=1)
        self.runner: WorkRunner | None = None
        """Set when this process runs jobs: only the one that writes the store does."""

    def create_index_job(self, request: pb.CreateIndexJobRequest, caller: Caller = LOCAL) -> pb.CreateIndexJobResponse:
        self._host.require_writer()
        if not 1 <= len(request.sources) <= _MAX_SOURCES:
            raise invalid_field("sources", f"{len(request.sources)} sources; at least 1, at most {_MAX_SOURCES}")
        items = [self._new_job(source, caller) for source in request.sources]
        digest = hashlib.sha256(b"\0".join([caller.owner.encode(), *(item.spec for item in items)])).hexdigest()
        self._host.delete_expired_work()
        try:
            works = self._host.state.create(
                INDEX, items, owner=self._host.owner, request=request.request_id, digest=digest
            )
        except BusyError as exc:
            message = f"{exc.subject} is already being indexed or waits for it: {INDEX_JOBS}/{exc.work}"
            raise request_error(
                "REPOSITORY_BUSY", message, repository=exc.subject, job=f"{INDEX_JOBS}/{exc.work}"
            ) from exc
        except RequestReusedError as exc:
            message = f"request_id {request.request_id!r} was used before, for other sources"
            raise request_error("REQUEST_ID_REUSED", message) from exc
        if self.runner is not None:
            self.runner.wake()
        return pb.CreateIndexJobResponse(index_jobs=[job_message(work) for work in works])

    def _new_job(self, asked: pb.IndexSource, caller: Caller) -> NewWork:
        location = asked.location.strip()
        if not location or len(location) > _MAX_LOCATION:
            raise invalid_field("sources.location", "empty or longer than 4096 characters")
        name = checked_repository_id(asked.repository_id, "sources.repository_id") if asked.repository_id else None
        source = parse_source(location, asked.ref.strip())
        self._host.admission.check(source)
        repository = choose_repository_id(self._host.store, source, name)
        spec = _stored(source, repository).SerializeToString()
        return NewWork(repository, spec, state_event(QUEUED, None, ""), caller.owner)

    def get_index_job(self, request: pb.GetIndexJobRequest, caller: Caller = LOCAL) -> pb.GetIndexJobResponse:
        return pb.GetIndexJobResponse(index_job=job_message(self._book.get(request.name, caller)))

    def list_index_jobs(self, request: pb.ListIndexJobsRequest, caller: Caller = LOCAL) -> pb.ListIndexJobsResponse:
        size = resource_names.page_size(request, 50, 500)
        states = [pb.IndexJob.State.Name(state).removeprefix("STATE_") for state in request.states]
        subject = parse_repository_name(request.repository, "repository") if request.repository else ""
        works, more = self._book.page(request, size, caller, states=states, subject=subject)
        return pb.ListIndexJobsResponse(index_jobs=[job_message(work) for work in works], next_page_token=more)

    def cancel_index_job(self, request: pb.CancelIndexJobRequest, caller: Caller = LOCAL) -> pb.CancelIndexJobResponse:
        work = self._book.cancel(request.name, state_event(CANCELLED, None, "cancelled before it started"), caller)
        if self.runner is not None:
            self.runner.cancelled(work.id)
        return pb.CancelIndexJobResponse(index_job=job_message(work))

    def stream_index_events(self, request: pb.StreamIndexEventsRequest) -> Iterator[pb.StreamIndexEventsResponse]:
        for event in self._book.follow(request.name, request.after_sequence):
            yield event_message(event)

    def read_index_events(
        self, name: str, after: int, caller: Caller
    ) -> tuple[list[pb.StreamIndexEventsResponse], bool]:
        """The events that are there now, and whether there will be no more."""
        events, ended = self._book.read(name, after, caller)
        return [event_message(event) for event in events], ended

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.ingest.pipeline import index_repository

        source = _source(pb.IndexSource.FromString(handle.work.spec))
        self._host.admission.check(
            source
        )  # again: what a path leads to may have changed since, and so may the settings
        with self._host.writing:
            report = index_repository(
                source,
                self._host.store,
                self._host.settings.ingest,
                name=handle.work.subject,
                reach=self._host.admission.reach,
                report=_Progress(handle, self._host.settings.server.progress_seconds),
                cancelled=handle.cancelled,
            )
        message = report_message(report, self._host.store.repository(report.repository))
        return [pb.IndexEvent(report=message).SerializeToString()], message.SerializeToString()


class _Progress:
    """Stores progress as events: each new stage, and within a stage not more often than the setting says."""

    def __init__(self, handle: WorkHandle, seconds: float) -> None:
        self._handle = handle
        self._seconds = seconds
        self._stage = ""
        self._told = 0.0

    def __call__(self, progress: IndexProgress) -> None:
        now = time.monotonic()
        message = progress_message(progress)
        if message.stage != self._stage:
            self._stage = message.stage
        elif now - self._told < self._seconds and message.done < message.total:
            return
        self._told = now
        event = pb.IndexEvent(progress=message).SerializeToString()
        self._handle.emit(event, progress=message.SerializeToString())


def state_event(state: str, failure: ServerFailure | None, note: str) -> bytes:
    """The event of a change of state, as it is stored."""
    changed = pb.IndexStateChanged(state=pb.IndexJob.State.Value(f"STATE_{state}"), note=note)
    if failure is not None:
        changed.error.CopyFrom(job_error(failure))
    return pb.IndexEvent(state_changed=changed).SerializeToString()


def event_message(stored: StoredEvent) -> pb.StreamIndexEventsResponse:
    """A stored event with its place in the history."""
    event = pb.IndexEvent.FromString(stored.payload)
    event.sequence = stored.sequence
    event.event_time.CopyFrom(timestamp(stored.time))
    return pb.StreamIndexEventsResponse(event=event)


def job_message(work: Work) -> pb.IndexJob:
    """A stored job as a message."""
    source = pb.IndexSource.FromString(work.spec)
    source.location = _source(source).shown
    return pb.IndexJob(
        name=f"{INDEX_JOBS}/{work.id}",
        state=pb.IndexJob.State.Value(f"STATE_{work.state}"),
        source=source,
        repository=repository_name(work.subject),
        progress=pb.IndexProgress.FromString(work.progress) if work.progress else None,
        report=pb.IndexReport.FromString(work.result) if work.result else None,
        error=pb.JobError.FromString(work.error) if work.error else None,
        last_sequence=work.last_sequence,
        attempts=work.attempts,
        create_time=timestamp(work.created),
        start_time=timestamp_or_none(work.started),
        end_time=timestamp_or_none(work.ended),
    )


def _stored(source: RepositorySource, repository: str) -> pb.IndexSource:
    """A source as a job keeps it, credentials included."""
    return pb.IndexSource(kind=source.kind, location=source.location, ref=source.ref, repository_id=repository)


def _source(stored: pb.IndexSource) -> RepositorySource:
    """The inverse of `_stored`."""
    return RepositorySource(stored.kind, stored.location, stored.ref)
