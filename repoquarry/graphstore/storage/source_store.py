"""SQLite store `sources.db`: source texts and derived data by content hash, and the indexed files of each revision (snapshots).

Answers quote source lines although the working tree may have changed or be missing (a clone, an archive). The bytes of every indexed file
are therefore stored, compressed and shared between repositories and revisions. The database also contains data derived from them (facts
by content hash, which make a second run fast) and artifacts of an indexed revision that do not belong in the graph (the git history).

An indexing run writes a *snapshot*: pending while it runs, sealed with its revision when the graph is known, published after the graph is
stored. Readers see the snapshot of the stored graph: the previous one until the graph is replaced, then the sealed one, published or not.
A killed run leaves a pending snapshot: the next run publishes that of the stored graph, or uses the files of another and then removes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.storage.compression import decompress, seal, unseal
from repoquarry.graphstore.storage.snapshot_tables import (
    LAYOUT,
    LISTING,
    FileEntry,
    Snapshot,
    copy_published,
    drop,
    drop_damaged,
    listing_digest,
)
from repoquarry.graphstore.storage.sqlite_database import SqliteDatabase, ignore_report
from repoquarry.languages.source_text import decode_source

FILE_NAME = "sources.db"
INDEX_TIME = "index time"
"""Name of the artifact with the microseconds since 1970 at which a revision was published."""


FindRevision = Callable[[str], str | None]
"""Function that returns the revision of a repository's stored graph; None if there is none or it is unknown."""


class SourceStore:
    """Database `sources.db`. An instance is thread-safe; a reader in another process opens its own."""

    def __init__(
        self, database: SqliteDatabase, path: Path, find_revision: FindRevision = lambda repository: None
    ) -> None:
        self._database = database
        self._path = path
        self._find_revision = find_revision
        self._beside: SourceStore | None = None
        self._has_met_damage = False

    def set_fallback(self, other: SourceStore) -> None:
        """Use another store as a second source of derived data; it must stay open as long as this one."""
        self._beside = other

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        writable: bool,
        on_repair: Callable[[str], None] = ignore_report,
        find_revision: FindRevision = lambda repository: None,
    ) -> SourceStore:
        """Open the store in a data folder, creating it if `writable` and missing.

        `on_repair` receives the report of a repair. `find_revision` is called while a sealed snapshot is not published.

        Raises: NotFoundError if it is missing and not `writable`; StoreCorruptError if it is damaged and not `writable`; StoreFullError,
        StoreUnwritableError.
        """
        path = folder / FILE_NAME
        if not writable and not path.exists():
            raise NotFoundError(f"nothing has been indexed in {folder}", kind="store", value=str(folder))
        return cls(SqliteDatabase(path, LAYOUT, writable=writable, on_repair=on_repair), path, find_revision)

    def close(self) -> None:
        self._database.close()

    # -- Reading

    def published_snapshot(self, repository: str) -> Snapshot | None:
        rows = self._rows(
            "SELECT id, repository, revision, inputs FROM snapshot WHERE repository = ? AND published ORDER BY id DESC",
            (repository,),
        )
        return Snapshot(*rows[0]) if rows else None

    def list_sealed_unpublished(self) -> list[tuple[str, str, int]]:
        """List (repository, revision, number) of the newest snapshot of each revision that is sealed and not published."""
        return self._rows(
            "SELECT repository, revision, max(id) FROM snapshot WHERE NOT published AND revision IS NOT NULL "
            "GROUP BY repository, revision ORDER BY 3"
        )

    def revisions(self) -> set[tuple[str, str]]:
        """Return (repository, revision) of the sealed snapshots, published or not."""
        return set(self._rows("SELECT repository, revision FROM snapshot WHERE revision IS NOT NULL"))

    def sealed_revision(self, snapshot: int) -> str:
        return str(self._rows("SELECT revision FROM snapshot WHERE id = ?", (snapshot,))[0][0])

    def repositories(self) -> list[str]:
        """List repositories with a published snapshot, sorted."""
        return [row[0] for row in self._rows("SELECT DISTINCT repository FROM snapshot WHERE published ORDER BY 1")]

    def files(self, repository: str, revision: str | None = None) -> dict[str, FileEntry]:
        """Return the indexed files by path. Raises: NotFoundError for an unknown repository or revision."""
        rows = self._rows(
            "SELECT path, hash, encoding, size, mtime_ns, derived FROM file WHERE snapshot = ? ORDER BY path",
            (self._snapshot(repository, revision),),
        )
        return {row[0]: FileEntry(*row) for row in rows}

    def texts_of(self, repository: str, revision: str) -> dict[str, bytes]:
        """Map each path to the key of its terms in the search index of a revision. Raises: NotFoundError."""
        snapshot = self._snapshot(repository, revision)
        return dict(self._rows("SELECT path, derived FROM file_texts WHERE snapshot = ?", (snapshot,)))

    def text(self, repository: str, path: str, revision: str | None = None) -> str:
        """Return the indexed text of a file, decoded by `decode_source`. Raises: NotFoundError."""
        data, encoding = self._content(self._snapshot(repository, revision), path, repository)
        return decode_source(data, encoding)

    def pending_text(self, snapshot: int, path: str) -> str:
        """Return the text of a file of a snapshot, sealed or not; see `text`. Raises: NotFoundError."""
        data, encoding = self._content(snapshot, path, f"snapshot {snapshot}")
        return decode_source(data, encoding)

    def pending_artifact(self, snapshot: int, name: str) -> bytes | None:
        """Return an artifact of a snapshot that may be pending; see `artifact`."""
        rows = self._rows("SELECT data FROM artifact WHERE snapshot = ? AND name = ?", (snapshot, name))
        return unseal(rows[0][0]) if rows else None

    def artifact(self, repository: str, name: str, revision: str | None = None) -> bytes | None:
        """Return the artifact `name` of a revision; None if it is missing or damaged."""
        try:
            return self.pending_artifact(self._snapshot(repository, revision), name)
        except NotFoundError:
            return None

    def load_derived(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the derived data under these keys; damaged data counts as missing."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._rows(f"SELECT key, data FROM derived WHERE key IN ({marks})", some)  # noqa: S608 - marks
            opened = ((key, unseal(sealed)) for key, sealed in rows)
            found.update((key, data) for key, data in opened if data is not None)
            self._has_met_damage = self._has_met_damage or sum(key in found for key, _ in rows) < len(rows)
        missing = [key for key in keys if key not in found]
        if missing and self._beside is not None:
            found.update(self._beside.load_derived(missing))
        return found

    def protected(self, repository: str) -> tuple[set[bytes], set[bytes]]:
        """Return (hashes, derived keys) that a snapshot of this repository refers to, so that they need not be stored again."""
        rows = self._rows(
            "SELECT file.hash, file.derived, file_texts.derived FROM file JOIN snapshot ON snapshot.id = file.snapshot "
            "LEFT JOIN file_texts USING (snapshot, path) WHERE repository = ?",
            (repository,),
        )
        return {row[0] for row in rows}, {key for row in rows for key in row[1:] if key is not None}

    # -- Writing

    def begin(self, repository: str) -> int:
        """Start a pending snapshot.

        The newest pending snapshot of an earlier run remains until this one is published, because it retains reusable texts and facts.
        """
        with self._database.transaction() as connection:
            pending = "SELECT max(id) FROM snapshot WHERE repository = ? AND NOT published"
            condition = f"repository = ? AND NOT published AND id < ({pending})"
            drop(connection, condition, (repository, repository))
            cursor = connection.execute("INSERT INTO snapshot (repository) VALUES (?)", (repository,))
            return int(cursor.lastrowid or 0)

    def put_many(
        self,
        snapshot: int,
        entries: Sequence[FileEntry],
        blobs: Mapping[bytes, bytes],
        derived: Mapping[bytes, bytes],
    ) -> None:
        """Add files to a pending snapshot, with the (compressed) bytes and derived records that are not `protected`."""
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO blob VALUES (?, ?)", blobs.items())
            sealed = ((key, seal(data)) for key, data in derived.items())
            connection.executemany("INSERT OR REPLACE INTO derived VALUES (?, ?)", sealed)
            connection.executemany(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(snapshot, e.path, e.hash, e.encoding, e.size, e.mtime_ns, e.derived) for e in entries],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO file_texts VALUES (?, ?, ?)",
                [(snapshot, e.path, e.texts) for e in entries if e.texts is not None],
            )

    def put_artifact(self, snapshot: int, name: str, data: bytes) -> None:
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO artifact VALUES (?, ?, ?)", (snapshot, name, seal(data)))

    def seal(self, snapshot: int, revision: str, inputs: str) -> None:
        """Assign the revision of a pending snapshot, under which it can be read."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE snapshot SET revision = ?, inputs = ? WHERE id = ?", (revision, inputs, snapshot)
            )
            listed = (snapshot, LISTING, seal(listing_digest(connection, snapshot)))
            connection.execute("INSERT OR REPLACE INTO artifact VALUES (?, ?, ?)", listed)

    def import_snapshot(self, other: Path, repository: str) -> int:
        """Copy the published snapshot of a repository from another store's file; it is pending and sealed here.

        Raises: NotFoundError if the other store has none; StoreFullError, StoreUnwritableError, StoreBusyError.
        """
        with self._database.using() as connection:
            connection.execute("ATTACH DATABASE ? AS other", (str(other),))
        try:
            with self._database.transaction() as connection:
                return copy_published(connection, other, repository)
        finally:
            with self._database.using() as connection:
                connection.execute("DETACH DATABASE other")

    def publish(self, snapshot: int) -> None:
        """Make a sealed snapshot the current one, and remove data that only previous ones needed."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE snapshot SET published = 1 WHERE id = ?", (snapshot,))
            others = "id <> ? AND repository = (SELECT repository FROM snapshot WHERE id = ?)"
            drop(connection, others, (snapshot, snapshot))
        self._database.vacuum()

    def delete(self, repository: str) -> None:
        with self._database.transaction() as connection:
            drop(connection, "repository = ?", (repository,))
        self._database.vacuum()

    def discard_pending(self, repository: str, revision: str | None) -> None:
        """Delete the pending snapshots of a repository except those of `revision`, and return their space. Raises: StoreFullError."""
        with self._database.shrinking_transaction() as connection:
            drop(connection, "repository = ? AND NOT published AND revision IS NOT ?", (repository, revision or ""))
        self.truncate_log()

    def truncate_log(self) -> None:
        """Return the space of free pages and of the write-ahead log, as far as the disk has room for that."""
        self._database.truncate_log()

    def is_suspect(self, repository: str) -> bool:
        """Return whether a read of stored data failed, in any process, since the data was checked or written."""
        current = self.published_snapshot(repository)
        return self._has_met_damage or (current is not None and not current.inputs)

    def drop_damaged(self, repository: str) -> list[str]:
        """Delete damaged data of a repository, so that it is stored again; return its sorted names.

        Texts, facts and terms, most of the data, are checked only if the store is suspect. The inputs of the snapshots are
        invalidated, so that the next indexing does not consider them current.
        """
        is_suspect = self.is_suspect(repository)
        with self._database.transaction() as connection:
            damaged = drop_damaged(connection, repository, is_suspect=is_suspect)
        self._has_met_damage = False
        if damaged:  # A damaged index hides rows, including those that are stored next.
            self._database.repair_if_damaged()
        return sorted(damaged)

    # -- Internal

    def _snapshot(self, repository: str, revision: str | None) -> int:
        """Return the newest sealed snapshot of a revision, by default that of the stored graph, otherwise the published one."""
        sealed = self._rows(
            "SELECT id, revision, published FROM snapshot WHERE repository = ? AND revision IS NOT NULL ORDER BY id DESC",
            (repository,),
        )
        if revision is None:
            is_settled = all(published for _, _, published in sealed)
            current = None if is_settled else self._find_revision(repository)
            stored = [snapshot for snapshot, sealed_revision, _ in sealed if sealed_revision == current]
            found = stored or [snapshot for snapshot, _, published in sealed if published]
        else:
            found = [snapshot for snapshot, sealed_revision, _ in sealed if sealed_revision == revision]
        if not found:
            at = f" at revision {revision}" if revision else ""
            raise NotFoundError(f"no indexed files of {repository!r}{at}", kind="repository", value=repository)
        return int(found[0])

    def _content(self, snapshot: int, path: str, holder: str) -> tuple[bytes, str]:
        rows = self._rows(
            "SELECT blob.data, file.encoding, hash FROM file LEFT JOIN blob USING (hash) WHERE snapshot = ? AND path = ?",
            (snapshot, path),
        )
        if not rows:
            raise NotFoundError(f"{holder} contains no indexed file {path!r}", kind="file", value=path)
        try:
            return _checked(rows[0][0], rows[0][2], path), rows[0][1]
        except StoreCorruptError:
            self._invalidate()
            raise

    def _invalidate(self) -> None:
        """Have the next indexing of each repository check all stored data. A reader of a read-only store only reports the damage."""
        self._has_met_damage = True
        with (
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(sqlite3.connect(self._path, timeout=0)) as connection,
            connection,
        ):
            connection.execute("UPDATE snapshot SET inputs = '' WHERE published")

    def _rows(self, statement: str, parameters: Sequence[object] = ()) -> list[Any]:
        with self._database.using() as connection:
            return connection.execute(statement, parameters).fetchall()


def _checked(data: object, key: bytes, path: str) -> bytes:
    """Return the text of a blob. Raises: StoreCorruptError if the blob is missing or does not match its hash."""
    with contextlib.suppress(StoreCorruptError):
        text = decompress(data) if isinstance(data, bytes) else None
        if text is not None and hashlib.sha256(text).digest() == key:
            return text
    raise StoreCorruptError(f"the stored text of {path} is damaged; re-index its repository")
