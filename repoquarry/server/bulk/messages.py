"""Outcomes of a list as messages of the contract, and back."""

from __future__ import annotations

from repoquarry.server.bulk.ledger import Outcome
from repoquarry.server.contract.names import repository_name, repository_of
from repoquarry.v1.batch_service_pb2 import BatchOutcome
from repoquarry.v1.index_service_pb2 import IndexSource, JobError


def batch_outcome(place: int, outcome: Outcome) -> BatchOutcome:
    """What became of the entry at a place, counted from 1."""
    return BatchOutcome(
        place=place,
        source=IndexSource(location=outcome.location, ref=outcome.ref, repository_id=outcome.repository),
        repository=repository_name(outcome.repository),
        error=None if outcome.stored else JobError(reason=outcome.reason, message=outcome.message),
        unchanged=outcome.unchanged,
        files=outcome.files,
        lines=outcome.lines,
        seconds=outcome.seconds,
        peak_memory_bytes=outcome.peak_memory_bytes,
        attempts=outcome.attempts,
        cpu_seconds=outcome.cpu_seconds,
    )


def outcome_of(message: BatchOutcome) -> Outcome:
    """The inverse of `batch_outcome`."""
    return Outcome(
        location=message.source.location,
        ref=message.source.ref,
        repository=repository_of(message.repository) if message.repository else "",
        reason=message.error.reason,
        message=message.error.message,
        unchanged=message.unchanged,
        files=message.files,
        lines=message.lines,
        seconds=message.seconds,
        peak_memory_bytes=message.peak_memory_bytes,
        attempts=message.attempts,
        cpu_seconds=message.cpu_seconds,
    )
