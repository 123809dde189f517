"""A full disk and a folder that cannot be written, named as what they are, whichever part of the store meets them."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
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
def writing(path: Path) -> Iterator[None]:
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
    with writing(folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, FileNotFoundError, NotADirectoryError) as exc:
            raise StoreUnwritableError(f"{folder} cannot be the folder of a store ({exc.strerror})") from exc


def _problem(path: Path, error: OSError) -> GraphStoreError | None:
    if error.errno in _FULL:
        return full(path)
    if error.errno in _UNWRITABLE:
        return StoreUnwritableError(f"{path} cannot be written ({error.strerror}); it can still be read")
    return None


def full(path: Path) -> StoreFullError:
    """The error for a disk without room."""
    return StoreFullError(f"no space is left on the disk of {path}: make room and repeat; nothing was changed")


def has_room(folder: Path) -> bool:
    """Whether the file system of `folder` has a block left: for errors that do not say why a file could not be written."""
    found = os.statvfs(folder)
    return found.f_bavail > 0 and (found.f_favail > 0 or found.f_files == 0)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, as far as permissions and the file system say."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file itself is broken."""
    return _code(error) in _DAMAGED


def sqlite_problem(path: Path, error: sqlite3.Error) -> GraphStoreError:
    """What an error of SQLite means for the store."""
    code = _code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not has_room(path.parent)):
        return full(path)
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
