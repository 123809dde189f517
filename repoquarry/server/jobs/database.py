"""SQLite database `state.db` of durable jobs: queue, events and outcomes, and deletion of expired work."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import StoreFullError
from repoquarry.graphstore.storage.sqlite_database import (
    DatabaseLayout,
    SqliteDatabase,
    ignore_report,
    is_writable,
    make_folder,
    translate_write_errors,
)
from repoquarry.server.errors import ServerFailure

QUEUED, RUNNING, WAITING = "QUEUED", "RUNNING", "WAITING"
SUCCEEDED, FAILED, CANCELLED = "SUCCEEDED", "FAILED", "CANCELLED"
ENDED = (SUCCEEDED, FAILED, CANCELLED)
ACTIVE = (QUEUED, RUNNING, WAITING)
STATES = (*ACTIVE, SUCCEEDED, FAILED, CANCELLED)
INDEX, BATCH, TASK, PROVISION = "index", "batch", "task", "provision"
KINDS = (INDEX, BATCH, TASK, PROVISION)


@dataclass(frozen=True)
class Work:
    """Stored index job, batch, task or provisioning. Times are in microseconds since 1970; `owner` is the process that runs the work."""

    ordinal: int
    id: str
    kind: str
    state: str
    subject: str
    spec: bytes
    progress: bytes | None
    result: bytes | None
    error: bytes | None
    pending: bytes | None
    attempts: int
    owner: str
    cancel: bool
    last_sequence: int
    created: int
    started: int | None
    ended: int | None
    creator: str
    """Identity of the token that created the work; empty if the service needed no token, or an older version created an index job."""


@dataclass(frozen=True)
class NewWork:
    """Work to be created. `subject` is the repository id of an index job, and the creator of all other work."""

    subject: str
    spec: bytes
    first_event: bytes
    creator: str = ""
    """Identity of the token that creates an index job."""


@dataclass(frozen=True)
class StoredEvent:
    """Event of stored work; `time` in microseconds since 1970."""

    sequence: int
    time: int
    payload: bytes


class BusyError(Exception):
    """Another index job of the repository is queued or running; `work` is the id of that job."""

    def __init__(self, subject: str, work: str) -> None:
        super().__init__(f"{subject} is being worked on by {work}")
        self.subject = subject
        self.work = work


class RequestReusedError(Exception):
    """The request id was already used for other content."""


_SCHEMA = """
CREATE TABLE IF NOT EXISTS work (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL, subject TEXT NOT NULL,
    spec BLOB NOT NULL, progress BLOB, result BLOB, error BLOB, pending BLOB,
    attempts INTEGER NOT NULL DEFAULT 0, owner TEXT NOT NULL, cancel INTEGER NOT NULL DEFAULT 0,
    last_sequence INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL, started INTEGER, ended INTEGER
);
CREATE TABLE IF NOT EXISTS creators (id TEXT PRIMARY KEY, creator TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clock (row INTEGER PRIMARY KEY, seen INTEGER NOT NULL, passed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS aging (work TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS one_job_a_repository ON work (subject)
    WHERE kind = 'index' AND state IN ('QUEUED', 'RUNNING');
CREATE INDEX IF NOT EXISTS work_by_state ON work (kind, state);
CREATE TABLE IF NOT EXISTS events (
    work TEXT NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL, payload BLOB NOT NULL,
    PRIMARY KEY (work, sequence)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outcomes (
    work TEXT NOT NULL, place INTEGER NOT NULL, failed INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (work, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    kind TEXT NOT NULL, request TEXT NOT NULL, digest TEXT NOT NULL, works TEXT NOT NULL, PRIMARY KEY (kind, request)
) WITHOUT ROWID;
"""
_COLUMN_BY_PART = {"events": "work", "outcomes": "work", "aging": "work", "creators": "id"}
"""Tables with rows of one work, and their column with its id."""


def _mend(connection: sqlite3.Connection) -> None:
    """Set the number of events of work to what is stored, so that no reader waits for lost events."""
    for table, column in _COLUMN_BY_PART.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM work)")  # noqa: S608 - constants
    connection.execute(
        "UPDATE work SET last_sequence = coalesce((SELECT max(sequence) FROM events WHERE work = work.id), 0)"
    )


LAYOUT = DatabaseLayout(
    _SCHEMA,
    {
        "work": ["ordinal"],
        "events": ["work", "sequence"],
        "requests": ["kind", "request"],
        "outcomes": ["work", "place"],
        "creators": ["id"],
    },
    "FULL",
    _mend,
)
_MAX_STEP_MICROSECONDS = 86_400_000_000
"""Maximum age in microseconds that ended work gains between two processes: a day."""
_CREATOR = (
    "CASE kind WHEN 'index' THEN coalesce((SELECT creator FROM creators WHERE creators.id = work.id), '') "
    "ELSE subject END"
)
_COLUMNS = (
    "ordinal, id, kind, state, subject, spec, progress, result, error, pending, attempts, owner, cancel, "
    f"last_sequence, created, started, ended, {_CREATOR}"
)
_ACTIVE_STATES = ", ".join(f"'{state}'" for state in ACTIVE)
_SUSPECT_ATTEMPTS = 2
"""Number of processes that exited while the work ran, after which the work is a suspect."""
_ANY_ATTEMPTS = 1_000_000
_CHANGEABLE = frozenset(
    {"state", "attempts", "progress", "result", "error", "pending", "owner", "cancel", "started", "ended"}
)


class StateDatabase:
    """Stored work of one store; safe to use from several threads and in parallel with other processes."""

    def __init__(self, path: Path, on_repair: Callable[[str], None] = ignore_report) -> None:
        """Open the file, or a copy in memory of a file that cannot be written. Raises: GraphStoreError."""
        self.kept = not path.parent.exists() or (
            is_writable(path.parent) and (not path.exists() or os.access(path, os.W_OK))
        )
        """True if changes outlive this process."""
        self.unstored: dict[str, ServerFailure] = {}
        """Failure to store the end of work by work id, or the start of queued work by kind."""
        if not self.kept:
            self._database = SqliteDatabase.detached(path, LAYOUT)
            return
        make_folder(path.parent)
        with translate_write_errors(path):
            path.touch(0o600)  # A git address in a queued job may contain a password.
            path.chmod(0o600)
        try:
            self._database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=on_repair)
        except StoreFullError:  # Reading and deleting must continue; a write fails by itself.
            self.kept = False
            self._database = SqliteDatabase.detached(path, LAYOUT)

    def close(self) -> None:
        self._database.close()

    def create(
        self, kind: str, items: Sequence[NewWork], *, owner: str, request: str = "", digest: str = ""
    ) -> list[Work]:
        """Queue work, all or none. A repeated `request` returns the work of its first use.

        Raises: BusyError, RequestReusedError.
        """
        with self._database.transaction() as connection:
            known = connection.execute(
                "SELECT digest, works FROM requests WHERE kind = ? AND request = ?", (kind, request)
            ).fetchone()
            if request and known is not None:
                if known[0] != digest:
                    raise RequestReusedError(request)
                return [work for id_ in json.loads(known[1]) if (work := self.get(kind, id_)) is not None]
            ids = [self._insert(connection, kind, item, owner) for item in items]
            if request:
                connection.execute("INSERT INTO requests VALUES (?, ?, ?, ?)", (kind, request, digest, json.dumps(ids)))
            return [work for id_ in ids if (work := self.get(kind, id_)) is not None]

    def _insert(self, connection: sqlite3.Connection, kind: str, item: NewWork, owner: str) -> str:
        id_ = secrets.token_hex(8)
        try:
            connection.execute(
                "INSERT INTO work (id, kind, state, subject, spec, owner, created) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (id_, kind, QUEUED, item.subject, item.spec, owner, _now()),
            )
        except sqlite3.IntegrityError as exc:
            other = connection.execute(
                "SELECT id FROM work WHERE kind = ? AND subject = ? AND state IN (?, ?)",
                (kind, item.subject, QUEUED, RUNNING),
            ).fetchone()
            raise BusyError(item.subject, other[0] if other else "") from exc
        if item.creator:
            connection.execute("INSERT INTO creators VALUES (?, ?)", (id_, item.creator))
        self._append(connection, id_, item.first_event)
        return id_

    def get(self, kind: str, id_: str) -> Work | None:
        with self._database.using() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM work WHERE kind = ? AND id = ?",  # noqa: S608 - the columns are a constant
                (kind, id_),
            ).fetchone()
        return None if row is None else _work(row)

    def newest(
        self,
        kind: str,
        *,
        states: Sequence[str] = (),
        subject: str = "",
        creator: str = "",
        before: int = 0,
        limit: int = 50,
    ) -> list[Work]:
        """List work, newest first; an empty `creator` means every creator, `before` is the last ordinal of the previous page."""
        conditions: list[tuple[str, Sequence[str]]] = [
            ("kind = ?", [kind]),
            (f"state IN ({', '.join('?' * len(states))})", states),
            ("subject = ?", [subject] * bool(subject)),
            (f"{_CREATOR} = ?", [creator] * bool(creator)),
            ("ordinal < ?", [str(before)] * bool(before)),
        ]
        clauses = [clause for clause, values in conditions if values]
        values = [value for _, values in conditions for value in values]
        text = f"SELECT {_COLUMNS} FROM work WHERE {' AND '.join(clauses)} ORDER BY ordinal DESC LIMIT {int(limit)}"  # noqa: S608 - only constants and placeholders
        with self._database.using() as connection:
            return [_work(row) for row in connection.execute(text, values)]

    def start_next(self, kind: str, owner: str, event: bytes, max_attempts: int = _ANY_ATTEMPTS) -> Work | None:
        """Start the oldest queued work of an owner with at most `max_attempts` earlier attempts; None when there is none.

        Work that was running when several processes exited is a suspect; at most one suspect runs at a time.
        """
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id FROM work WHERE kind = ? AND state = ? AND owner = ? AND attempts <= ? AND (attempts < ? OR "
                "NOT EXISTS (SELECT 1 FROM work AS other WHERE other.state = ? AND other.owner = ? AND other.attempts > ?)) "
                "ORDER BY ordinal LIMIT 1",
                (kind, QUEUED, owner, max_attempts, _SUSPECT_ATTEMPTS, RUNNING, owner, _SUSPECT_ATTEMPTS),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE work SET state = ?, started = ?, attempts = attempts + 1 WHERE id = ?",
                (RUNNING, _now(), row[0]),
            )
            self._append(connection, row[0], event)
            return self.get(kind, row[0])

    def change(
        self, id_: str, changes: Mapping[str, object], *events: bytes, only_from: Sequence[str] = ACTIVE
    ) -> bool:
        """Change columns and append events in one transaction. Returns False, without a change, if the state is not in `only_from`."""
        unknown = changes.keys() - _CHANGEABLE
        if unknown:
            raise ValueError(f"not changeable: {sorted(unknown)}")
        with self._database.transaction() as connection:
            row = connection.execute("SELECT state FROM work WHERE id = ?", (id_,)).fetchone()
            if row is None or row[0] not in only_from:
                return False
            if changes:
                names = ", ".join(f"{name} = ?" for name in changes)
                connection.execute(f"UPDATE work SET {names} WHERE id = ?", (*changes.values(), id_))  # noqa: S608 - checked names
            for event in events:
                self._append(connection, id_, event)
            return True

    def excuse(self, id_: str) -> None:
        """Revert the last attempt of work that has not ended, because the work did not cause the exit of its process."""
        with self._database.transaction() as connection:
            text = f"UPDATE work SET attempts = max(attempts - 1, 0) WHERE id = ? AND state IN ({_ACTIVE_STATES})"  # noqa: S608 - a constant
            connection.execute(text, (id_,))

    def put_outcome(self, id_: str, place: int, payload: bytes, *, failed: bool, event: bytes) -> None:
        """Store the outcome of a batch entry with its event. Progress resets the number of attempts to one.

        A list of a command has no work and no events.
        """
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?)", (id_, place, failed, payload))
            if event:
                connection.execute("UPDATE work SET attempts = 1 WHERE id = ?", (id_,))
                self._append(connection, id_, event)

    def delete_outcomes(self, id_: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM outcomes WHERE work = ?", (id_,))

    def outcomes(self, id_: str, after: int, limit: int, *, failed_only: bool = False) -> list[bytes]:
        """List the outcomes of a batch after a place, in the order of the list."""
        text = "SELECT payload FROM outcomes WHERE work = ? AND place > ? AND failed >= ? ORDER BY place LIMIT ?"
        with self._database.using() as connection:
            return [bytes(row[0]) for row in connection.execute(text, (id_, after, failed_only, limit))]

    def requeue(self, id_: str, owner: str, event: bytes, only_from: Sequence[str] = (FAILED,)) -> bool:
        """Queue ended work again, without its error and result. Returns False if it is not in a state of `only_from`."""
        cleared = dict.fromkeys(("error", "result", "pending", "ended"))
        changes = {**cleared, "state": QUEUED, "owner": owner, "attempts": 0, "cancel": 0}
        queued = self.change(id_, changes, event, only_from=only_from)
        if queued:
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM aging WHERE work = ?", (id_,))
        return queued

    def end(self, id_: str, state: str, *events: bytes, **changes: bytes | None) -> bool:
        """End work in `state`. Returns False when the work has already ended."""
        return self.change(id_, {**changes, "state": state, "ended": _now(), "pending": None}, *events)

    def _append(self, connection: sqlite3.Connection, id_: str, payload: bytes) -> None:
        row = connection.execute(
            "UPDATE work SET last_sequence = last_sequence + 1 WHERE id = ? RETURNING last_sequence", (id_,)
        ).fetchone()
        connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (id_, row[0], _now(), payload))

    def events(self, id_: str, after: int, limit: int = 500) -> list[StoredEvent]:
        with self._database.using() as connection:
            rows = connection.execute(
                "SELECT sequence, time, payload FROM events WHERE work = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                (id_, after, limit),
            ).fetchall()
        return [StoredEvent(*row) for row in rows]

    def active(self) -> Iterator[Work]:
        """Yield all work that has not ended, oldest first."""
        for kind in KINDS:
            yield from reversed(self.newest(kind, states=ACTIVE, limit=1_000_000))

    def counts(self) -> dict[tuple[str, str], int]:
        """Count the stored work by kind and state."""
        with self._database.using() as connection:
            rows = connection.execute("SELECT kind, state, count(*) FROM work GROUP BY kind, state").fetchall()
        return {(kind, state): count for kind, state, count in rows}

    def purge(self, keep: int | None, now: int, counted: int) -> int:
        """Delete work that ended more than `keep` microseconds ago, with its events and outcomes; None deletes none.

        `now` is the wall clock; `counted` is the run time of this process since its previous call, 0 at its first call. Age grows
        from call to call by the wall clock, but by at most `counted`, or a day between processes: a clock that jumps ahead
        cannot age work by more. Returns the number of deleted rows.
        """
        with self._database.transaction() as connection:
            seen, passed = connection.execute("SELECT seen, passed FROM clock").fetchone() or (now, 0)
            passed += min(max(now - seen, 0), counted or _MAX_STEP_MICROSECONDS)
            connection.execute("INSERT OR REPLACE INTO clock VALUES (1, ?, ?)", (now, passed))
            connection.execute("INSERT OR IGNORE INTO aging SELECT id, ? FROM work WHERE ended IS NOT NULL", (passed,))
            if keep is None:
                return 0
            ids = connection.execute("SELECT work FROM aging WHERE since <= ?", (passed - keep,)).fetchall()
            for table, column in {**_COLUMN_BY_PART, "work": "id"}.items():
                connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", ids)  # noqa: S608 - constants
            return len(ids)

    def aged(self, keep: int) -> set[str]:
        """Return the ids of work that ended more than `keep` microseconds ago, by the age that `purge` counts."""
        with self._database.using() as connection:
            rows = connection.execute(
                "SELECT work FROM aging WHERE since <= (SELECT passed FROM clock) - ?", (keep,)
            ).fetchall()
        return {row[0] for row in rows}


def _work(row: Sequence[object]) -> Work:
    values = list(row)
    values[12] = bool(values[12])
    return Work(*values)  # type: ignore[arg-type]  # the columns are those of the dataclass, in its order


def _now() -> int:
    return time.time_ns() // 1000
