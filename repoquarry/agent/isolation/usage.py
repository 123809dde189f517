"""What a command uses at present, against its limits: processes, memory and disk of all its processes together.

The kernel's limits hold each process alone, and the number of processes does not hold root at all; hence somebody has to look.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from repoquarry.agent.isolation.confinement import Limits
from repoquarry.processes.killing import descendants

_PROCESS_SECONDS = 0.1
_DISK_SECONDS = 0.5
_SHARE = 10
"""Looking may take a tenth of the time."""


class UsageWatch:
    """Compares one running command with its limits, as often as looking is cheap."""

    def __init__(self, process: int, workspace: Path, limits: Limits) -> None:
        self._process = process
        self._workspace = workspace
        self._limits = limits
        self._next_processes = 0.0
        self._next_disk = 0.0

    def exceeded(self) -> str:
        """Which limit is passed, in words; empty when none is or it is not yet time to look."""
        started = time.monotonic()
        if started >= self._next_processes:
            if found := self._over_processes(descendants(self._process)):
                return found
            spent = time.monotonic() - started
            self._next_processes = time.monotonic() + max(_PROCESS_SECONDS, spent * _SHARE)
        if self._limits.disk_bytes and started >= self._next_disk:
            begun = time.monotonic()
            try:
                used = folder_bytes(self._workspace) + _deleted_bytes(descendants(self._process))
            except OSError as error:
                return f"over its disk limit: a folder cannot be measured ({error.strerror})"
            if used > self._limits.disk_bytes:
                return f"over its disk limit of {self._limits.disk_bytes} bytes"
            self._next_disk = time.monotonic() + max(_DISK_SECONDS, (time.monotonic() - begun) * _SHARE)
        return ""

    def _over_processes(self, running: list[psutil.Process]) -> str:
        if self._limits.processes and len(running) > self._limits.processes:
            return f"over its limit of {self._limits.processes} processes"
        resident = 0
        for process in running:
            with contextlib.suppress(psutil.Error):
                resident += process.memory_info().rss
        if resident > self._limits.memory_bytes > 0:
            return f"over its memory limit of {self._limits.memory_bytes} bytes"
        return ""


def folder_bytes(folder: Path) -> int:
    """Bytes on disk below a folder; links are not followed, hard links counted once. Raises: OSError when it cannot be listed."""
    total = 0
    linked: set[tuple[int, int]] = set()
    waiting = [os.fspath(folder)]
    while waiting:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(entry.path)
                    if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
                        key = (status.st_dev, status.st_ino)
                        if key in linked:
                            continue
                        linked.add(key)
                    total += status.st_blocks * 512
    return total


def _deleted_bytes(running: Iterable[psutil.Process]) -> int:
    """Bytes of deleted files that processes still hold open, which no folder shows."""
    found: dict[tuple[int, int], int] = {}
    for process in running:
        with contextlib.suppress(OSError), os.scandir(f"/proc/{process.pid}/fd") as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    status = os.stat(entry.path)
                    if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                        found[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(found.values())
