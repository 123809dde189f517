"""A SQLite file of the store: one connection for several threads, errors in the store's words, and repair when it is broken.

A broken file is found when it is opened or when a statement meets the damage. Whoever may write then sets it aside and makes it
anew from what can be read; whoever only reads gets an error that says so, and goes on with what it has.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.folder.disk import is_damage, is_writable, sqlite_problem, writing
from repoquarry.graphstore.folder.repair import Repaired, Table, is_sound, repair

_WAIT_SECONDS = 30.0
_WORTH_PAGES = 64
_WORTH_SHARE = 0.2
"""Free pages that are given back: at least so many, and so much of the file; fewer are used again soon."""
_INCREMENTAL = 2


@dataclass(frozen=True)
class Layout:
    """What a file holds."""

    schema: str
    """Statements that make what is absent."""
    tables: Sequence[Table]
    """What a repair saves, in this order."""
    synchronous: str
    """SQLite's `synchronous`: FULL where a commit has to survive a power cut, else NORMAL."""
    after_repair: Callable[[sqlite3.Connection], None]
    """Mends in a repaired file what lost rows leave senseless."""


class Database:
    """An open file; `on_repair` is told when it was made anew. Use `using` and `transaction`, never the connection itself."""

    def __init__(self, path: Path, layout: Layout, *, writable: bool, on_repair: Callable[[str], None]) -> None:
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
                raise sqlite_problem(path, exc) from exc
            self._repair()

    @classmethod
    def detached(cls, path: Path, layout: Layout) -> Database:
        """A copy in memory of a file that cannot be written: what is changed in it ends with this process.

        Raises: StoreCorruptError, StoreUnwritableError.
        """
        found = cls(Path(":memory:"), layout, writable=True, on_repair=_nobody)
        if path.exists():
            try:
                with contextlib.closing(_open_for_reading(path)) as source:
                    source.backup(found._connection)
            except sqlite3.DatabaseError as exc:
                raise sqlite_problem(path, exc) from exc
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

    def shrink(self) -> None:
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
            raise sqlite_problem(self._path, error) from error
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
        repaired: Repaired | None = None
        with _repair_lock(self._path):
            if not is_sound(self._path):
                with writing(self._path):
                    repaired = repair(self._path, self._layout.schema, self._layout.tables)
            try:
                self._connection = self._connect()
                if repaired is not None:
                    self._layout.after_repair(self._connection)
            except sqlite3.DatabaseError as exc:
                raise sqlite_problem(self._path, exc) from exc
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
