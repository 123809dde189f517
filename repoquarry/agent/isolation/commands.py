"""Runs one command isolated and under limits: time, memory, processes, disk, output, and nothing of it left running afterwards.

What each variant of isolation holds is stated in docs/agent.md.
"""

from __future__ import annotations

import functools
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from repoquarry.agent.isolation.confinement import Confinement, Isolation, Launch, Limits
from repoquarry.agent.isolation.groups import ControlGroup, control_group
from repoquarry.agent.isolation.usage import UsageWatch
from repoquarry.agent.settings import WorkspaceSettings
from repoquarry.processes.killing import kill_below, kill_marked
from repoquarry.processes.output import HeadAndTail, follow
from repoquarry.processes.program import Program

MARK: Final = "REPOQUARRY_COMMAND"
"""Environment variable that marks every process of a command, so that those which leave its group are found as well."""


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
    limits = _limits(settings, seconds)
    with control_group(settings.control_group, limits) as group:
        start = functools.partial(_start, isolation, command, folder, group)
        outcome = _follow(start, environment, settings, seconds, cancelled, replace(confinement, limits=limits))
        over = group.exceeded() if group else ""
    return replace(outcome, stopped=outcome.stopped or over)


def _start(
    isolation: Isolation,
    command: Sequence[str],
    folder: Path,
    group: ControlGroup | None,
    confinement: Confinement,
    environment: Mapping[str, str],
) -> tuple[Program, Launch]:
    """Start the command in its group. Raises: OSError."""
    launch = isolation.launch(confinement, command, folder, environment)
    line = group.entering(launch.command) if group else launch.command
    program = Program(line, cwd=folder, environment=launch.environment, joined=True, descriptors=[confinement.report])
    return program, launch


def _follow(
    start: Callable[[Confinement, Mapping[str, str]], tuple[Program, Launch]],
    environment: Mapping[str, str],
    settings: WorkspaceSettings,
    seconds: float,
    cancelled: Callable[[], bool],
    confinement: Confinement,
) -> Outcome:
    """Start a command and see to its end."""
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
    output = HeadAndTail(settings.output_bytes)
    watch = UsageWatch(program.pid, confinement.workspace, confinement.limits)
    try:
        deadline = started + seconds if seconds else None
        stopped = follow(program, output, deadline, lambda: "cancelled" if cancelled() else watch.exceeded())
    finally:
        code, survivors = _end_all(program, mark, launch)
        survivors += _reported(reading)
    return Outcome(
        exit_code=code,
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


def _end_all(program: Program, mark: str, launch: Launch) -> tuple[int, int]:
    """Kill all below the command and whatever carries its mark. Returns its exit code, and how many had escaped the rest."""
    program.suspend()
    kill_below(program.pid)
    code = program.end()
    escaped = kill_marked(MARK, mark)
    launch.clean_up()
    return code, escaped


def _reported(reading: int) -> int:
    """What the launching process said it had to kill; 0 when it was itself killed before it could say."""
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read(20)
    return int(text) if text.isdigit() else 0
