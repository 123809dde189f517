"""SQLite files of a store: broken ones are rebuilt from their readable rows, and space is released."""

import os
from pathlib import Path

import numpy as np
import pytest

from repoquarry.graphstore.errors import StoreCorruptError, StoreFullError
from repoquarry.graphstore.storage.sqlite_database import DatabaseLayout, SqliteDatabase, is_disk_full

LAYOUT = DatabaseLayout(
    "CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);",
    {"note": ["id"]},
    "NORMAL",
    lambda connection: None,
)
ROWS = 2_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of some hundred pages."""
    path = tmp_path / "notes.db"
    database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=print)
    with database.transaction() as connection:
        connection.executemany("INSERT INTO note VALUES (?, ?)", [(n, f"{n} " * 100) for n in range(ROWS)])
    database.close()
    return path


def count(database: SqliteDatabase) -> int:
    with database.using() as connection:
        return int(connection.execute("SELECT count(DISTINCT text) FROM note").fetchone()[0])


def break_middle(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(os.urandom(4096 * 3))


def test_damage_is_reported_once_and_readable_rows_are_kept(path: Path) -> None:
    """A statement meets the damage while the file is open; it fails and reports it, the next ones are answered."""
    said: list[str] = []
    database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=said.append)
    break_middle(path)
    with pytest.raises(StoreCorruptError, match="retry the request"):
        count(database)
    kept = count(database)
    assert ROWS * 0.9 < kept < ROWS
    assert f"recovered {kept} of note" in said[0]
    assert "rows of note may be lost" in said[0]
    assert list(path.parent.glob("notes.db.damaged-*"))
    with database.transaction() as connection:
        connection.execute("INSERT INTO note VALUES (?, 'new')", (ROWS + 1,))
    database.close()


def test_read_only_database_reports_damage_and_changes_nothing(path: Path) -> None:
    break_middle(path)
    before = path.read_bytes()
    database = SqliteDatabase(path, LAYOUT, writable=False, on_repair=print)
    with pytest.raises(StoreCorruptError, match="the next process that opens the store for writing repairs it"):
        count(database)
    database.close()
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_set_aside(path: Path) -> None:
    path.write_bytes(b"not a database, whatever its name says" * 500)
    said: list[str] = []
    database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=said.append)
    assert count(database) == 0
    assert "may be lost" in said[0]
    database.close()


def test_a_full_disk_changes_nothing_and_is_named(path: Path) -> None:
    database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=print)
    with database.using() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFullError, match="no space is left"), database.transaction() as connection:
        connection.executemany("INSERT INTO note VALUES (?, ?)", [(ROWS + n, "x" * 4000) for n in range(50)])
    assert count(database) == ROWS
    database.close()


def test_space_of_deleted_rows_is_given_back(path: Path) -> None:
    before = path.stat().st_size
    database = SqliteDatabase(path, LAYOUT, writable=True, on_repair=print)
    with database.transaction() as connection:
        connection.execute("DELETE FROM note")
    database.vacuum()
    database.close()
    assert path.stat().st_size < before / 10


def test_short_write_of_an_array_is_a_full_disk() -> None:
    with open("/dev/full", "wb", buffering=0) as file, pytest.raises(OSError, match="requested and") as caught:
        np.zeros(100_000).tofile(file)
    assert is_disk_full(caught.value)
    assert not is_disk_full(PermissionError(13, "denied"))
