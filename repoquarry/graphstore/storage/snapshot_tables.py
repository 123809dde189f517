"""SQL tables of the source store `sources.db`; deletes, copies and repairs the snapshots (indexed files of a revision) in them."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.storage.compression import decompress, unseal
from repoquarry.graphstore.storage.sqlite_database import DatabaseLayout

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

_PARTS = ("file", "file_texts", "artifact")
"""Tables with rows of a snapshot."""


@dataclass(frozen=True)
class FileEntry:
    path: str
    hash: bytes
    """SHA-256 of its bytes."""
    encoding: str
    size: int
    mtime_ns: int
    """Modification time when the file was read: equal times mean an unchanged file, different ones prove nothing."""
    derived: bytes | None = None
    """Key of the facts derived from the file."""
    texts: bytes | None = None
    """Key of the file's terms in the search index; see `texts_of`."""


@dataclass(frozen=True)
class Snapshot:
    """Indexed files of one repository at one revision."""

    id: int
    repository: str
    revision: str
    inputs: str
    """Digest of all inputs; equal inputs need no re-indexing."""


def _forget_incomplete(connection: sqlite3.Connection) -> None:
    """Invalidate the inputs of repositories that lost data, so that their next indexing is complete although no file changed."""
    for table in _PARTS:
        connection.execute(f"DELETE FROM {table} WHERE snapshot NOT IN (SELECT id FROM snapshot)")  # noqa: S608 - constants
    connection.execute("DELETE FROM file_texts WHERE derived NOT IN (SELECT key FROM derived)")
    connection.execute("UPDATE file SET derived = NULL WHERE derived NOT IN (SELECT key FROM derived)")
    connection.execute("UPDATE snapshot SET inputs = ''")


LAYOUT = DatabaseLayout(
    _SCHEMA,
    {
        "snapshot": ["id"],
        "file": ["snapshot", "path"],
        "file_texts": ["snapshot", "path"],
        "artifact": ["rowid"],
        "blob": ["rowid"],
        "derived": ["rowid"],
    },
    "NORMAL",
    _forget_incomplete,
)


def drop(connection: sqlite3.Connection, condition: str, parameters: tuple[object, ...]) -> None:
    """Delete snapshots, and the texts and facts that only they refer to; the cost depends on these snapshots."""
    chosen = f"(SELECT id FROM snapshot WHERE {condition})"  # noqa: S608 - constant conditions
    referring = (("file", "hash", "blob", "hash"), ("file", "derived", "derived", "key"))
    for files, column, table, key in (*referring, ("file_texts", "derived", "derived", "key")):
        connection.execute(
            f"DELETE FROM {table} WHERE {key} IN (SELECT {column} FROM {files} WHERE snapshot IN {chosen}) AND NOT EXISTS "  # noqa: S608
            f"(SELECT 1 FROM {files} WHERE {files}.{column} = {table}.{key} AND snapshot NOT IN {chosen})",
            (*parameters, *parameters),
        )
    for part in _PARTS:
        connection.execute(f"DELETE FROM {part} WHERE snapshot IN {chosen}", parameters)  # noqa: S608
    connection.execute(f"DELETE FROM snapshot WHERE {condition}", parameters)  # noqa: S608


def copy_published(connection: sqlite3.Connection, other: Path, repository: str) -> int:
    """Copy the published snapshot of a repository from another store's file, attached as `other`; it is pending and sealed here.

    Raises: NotFoundError if the other store has none.
    """
    row = connection.execute(
        "SELECT id, revision, inputs FROM other.snapshot WHERE repository = ? AND published", (repository,)
    ).fetchone()
    if row is None:
        raise NotFoundError(f"{other} does not contain {repository!r}", kind="repository", value=repository)
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


LISTING = "listing"
"""Name of the artifact with the digest of a sealed snapshot's files."""


def listing_digest(connection: sqlite3.Connection, snapshot: int) -> bytes:
    found = hashlib.blake2b(digest_size=16)
    rows = "SELECT path, hash, encoding, size FROM file WHERE snapshot = ? ORDER BY path"
    for row in connection.execute(rows, (snapshot,)):
        found.update(repr(row).encode("utf-8", "surrogatepass"))
    return found.digest()


def drop_damaged(connection: sqlite3.Connection, repository: str, *, is_suspect: bool) -> set[str]:
    """Delete the damaged data of a repository's snapshots; return paths of texts and names of other data.

    Texts and derived data are checked only if a read of the store failed (`is_suspect`).
    """
    snapshots = [row[0] for row in connection.execute("SELECT id FROM snapshot WHERE repository = ?", (repository,))]
    damaged = _drop_damaged_texts(connection, repository) if is_suspect else set()
    for snapshot in snapshots:
        damaged |= _drop_damaged_artifacts(connection, snapshot)
    if is_suspect:
        damaged |= _drop_damaged_derived(connection, repository, snapshots)
    if damaged:
        connection.execute("UPDATE snapshot SET inputs = '' WHERE repository = ?", (repository,))
    return damaged


def _drop_damaged_derived(connection: sqlite3.Connection, repository: str, snapshots: list[int]) -> set[str]:
    keys = """SELECT key, data FROM derived WHERE key IN (
        SELECT file.derived FROM file JOIN snapshot ON snapshot.id = snapshot WHERE repository = :repository
        UNION SELECT file_texts.derived FROM file_texts JOIN snapshot ON snapshot.id = snapshot
        WHERE repository = :repository)"""
    is_sealed = all(_is_listed(connection, snapshot) for snapshot in snapshots)
    found = connection.execute(keys, {"repository": repository})
    broken = [(key,) for key, data in found if unseal(data, is_sealed=is_sealed) is None]
    if broken:
        connection.executemany("DELETE FROM derived WHERE key = ?", broken)
        connection.executemany("DELETE FROM file_texts WHERE derived = ?", broken)
        connection.executemany("UPDATE file SET derived = NULL WHERE derived = ?", broken)
    return {"derived data"} if broken else set()


def _drop_damaged_texts(connection: sqlite3.Connection, repository: str) -> set[str]:
    rows = connection.execute(
        "SELECT path, hash, data FROM snapshot JOIN file ON snapshot.id = snapshot LEFT JOIN blob USING (hash) "
        "WHERE repository = ?",
        (repository,),
    )
    damaged = {str(path): key for path, key, data in rows if not _is_text(data, key)}
    keys = [(key,) for key in damaged.values()]
    connection.executemany("DELETE FROM blob WHERE hash = ?", keys)
    connection.executemany("DELETE FROM file WHERE hash = ?", keys)
    if keys:
        connection.execute("DELETE FROM file_texts WHERE (snapshot, path) NOT IN (SELECT snapshot, path FROM file)")
    return set(damaged)


def _drop_damaged_artifacts(connection: sqlite3.Connection, snapshot: int) -> set[str]:
    rows = connection.execute("SELECT rowid, name, data FROM artifact WHERE snapshot = ?", (snapshot,)).fetchall()
    is_sealed = _is_listed(connection, snapshot)
    broken = [(row, str(name)) for row, name, data in rows if unseal(data, is_sealed=is_sealed) is None]
    connection.executemany("DELETE FROM artifact WHERE rowid = ?", [(row,) for row, _ in broken])
    listing = next((unseal(data) for _, name, data in rows if name == LISTING), None)
    is_listed = listing is None or listing == listing_digest(connection, snapshot)
    if not is_listed:
        for part in _PARTS:
            connection.execute(f"DELETE FROM {part} WHERE snapshot = ?", (snapshot,))  # noqa: S608 - constants
    return {name for _, name in broken} | (set() if is_listed else {LISTING})


def _is_listed(connection: sqlite3.Connection, snapshot: int) -> bool:
    """Return whether the version that wrote a snapshot seals all data."""
    found = connection.execute("SELECT 1 FROM artifact WHERE snapshot = ? AND name = ?", (snapshot, LISTING))
    return found.fetchone() is not None


def _is_text(data: object, key: object) -> bool:
    try:
        return isinstance(data, bytes) and hashlib.sha256(decompress(data)).digest() == key
    except StoreCorruptError:
        return False
