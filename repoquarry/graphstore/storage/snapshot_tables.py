"""Tables of `sources.db`, and snapshots of revisions."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.storage.sqlite_database import DatabaseLayout, SalvageTable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob (hash BLOB PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS derived (key BLOB PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS snapshot (
  id INTEGER PRIMARY KEY, repository TEXT NOT NULL, revision TEXT, inputs TEXT, published INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS snapshot_of ON snapshot (repository, published);
CREATE TABLE IF NOT EXISTS file (
  snapshot INTEGER NOT NULL, path TEXT NOT NULL, hash BLOB NOT NULL, encoding TEXT NOT NULL, size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL, derived BLOB, PRIMARY KEY (snapshot, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file_texts (
  snapshot INTEGER NOT NULL, path TEXT NOT NULL, derived BLOB NOT NULL, PRIMARY KEY (snapshot, path)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS file_texts_derived ON file_texts (derived);
CREATE INDEX IF NOT EXISTS file_hash ON file (hash);
CREATE INDEX IF NOT EXISTS file_derived ON file (derived);
CREATE TABLE IF NOT EXISTS artifact (
  snapshot INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (snapshot, name)
);
"""


@dataclass(frozen=True)
class FileEntry:
    """One indexed file of a snapshot."""

    path: str
    hash: bytes
    """SHA-256 of its bytes."""
    encoding: str
    """Python codec."""
    size: int
    """Bytes."""
    mtime_ns: int
    """Modification time when it was read; tells cheaply that a file has not changed, never that it has."""
    derived: bytes | None = None
    """Key of the facts that were derived from it."""
    texts: bytes | None = None
    """Key of what a search index holds of its text; `texts_of` reads it back."""


@dataclass(frozen=True)
class Snapshot:
    """The indexed files of one repository at one revision."""

    id: int
    repository: str
    revision: str
    inputs: str
    """Digest of all that went in; equal inputs need not be indexed again."""


def _forget_incomplete(connection: sqlite3.Connection) -> None:
    """Repositories that lost something are to be read whole at their next indexing, though their files are as they were."""
    connection.execute("DELETE FROM file WHERE snapshot NOT IN (SELECT id FROM snapshot)")
    connection.execute("DELETE FROM artifact WHERE snapshot NOT IN (SELECT id FROM snapshot)")
    connection.execute("DELETE FROM file_texts WHERE snapshot NOT IN (SELECT id FROM snapshot)")
    connection.execute("DELETE FROM file_texts WHERE derived NOT IN (SELECT key FROM derived)")
    connection.execute("UPDATE file SET derived = NULL WHERE derived NOT IN (SELECT key FROM derived)")
    connection.execute("UPDATE snapshot SET inputs = ''")


LAYOUT = DatabaseLayout(
    _SCHEMA,
    (
        SalvageTable("snapshot", ("id",)),
        SalvageTable("file", ("snapshot", "path")),
        SalvageTable("file_texts", ("snapshot", "path")),
        SalvageTable("artifact", ("rowid",)),
        SalvageTable("blob", ("rowid",)),
        SalvageTable("derived", ("rowid",)),
    ),
    "NORMAL",
    _forget_incomplete,
)


def drop(connection: sqlite3.Connection, condition: str, parameters: tuple[object, ...]) -> None:
    """Delete snapshots, and the texts and facts that only they refer to; costs what these snapshots hold."""
    chosen = f"(SELECT id FROM snapshot WHERE {condition})"  # noqa: S608 - constant conditions
    referring = (("file", "hash", "blob", "hash"), ("file", "derived", "derived", "key"))
    for files, column, table, key in (*referring, ("file_texts", "derived", "derived", "key")):
        connection.execute(
            f"DELETE FROM {table} WHERE {key} IN (SELECT {column} FROM {files} WHERE snapshot IN {chosen}) AND NOT EXISTS "  # noqa: S608
            f"(SELECT 1 FROM {files} WHERE {files}.{column} = {table}.{key} AND snapshot NOT IN {chosen})",
            (*parameters, *parameters),
        )
    connection.execute(f"DELETE FROM file WHERE snapshot IN {chosen}", parameters)  # noqa: S608
    connection.execute(f"DELETE FROM file_texts WHERE snapshot IN {chosen}", parameters)  # noqa: S608
    connection.execute(f"DELETE FROM artifact WHERE snapshot IN {chosen}", parameters)  # noqa: S608
    connection.execute(f"DELETE FROM snapshot WHERE {condition}", parameters)  # noqa: S608


def copy_published(connection: sqlite3.Connection, other: Path, repository: str) -> int:
    """Copy the published snapshot of a repository from the store's file `other`, attached as `other`; it is pending and sealed here.

    Raises: NotFoundError when the other store has none.
    """
    row = connection.execute(
        "SELECT id, revision, inputs FROM other.snapshot WHERE repository = ? AND published", (repository,)
    ).fetchone()
    if row is None:
        raise NotFoundError(f"{other} holds no {repository!r}", kind="repository", value=repository)
    drop(connection, "repository = ? AND NOT published", (repository,))
    given = connection.execute(
        "INSERT INTO snapshot (repository, revision, inputs) VALUES (?, ?, ?)", (repository, *row[1:])
    ).lastrowid
    connection.execute("INSERT OR IGNORE INTO blob SELECT * FROM other.blob")
    connection.execute("INSERT OR IGNORE INTO derived SELECT * FROM other.derived")
    connection.execute(
        "INSERT INTO file SELECT ?, path, hash, encoding, size, mtime_ns, derived FROM other.file WHERE snapshot = ?",
        (given, row[0]),
    )
    for rest in (
        "file_texts SELECT ?, path, derived FROM other.file_texts",
        "artifact SELECT ?, name, data FROM other.artifact",
    ):
        connection.execute(f"INSERT INTO {rest} WHERE snapshot = ?", (given, row[0]))
    return int(given or 0)
