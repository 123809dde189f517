"""Runner of one sandboxed command: watches time, memory, disk and processes, and stops the command at a limit.

The kernel limits memory and disk of each process alone, so the usage of all processes is watched.
docs/explanation/agent.md states what each isolation variant enforces.
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psutil

from repoquarry.execution.isolation.command_user import kill_user
from repoquarry.execution.isolation.confinement import (
    SYSTEM,
    CommandLimits,
    Confinement,
    ControlGroup,
    Isolation,
    LaunchSpec,
    control_group,
)
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.processes.programs import BoundedOutput, ProgramProcess, collect_output
from repoquarry.processes.termination import child_processes, descendants, kill_descendants, kill_groups, kill_marked
from repoquarry.processes.workers import READABLE, wait_until_ready

_PROCESS_SECONDS = 0.1
_DISK_SECONDS = 0.5
_NAMESPACE_SECONDS = 30.0
"""Time in which the kernel kills the processes of a namespace."""
_SHARE = 10
"""Ratio of the pause to the time of one measurement: measuring takes at most a tenth of the time."""


class UsageWatch:
    """Watch that compares the usage of one running command with its limits, as often as measuring is cheap."""

    def __init__(self, process: int, workspace: Path, limits: CommandLimits) -> None:
        self._process = process
        self._workspace = workspace
        self._limits = limits
        self._next_processes = 0.0
        self._next_disk = 0.0

    def exceeded(self) -> str:
        """Describe the exceeded limit; empty if there is none or the next measurement is not due."""
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
    """Measure the bytes on disk below a folder; links are not followed, hard links count once. Raises: OSError."""
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
    """Measure the bytes of deleted files that processes still hold open."""
    found: dict[tuple[int, int], int] = {}
    for process in running:
        with contextlib.suppress(OSError), os.scandir(f"/proc/{process.pid}/fd") as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    status = os.stat(entry.path)
                    if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                        found[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(found.values())


MARK: Final = "REPOQUARRY_COMMAND"
"""Environment variable that marks every process of a command, so that those which leave its group are found as well."""


@dataclass(frozen=True)
class CommandOutcome:
    """Outcome of a command. `stopped` states why it was stopped; empty if it exited by itself."""

    exit_code: int
    output: str
    seconds: float
    stopped: str = ""
    dropped_bytes: int = 0
    """Bytes of output that were dropped from the middle."""
    left_running: int = 0
    """Processes that outlived the command and were killed."""


def command_variables(names: Iterable[str], workspace: Path) -> dict[str, str]:
    """Return the named environment variables only, with a home folder in the workspace: commands must not see secrets."""
    home = workspace / ".home"
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    passed = {name: os.environ[name] for name in names if name in os.environ}
    # Shims of version managers need files that commands cannot see, and shadow later folders.
    folders = [part for part in passed.get("PATH", os.defpath).split(os.pathsep) if not part.endswith("/shims")]
    own = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**passed, **own, "PATH": os.pathsep.join(folders)}


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
) -> CommandOutcome:
    """Run a command until it exits, exceeds a limit or is cancelled; afterwards none of its processes is alive.

    The settings' limits replace those of the confinement. Raises: OSError if the command cannot be started.
    """
    limits = _limits(settings, seconds)
    if isolation.holds:
        environment = {**environment, "PATH": _visible_path(environment.get("PATH", os.defpath), confinement)}
    with control_group(settings.control_group, limits) as group:
        start = functools.partial(_start, isolation, command, folder, group)
        outcome = _follow(start, environment, settings, seconds, cancelled, replace(confinement, limits=limits))
        over = group.exceeded() if group else ""
    return replace(outcome, stopped=outcome.stopped or over)


def _visible_path(path: str, confinement: Confinement) -> str:
    """Return the folders of `path` that the command sees; programs in others are found by name where only reading is denied."""
    own = (confinement.workspace, *confinement.writable, *confinement.visible)
    seen = [folder.resolve() for folder in (*map(Path, SYSTEM), *own)]
    folders = [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    return os.pathsep.join(
        folder for folder in folders if any(Path(folder).resolve().is_relative_to(one) for one in seen)
    )


def _start(
    isolation: Isolation,
    command: Sequence[str],
    folder: Path,
    group: ControlGroup | None,
    confinement: Confinement,
    environment: Mapping[str, str],
) -> tuple[ProgramProcess, LaunchSpec]:
    """Start the command in its group. Raises: OSError."""
    launch = isolation.launch(confinement, command, folder, environment)
    line = group.entering(launch.command) if group else launch.command
    program = ProgramProcess(
        line, cwd=folder, environment=launch.environment, joined=True, descriptors=[confinement.report]
    )
    return program, launch


def _follow(
    start: Callable[[Confinement, Mapping[str, str]], tuple[ProgramProcess, LaunchSpec]],
    environment: Mapping[str, str],
    settings: WorkspaceSettings,
    seconds: float,
    cancelled: Callable[[], bool],
    confinement: Confinement,
) -> CommandOutcome:
    """Start a command, and wait for its end."""
    mark = uuid.uuid4().hex
    reading, writing = os.pipe()
    started = time.monotonic()
    try:
        program, launch = start(replace(confinement, report=writing), {**environment, MARK: mark})
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    output = BoundedOutput(settings.output_bytes)
    watch = UsageWatch(program.pid, confinement.workspace, confinement.limits)
    try:
        deadline = started + seconds if seconds else None
        stopped = collect_output(program, output, deadline, lambda: "cancelled" if cancelled() else watch.exceeded())
    finally:
        code, survivors = _end_all(program, mark, launch)
        survivors += _reported(reading)
    return CommandOutcome(
        exit_code=code,
        output=output.text(),
        seconds=time.monotonic() - started,
        stopped=stopped,
        dropped_bytes=output.dropped,
        left_running=0 if stopped else survivors,
    )


def _limits(settings: WorkspaceSettings, seconds: float) -> CommandLimits:
    cpu_seconds = int(seconds) + 1 if seconds else 0
    return CommandLimits(
        settings.memory_bytes, settings.file_bytes, settings.disk_bytes, settings.processes, cpu_seconds
    )


def _end_all(program: ProgramProcess, mark: str, launch: LaunchSpec) -> tuple[int, int]:
    """Kill the command's descendants and all marked processes. Returns the exit code, and the number of escaped processes."""
    if launch.has_own_processes:
        code = _end_namespace(program)
    else:
        program.suspend()
        kill_groups(program.pid)
        if launch.user:
            kill_user(launch.user)
        kill_descendants(program.pid)
        code = program.end()
    escaped = kill_marked(MARK, mark)
    launch.clean_up()
    return code, escaped


def _end_namespace(program: ProgramProcess) -> int:
    """Kill a process and the process namespace below it, and wait until the namespace is empty."""
    firsts = []
    for process in child_processes(program.pid):
        with contextlib.suppress(OSError):  # It has exited.
            firsts.append(os.pidfd_open(process))
    code = program.end()
    deadline = time.monotonic() + _NAMESPACE_SECONDS
    for first in firsts:
        wait_until_ready(first, READABLE, max(deadline - time.monotonic(), 0))
        os.close(first)
    return code


def _reported(reading: int) -> int:
    """Read the number of processes that the launch process killed; 0 if it was itself killed before reporting."""
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read(20).decode("ascii", "replace")
    return int(text) if text.isdecimal() else 0
