"""What a test asks of the machine: whether a process has exited, and a disk of a few bytes."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest


def is_gone(process: int) -> bool:
    """Return whether it has ended; a signal takes effect a moment after it was sent, and nobody may wait for the child of another."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            if psutil.Process(process).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


@contextmanager
def mounted_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own size at a folder, where the machine lets a test mount one."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True)
    if made.returncode != 0:
        pytest.skip("needs the right to mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
