"""Lock that admits one writer process to a data folder; also a reserve of disk space, so that deletion works on a full disk.

The lock is a POSIX record lock on `writer.lock`, because the operating system releases it when the process dies for any reason, and
because forked workers do not inherit it. Record locks do not conflict within one process, so a table of held
locks does that. The file names its holder for error messages only.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path

from repoquarry.graphstore.errors import StoreBusyError

FILE_NAME = "writer.lock"

_held: set[str] = set()
_held_guard = threading.Lock()


class WriterLock:
    """Lock held from construction to `release()`. Raises: StoreBusyError if another owner holds it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._key = os.path.realpath(self._path)
        with _held_guard:
            if self._key in _held:
                raise StoreBusyError(f"{folder} is already open for writing in this process (pid {os.getpid()})")
            _held.add(self._key)
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                self._acquire(folder)
            except BaseException:
                os.close(self._descriptor)
                raise
        except BaseException:
            with _held_guard:
                _held.discard(self._key)
            raise

    def _acquire(self, folder: Path) -> None:
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            raise StoreBusyError(f"{folder} is being written by {_describe(self._path)}") from exc
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": " ".join(sys.argv)[:500],
            "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        with contextlib.suppress(OSError):  # A full disk must not prevent a deletion.
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps(holder).encode(), 0)

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        with _held_guard:
            if self._key not in _held:
                return
            _held.discard(self._key)
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def _describe(path: Path) -> str:
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        text = f"process {holder['pid']} on {holder['host']} ({holder['command']}) since {holder['since']}"
        words = str(holder["command"]).split()
        if "serve" not in words[1:2]:
            return f"{text}; wait until it ends"
        listen = words[words.index("--listen") + 1] if "--listen" in words[:-1] else "ADDRESS"
        return f"{text}; send the command to it with --server {listen}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


_RESERVE = "reserve"
_RESERVE_BYTES = 1 << 20
"""Disk space for the deletion of a repository: shared memory and log of two databases, the directory of repositories, the catalog."""
_RESERVE_SHARE = 16
"""The reserve of a small disk is this part of its free space."""
_MIN_RESERVE_BYTES = 1 << 16


def keep_reserve(folder: Path) -> None:
    """Reserve disk space in a data folder while there is plenty."""
    reserve = folder / _RESERVE
    with contextlib.suppress(OSError):  # The reserve is optional.
        size = min(_RESERVE_BYTES, _free_bytes(folder) // _RESERVE_SHARE)
        if not reserve.exists() and size >= _MIN_RESERVE_BYTES:
            with reserve.open("xb") as file:
                os.posix_fallocate(file.fileno(), 0, size)


def release_reserve(folder: Path, *, is_full: bool = False) -> None:
    """Free the reserve when the disk is full, or was when a write failed; the next writer with plenty of space allocates it again."""
    if is_full or _free_bytes(folder) < _RESERVE_BYTES:
        with contextlib.suppress(OSError):
            (folder / _RESERVE).unlink()


def _free_bytes(folder: Path) -> int:
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize
