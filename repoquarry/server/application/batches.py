"""BatchService: lists of repositories as durable work.

The outcomes of a batch are rows of the state database. Each outcome is stored with its event before the next, so that an
interrupted batch resumes after the last outcome.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from repoquarry.server import resource_names
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.application.long_operations import LongOperations, OperationType
from repoquarry.server.bulk.repository_list import (
    ListEntry,
    RepositoryOutcome,
    batch_outcome,
    deduplicate,
    key_of,
    outcome_of,
)
from repoquarry.server.errors import ServerFailure
from repoquarry.server.jobs.database import BATCH, Work
from repoquarry.server.jobs.runner import IncompleteWorkError, WorkHandle
from repoquarry.server.resource_names import BATCHES, check_sources, repository_name
from repoquarry.server.value_messages import build_message
from repoquarry.v1 import batch_service_pb2 as pb
from repoquarry.v1.index_service_pb2 import IndexSource

if TYPE_CHECKING:
    from repoquarry.server.bulk.repository_list import BulkProgress

_MAX_SOURCES = 10_000

_READ_AT_ONCE = 1_000


class BatchApplication:
    """BatchService over a store in this process."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self.operations = LongOperations(host, BATCH_OPERATION, self._run, needs_writer=True)

    def create_batch(self, request: pb.CreateBatchRequest, caller: Caller = LOCAL) -> pb.CreateBatchResponse:
        self._host.require_writer()
        check_sources(request.sources, _MAX_SOURCES)
        spec = _encode_list(
            [ListEntry(source.location.strip(), source.ref.strip(), source.repository_id) for source in request.sources]
        )
        (batch,) = self.operations.create([spec], request.request_id, caller)
        return pb.CreateBatchResponse(batch=batch)

    def get_batch(self, request: pb.GetBatchRequest, caller: Caller = LOCAL) -> pb.GetBatchResponse:
        return pb.GetBatchResponse(batch=self.operations.get(request.name, caller))

    def list_batches(self, request: pb.ListBatchesRequest, caller: Caller = LOCAL) -> pb.ListBatchesResponse:
        batches, token = self.operations.list_page(request, caller, states=request.states)
        return pb.ListBatchesResponse(batches=batches, next_page_token=token)

    def list_batch_outcomes(
        self, request: pb.ListBatchOutcomesRequest, caller: Caller = LOCAL
    ) -> pb.ListBatchOutcomesResponse:
        work = self.operations.require(request.name, caller)
        size = resource_names.page_size(request, 200, 1_000)
        after = resource_names.offset(request)
        found = self._host.state.outcomes(work.id, after, size + 1, failed_only=request.failed_only)
        outcomes = [pb.BatchOutcome.FromString(payload) for payload in found[:size]]
        more = resource_names.token(request, outcomes[-1].place) if len(found) > size else ""
        return pb.ListBatchOutcomesResponse(outcomes=outcomes, next_page_token=more)

    def cancel_batch(self, request: pb.CancelBatchRequest, caller: Caller = LOCAL) -> pb.CancelBatchResponse:
        return pb.CancelBatchResponse(batch=self.operations.cancel(request.name, caller))

    def stream_batch_events(self, request: pb.StreamBatchEventsRequest) -> Iterator[pb.StreamBatchEventsResponse]:
        return self.operations.follow(request)

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
        from repoquarry.server.bulk.executor import ProcessExecutor

        host, server = self._host, self._host.settings.server
        wanted = _decode_list(handle.work)
        progress = _Progress(handle, server.progress_seconds)
        bulk = BulkIndexer(
            host.store, wanted, BulkSettings(jobs=server.batch_jobs, memory_bytes=server.batch_memory_bytes),
            host.settings.ingest, host.admission.reach, ProcessExecutor(), record=_Outcomes(host, handle.work.id, wanted),
            turn=host.writing, held=host.held, holder=f"{BATCHES}/{handle.work.id}", check=host.admission.check,
            report=progress, cancelled=handle.cancelled,
        )  # fmt: skip
        report = bulk.run()
        progress.close()
        if failed := sum(not outcome.stored for outcome in report.outcomes):
            failure = ServerFailure("ENTRIES_FAILED", f"{failed} of {len(report.outcomes)} entries failed")
            raise IncompleteWorkError(failure, [], b"")
        return [], b""


class _Outcomes:
    """Outcomes of a batch: rows of the state database."""

    def __init__(self, host: ApplicationContext, work: str, wanted: Sequence[ListEntry]) -> None:
        self._host = host
        self._work = work
        self._places = {key_of(entry): place for place, entry in enumerate(wanted, 1)}
        self._keys = list(self._places)

    def stored(self) -> dict[str, RepositoryOutcome]:
        found: dict[str, RepositoryOutcome] = {}
        after = 0
        while rows := self._host.state.outcomes(self._work, after, _READ_AT_ONCE):
            for row in rows:
                message = pb.BatchOutcome.FromString(row)
                after = message.place
                if not message.HasField("error"):
                    found[self._keys[message.place - 1]] = outcome_of(message)
        return found

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        message = batch_outcome(self._places[key_of(wanted)], outcome)
        event = pb.BatchEvent(outcome=message).SerializeToString()
        payload, failed = message.SerializeToString(), not outcome.stored
        self._host.state.put_outcome(self._work, message.place, payload, failed=failed, event=event)
        self._host.bell.notify()

    def close(self) -> None:
        """Keep the rows: they are the report of the batch."""


class _Progress:
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
        """Record the last progress."""
        if self._seen is not None and not self._is_recorded():
            self._record(self._seen)

    def _is_recorded(self) -> bool:
        """Return whether only the time has changed since the last event."""
        return self._seen is not None and replace(self._seen, seconds=0.0) == self._last

    def _record(self, progress: BulkProgress) -> None:
        self._last, self._recorded_at = replace(progress, seconds=0.0), time.monotonic()
        message = progress_message(progress, self._before or 0)
        event = pb.BatchEvent(progress=message).SerializeToString()
        self._handle.emit(event, progress=message.SerializeToString())


def progress_message(progress: BulkProgress, before: int) -> pb.BatchProgress:
    """Build the message of progress; `before` is the number of lines that earlier starts stored."""
    return build_message(
        pb.BatchProgress,
        progress,
        lines_per_second=(progress.lines - before) / progress.seconds if progress.seconds else 0.0,
        running=[pb.RunningBatchEntry(repository=repository_name(id_), stage=stage) for id_, stage in progress.running],
    )


def _build_batch(work: Work) -> pb.Batch:
    progress = pb.BatchProgress.FromString(work.progress) if work.progress else None
    return pb.Batch(total=len(_request(work).sources), progress=progress)


BATCH_OPERATION = OperationType(
    BATCH,
    BATCHES,
    "batch",
    "BATCH_NOT_FOUND",
    pb.Batch,
    pb.StreamBatchEventsResponse,
    _build_batch,
    default_page_size=20,
    max_page_size=100,
)


def _encode_list(wanted: Sequence[ListEntry]) -> bytes:
    """Encode a list as the batch stores it, credentials included: each entry once, with unique ids."""
    entries = deduplicate(wanted, "the request")
    sources = [IndexSource(location=one.location, ref=one.ref, repository_id=one.name) for one in entries]
    return pb.CreateBatchRequest(sources=sources).SerializeToString(deterministic=True)


def _request(work: Work) -> pb.CreateBatchRequest:
    return pb.CreateBatchRequest.FromString(work.spec)


def _decode_list(work: Work) -> list[ListEntry]:
    """Decode the list that `_encode_list` encoded."""
    return [ListEntry(source.location, source.ref, source.repository_id) for source in _request(work).sources]
