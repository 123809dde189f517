"""Scratch folders: temporary folders that are removed with their process, even after a crash.

A scratch folder is locked while its process lives. The kernel releases the lock of a killed process, so a later process can distinguish
abandoned folders from used ones, even across containers that share a disk.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_PREFIX = ".repoquarry-"


class ScratchFolder:
    """New folder that exists until it is closed. As a context manager it returns the path."""

    def __init__(self, purpose: str, parent: Path | None = None) -> None:
        """Create the folder in `parent`, by default in the temporary folder of the system. Raises: OSError."""
        remove_abandoned(parent)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-", dir=parent)).resolve()
            lock = _lock(self.path)
            if lock is not None and self.path.is_dir():
                self._lock = lock
                return
            if lock is not None:
                os.close(lock)

    def close(self) -> None:
        """Remove the folder unless it was renamed, and release the lock."""
        if self._lock >= 0:
            _remove(self.path)
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def remove_abandoned(parent: Path | None = None) -> None:
    """Remove the scratch folders in `parent`, by default in the temporary folder of the system, whose processes have exited."""
    for folder in (parent or Path(tempfile.gettempdir())).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = _lock(folder)
            if lock is not None:
                _remove(folder)
                os.close(lock)


def _lock(folder: Path) -> int | None:
    """Return a descriptor of the locked folder; None if another process holds the lock. Raises: OSError."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:  # Another process removed the abandoned folder first.
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        os.close(descriptor)
        if isinstance(exc, BlockingIOError):
            return None
        raise
    return descriptor


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for place, _, _ in os.walk(folder):
            with suppress(OSError):
                os.chmod(place, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
