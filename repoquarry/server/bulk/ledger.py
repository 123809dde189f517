"""Outcome ledger that survives a crash; reports and messages."""

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


class RepositoryOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one repository of a list."""

    location: str
    """Never with credentials."""
    ref: str = ""
    repository: str = ""
    """Its id."""
    reason: str = ""
    """Why it failed, as in docs/errors.md; empty when it is stored."""
    message: str = ""
    unchanged: bool = False
    """Whether what was stored was already like this."""
    files: int = 0
    lines: int = 0
    seconds: float = 0.0
    """Wall time from its start to its storing, of the last attempt."""
    peak_memory_bytes: int = 0
    """Highest resident memory of its process and that one's children."""
    cpu_seconds: float = 0.0
    """Of its process and that one's children, and of making it part of the store; of the last attempt."""
    attempts: int = 1

    @property
    def stored(self) -> bool:
        return not self.reason


class _Line(msgspec.Struct, frozen=True):
    key: str
    outcome: RepositoryOutcome


class OutcomeStore(Protocol):
    """Where the outcomes of a list are put down."""

    def stored(self) -> dict[str, RepositoryOutcome]:
        """What an earlier run has stored, by the key of its entry; what failed is tried again."""
        ...

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        """Put an outcome down for good."""
        ...

    def close(self) -> None:
        """Every repository of the list has an outcome."""
        ...


class Ledger:
    """The record of one list in a store. It is removed when the list was gone through."""

    def __init__(self, store: Path, wanted: Sequence[ListEntry], settings: str) -> None:
        """`settings`: what else decides whether an outcome still counts, as text."""
        keys = [key_of(entry) for entry in wanted]
        digest = hashlib.sha256("\0".join([settings, *keys]).encode()).hexdigest()[:24]
        self._path = store / FOLDER / f"{digest}.jsonl"

    def stored(self) -> dict[str, RepositoryOutcome]:
        """What an earlier run has stored, by key; what failed is tried again."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return {}
        found: dict[str, RepositoryOutcome] = {}
        for line in lines:
            try:
                entry = msgspec.json.decode(line, type=_Line)
            except (msgspec.DecodeError, UnicodeDecodeError):  # cut off by a crash, or damaged
                continue
            if entry.outcome.stored:
                found[entry.key] = entry.outcome
        return found

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        """Put an outcome down for good. Raises: StoreFullError, StoreUnwritableError."""
        with translate_write_errors(self._path):
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab") as file:
                file.write(b"\n" + msgspec.json.encode(_Line(key_of(wanted), outcome)))
                file.flush()
                os.fsync(file.fileno())

    def close(self) -> None:
        """Forget the record: every repository of the list has an outcome."""
        self._path.unlink(missing_ok=True)


def key_of(wanted: ListEntry) -> str:
    """What tells entries apart; a digest, since locations may hold credentials."""
    return hashlib.sha256("\0".join((wanted.location, wanted.ref, wanted.name)).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class BulkProgress:
    """Where the whole stands."""

    total: int
    stored: int
    failed: int
    lines: int
    """Lines of the repositories that are stored."""
    seconds: float
    running: tuple[tuple[str, str], ...]
    """Repository and stage of those at work."""
    seconds_left: float | None
    """Estimate by repositories, from those of this run; None while none of them is done."""

    @property
    def done(self) -> int:
        return self.stored + self.failed


@dataclass(frozen=True)
class BulkReport:
    """What became of a list."""

    outcomes: tuple[RepositoryOutcome, ...]
    """In the order of the list."""
    resumed: int
    """Of these, stored by an earlier run that did not come to its end."""
    seconds: float
    peak_memory_bytes: int
    """Highest resident memory of this process and all workers together, seen once a second."""


def batch_outcome(place: int, outcome: RepositoryOutcome) -> BatchOutcome:
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


def outcome_of(message: BatchOutcome) -> RepositoryOutcome:
    """The inverse of `batch_outcome`."""
    return RepositoryOutcome(
        location=message.source.location,
        ref=message.source.ref,
        repository=parse_repository_name(message.repository) if message.repository else "",
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
