"""IndexService: durable index jobs and their reports."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from repoquarry.graphstore.model.values import Value, get_int
from repoquarry.ingest.run_monitor import IndexProgress
from repoquarry.ingest.sources import RepositorySource, choose_repository_id, parse_source
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.application.long_operations import LongOperations, OperationType
from repoquarry.server.jobs.database import INDEX, Work
from repoquarry.server.jobs.runner import WorkHandle
from repoquarry.server.resource_names import INDEX_JOBS, check_sources, parse_repository_name, repository_name
from repoquarry.server.value_messages import build_message
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import index_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.ingest.graph.module_summaries import ModuleDescriber
    from repoquarry.ingest.pipeline import IndexReport

_SHOWN = 20
_UNITS = {"write": "nodes and relationships"}
"""Unit of the stages that do not count files."""


def progress_message(progress: IndexProgress) -> pb.IndexProgress:
    """Build the message of progress."""
    unit = _UNITS.get(progress.stage, "files")
    return build_message(pb.IndexProgress, progress, unit=unit, rate_per_second=progress.rate)


def report_message(report: IndexReport, repository: Mapping[str, Value]) -> pb.IndexReport:
    """Build the report of a job that succeeded; `repository` is the stored properties of the Repository node."""
    unresolved = Counter(report.unresolved).most_common()
    return build_message(
        pb.IndexReport,
        report,
        repository=repository_name(report.repository),
        files_parsed=report.files - report.reused,
        lines=get_int(repository.get("lines")),
        left_out=[build_message(basis_pb2.LeftOut, item) for item in report.left_out[:_SHOWN]],
        parse_error_count=len(report.parse_errors),
        parse_error_paths=report.parse_errors[:_SHOWN],
        unresolved_calls=get_int(repository.get("unresolved_calls")),
        unresolved_reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in unresolved],
        stages=[build_message(pb.StageTime, cost) for cost in report.costs],
    )


_MAX_SOURCES = 1_000


class IndexApplication:
    """IndexService over a store in this process."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self.operations = LongOperations(host, INDEX_JOB, self._run, needs_writer=True)

    def create_index_job(self, request: pb.CreateIndexJobRequest, caller: Caller = LOCAL) -> pb.CreateIndexJobResponse:
        self._host.require_writer()
        check_sources(request.sources, _MAX_SOURCES)
        sources = [self._resolve_source(source) for source in request.sources]
        jobs = self.operations.create(
            [source.SerializeToString() for source in sources],
            request.request_id,
            caller,
            [source.repository_id for source in sources],
        )
        return pb.CreateIndexJobResponse(index_jobs=jobs)

    def _resolve_source(self, requested: pb.IndexSource) -> pb.IndexSource:
        """Return a source as its job stores it, credentials included. Raises: RequestError, IngestError."""
        source = parse_source(requested.location.strip(), requested.ref.strip())
        self._host.admission.check(source)
        repository = choose_repository_id(self._host.store, source, requested.repository_id or None)
        return pb.IndexSource(kind=source.kind, location=source.location, ref=source.ref, repository_id=repository)

    def get_index_job(self, request: pb.GetIndexJobRequest, caller: Caller = LOCAL) -> pb.GetIndexJobResponse:
        return pb.GetIndexJobResponse(index_job=self.operations.get(request.name, caller))

    def list_index_jobs(self, request: pb.ListIndexJobsRequest, caller: Caller = LOCAL) -> pb.ListIndexJobsResponse:
        subject = parse_repository_name(request.repository, "repository") if request.repository else ""
        jobs, token = self.operations.list_page(request, caller, states=request.states, subject=subject)
        return pb.ListIndexJobsResponse(index_jobs=jobs, next_page_token=token)

    def cancel_index_job(self, request: pb.CancelIndexJobRequest, caller: Caller = LOCAL) -> pb.CancelIndexJobResponse:
        return pb.CancelIndexJobResponse(index_job=self.operations.cancel(request.name, caller))

    def stream_index_events(self, request: pb.StreamIndexEventsRequest) -> Iterator[pb.StreamIndexEventsResponse]:
        return self.operations.follow(request)

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.ingest.pipeline import index_repository

        source = _to_source(pb.IndexSource.FromString(handle.work.spec))
        # Again: the target of a path and the settings may have changed since the job was created.
        self._host.admission.check(source)
        with self._host.writing:
            report = index_repository(
                source,
                self._host.store,
                self._host.settings.ingest,
                name=handle.work.subject,
                reach=self._host.admission.reach,
                report=_Progress(handle, self._host.settings.server.progress_seconds),
                cancelled=handle.cancelled,
                describer=self._open_describer(handle),
            )
        message = report_message(report, self._host.store.repository(report.repository))
        return [pb.IndexEvent(report=message).SerializeToString()], message.SerializeToString()

    def _open_describer(self, handle: WorkHandle) -> ModuleDescriber | None:
        model = self._host.settings.agent.model
        if not model.module_purposes:
            return None
        from repoquarry.agent import LOADING

        with LOADING:
            from repoquarry.agent.model.client import PurposeWriter  # Loads langchain.

        return PurposeWriter(model, handle.cancelled)


class _Progress:
    """Recorder of progress events: each new stage, and within a stage at most one event per interval of the settings."""

    def __init__(self, handle: WorkHandle, seconds: float) -> None:
        self._handle = handle
        self._seconds = seconds
        self._stage = ""
        self._recorded_at = 0.0

    def __call__(self, progress: IndexProgress) -> None:
        now = time.monotonic()
        message = progress_message(progress)
        if message.stage != self._stage:
            self._stage = message.stage
        elif now - self._recorded_at < self._seconds and message.done < message.total:
            return
        self._recorded_at = now
        event = pb.IndexEvent(progress=message).SerializeToString()
        self._handle.emit(event, progress=message.SerializeToString())


def _build_job(work: Work) -> pb.IndexJob:
    source = pb.IndexSource.FromString(work.spec)
    source.location = _to_source(source).shown
    return pb.IndexJob(
        source=source,
        repository=repository_name(work.subject),
        progress=pb.IndexProgress.FromString(work.progress) if work.progress else None,
        report=pb.IndexReport.FromString(work.result) if work.result else None,
    )


def _to_source(stored: pb.IndexSource) -> RepositorySource:
    return RepositorySource(stored.kind, stored.location, stored.ref)


INDEX_JOB = OperationType(
    INDEX, INDEX_JOBS, "index job", "JOB_NOT_FOUND", pb.IndexJob, pb.StreamIndexEventsResponse, _build_job
)
