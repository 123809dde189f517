"""The tables of `state.db`, and what holds between them after a repair."""

from __future__ import annotations

import sqlite3

from repoquarry.graphstore.folder.database import Layout
from repoquarry.graphstore.folder.repair import Table

_SCHEMA = """
CREATE TABLE IF NOT EXISTS work (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL, subject TEXT NOT NULL,
    spec BLOB NOT NULL, progress BLOB, result BLOB, error BLOB, pending BLOB,
    attempts INTEGER NOT NULL DEFAULT 0, owner TEXT NOT NULL, cancel INTEGER NOT NULL DEFAULT 0,
    last_sequence INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL, started INTEGER, ended INTEGER
);
CREATE TABLE IF NOT EXISTS checkpoints (work TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
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


def _mend(connection: sqlite3.Connection) -> None:
    """Work says how many events it has: those that were lost must not be waited for."""
    connection.execute("DELETE FROM events WHERE work NOT IN (SELECT id FROM work)")
    connection.execute("DELETE FROM outcomes WHERE work NOT IN (SELECT id FROM work)")
    connection.execute(
        "UPDATE work SET last_sequence = coalesce((SELECT max(sequence) FROM events WHERE work = work.id), 0)"
    )


LAYOUT = Layout(
    _SCHEMA,
    (
        Table("work", ("ordinal",)),
        Table("events", ("work", "sequence")),
        Table("requests", ("kind", "request")),
        Table("outcomes", ("work", "place")),
    ),
    "FULL",
    _mend,
)
