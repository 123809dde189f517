"""Ledger of outcomes that survives a crash; reports and messages."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from repoquarry.graphstore.storage.sqlite_database import translate_write_errors
from repoquarry.server.bulk.repository_list import ListEntry
from repoquarry.server.resource_names import parse_repository_name, repository_name
from repoquarry.v1.batch_service_pb2 import BatchOutcome
from repoquarry.v1.index_service_pb2 import IndexSource, JobError

FOLDER = "batches"
_SHARED_FIELDS = ("unchanged", "files", "lines", "seconds", "peak_memory_bytes", "attempts", "cpu_seconds")


class RepositoryOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of one repository of a list."""

    location: str
    """Source without credentials."""
    ref: str = ""
    repository: str = ""
    """Repository id."""
    reason: str = ""
    """Reason of the failure (docs/reference/errors.md); empty when the repository is stored."""
    message: str = ""
    unchanged: bool = False
    """True if the stored revision was already current."""
    files: int = 0
    lines: int = 0
    seconds: float = 0.0
    """Wall time of the last attempt, from its start to the stored revision."""
    peak_memory_bytes: int = 0
    """Peak resident memory of the worker process and its children."""
    cpu_seconds: float = 0.0
    """CPU time of the last attempt: the worker process, its children, and the adoption."""
    attempts: int = 1

    @property
    def stored(self) -> bool:
        return not self.reason


class _Line(msgspec.Struct, frozen=True):
    key: str
    outcome: RepositoryOutcome


class OutcomeStore(Protocol):
    """Store of the outcomes of a list."""

    def stored(self) -> dict[str, RepositoryOutcome]:
        """Return the stored repositories of an earlier run by entry key; failed entries are retried."""
        ...

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        """Record an outcome durably."""
        ...

    def close(self) -> None:
        """Finish: every repository of the list has an outcome."""
        ...


class Ledger:
    """Outcome file of one list in a store. It is removed when the list is complete."""

    def __init__(self, store: Path, wanted: Sequence[ListEntry], settings: str) -> None:
        """`settings`: text of the settings that an outcome depends on."""
        keys = [key_of(entry) for entry in wanted]
        digest = hashlib.sha256("\0".join([settings, *keys]).encode()).hexdigest()[:24]
        self._path = store / FOLDER / f"{digest}.jsonl"

    def stored(self) -> dict[str, RepositoryOutcome]:
        """Return the stored repositories of an earlier run by entry key; failed entries are retried."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return {}
        found: dict[str, RepositoryOutcome] = {}
        for line in lines:
            try:
                entry = msgspec.json.decode(line, type=_Line)
            except (msgspec.DecodeError, UnicodeDecodeError):  # truncated by a crash, or corrupt
                continue
            if entry.outcome.stored:
                found[entry.key] = entry.outcome
        return found

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        """Record an outcome durably. Raises: StoreFullError, StoreUnwritableError."""
        with translate_write_errors(self._path):
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab") as file:
                file.write(b"\n" + msgspec.json.encode(_Line(key_of(wanted), outcome)))
                file.flush()
                os.fsync(file.fileno())

    def close(self) -> None:
        """Remove the file: every repository of the list has an outcome."""
        self._path.unlink(missing_ok=True)


def key_of(wanted: ListEntry) -> str:
    """Compute the key of an entry: a digest, because locations may contain credentials."""
    return hashlib.sha256("\0".join((wanted.location, wanted.ref, wanted.name)).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class BulkProgress:
    """Progress of a batch run."""

    total: int
    stored: int
    failed: int
    lines: int
    """Number of lines of the stored repositories."""
    seconds: float
    running: tuple[tuple[str, str], ...]
    """Repository and stage of each running entry."""
    seconds_left: float | None
    """Estimate from the repositories of this run; None before the first repository is done."""

    @property
    def done(self) -> int:
        return self.stored + self.failed


@dataclass(frozen=True)
class BulkReport:
    """Report of a batch run."""

    outcomes: tuple[RepositoryOutcome, ...]
    """Outcomes in the order of the list."""
    resumed: int
    """Number of outcomes that an interrupted earlier run stored."""
    seconds: float
    peak_memory_bytes: int
    """Peak resident memory of this process and all workers together, measured once a second."""


def batch_outcome(place: int, outcome: RepositoryOutcome) -> BatchOutcome:
    """Build the message of an outcome; `place` is 1-based."""
    return BatchOutcome(
        place=place,
        source=IndexSource(location=outcome.location, ref=outcome.ref, repository_id=outcome.repository),
        repository=repository_name(outcome.repository),
        error=None if outcome.stored else JobError(reason=outcome.reason, message=outcome.message),
        **{name: getattr(outcome, name) for name in _SHARED_FIELDS},
    )


def outcome_of(message: BatchOutcome) -> RepositoryOutcome:
    """Parse the message that `batch_outcome` built."""
    return RepositoryOutcome(
        location=message.source.location,
        ref=message.source.ref,
        repository=parse_repository_name(message.repository) if message.repository else "",
        reason=message.error.reason,
        message=message.error.message,
        **{name: getattr(message, name) for name in _SHARED_FIELDS},
    )
