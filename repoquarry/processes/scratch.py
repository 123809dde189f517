"""Scratch folders: temporary folders that go with their process, however it ends.

A scratch folder is locked while its process lives. The kernel lets go of the lock of a killed process, so that any later process
can tell an abandoned folder from one in use, also across containers that share a disk.
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
    """A new folder, until it is closed. As a context manager it gives the path."""

    def __init__(self, purpose: str, parent: Path | None = None) -> None:
        """Make it in `parent`, among the temporary files where there is none. Raises: OSError."""
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
        """Remove the folder, where it was not renamed; let go of the lock."""
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
    """Remove the scratch folders in `parent`, or among the temporary files, whose processes are gone."""
    for folder in (parent or Path(tempfile.gettempdir())).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = _lock(folder)
            if lock is not None:
                _remove(folder)
                os.close(lock)


def _lock(folder: Path) -> int | None:
    """The descriptor of the folder, locked; None where another process has it. Raises: OSError."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:  # a process that removes what is abandoned was quicker than the lock
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
    """Remove a folder, also one with folders that may not be written."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for place, _, _ in os.walk(folder):
            with suppress(OSError):
                os.chmod(place, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
