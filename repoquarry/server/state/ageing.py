"""How ended work ages, and is forgotten in the end: by time that was seen to pass, not by a clock that may jump."""

from __future__ import annotations

import sqlite3

_LONGEST_STEP = 86_400_000_000
"""Microseconds by which ended work ages at most while nobody testifies to the time: a day."""


def let_age(connection: sqlite3.Connection, now: int, counted: int) -> int:
    """Let ended work age; microseconds that were seen to pass since the first look."""
    seen, passed = connection.execute("SELECT seen, passed FROM clock").fetchone() or (now, 0)
    passed += min(max(now - seen, 0), counted or _LONGEST_STEP)
    connection.execute("INSERT OR REPLACE INTO clock VALUES (1, ?, ?)", (now, passed))
    connection.execute("INSERT OR IGNORE INTO aging SELECT id, ? FROM work WHERE ended IS NOT NULL", (passed,))
    return int(passed)


def forget_aged(connection: sqlite3.Connection, since: int) -> int:
    """Delete work that ended before `since`, counted as `let_age` does, with all that is kept of it; how much there was."""
    ids = connection.execute("SELECT work FROM aging WHERE since <= ?", (since,)).fetchall()
    connection.executemany("DELETE FROM events WHERE work = ?", ids)
    connection.executemany("DELETE FROM checkpoints WHERE work = ?", ids)
    connection.executemany("DELETE FROM outcomes WHERE work = ?", ids)
    connection.executemany("DELETE FROM aging WHERE work = ?", ids)
    connection.executemany("DELETE FROM work WHERE id = ?", ids)
    return len(ids)
