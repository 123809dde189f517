"""A broken SQLite file is set aside and made anew from what can still be read of it.

Whole rows are what is saved: each table is read from its front until it breaks, then from its back. The broken file stays
beside the new one, for whoever wants to look further.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.folder.disk import is_damage

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Table:
    """A table to be saved: its name, and the columns of its key."""

    name: str
    key: tuple[str, ...]


@dataclass(frozen=True)
class Repaired:
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
        return f"it was damaged and made anew: kept {kept}; {lost}; the damaged file is {self.aside}"


def is_sound(path: Path) -> bool:
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


def repair(path: Path, schema: str, tables: Sequence[Table]) -> Repaired:
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
    repaired = Repaired(aside, kept, tuple(broken))
    _log.warning("database_repaired path=%s kept=%s broken=%s aside=%s", path, kept, broken, aside)
    return repaired


def _save(path: Path, table: Table, target: sqlite3.Connection) -> tuple[int, bool]:
    """Copy the rows that can be read; how many, and whether nothing stood in the way."""
    before = target.total_changes
    whole = _copy(_rows(path, table, "ASC"), table, target)
    if not whole:
        _copy(_rows(path, table, "DESC"), table, target)
    return target.total_changes - before, whole


def _copy(rows: Iterator[tuple[object, ...]], table: Table, target: sqlite3.Connection) -> bool:
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


def _rows(path: Path, table: Table, order: str) -> Iterator[tuple[object, ...]]:
    keys = ", ".join(f"{column} {order}" for column in table.key)
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
        source.text_factory = lambda data: data.decode("utf-8", "replace")
        cursor = source.execute(f"SELECT * FROM {table.name} ORDER BY {keys}")  # noqa: S608 - constants
        yield from cursor  # row by row, so that those before a broken page are not lost with it


def _companions(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
