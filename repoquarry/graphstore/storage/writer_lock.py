"""Writer lock of a data folder.

A POSIX record lock on `writer.lock`, because the operating system drops it the moment its process dies, however it dies, and
because forked workers do not inherit it. Record locks do not conflict inside one process, so a table in memory stands in
for them there. The file's content is only for the message; the lock is what counts.
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
    """Held from construction to `release()`. Raises: StoreBusyError when someone else holds it."""

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
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(holder).encode(), 0)

    def release(self) -> None:
        """Give the lock back; a second call does nothing."""
        with _held_guard:
            if self._key not in _held:
                return
            _held.discard(self._key)
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def _describe(path: Path) -> str:
    """Who holds the lock, as far as its file says."""
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        return f"process {holder['pid']} on {holder['host']} ({holder['command']}) since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
