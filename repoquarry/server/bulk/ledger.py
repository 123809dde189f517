"""What of a list is done: one line a repository, put down when it is stored, so that a run after a crash goes on behind it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from repoquarry.graphstore.folder.disk import writing
from repoquarry.server.bulk.wanted import Wanted

FOLDER = "batches"


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
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
    outcome: Outcome


class Record(Protocol):
    """Where the outcomes of a list are put down."""

    def stored(self) -> dict[str, Outcome]:
        """What an earlier run has stored, by the key of its entry; what failed is tried again."""
        ...

    def add(self, wanted: Wanted, outcome: Outcome) -> None:
        """Put an outcome down for good."""
        ...

    def close(self) -> None:
        """Every repository of the list has an outcome."""
        ...


class Ledger:
    """The record of one list in a store. It is removed when the list was gone through."""

    def __init__(self, store: Path, wanted: Sequence[Wanted], settings: str) -> None:
        """`settings`: what else decides whether an outcome still counts, as text."""
        keys = [key_of(entry) for entry in wanted]
        digest = hashlib.sha256("\0".join([settings, *keys]).encode()).hexdigest()[:24]
        self._path = store / FOLDER / f"{digest}.jsonl"

    def stored(self) -> dict[str, Outcome]:
        """What an earlier run has stored, by key; what failed is tried again."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return {}
        found: dict[str, Outcome] = {}
        for line in lines:
            try:
                entry = msgspec.json.decode(line, type=_Line)
            except msgspec.DecodeError:  # the line that a crash cut off
                continue
            if entry.outcome.stored:
                found[entry.key] = entry.outcome
        return found

    def add(self, wanted: Wanted, outcome: Outcome) -> None:
        """Put an outcome down for good. Raises: StoreFullError, StoreUnwritableError."""
        with writing(self._path):
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab") as file:
                file.write(b"\n" + msgspec.json.encode(_Line(key_of(wanted), outcome)))
                file.flush()
                os.fsync(file.fileno())

    def close(self) -> None:
        """Forget the record: every repository of the list has an outcome."""
        self._path.unlink(missing_ok=True)


def key_of(wanted: Wanted) -> str:
    """What tells entries apart; a digest, since locations may hold credentials."""
    return hashlib.sha256("\0".join((wanted.location, wanted.ref, wanted.name)).encode()).hexdigest()[:32]
