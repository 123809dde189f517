"""SQLite files: connections, error translation, salvage of damaged files.

Whole rows are what is saved: each table is read from its front until it breaks, then from its back. The broken file stays
beside the new one, for whoever wants to look further.

A broken file is found when it is opened or when a statement meets the damage. Whoever may write then sets it aside and makes it
anew from what can be read; whoever only reads gets an error that says so, and goes on with what it has.
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
from collections.abc import Callable, Iterator, Sequence
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
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_REFUSED = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})


@contextmanager
def translate_write_errors(path: Path) -> Iterator[None]:
    """Translate what the system says of `path` while it is written. Raises: StoreFullError, StoreUnwritableError."""
    try:
        yield
    except OSError as exc:
        problem = _problem(path, exc)
        if problem is None:
            raise
        raise problem from exc


def make_folder(folder: Path) -> None:
    """Make a folder of the store, unless it is there. Raises: StoreFullError, StoreUnwritableError."""
    with translate_write_errors(folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, FileNotFoundError, NotADirectoryError) as exc:
            raise StoreUnwritableError(f"{folder} cannot be the folder of a store ({exc.strerror})") from exc


def _problem(path: Path, error: OSError) -> GraphStoreError | None:
    if error.errno in _FULL:
        return disk_full_error(path)
    if error.errno in _UNWRITABLE:
        return StoreUnwritableError(f"{path} cannot be written ({error.strerror}); it can still be read")
    return None


def disk_full_error(path: Path) -> StoreFullError:
    """The error for a disk without room."""
    return StoreFullError(f"no space is left on the disk of {path}: make room and repeat; nothing was changed")


def has_free_space(folder: Path) -> bool:
    """Whether the file system of `folder` has a block left: for errors that do not say why a file could not be written."""
    found = os.statvfs(folder)
    return found.f_bavail > 0 and (found.f_favail > 0 or found.f_files == 0)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, as far as permissions and the file system say."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken."""
    return _code(error) in _DAMAGED


def translate_sqlite_error(path: Path, error: sqlite3.Error) -> GraphStoreError:
    """What an error of SQLite means for the store."""
    code = _code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not has_free_space(path.parent)):
        return disk_full_error(path)
    if code in _BUSY:
        return StoreBusyError(f"{path} is being written by another process ({error}); repeat")
    if code in _REFUSED:
        return StoreUnwritableError(f"{path} cannot be opened or written ({error}); check its permissions and its disk")
    return StoreCorruptError(
        f"{path} is damaged ({error}); the next process that opens the store for writing repairs it"
    )


def _code(error: sqlite3.Error) -> int:
    """The primary result code; -1 for errors that Python's own module raises."""
    found = getattr(error, "sqlite_errorcode", None)
    return found & 0xFF if isinstance(found, int) else -1


_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SalvageTable:
    """A table to be saved: its name, and the columns of its key."""

    name: str
    key: tuple[str, ...]


@dataclass(frozen=True)
class RepairReport:
    """What became of a broken file."""

    aside: Path
    """Where the broken file lies now."""
    kept: dict[str, int]
    """Rows that were saved, by table."""
    broken: tuple[str, ...]
    """Tables of which rows may be lost."""

    def __str__(self) -> str:
        kept = ", ".join(f"{count} of {table}" for table, count in self.kept.items())
        lost = f"rows of {', '.join(self.broken)} may be lost" if self.broken else "every row could be read"
        return f"was corrupt and has been rebuilt: recovered {kept}; {lost}; the damaged file is {self.aside}"


def passes_integrity_check(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with a file; reads all of it. A file that is not there is sound."""
    if not path.exists():
        return True
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as exc:
        if is_damage(exc):
            return False
        raise


def repair(path: Path, schema: str, tables: Sequence[SalvageTable]) -> RepairReport:
    """Replace a broken file by one of `schema` that holds what can be read. The caller holds a lock.

    Raises: sqlite3.Error, OSError when the new file cannot be written; the broken one is then where it was.
    """
    fresh = path.with_name(f"{path.name}.repairing")
    for leftover in (fresh, *_companions(fresh)):
        leftover.unlink(missing_ok=True)
    kept: dict[str, int] = {}
    broken: list[str] = []
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        connection.executescript(schema)
        connection.execute("BEGIN")
        for table in tables:
            kept[table.name], whole = _save(path, table, connection)
            if not whole:
                broken.append(table.name)
        connection.execute("COMMIT")
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
    for companion, other in zip((path, *_companions(path)), (aside, *_companions(aside)), strict=True):
        if companion.exists():
            os.replace(companion, other)
    os.replace(fresh, path)
    repaired = RepairReport(aside, kept, tuple(broken))
    _log.warning("database_repaired path=%s kept=%s broken=%s aside=%s", path, kept, broken, aside)
    return repaired


def _save(path: Path, table: SalvageTable, target: sqlite3.Connection) -> tuple[int, bool]:
    """Copy the rows that can be read; how many, and whether nothing stood in the way."""
    before = target.total_changes
    whole = _copy(_rows(path, table, "ASC"), table, target)
    if not whole:
        _copy(_rows(path, table, "DESC"), table, target)
    return target.total_changes - before, whole


def _copy(rows: Iterator[tuple[object, ...]], table: SalvageTable, target: sqlite3.Connection) -> bool:
    try:
        for row in rows:
            marks = ",".join("?" * len(row))
            with contextlib.suppress(sqlite3.IntegrityError):  # a row that damage made senseless
                target.execute(f"INSERT OR IGNORE INTO {table.name} VALUES ({marks})", row)  # noqa: S608 - constants
    except sqlite3.DatabaseError as exc:
        if is_damage(exc) or "no such table" in str(exc):
            return False
        raise
    return True


def _rows(path: Path, table: SalvageTable, order: str) -> Iterator[tuple[object, ...]]:
    keys = ", ".join(f"{column} {order}" for column in table.key)
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
        source.text_factory = lambda data: data.decode("utf-8", "replace")
        cursor = source.execute(f"SELECT * FROM {table.name} ORDER BY {keys}")  # noqa: S608 - constants
        yield from cursor  # row by row, so that those before a broken page are not lost with it


def _companions(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


_WAIT_SECONDS = 30.0
_WORTH_PAGES = 64
_WORTH_SHARE = 0.2
"""Free pages that are given back: at least so many, and so much of the file; fewer are used again soon."""
_INCREMENTAL = 2


@dataclass(frozen=True)
class DatabaseLayout:
    """What a file holds."""

    schema: str
    """Statements that make what is absent."""
    tables: Sequence[SalvageTable]
    """What a repair saves, in this order."""
    synchronous: str
    """SQLite's `synchronous`: FULL where a commit has to survive a power cut, else NORMAL."""
    after_repair: Callable[[sqlite3.Connection], None]
    """Mends in a repaired file what lost rows leave senseless."""


class SqliteDatabase:
    """An open file; `on_repair` is told when it was made anew. Use `using` and `transaction`, never the connection itself."""

    def __init__(self, path: Path, layout: DatabaseLayout, *, writable: bool, on_repair: Callable[[str], None]) -> None:
        """Open the file, making it when `writable` and absent.

        Raises: StoreCorruptError when only reading, StoreFullError, StoreUnwritableError, StoreBusyError.
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
        """A copy in memory of a file that cannot be written: what is changed in it ends with this process.

        Raises: StoreCorruptError, StoreUnwritableError.
        """
        found = cls(Path(":memory:"), layout, writable=True, on_repair=_nobody)
        if path.exists():
            try:
                with contextlib.closing(_open_for_reading(path)) as source:
                    source.backup(found._connection)
            except sqlite3.DatabaseError as exc:
                raise translate_sqlite_error(path, exc) from exc
        return found

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """The connection, for statements that belong together but change nothing. Raises: GraphStoreError."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.DatabaseError as exc:
                self._met(exc)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection in a transaction that an exception rolls back. Raises: GraphStoreError."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):  # a full disk has rolled it back already
                        self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.DatabaseError as exc:
                with contextlib.suppress(sqlite3.Error):
                    if self._connection.in_transaction:  # the commit itself failed
                        self._connection.execute("ROLLBACK")
                self._met(exc)

    def vacuum(self) -> None:
        """Give the space of deleted rows back to the file system, when it is much. Raises: GraphStoreError."""
        with self.using() as connection:
            pages, free, mode = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "auto_vacuum")
            )
            if free < _WORTH_PAGES or free < pages * _WORTH_SHARE:
                return
            if mode == _INCREMENTAL:
                connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page and stop
            else:  # a file from before it was made so: written anew once
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _met(self, error: sqlite3.DatabaseError) -> None:
        """Raises: GraphStoreError, after a repair where the file is broken."""
        if not (self._writable and is_damage(error)):
            raise translate_sqlite_error(self._path, error) from error
        self._connection.close()
        said = self._repair()
        raise StoreCorruptError(f"{self._path}: {said}; repeat the request") from error

    def _connect(self) -> sqlite3.Connection:
        if not self._writable:
            connection = _open_for_reading(self._path)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return connection
        connection = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file; see `shrink` for one that had none
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {self._layout.synchronous}")
        connection.executescript(self._layout.schema)
        return connection

    def _repair(self) -> str:
        """Make the file anew, unless another process did so meanwhile; says what became of it."""
        repaired: RepairReport | None = None
        with _repair_lock(self._path):
            if not passes_integrity_check(self._path):
                with translate_write_errors(self._path):
                    repaired = repair(self._path, self._layout.schema, self._layout.tables)
            try:
                self._connection = self._connect()
                if repaired is not None:
                    self._layout.after_repair(self._connection)
            except sqlite3.DatabaseError as exc:
                raise translate_sqlite_error(self._path, exc) from exc
        said = str(repaired) if repaired is not None else "it was damaged, and another process has repaired it"
        self._on_repair(f"{self._path.name}: {said}")
        return said


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing. Where not even SQLite's own files can be made, nobody writes, and it needs none."""
    wal = path.with_name(f"{path.name}-wal")
    nobody_writes = not is_writable(path.parent) and not (wal.exists() and wal.stat().st_size)
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


def _nobody(said: str) -> None:
    """A copy in memory is never repaired."""
