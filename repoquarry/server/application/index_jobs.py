"""Implementation of IndexService and BatchService: durable jobs that index one source or a list of sources into the store.

The outcomes of a batch are rows of the state database. Each outcome is stored with its event before the next, so that an
interrupted batch resumes after the last outcome.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.graphstore.model.values import Value, get_int
from repoquarry.ingest.run_monitor import IndexProgress
from repoquarry.ingest.sources import RepositorySource, choose_repository_id, parse_source
from repoquarry.server import resource_names
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.application.long_operations import LongOperations, OperationType
from repoquarry.server.bulk.repository_list import (
    BatchLedger,
    BulkProgress,
    ListEntry,
    deduplicate,
)
from repoquarry.server.errors import ServerFailure, invalid_field
from repoquarry.server.jobs.database import BATCH, INDEX, Work
from repoquarry.server.jobs.runner import IncompleteWorkError, WorkHandle
from repoquarry.server.resource_names import (
    BATCHES,
    INDEX_JOBS,
    UPLOADS,
    check_sources,
    parse_name,
    parse_repository_name,
    repository_name,
)
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import batch_service_pb2 as batch_pb
from repoquarry.v1 import index_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.ingest.graph.module_summaries import ModuleDescriber
    from repoquarry.ingest.pipeline import IndexReport

_SHOWN = 20
_UNITS = {"write": "nodes and relationships"}
"""Unit of the stages that do not count files."""


def index_progress_message(progress: IndexProgress) -> pb.IndexProgress:
    unit = _UNITS.get(progress.stage, "files")
    return to_message(pb.IndexProgress, progress, unit=unit, rate_per_second=progress.rate)


def report_message(report: IndexReport, repository: Mapping[str, Value]) -> pb.IndexReport:
    """Build the report of a job that succeeded; `repository` is the stored properties of the Repository node."""
    unresolved = Counter(report.unresolved).most_common()
    return to_message(
        pb.IndexReport,
        report,
        repository=repository_name(report.repository),
        files_parsed=report.files - report.reused,
        lines=get_int(repository.get("lines")),
        left_out=[to_message(basis_pb2.LeftOut, item) for item in report.left_out[:_SHOWN]],
        parse_error_count=len(report.parse_errors),
        parse_error_paths=report.parse_errors[:_SHOWN],
        unresolved_calls=get_int(repository.get("unresolved_calls")),
        unresolved_reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in unresolved],
        stages=[to_message(pb.StageTime, cost) for cost in report.costs],
        scip=[to_message(pb.ScipReport, item) for item in report.scip],
    )


_MAX_JOB_SOURCES = 1_000
_MAX_SCIP = 16


class IndexApplication:
    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self.operations = LongOperations(host, INDEX_JOB, self._run, needs_writer=True)

    def create_index_job(self, request: pb.CreateIndexJobRequest, caller: Caller = LOCAL) -> pb.CreateIndexJobResponse:
        self._host.require_writer()
        check_sources(request.sources, _MAX_JOB_SOURCES)
        sources = [self._resolve_source(source, caller) for source in request.sources]
        jobs = self.operations.create(
            [source.SerializeToString() for source in sources],
            request.request_id,
            caller,
            [source.repository_id for source in sources],
        )
        return pb.CreateIndexJobResponse(index_jobs=jobs)

    def _resolve_source(self, requested: pb.IndexSource, caller: Caller) -> pb.IndexSource:
        """Return a source as its job stores it, credentials included. Raises: RequestError, IngestError."""
        source = parse_source(requested.location.strip(), requested.ref.strip())
        self._host.admission.check(source)
        repository = choose_repository_id(self._host.store, source, requested.repository_id or None)
        if len(requested.scip) > _MAX_SCIP:
            raise invalid_field("sources.scip", f"{len(requested.scip)} indexes; at most {_MAX_SCIP}")
        scip = [self._resolve_scip(item, caller) for item in requested.scip]
        return pb.IndexSource(
            kind=source.kind, location=source.location, ref=source.ref, repository_id=repository, scip=scip
        )

    def _resolve_scip(self, item: str, caller: Caller) -> str:
        """Return a SCIP index as `index_repository` takes it. Raises: RequestError, SourceRejectedError, UploadNotFoundError."""
        if item.startswith(f"{UPLOADS}/"):
            from repoquarry.server.application.task_files import open_uploads  # Lazy import: few jobs have an upload.

            uploads = open_uploads(self._host.settings.agent.workspace)
            return str(uploads.path(uploads.get(parse_name(UPLOADS, item, "sources.scip"), caller.owner)))
        if not item.strip():
            raise invalid_field("sources.scip", "empty; give a path, an upload or auto")
        if Path(item).is_absolute():
            self._host.admission.check_path(Path(item), item)
        return item

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

        stored = pb.IndexSource.FromString(handle.work.spec)
        source = _to_source(stored)
        # Again: the target of a path and the settings may have changed since the job was created.
        self._host.admission.check(source)
        with self._host.open_for_writing() as store:
            report = index_repository(
                source,
                store,
                self._host.settings.ingest,
                name=handle.work.subject,
                reach=self._host.admission.reach,
                report=_IndexProgress(handle, self._host.settings.server.progress_seconds),
                cancelled=handle.cancelled,
                describer=self._open_describer(handle),
                scip=stored.scip,
            )
            repository = store.repository(report.repository)
        message = report_message(report, repository)
        return [pb.IndexEvent(report=message).SerializeToString()], message.SerializeToString()

    def _open_describer(self, handle: WorkHandle) -> ModuleDescriber | None:
        model = self._host.settings.agent.model
        if not model.module_purposes:
            return None
        from repoquarry.agent import LOADING

        with LOADING:
            from repoquarry.agent.model.client import PurposeWriter  # Loads langchain.

        return PurposeWriter(model, handle.cancelled)


class _IndexProgress:
    """Recorder of progress events: each new stage, and within a stage at most one event per interval of the settings."""

    def __init__(self, handle: WorkHandle, seconds: float) -> None:
        self._handle = handle
        self._seconds = seconds
        self._stage = ""
        self._recorded_at = 0.0

    def __call__(self, progress: IndexProgress) -> None:
        now = time.monotonic()
        message = index_progress_message(progress)
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


_MAX_BATCH_SOURCES = 10_000


class BatchApplication:
    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self.operations = LongOperations(host, BATCH_OPERATION, self._run, needs_writer=True)

    def create_batch(
        self, request: batch_pb.CreateBatchRequest, caller: Caller = LOCAL
    ) -> batch_pb.CreateBatchResponse:
        self._host.require_writer()
        check_sources(request.sources, _MAX_BATCH_SOURCES)
        spec = _encode_list(
            [ListEntry(source.location.strip(), source.ref.strip(), source.repository_id) for source in request.sources]
        )
        (batch,) = self.operations.create([spec], request.request_id, caller)
        return batch_pb.CreateBatchResponse(batch=batch)

    def get_batch(self, request: batch_pb.GetBatchRequest, caller: Caller = LOCAL) -> batch_pb.GetBatchResponse:
        return batch_pb.GetBatchResponse(batch=self.operations.get(request.name, caller))

    def list_batches(
        self, request: batch_pb.ListBatchesRequest, caller: Caller = LOCAL
    ) -> batch_pb.ListBatchesResponse:
        batches, token = self.operations.list_page(request, caller, states=request.states)
        return batch_pb.ListBatchesResponse(batches=batches, next_page_token=token)

    def list_batch_outcomes(
        self, request: batch_pb.ListBatchOutcomesRequest, caller: Caller = LOCAL
    ) -> batch_pb.ListBatchOutcomesResponse:
        work = self.operations.require(request.name, caller)
        size = resource_names.page_size(request, 200, 1_000)
        after = resource_names.offset(request)
        found = self._host.state.outcomes(work.id, after, size + 1, failed_only=request.failed_only)
        outcomes = [batch_pb.BatchOutcome.FromString(payload) for payload in found[:size]]
        more = resource_names.token(request, outcomes[-1].place) if len(found) > size else ""
        return batch_pb.ListBatchOutcomesResponse(outcomes=outcomes, next_page_token=more)

    def cancel_batch(
        self, request: batch_pb.CancelBatchRequest, caller: Caller = LOCAL
    ) -> batch_pb.CancelBatchResponse:
        return batch_pb.CancelBatchResponse(batch=self.operations.cancel(request.name, caller))

    def stream_batch_events(
        self, request: batch_pb.StreamBatchEventsRequest
    ) -> Iterator[batch_pb.StreamBatchEventsResponse]:
        return self.operations.follow(request)

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
        from repoquarry.server.bulk.executor import ProcessExecutor

        host, server = self._host, self._host.settings.server
        wanted = _decode_list(handle.work)
        progress = _BatchProgress(handle, server.progress_seconds)
        bulk = BulkIndexer(
            host.store, wanted, BulkSettings(jobs=server.batch_jobs, memory_bytes=server.batch_memory_bytes),
            host.settings.ingest, host.admission.reach, ProcessExecutor(), record=BatchLedger(host.state, handle.work.id, wanted, host.bell.notify),
            turn=host.writing, held=host.held, holder=f"{BATCHES}/{handle.work.id}", check=host.admission.check,
            report=progress, cancelled=handle.cancelled,
        )  # fmt: skip
        report = bulk.run()
        progress.close()
        if failed := sum(not outcome.stored for outcome in report.outcomes):
            failure = ServerFailure("ENTRIES_FAILED", f"{failed} of {len(report.outcomes)} entries failed")
            raise IncompleteWorkError(failure, [], b"")
        return [], b""


class _BatchProgress:
    """Recorder of progress events: only changes, at most one event per interval of the settings."""

    def __init__(self, handle: WorkHandle, seconds: float) -> None:
        self._handle = handle
        self._seconds = seconds
        self._before: int | None = None
        self._last: BulkProgress | None = None
        self._seen: BulkProgress | None = None
        self._recorded_at = 0.0

    def __call__(self, progress: BulkProgress) -> None:
        if self._before is None:
            self._before = progress.lines
        self._seen = progress
        if self._is_recorded() or time.monotonic() - self._recorded_at < self._seconds:
            return
        self._record(progress)

    def close(self) -> None:
        if self._seen is not None and not self._is_recorded():
            self._record(self._seen)

    def _is_recorded(self) -> bool:
        """Return whether only the time has changed since the last event."""
        return self._seen is not None and replace(self._seen, seconds=0.0) == self._last

    def _record(self, progress: BulkProgress) -> None:
        self._last, self._recorded_at = replace(progress, seconds=0.0), time.monotonic()
        message = batch_progress_message(progress, self._before or 0)
        event = batch_pb.BatchEvent(progress=message).SerializeToString()
        self._handle.emit(event, progress=message.SerializeToString())


def batch_progress_message(progress: BulkProgress, before: int) -> batch_pb.BatchProgress:
    """Build the message of progress; `before` is the number of lines that earlier starts stored."""
    return to_message(
        batch_pb.BatchProgress,
        progress,
        lines_per_second=(progress.lines - before) / progress.seconds if progress.seconds else 0.0,
        running=[
            batch_pb.RunningBatchEntry(repository=repository_name(id_), stage=stage) for id_, stage in progress.running
        ],
    )


def _build_batch(work: Work) -> batch_pb.Batch:
    progress = batch_pb.BatchProgress.FromString(work.progress) if work.progress else None
    return batch_pb.Batch(total=len(_request(work).sources), progress=progress)


BATCH_OPERATION = OperationType(
    BATCH,
    BATCHES,
    "batch",
    "BATCH_NOT_FOUND",
    batch_pb.Batch,
    batch_pb.StreamBatchEventsResponse,
    _build_batch,
    default_page_size=20,
    max_page_size=100,
)


def _encode_list(wanted: Sequence[ListEntry]) -> bytes:
    """Encode a list as the batch stores it, credentials included: each entry once, with unique ids."""
    entries = deduplicate(wanted, "the request")
    sources = [pb.IndexSource(location=one.location, ref=one.ref, repository_id=one.name) for one in entries]
    return batch_pb.CreateBatchRequest(sources=sources).SerializeToString(deterministic=True)


def _request(work: Work) -> batch_pb.CreateBatchRequest:
    return batch_pb.CreateBatchRequest.FromString(work.spec)


def _decode_list(work: Work) -> list[ListEntry]:
    return [ListEntry(source.location, source.ref, source.repository_id) for source in _request(work).sources]
