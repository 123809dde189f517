"""A folder among the temporary ones that goes with the process that made it: what a killed one left, the next one removes."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from pathlib import Path
from typing import IO

_LOCK = "lock"


class Scratch:
    """A new folder, held by a lock for as long as this process lives or until it is closed."""

    def __init__(self, prefix: str) -> None:
        _remove_abandoned(prefix)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=prefix))
            held = _held(self.path / _LOCK)
            if held is not None and self.path.is_dir():
                self._lock = held
                return

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def _remove_abandoned(prefix: str) -> None:
    """Remove the folders of processes that are gone; one without a lock is being made just now."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        lock = folder / _LOCK
        held = _held(lock) if lock.exists() else None
        if held is not None:
            shutil.rmtree(folder, ignore_errors=True)
            held.close()


def _held(lock: Path) -> IO[bytes] | None:
    """The file, locked; None where another process has it or it cannot be opened."""
    try:
        file = lock.open("ab")
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
