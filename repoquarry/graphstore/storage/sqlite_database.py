"""SQLite files: connections, error translation, salvage of damaged files.

Salvage copies complete rows: each table is read from its start up to the damage, then from its end. The damaged file stays next to the
new one for inspection.

Damage is found when a file is opened or when a statement encounters it. A writer then moves the file aside and rebuilds it from the
readable rows; a reader gets a StoreCorruptError and continues with the readable data.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import (
    GraphStoreError,
    StoreBusyError,
    StoreCorruptError,
    StoreFullError,
    StoreUnwritableError,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_UNWRITABLE = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""A plain error counts: every statement is a constant, so only a damaged schema can make it invalid."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_REFUSED = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})


@contextmanager
def translate_write_errors(path: Path) -> Iterator[None]:
    """Translate operating system errors of writes to `path`. Raises: StoreFullError, StoreUnwritableError."""
    try:
        yield
    except OSError as exc:
        if is_disk_full(exc):
            raise disk_full_error(path) from exc
        if exc.errno in _UNWRITABLE:
            raise StoreUnwritableError(f"{path} cannot be written ({exc.strerror}); it can still be read") from exc
        raise


def make_folder(folder: Path) -> None:
    """Create a folder of the store unless it exists. Raises: StoreFullError, StoreUnwritableError."""
    with translate_write_errors(folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, FileNotFoundError, NotADirectoryError) as exc:
            raise StoreUnwritableError(f"{folder} cannot be the folder of a store ({exc.strerror})") from exc


def disk_full_error(path: Path) -> StoreFullError:
    return StoreFullError(f"no space is left on the disk of {path}; free disk space and retry; nothing was changed")


def is_disk_full(error: OSError) -> bool:
    """Return whether a write failed for lack of space; numpy reports a short write without a code."""
    return error.errno in _FULL or (error.errno is None and " requested and " in str(error))


def has_free_space(folder: Path) -> bool:
    """Return whether the file system of `folder` has a free block, for errors that do not report the cause."""
    found = os.statvfs(folder)
    return found.f_bavail > 0 and (found.f_favail > 0 or found.f_files == 0)


def is_writable(folder: Path) -> bool:
    """Return whether permissions and the file system allow new files in `folder`."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an SQLite error means that the file is damaged."""
    return _code(error) in _DAMAGED


def translate_sqlite_error(path: Path, error: sqlite3.Error) -> GraphStoreError:
    code = _code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not has_free_space(path.parent)):
        return disk_full_error(path)
    if code in _BUSY:
        return StoreBusyError(f"{path} is being written by another process ({error}); retry")
    if code in _REFUSED:
        return StoreUnwritableError(f"{path} cannot be opened or written ({error}); check its permissions and its disk")
    return StoreCorruptError(
        f"{path} is damaged ({error}); the next process that opens the store for writing repairs it"
    )


def _code(error: sqlite3.Error) -> int:
    """Return the primary result code; -1 for errors of Python's own module."""
    found = getattr(error, "sqlite_errorcode", None)
    return found & 0xFF if isinstance(found, int) else -1


_log = logging.getLogger(__name__)


def passes_integrity_check(path: Path, schema: str) -> bool:
    """Return whether SQLite finds a file intact, indexes included, and whether the file has the tables of `schema`."""
    if not path.exists():
        return True
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as connection:
            is_sound = connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
                fresh.executescript(schema)
                return bool(is_sound and _columns(fresh).items() <= _columns(connection).items())
    except sqlite3.DatabaseError as exc:
        if is_damage(exc):
            return False
        raise


def _columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the column names by table or index."""
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")]
    tables = {name: connection.execute(f"PRAGMA table_xinfo('{name}')").fetchall() for name in names}
    indexes = {name: connection.execute(f"PRAGMA index_info('{name}')").fetchall() for name in names}
    return {name: [str(row[1:4]) for row in (*tables[name], *indexes[name])] for name in names}


def repair(path: Path, layout: DatabaseLayout) -> str:
    """Replace a damaged file by a new one with all readable rows, and return a report on these. The caller holds a lock.

    Raises: sqlite3.Error, OSError if the new file cannot be written; the damaged one then stays in place.
    """
    fresh = path.with_name(f"{path.name}.repairing")
    for leftover in (fresh, *_companions(fresh)):
        leftover.unlink(missing_ok=True)
    kept: dict[str, int] = {}
    broken: list[str] = []
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        connection.executescript(layout.schema)
        connection.execute("BEGIN")
        for table, key in layout.key_by_table.items():
            kept[table], whole = _save(path, table, key, connection)
            if not whole:
                broken.append(table)
        connection.execute("COMMIT")
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
    for companion, other in zip((path, *_companions(path)), (aside, *_companions(aside)), strict=True):
        if companion.exists():
            os.replace(companion, other)
    os.replace(fresh, path)
    _log.warning("database_repaired path=%s kept=%s broken=%s aside=%s", path, kept, broken, aside)
    recovered = ", ".join(f"{count} of {table}" for table, count in kept.items())
    lost = f"rows of {', '.join(broken)} may be lost" if broken else "every row could be read"
    return f"was corrupt and has been rebuilt: recovered {recovered}; {lost}; the damaged file is {aside}"


def _save(path: Path, table: str, key: Sequence[str], target: sqlite3.Connection) -> tuple[int, bool]:
    """Copy the readable rows; return their number, and whether reading was complete."""
    before = target.total_changes
    whole = _copy(_rows(path, table, key, "ASC"), table, target)
    if not whole:
        _copy(_rows(path, table, key, "DESC"), table, target)
    return target.total_changes - before, whole


def _copy(rows: Iterator[tuple[object, ...]], table: str, target: sqlite3.Connection) -> bool:
    try:
        for row in rows:
            marks = ",".join("?" * len(row))
            with contextlib.suppress(sqlite3.IntegrityError):  # A row that violates constraints because of damage.
                target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608 - constants
    except sqlite3.DatabaseError as exc:
        if is_damage(exc) or "no such table" in str(exc):
            return False
        raise
    return True


def _rows(path: Path, table: str, key: Sequence[str], order: str) -> Iterator[tuple[object, ...]]:
    keys = ", ".join(f"{column} {order}" for column in key)
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
        source.text_factory = _decode_text
        cursor = source.execute(f"SELECT * FROM {table} ORDER BY {keys}")  # noqa: S608 - constants
        yield from cursor  # Row by row, so that rows before a damaged page are not lost with it.


def _decode_text(data: bytes) -> str:
    """Decode damaged text too: digests find the damage, while Python's own error would not identify the row."""
    return data.decode("utf-8", "replace")


def _companions(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


_WAIT_SECONDS = 30.0
_LOG_PAGES = 256
"""Pages of the log after which they are copied to the file: a full disk must have room for them."""
_RETURNED_PAGES = 10_000
"""Maximum number of pages that a transaction returns; they are in memory until its end."""
_WORTH_PAGES = 64
_WORTH_SHARE = 0.2
"""Minimum share of free pages in the file for a vacuum; fewer are reused soon."""


@dataclass(frozen=True)
class DatabaseLayout:
    """Schema and salvage rules of a file."""

    schema: str
    key_by_table: Mapping[str, Sequence[str]]
    """Columns of the keys of the tables that a repair salvages, in this order."""
    synchronous: str
    """SQLite's `synchronous`: FULL if commits must survive a power failure, otherwise NORMAL."""
    after_repair: Callable[[sqlite3.Connection], None]
    """Hook that restores consistency after a repair lost rows."""


class SqliteDatabase:
    """Open SQLite file; `on_repair` is called after a rebuild. Use `using` and `transaction`, never the connection itself."""

    def __init__(self, path: Path, layout: DatabaseLayout, *, writable: bool, on_repair: Callable[[str], None]) -> None:
        """Open the file, creating it if `writable` and missing.

        Raises: StoreCorruptError if opened for reading, StoreFullError, StoreUnwritableError, StoreBusyError.
        """
        self._path = path
        self._layout = layout
        self._writable = writable
        self._on_repair = on_repair
        self._lock = threading.RLock()
        try:
            self._connection = self._connect()
        except sqlite3.DatabaseError as exc:
            if not (writable and is_damage(exc)):
                raise translate_sqlite_error(path, exc) from exc
            self._repair()

    @classmethod
    def detached(cls, path: Path, layout: DatabaseLayout) -> SqliteDatabase:
        """Create an in-memory copy of a file that cannot be written; changes to it are lost with this process.

        Raises: StoreCorruptError, StoreUnwritableError.
        """
        found = cls(Path(":memory:"), layout, writable=True, on_repair=ignore_report)
        if path.exists():
            try:
                with contextlib.closing(_open_for_reading(path)) as source:
                    source.backup(found._connection)
                # The file may be empty: the disk was full when it was created.
                found._connection.executescript(layout.schema)
            except sqlite3.DatabaseError as exc:
                raise translate_sqlite_error(path, exc) from exc
        return found

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection for related read-only statements. Raises: GraphStoreError."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.DatabaseError as exc:
                self._met(exc)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection in a transaction that an exception rolls back. Raises: GraphStoreError."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):  # A full disk has already rolled it back.
                        self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.DatabaseError as exc:
                with contextlib.suppress(sqlite3.Error):
                    if self._connection.in_transaction:  # The commit itself failed.
                        self._connection.execute("ROLLBACK")
                self._met(exc)

    @contextmanager
    def shrinking_transaction(self) -> Iterator[sqlite3.Connection]:
        """Provide a `transaction` that returns free pages before they would be written, to the log or from there to the file."""
        with self.using() as spilling:
            spilling.execute("PRAGMA cache_spill = OFF")  # Has no effect within a transaction.
        try:
            with self.transaction() as connection:
                yield connection
                (free,) = connection.execute("PRAGMA freelist_count").fetchone()
                for _ in range(min(free, _RETURNED_PAGES)):
                    connection.execute("PRAGMA incremental_vacuum(1)")  # Python's module executes one step.
        finally:
            with self.using() as spilling:
                spilling.execute("PRAGMA cache_spill = ON")

    def vacuum(self) -> None:
        """Return the space of deleted rows to the file system, if there is enough of it and the disk has space for that."""
        with contextlib.suppress(StoreFullError), self.using() as connection:
            pages, free = (
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
            )
            if free >= _WORTH_PAGES and free >= pages * _WORTH_SHARE:
                self._truncate(connection)

    def truncate_log(self) -> None:
        """Return the space of free pages and of the log to the file system, as far as the disk has room for that."""
        with contextlib.suppress(StoreFullError), self.using() as connection:
            self._truncate(connection)

    @staticmethod
    def _truncate(connection: sqlite3.Connection) -> None:
        connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page and stop.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def repair_if_damaged(self) -> None:
        """Check the complete file, which is slow, and rebuild it if it is damaged. Raises: GraphStoreError."""
        with self._lock:
            self._connection.close()
            self._repair()

    def _met(self, error: sqlite3.DatabaseError) -> None:
        """Repair the file if the error means damage, and raise the error. Raises: GraphStoreError."""
        if not (self._writable and is_damage(error)):
            raise translate_sqlite_error(self._path, error) from error
        self._connection.close()
        said = self._repair()
        if said is None:
            raise translate_sqlite_error(self._path, error) from error
        raise StoreCorruptError(f"{self._path}: {said}; retry the request") from error

    def _connect(self) -> sqlite3.Connection:
        if not self._writable:
            connection = _open_for_reading(self._path)
            connection.text_factory = _decode_text
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return connection
        connection = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        connection.text_factory = _decode_text
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # For new files.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "PRAGMA secure_delete = FAST"
        )  # Zeros of freed pages would fill the log, on a full disk too.
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        connection.execute(f"PRAGMA synchronous = {self._layout.synchronous}")
        connection.executescript(self._layout.schema)
        return connection

    def _repair(self) -> str | None:
        """Rebuild the file unless it is intact; return a report on its rows, None if it is intact."""
        report: str | None = None
        with _repair_lock(self._path):
            if not passes_integrity_check(self._path, self._layout.schema):
                with translate_write_errors(self._path):
                    report = repair(self._path, self._layout)
            try:
                self._connection = self._connect()
                if report is not None:
                    self._layout.after_repair(self._connection)
            except sqlite3.DatabaseError as exc:
                raise translate_sqlite_error(self._path, exc) from exc
        if report is not None:
            self._on_repair(f"{self._path.name}: {report}")
        return report


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a read-only connection, in immutable mode if not even SQLite's auxiliary files can be created, because then nobody writes."""
    wal = path.with_name(f"{path.name}-wal")
    can_write = is_writable(path.parent) and has_free_space(path.parent)
    nobody_writes = not can_write and not (wal.exists() and wal.stat().st_size)
    mode = "mode=ro&immutable=1" if nobody_writes else "mode=ro"
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=_WAIT_SECONDS, isolation_level=None)


@contextmanager
def _repair_lock(path: Path) -> Iterator[None]:
    descriptor = os.open(path.with_name(f"{path.name}.repair-lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def ignore_report(said: str) -> None:
    """Ignore the report of a repair."""
