"""Parser of repository lists (text, TOML, JSON, folders) for batch indexing, and the ledger of outcomes."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.sources import parse_source
from repoquarry.ingest.sources.source import ARCHIVE_SUFFIXES, hide_credentials, is_remote, make_slug
from repoquarry.server.errors import RequestError, request_error
from repoquarry.server.jobs.database import StateDatabase
from repoquarry.server.resource_names import parse_repository_name, repository_name
from repoquarry.v1.batch_service_pb2 import BatchEvent, BatchOutcome
from repoquarry.v1.index_service_pb2 import IndexSource, JobError

_LOCATIONS = ("location", "address", "clone_url", "html_url", "url", "path")
"""Keys of the location; the first present key counts."""
_REFS = ("ref", "default_branch")
_NAMES = ("name", "id")
_LISTS = ("repositories", "repository", "items")
_MAX_ENTRIES = 100_000
"""Maximum number of entries; a longer list is more likely a mistake."""


@dataclass(frozen=True)
class ListEntry:
    """Entry of a list."""

    location: str
    """Location as written; a relative path is relative to the folder of the list."""
    ref: str = ""
    name: str = ""
    """Repository id; empty derives the id from the location."""


def _rejected(message: str, listed: object) -> RequestError:
    return request_error("LIST_REJECTED", message, list=str(listed))


def deduplicate(found: Sequence[ListEntry], what: str) -> list[ListEntry]:
    """Remove repeated entries and make ids unique; `what` names the list. Raises: RequestError."""
    if not 0 < len(found) <= _MAX_ENTRIES:
        raise _rejected(f"{what} names {len(found)} repositories; at least 1, at most {_MAX_ENTRIES:,}", what)
    return _named_apart(list(dict.fromkeys(found)), what)


def read_list(path: Path) -> list[ListEntry]:
    """Read the entries of a list, each once, with unique ids. Raises: RequestError."""
    try:
        found = _of_folder(path) if path.is_dir() else _of_file(path)
    except (OSError, UnicodeDecodeError) as exc:
        raise _rejected(f"{path} cannot be read: {exc}", path) from exc
    return deduplicate(found, str(path))


def _of_folder(folder: Path) -> list[ListEntry]:
    """List the folders and archives directly inside a folder."""
    inside = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    return [
        ListEntry(str(entry)) for entry in inside if entry.is_dir() or entry.name.lower().endswith(ARCHIVE_SUFFIXES)
    ]


def _of_file(path: Path) -> list[ListEntry]:
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix.lower() == ".toml":
            return _of_entries(tomllib.loads(text), path)
        if path.suffix.lower() == ".json":
            return _of_entries(json.loads(text), path)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as exc:
        raise _rejected(f"{path}: {exc}", path) from exc
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) > 3:
            raise _rejected(
                f"{path}, line {number}: {len(parts)} words where a location, a ref and a name are expected; write "
                "locations with spaces in TOML",
                path,
            )
        found.append(_placed(ListEntry(*parts), path))
    return found


def _of_entries(data: Any, path: Path) -> list[ListEntry]:
    """Parse the entries of a table or array: maps, or locations alone."""
    if isinstance(data, Mapping):
        named = next((data[key] for key in _LISTS if key in data), None)
        if named is None:
            raise _rejected(f"{path} has none of the keys {', '.join(_LISTS)}", path)
        data = named
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise _rejected(f"{path}: a list of repositories is expected", path)
    return [_placed(_entry(item, number, path), path) for number, item in enumerate(data, 1)]


def _entry(item: Any, number: int, path: Path) -> ListEntry:
    if isinstance(item, str):
        return ListEntry(item)
    values = item if isinstance(item, Mapping) else {}
    location, ref, name = (_first(values, keys) for keys in (_LOCATIONS, _REFS, _NAMES))
    if not location:
        raise _rejected(f"{path}, entry {number}: none of the keys {', '.join(_LOCATIONS)}", path)
    return ListEntry(location, ref, name)


def _first(values: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((str(values[key]) for key in keys if isinstance(values.get(key), str) and values[key]), "")


def _placed(wanted: ListEntry, path: Path) -> ListEntry:
    """Resolve a relative path against the folder of the list."""
    if is_remote(wanted.location, path.parent):
        return wanted
    return replace(wanted, location=str(path.parent / Path(wanted.location).expanduser()))


def _named_apart(wanted: Sequence[ListEntry], what: str) -> list[ListEntry]:
    """Make the ids of entries unique: revisions of one repository get their refs as suffix.

    Raises: RequestError when two entries still have the same id.
    """
    proposed = [_proposed(entry) for entry in wanted]
    often = Counter(id_ for id_, _ in proposed)
    named = [
        replace(entry, name=f"{id_}@{make_slug(ref)}") if often[id_] > 1 and ref and not entry.name else entry
        for entry, (id_, ref) in zip(wanted, proposed, strict=True)
    ]
    final = [_proposed(entry)[0] for entry in named]
    twice = next((id_ for id_, count in Counter(final).items() if count > 1), None)
    if twice is not None:
        places = ", ".join(
            hide_credentials(entry.location) for entry, id_ in zip(named, final, strict=True) if id_ == twice
        )
        raise _rejected(f"{what}: {places} would all be stored as {twice!r}; give them names", what)
    return named


def _proposed(entry: ListEntry) -> tuple[str, str]:
    """Return the id that an entry would get, and its ref; an invalid location, which is reported when the entry starts,
    stands for the id."""
    try:
        source = parse_source(entry.location, entry.ref)
    except IngestError:
        return entry.name or entry.location, entry.ref
    return entry.name or source.id, source.ref


_READ_AT_ONCE = 1_000
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


class BatchLedger:
    """Outcomes of a list as rows of the state database; the run after an interrupted one continues behind them."""

    def __init__(
        self, state: StateDatabase, work: str, wanted: Sequence[ListEntry], notify: Callable[[], object] | None = None
    ) -> None:
        """`notify` tells the followers of a batch of a service, whose rows are its report; those of a command go at its end."""
        self._state = state
        self._work = work
        self._notify = notify
        self._places = {key_of(entry): place for place, entry in enumerate(wanted, 1)}
        self._keys = list(self._places)

    def stored(self) -> dict[str, RepositoryOutcome]:
        """Return the stored repositories of an earlier run by entry key; failed entries are retried."""
        found: dict[str, RepositoryOutcome] = {}
        after = 0
        while rows := self._state.outcomes(self._work, after, _READ_AT_ONCE):
            for row in rows:
                message = BatchOutcome.FromString(row)
                after = message.place
                if not message.HasField("error"):
                    found[self._keys[message.place - 1]] = outcome_of(message)
        return found

    def add(self, wanted: ListEntry, outcome: RepositoryOutcome) -> None:
        """Record an outcome durably. Raises: StoreFullError, StoreUnwritableError."""
        message = batch_outcome(self._places[key_of(wanted)], outcome)
        event = BatchEvent(outcome=message).SerializeToString() if self._notify else b""
        payload, failed = message.SerializeToString(), not outcome.stored
        self._state.put_outcome(self._work, message.place, payload, failed=failed, event=event)
        if self._notify:
            self._notify()

    def close(self) -> None:
        """Finish: every repository of the list has an outcome."""
        if self._notify is None:
            self._state.delete_outcomes(self._work)


def compute_list_id(wanted: Sequence[ListEntry], settings: str) -> str:
    """Compute the id of a list of a command; `settings` are those that an outcome depends on."""
    digest = hashlib.sha256("\0".join([settings, *map(key_of, wanted)]).encode())
    return f"list-{digest.hexdigest()[:24]}"


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
