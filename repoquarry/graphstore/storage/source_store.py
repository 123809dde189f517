"""`SourceStore`: texts and derived data by content hash (`sources.db`).

Answers quote source lines, and the working tree may have moved on or be gone (a clone, an archive), so the bytes of every
indexed file are kept, compressed and shared between repositories and revisions. Beside them lies what was derived from them
(facts by content hash, which make a second run quick) and what belongs to one indexed revision but not into the graph (the git
history).

An indexing run writes a *snapshot*: pending while it runs, sealed with its revision when the graph is known, published when the
graph is stored. Until then readers see the previous one, and a run that was killed leaves only a pending snapshot, whose files
the next run uses and then clears away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.storage.compression import decompress
from repoquarry.graphstore.storage.snapshot_tables import LAYOUT, FileEntry, Snapshot, copy_published, drop
from repoquarry.graphstore.storage.sqlite_database import SqliteDatabase

FILE_NAME = "sources.db"

_TEXTS_OF = """
SELECT path, hash, data FROM snapshot JOIN file ON snapshot.id = snapshot LEFT JOIN blob USING (hash) WHERE repository = ?
"""


def _silent(said: str) -> None:
    """Nobody is told of a repair."""


class SourceStore:
    """`sources.db`. One instance may be used by several threads; a reader in another process opens its own."""

    def __init__(self, database: SqliteDatabase, path: Path) -> None:
        self._database = database
        self._path = path
        self._beside: SourceStore | None = None

    def set_fallback(self, other: SourceStore) -> None:
        """Look in another store, too, for what was derived from files; it must stay open as long as this one is used."""
        self._beside = other

    @classmethod
    def open(cls, folder: Path, *, writable: bool, on_repair: Callable[[str], None] = _silent) -> SourceStore:
        """Open the store in a data folder, making it when `writable` and absent. `on_repair` is told what a repair lost.

        Raises: NotFoundError when it is absent and not `writable`; StoreCorruptError when it is broken and not `writable`;
        StoreFullError, StoreUnwritableError.
        """
        path = folder / FILE_NAME
        if not writable and not path.exists():
            raise NotFoundError(f"nothing has been indexed in {folder}", kind="store", value=str(folder))
        return cls(SqliteDatabase(path, LAYOUT, writable=writable, on_repair=on_repair), path)

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    # -- reading

    def published_snapshot(self, repository: str) -> Snapshot | None:
        """The published snapshot of a repository."""
        rows = self._rows(
            "SELECT id, repository, revision, inputs FROM snapshot WHERE repository = ? AND published ORDER BY id DESC",
            (repository,),
        )
        return Snapshot(*rows[0]) if rows else None

    def find_sealed(self, repository: str, revision: str) -> int | None:
        """The unpublished snapshot that is sealed with `revision`; None when there is none."""
        rows = self._rows(
            "SELECT id FROM snapshot WHERE repository = ? AND revision = ? AND NOT published ORDER BY id DESC",
            (repository, revision),
        )
        return int(rows[0][0]) if rows else None

    def list_sealed_unpublished(self) -> list[tuple[str, str]]:
        """(repository, revision) of the snapshots that are sealed and not published."""
        statement = "SELECT repository, revision FROM snapshot WHERE NOT published AND revision IS NOT NULL ORDER BY id"
        return [(row[0], row[1]) for row in self._rows(statement)]

    def revisions(self) -> set[tuple[str, str]]:
        """(repository, revision) of the sealed snapshots, published or not."""
        return set(self._rows("SELECT repository, revision FROM snapshot WHERE revision IS NOT NULL"))

    def sealed_revision(self, snapshot: int) -> str:
        """Revision of a sealed snapshot."""
        return str(self._rows("SELECT revision FROM snapshot WHERE id = ?", (snapshot,))[0][0])

    def repositories(self) -> list[str]:
        """Repositories with a published snapshot, sorted."""
        return [row[0] for row in self._rows("SELECT DISTINCT repository FROM snapshot WHERE published ORDER BY 1")]

    def files(self, repository: str, revision: str | None = None) -> dict[str, FileEntry]:
        """The indexed files by path. Raises: NotFoundError for an unknown repository or revision."""
        rows = self._rows(
            "SELECT path, hash, encoding, size, mtime_ns, derived FROM file WHERE snapshot = ? ORDER BY path",
            (self._snapshot(repository, revision),),
        )
        return {row[0]: FileEntry(*row) for row in rows}

    def texts_of(self, repository: str, revision: str) -> dict[str, bytes]:
        """By path the key of what the search index of a revision holds of a file's text. Raises: NotFoundError."""
        snapshot = self._snapshot(repository, revision)
        return dict(self._rows("SELECT path, derived FROM file_texts WHERE snapshot = ?", (snapshot,)))

    def content(self, repository: str, path: str, revision: str | None = None) -> tuple[bytes, str]:
        """The indexed bytes of a file and their codec. Raises: NotFoundError."""
        return self._content(self._snapshot(repository, revision), path, repository)

    def text(self, repository: str, path: str, revision: str | None = None) -> str:
        """The indexed text of a file, line breaks as they are; undecodable bytes are replaced. Raises: NotFoundError."""
        data, encoding = self.content(repository, path, revision)
        return data.decode(encoding, "replace")

    def pending_text(self, snapshot: int, path: str) -> str:
        """The text of a file that was put into a snapshot, whether or not that is sealed; as `text`. Raises: NotFoundError."""
        data, encoding = self._content(snapshot, path, f"snapshot {snapshot}")
        return data.decode(encoding, "replace")

    def texts(self, repository: str, revision: str | None = None) -> Iterator[tuple[str, str]]:
        """(path, text) of all indexed files in path order, one at a time. Raises: NotFoundError."""
        for path, entry in self.files(repository, revision).items():
            rows = self._rows("SELECT data FROM blob WHERE hash = ?", (entry.hash,))
            if rows:
                yield path, _checked(rows[0][0], entry.hash, path).decode(entry.encoding, "replace")

    def pending_artifact(self, snapshot: int, name: str) -> bytes | None:
        """As `artifact`, of a snapshot that may be pending."""
        rows = self._rows("SELECT data FROM artifact WHERE snapshot = ? AND name = ?", (snapshot, name))
        return rows[0][0] if rows else None

    def artifact(self, repository: str, name: str, revision: str | None = None) -> bytes | None:
        """What was kept under `name` for a revision; None when nothing was. Raises: NotFoundError."""
        snapshot = self._snapshot(repository, revision)
        rows = self._rows("SELECT data FROM artifact WHERE snapshot = ? AND name = ?", (snapshot, name))
        return rows[0][0] if rows else None

    def load_derived(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What was derived under these keys, as far as it is there."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            found.update(self._rows(f"SELECT key, data FROM derived WHERE key IN ({marks})", some))  # noqa: S608 - marks
        missing = [key for key in keys if key not in found]
        if missing and self._beside is not None:
            found.update(self._beside.load_derived(missing))
        return found

    def protected(self, repository: str) -> tuple[set[bytes], set[bytes]]:
        """(hashes, derived keys) that a snapshot of this repository holds on to, so that they need not be put again."""
        rows = self._rows(
            "SELECT file.hash, file.derived, file_texts.derived FROM file JOIN snapshot ON snapshot.id = file.snapshot "
            "LEFT JOIN file_texts USING (snapshot, path) WHERE repository = ?",
            (repository,),
        )
        return {row[0] for row in rows}, {key for row in rows for key in row[1:] if key is not None}

    # -- writing

    def begin(self, repository: str) -> int:
        """Start a pending snapshot.

        The newest one that an earlier run left pending stays until this one is published: it keeps texts and facts that
        need not be made again.
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
            connection.executemany("INSERT OR IGNORE INTO derived VALUES (?, ?)", derived.items())
            connection.executemany(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(snapshot, e.path, e.hash, e.encoding, e.size, e.mtime_ns, e.derived) for e in entries],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO file_texts VALUES (?, ?, ?)",
                [(snapshot, e.path, e.texts) for e in entries if e.texts is not None],
            )

    def put_artifact(self, snapshot: int, name: str, data: bytes) -> None:
        """Keep something beside the files of a snapshot."""
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO artifact VALUES (?, ?, ?)", (snapshot, name, data))

    def seal(self, snapshot: int, revision: str, inputs: str) -> None:
        """Give a pending snapshot its revision, so that it can be read by it."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE snapshot SET revision = ?, inputs = ? WHERE id = ?", (revision, inputs, snapshot)
            )

    def import_snapshot(self, other: Path, repository: str) -> int:
        """Copy the published snapshot of a repository from another store's file; it is pending and sealed here.

        Raises: NotFoundError when the other store has none; StoreFullError, StoreUnwritableError, StoreBusyError.
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
        """Make a sealed snapshot the current one and clear away what only the previous ones needed."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE snapshot SET published = 1 WHERE id = ?", (snapshot,))
            others = "id <> ? AND repository = (SELECT repository FROM snapshot WHERE id = ?)"
            drop(connection, others, (snapshot, snapshot))
        self._database.vacuum()

    def delete(self, repository: str) -> None:
        """Drop everything that is kept for a repository."""
        with self._database.transaction() as connection:
            drop(connection, "repository = ?", (repository,))
        self._database.vacuum()

    def drop_damaged(self, repository: str) -> list[str]:
        """Drop texts of a repository that are not what was stored, so that they are stored again; their paths, sorted.

        Its snapshots then count as made from other inputs, for the next indexing not to take them for current.
        """
        with self._database.using() as connection:
            rows = connection.execute(_TEXTS_OF, (repository,))
            damaged = {path: key for path, key, data in rows if data is None or not _is_whole(data, key)}
        if damaged:
            with self._database.transaction() as connection:
                keys = [(key,) for key in damaged.values()]
                connection.executemany("DELETE FROM blob WHERE hash = ?", keys)
                connection.executemany("DELETE FROM file WHERE hash = ?", keys)
                connection.execute(
                    "DELETE FROM file_texts WHERE (snapshot, path) NOT IN (SELECT snapshot, path FROM file)"
                )
                connection.execute("UPDATE snapshot SET inputs = '' WHERE repository = ?", (repository,))
        return sorted(damaged)

    # -- inside

    def _snapshot(self, repository: str, revision: str | None) -> int:
        condition = "published" if revision is None else "revision = ?"
        parameters = (repository,) if revision is None else (repository, revision)
        rows = self._rows(
            f"SELECT id FROM snapshot WHERE repository = ? AND {condition} ORDER BY id DESC LIMIT 1",  # noqa: S608 - constants
            parameters,
        )
        if not rows:
            at = f" at revision {revision}" if revision else ""
            raise NotFoundError(f"no indexed files of {repository!r}{at}", kind="repository", value=repository)
        return int(rows[0][0])

    def _content(self, snapshot: int, path: str, holder: str) -> tuple[bytes, str]:
        rows = self._rows(
            "SELECT blob.data, file.encoding, hash FROM file JOIN blob USING (hash) WHERE snapshot = ? AND path = ?",
            (snapshot, path),
        )
        if not rows:
            raise NotFoundError(f"{holder} holds no indexed file {path!r}", kind="file", value=path)
        return _checked(rows[0][0], rows[0][2], path), rows[0][1]

    def _rows(self, statement: str, parameters: Sequence[object] = ()) -> list[Any]:
        with self._database.using() as connection:
            return connection.execute(statement, parameters).fetchall()


def _checked(data: bytes, key: bytes, path: str) -> bytes:
    """The text of a blob. Raises: StoreCorruptError when it is not the one of that hash."""
    try:
        text = decompress(data)
    except StoreCorruptError as exc:
        raise StoreCorruptError(f"the stored text of {path} is damaged; index its repository again") from exc
    if hashlib.sha256(text).digest() != key:
        raise StoreCorruptError(f"the stored text of {path} is damaged; index its repository again")
    return text


def _is_whole(data: bytes, key: bytes) -> bool:
    try:
        return hashlib.sha256(decompress(data)).digest() == key
    except StoreCorruptError:
        return False
