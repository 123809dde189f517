"""Runs one command under limits: time, memory, output, and nothing of it left running afterwards.

What this isolates is stated in docs/agent.md: the environment, the current folder, resources and the command's processes. It is
no sandbox: the command runs as the service's user, sees the network, and can read what that user can read.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from repoquarry.agent.settings import WorkspaceSettings

MARK: Final = "REPOQUARRY_COMMAND"
"""Environment variable that marks every process of a command, so that those which leave its group are found as well."""

_POLL_SECONDS = 0.1
_LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass(frozen=True)
class Outcome:
    """How a command ended. `stopped` says why it was stopped, empty when it ended by itself."""

    exit_code: int
    output: str
    seconds: float
    stopped: str = ""
    dropped_bytes: int = 0
    """Bytes of output from the middle that were not kept."""

    left_running: int = 0
    """Processes that outlived the command and were killed."""


class _Output:
    """Keeps the first and the last bytes of a stream; 0 keeps all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._head = bytearray()
        self._tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        half = self._limit // 2
        if not self._limit:
            self._head += data
            return
        room = half - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail += data[max(room, 0) :]
        if (over := len(self._tail) - half) > half:  # cut in large steps: cutting at every read would copy for ever
            del self._tail[:over]
            self.dropped += over

    def text(self) -> str:
        half = self._limit // 2
        if self._limit and (over := len(self._tail) - half) > 0:
            del self._tail[:over]
            self.dropped += over
        gap = f"\n[… {self.dropped} bytes of output left out]\n" if self.dropped else ""
        return self._head.decode("utf-8", "replace") + gap + self._tail.decode("utf-8", "replace")


def run_bounded(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    settings: WorkspaceSettings,
    *,
    seconds: float,
    cancelled: Callable[[], bool],
) -> Outcome:
    """Run a command to its end, its limit or its cancellation; afterwards none of its processes is alive."""
    mark = uuid.uuid4().hex
    cpu_seconds = int(seconds) + 1 if seconds else 0
    limits = (settings.memory_bytes, settings.file_bytes, settings.processes, cpu_seconds)
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(_LAUNCHER), *map(str, limits), *command],
        cwd=folder,
        env={**environment, MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    output = _Output(settings.output_bytes)
    try:
        stopped = _follow(process, output, started + seconds if seconds else None, cancelled)
    finally:
        survivors = _kill_all(process, mark)
    return Outcome(
        exit_code=process.wait(),
        output=output.text(),
        seconds=time.monotonic() - started,
        stopped=stopped,
        dropped_bytes=output.dropped,
        left_running=0 if stopped else survivors,
    )


def _follow(
    process: subprocess.Popen[bytes], output: _Output, deadline: float | None, cancelled: Callable[[], bool]
) -> str:
    """Collect output until the command ends. Returns why it has to be stopped, empty when it ended."""
    assert process.stdout is not None  # noqa: S101  opened with a pipe just above
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if cancelled():
                return "cancelled"
            if deadline is not None and time.monotonic() > deadline:
                return "over its time limit"
            ended = process.poll() is not None
            ready = selector.select(0 if ended else _POLL_SECONDS)
            data = os.read(process.stdout.fileno(), 65536) if ready else b""
            output.add(data)
            # a child left in the background may hold the pipe open: the end of the command is what counts
            if (ended and not data) or (ready and not data and _wait(process)):
                return ""


def _wait(process: subprocess.Popen[bytes]) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_POLL_SECONDS)
    return process.poll() is not None


def _kill_all(process: subprocess.Popen[bytes], mark: str) -> int:
    """Kill the command's group and whatever carries its mark. Returns how many besides the command itself were alive."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    killed: set[int] = set()
    for _ in range(20):  # a process may fork while the list is being read
        found = [other for other in _marked(mark) if other.pid != process.pid]
        if not found:
            break
        for other in found:
            with contextlib.suppress(psutil.Error):
                other.kill()
                killed.add(other.pid)
        psutil.wait_procs(found, timeout=_POLL_SECONDS)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
    return len(killed)


def _marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK) == mark:
                found.append(process)
    return found
