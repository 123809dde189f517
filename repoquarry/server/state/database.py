"""The stored work of one store: created, changed, told of by events, aged and forgotten."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from repoquarry.graphstore.folder.database import Database
from repoquarry.graphstore.folder.disk import is_writable, make_folder, writing
from repoquarry.server.errors import Failure
from repoquarry.server.state.ageing import forget_aged, let_age
from repoquarry.server.state.records import (
    ACTIVE,
    KINDS,
    QUEUED,
    RUNNING,
    BusyError,
    NewWork,
    RequestReusedError,
    StoredEvent,
    Work,
)
from repoquarry.server.state.tables import LAYOUT

_COLUMNS = (
    "ordinal, id, kind, state, subject, spec, progress, result, error, pending, attempts, owner, cancel, "
    "last_sequence, created, started, ended"
)
_CHANGEABLE = frozenset({"state", "progress", "result", "error", "pending", "owner", "cancel", "started", "ended"})


def _silent(said: str) -> None:
    """Nobody is told of a repair."""


class StateDatabase:
    """The stored jobs and tasks of one store; safe to use from several threads and beside other processes."""

    def __init__(self, path: Path, on_repair: Callable[[str], None] = _silent) -> None:
        """Open the file, or a copy in memory of one that cannot be written. Raises: GraphStoreError."""
        self.kept = not path.parent.exists() or (
            is_writable(path.parent) and (not path.exists() or os.access(path, os.W_OK))
        )
        """Whether what is changed here outlives this process."""
        self.unstored: dict[str, Failure] = {}
        """Why the end of work, by its id, or the start of queued work, by its kind, cannot be stored for now."""
        if not self.kept:
            self._database = Database.detached(path, LAYOUT)
            return
        make_folder(path.parent)
        with writing(path):
            path.touch(0o600)  # a git address in a queued job may hold a password
            path.chmod(0o600)
        self._database = Database(path, LAYOUT, writable=True, on_repair=on_repair)

    def close(self) -> None:
        self._database.close()

    def create(
        self, kind: str, items: Sequence[NewWork], *, owner: str, request: str = "", digest: str = ""
    ) -> list[Work]:
        """Queue work, all or none; a `request` seen before gives the work of its first time.

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
        self, kind: str, *, states: Sequence[str] = (), subject: str = "", before: int = 0, limit: int = 50
    ) -> list[Work]:
        """Work, newest first; `before` is the ordinal of the last one seen."""
        clauses, values = ["kind = ?"], [kind]
        if states:
            clauses.append(f"state IN ({', '.join('?' * len(states))})")
            values += states
        if subject:
            clauses.append("subject = ?")
            values.append(subject)
        if before:
            clauses.append("ordinal < ?")
            values.append(str(before))
        text = f"SELECT {_COLUMNS} FROM work WHERE {' AND '.join(clauses)} ORDER BY ordinal DESC LIMIT {int(limit)}"  # noqa: S608 - only constants and placeholders
        with self._database.using() as connection:
            return [_work(row) for row in connection.execute(text, values)]

    def start_next(self, kind: str, owner: str, event: bytes) -> Work | None:
        """Start the oldest queued work of this owner, None when there is none."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id FROM work WHERE kind = ? AND state = ? AND owner = ? ORDER BY ordinal LIMIT 1",
                (kind, QUEUED, owner),
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
        """Change columns and append events, as one; False, and nothing done, when the state is not in `only_from`."""
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

    def put_outcome(self, id_: str, place: int, payload: bytes, *, failed: bool, event: bytes) -> None:
        """Put down what became of one entry of a batch, with its event; the start that brought it counts as the first."""
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?)", (id_, place, failed, payload))
            connection.execute("UPDATE work SET attempts = 1 WHERE id = ?", (id_,))
            self._append(connection, id_, event)

    def outcomes(self, id_: str, after: int, limit: int, *, failed_only: bool = False) -> list[bytes]:
        """Outcomes of a batch's entries behind a place, in the order of the list."""
        text = "SELECT payload FROM outcomes WHERE work = ? AND place > ? AND failed >= ? ORDER BY place LIMIT ?"
        with self._database.using() as connection:
            return [bytes(row[0]) for row in connection.execute(text, (id_, after, failed_only, limit))]

    def checkpoint(self, id_: str) -> bytes | None:
        """What running work saved last of how far it is; None when it saved nothing or has ended."""
        with self._database.using() as connection:
            row = connection.execute("SELECT data FROM checkpoints WHERE work = ?", (id_,)).fetchone()
        return None if row is None else bytes(row[0])

    def save_checkpoint(self, id_: str, data: bytes) -> None:
        """Keep this in place of what the work saved before."""
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?)", (id_, data))

    def end(self, id_: str, state: str, *events: bytes, **changes: bytes | None) -> bool:
        """End work in `state`; False when it has ended already."""
        ended = self.change(id_, {**changes, "state": state, "ended": _now(), "pending": None}, *events)
        if ended:
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM checkpoints WHERE work = ?", (id_,))
        return ended

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
        """All work that has not ended, oldest first."""
        for kind in KINDS:
            yield from reversed(self.newest(kind, states=ACTIVE, limit=1_000_000))

    def counts(self) -> dict[tuple[str, str], int]:
        """How many pieces of work are kept, by kind and state."""
        with self._database.using() as connection:
            rows = connection.execute("SELECT kind, state, count(*) FROM work GROUP BY kind, state").fetchall()
        return {(kind, state): count for kind, state, count in rows}

    def purge(self, keep: int, now: int, counted: int) -> int:
        """Forget work that ended more than `keep` microseconds ago, with its events; returns how much.

        `now` is the wall clock; `counted` the time that this process has run since it last called, 0 at its first call. Age is
        counted from call to call, by what the clock says but by no more than what was counted, or a day where nobody was there
        to count: a clock that jumps ahead ages nothing by more than that.
        """
        with self._database.transaction() as connection:
            return forget_aged(connection, let_age(connection, now, counted) - keep)

    def age(self, now: int, counted: int) -> None:
        """Let ended work age as `purge` does, and forget none."""
        with self._database.transaction() as connection:
            let_age(connection, now, counted)

    def aged(self, keep: int) -> set[str]:
        """Ids of work that ended more than `keep` microseconds ago, by the ageing of `age` and `purge`."""
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
