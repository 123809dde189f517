"""Checkpoints of one task in an SQLite file of its own: a thread of LangGraph, and marks of started calls."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from repoquarry.agent.decisions import Answer, CallRecord, Folded, ToolCall
from repoquarry.agent.task import ApprovalRequest, Place, TokenUsage, UnresolvedName
from repoquarry.execution.isolation.confinement import Environment
from repoquarry.execution.workspaces.completion_checks import CompletionCheckOutcome

_log = logging.getLogger(__name__)
_STORED: Final = (
    *(Answer, ApprovalRequest, CallRecord, CompletionCheckOutcome, Environment, Folded, Place, TokenUsage, ToolCall),
    UnresolvedName,
)
_MIN_CHECKPOINTS: Final = 4


@dataclass(frozen=True)
class TaskCheckpoints:
    """Open checkpoints of one task."""

    saver: SqliteSaver
    connection: sqlite3.Connection

    def mark(self, call: str) -> None:
        """Mark a call with effects as started; the mark is on disk when this returns."""
        with self.connection:
            self.connection.execute("INSERT OR IGNORE INTO started_calls VALUES (?)", (call,))

    def is_marked(self, call: str) -> bool:
        """Return whether a call was started before."""
        found = self.connection.execute("SELECT 1 FROM started_calls WHERE call = ?", (call,)).fetchone()
        return found is not None

    def clear_marks(self) -> None:
        """Forget started calls: a task that continues behind an earlier step makes them again."""
        with self.connection:
            self.connection.execute("DELETE FROM started_calls")

    def prune(self, max_bytes: int) -> None:
        """Delete the oldest checkpoints while the file is larger than `max_bytes`; 0 means no limit."""
        if not max_bytes:
            return
        ids = self.connection.execute("SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id").fetchall()
        pages, free, size = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size <= max_bytes or len(ids) <= _MIN_CHECKPOINTS:
            return
        oldest = ids[: max(len(ids) // 4, 1)]
        with self.connection:
            self.connection.executemany("DELETE FROM checkpoints WHERE checkpoint_id = ?", oldest)
            self.connection.executemany("DELETE FROM writes WHERE checkpoint_id = ?", oldest)


@contextmanager
def open_checkpoints(path: Path | None) -> Iterator[TaskCheckpoints]:
    """Open the checkpoints of a task, in memory without a path.

    A file that cannot be read is replaced, and its task starts from its beginning.
    """
    serializer = JsonPlusSerializer(allowed_msgpack_modules=[(kind.__module__, kind.__name__) for kind in _STORED])
    try:
        connection = _connect(path)
    except sqlite3.DatabaseError as error:
        if path is None:
            raise
        _log.warning("checkpoints_replaced task=%s error=%s", path.stem, error)
        for file in path.parent.glob(f"{path.name}*"):  # With its journals.
            file.unlink()
        connection = _connect(path)
    with closing(connection):
        saver = SqliteSaver(connection, serde=serializer)
        saver.setup()
        yield TaskCheckpoints(saver, connection)


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS started_calls (call TEXT PRIMARY KEY) WITHOUT ROWID")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    if path is not None:
        path.chmod(0o600)
    return connection
