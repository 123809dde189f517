"""Processes and disks of a test: cost of processes, whether one has exited, and a disk of a few bytes."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import threading
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


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


class Peak:
    """Most memory that a process and all below it held at once, in bytes: the process alone, and all of them."""

    def __init__(self, process: int) -> None:
        self.own = self.all = 0
        self._process = psutil.Process(process)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(0.2):
            with contextlib.suppress(psutil.Error):
                own = self._process.memory_info().rss
                below = 0
                for child in self._process.children(recursive=True):
                    with contextlib.suppress(psutil.Error):
                        below += child.memory_info().rss
                self.own, self.all = max(self.own, own), max(self.all, own + below)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
