"""Runs one command isolated and under limits: time, memory, processes, disk, output, and nothing of it left running afterwards.

What each variant of isolation holds is stated in docs/agent.md.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psutil

from repoquarry.agent.isolation.confinement import Confinement, Isolation, Launch, Limits
from repoquarry.agent.isolation.usage import UsageWatch, descendants
from repoquarry.agent.settings import WorkspaceSettings

MARK: Final = "REPOQUARRY_COMMAND"
"""Environment variable that marks every process of a command, so that those which leave its group are found as well."""

_POLL_SECONDS = 0.1
_CLEANUP_SECONDS = 30
_KILL_ROUNDS = 200


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
    isolation: Isolation,
    confinement: Confinement,
) -> Outcome:
    """Run a command to its end, a limit or its cancellation; afterwards none of its processes is alive.

    The limits are those of the settings, whatever the confinement carries. Raises: OSError when it cannot be started.
    """
    mark = uuid.uuid4().hex
    limits = _limits(settings, seconds)
    reading, writing = os.pipe()
    started = time.monotonic()
    try:
        bounded = replace(confinement, limits=limits, report=writing)
        launch = isolation.launch(bounded, command, folder, {**environment, MARK: mark})
        process = _start(launch, folder, writing)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    output = _Output(settings.output_bytes)
    watch = UsageWatch(process.pid, confinement.workspace, limits)
    try:
        deadline = started + seconds if seconds else None
        stopped = _follow(process, output, deadline, lambda: "cancelled" if cancelled() else watch.exceeded())
    finally:
        survivors = _kill_all(process, mark, launch)
        survivors += _reported(reading)
    return Outcome(
        exit_code=process.wait(),
        output=output.text(),
        seconds=time.monotonic() - started,
        stopped=stopped,
        dropped_bytes=output.dropped,
        left_running=0 if stopped else survivors,
    )


def _limits(settings: WorkspaceSettings, seconds: float) -> Limits:
    return Limits(
        memory_bytes=settings.memory_bytes,
        file_bytes=settings.file_bytes,
        disk_bytes=settings.disk_bytes,
        processes=settings.processes,
        cpu_seconds=int(seconds) + 1 if seconds else 0,
    )


def _start(launch: Launch, folder: Path, report: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        launch.command,
        cwd=folder,
        env=dict(launch.environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[report],
        start_new_session=True,
    )


def _follow(
    process: subprocess.Popen[bytes], output: _Output, deadline: float | None, reason_to_stop: Callable[[], str]
) -> str:
    """Collect output until the command ends. Returns why it has to be stopped, empty when it ended."""
    assert process.stdout is not None  # noqa: S101  opened with a pipe just above
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if reason := reason_to_stop():
                return reason
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


def _kill_all(process: subprocess.Popen[bytes], mark: str, launch: Launch) -> int:
    """Kill all below the command and whatever carries its mark. Returns how many with the mark had escaped the rest."""
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None:
            process.send_signal(signal.SIGSTOP)  # stopped it still takes in the orphans, and does not end before them
    for _ in range(_KILL_ROUNDS):  # a process may fork while the list is being read
        below = [other for other in descendants(process.pid) if _alive(other)]
        if not below:
            break
        _kill(below)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    killed: set[int] = set()
    for _ in range(_KILL_ROUNDS):
        if not (found := _marked(mark)):
            break
        _kill(found)
        killed.update(other.pid for other in found)
    if process.stdout is not None:
        process.stdout.close()
    if launch.afterwards:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                launch.afterwards, env=dict(launch.environment), capture_output=True, timeout=_CLEANUP_SECONDS
            )
    return len(killed)


def _kill(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=_POLL_SECONDS)


def _alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def _reported(reading: int) -> int:
    """What the launching process said it had to kill; 0 when it was itself killed before it could say."""
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read(20)
    return int(text) if text.isdigit() else 0


def _marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK) == mark:
                found.append(process)
    return found
