"""Control groups of version 2: one for each command, in which the kernel counts memory and processes of all its processes together.

Used where the operator names a folder that is delegated to the service (`agent.workspace.control_group`), beside what is watched: the
kernel holds the bounds at every moment, and to all that the command started. Version 2 and its files: the kernel's
Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from repoquarry.agent.isolation.confinement import Limits

_log = logging.getLogger(__name__)

_CONTROLLERS: Final = ("memory", "pids")
_ENTER: Final = 'echo 0 > "$0" && exec "$@"'
"""A process that writes 0 moves itself; what it becomes and starts is in the group from its first moment."""

_EMPTY_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.02


class ControlGroup:
    """The group of one running command."""

    def __init__(self, parent: Path, limits: Limits) -> None:
        """Make it. Raises: OSError."""
        self._limits = limits
        self._folder = parent / f"repoquarry-{uuid.uuid4().hex}"
        self._folder.mkdir()
        try:
            self._write("memory.max", str(limits.memory_bytes or "max"))
            self._write("pids.max", str(limits.processes or "max"))
            self._write("memory.oom.group", "1")  # all of a command goes, not one process of it
            with contextlib.suppress(OSError):  # kernels without swap have no such file
                self._write("memory.swap.max", "0")
        except OSError:
            self._remove()
            raise

    def entering(self, command: Sequence[str]) -> tuple[str, ...]:
        """The command line that enters the group and becomes the command."""
        return ("/bin/sh", "-c", _ENTER, str(self._folder / "cgroup.procs"), *command)

    def exceeded(self) -> str:
        """Which limit the kernel ended the command for, in words; empty for none."""
        try:
            events = (self._folder / "memory.events").read_text(encoding="ascii")
        except OSError:
            return ""
        counts = dict(line.split() for line in events.splitlines() if len(line.split()) == 2)
        killed = int(counts.get("oom_kill", "0")) > 0
        return f"over its memory limit of {self._limits.memory_bytes} bytes" if killed else ""

    def end(self) -> None:
        """Kill what is in the group, and remove it."""
        with contextlib.suppress(OSError):  # Linux 5.14; before, those that are found by their mark are killed
            self._write("cgroup.kill", "1")
        self._remove()

    def _remove(self) -> None:
        deadline = time.monotonic() + _EMPTY_SECONDS
        while True:
            try:
                remove_folder(self._folder)
            except FileNotFoundError:
                return
            except OSError as error:  # busy, until the last process is gone
                if time.monotonic() > deadline:
                    _log.warning("control_group_left folder=%s error=%s", self._folder, error.strerror)
                    return
                time.sleep(_LOOK_SECONDS)
            else:
                return

    def _write(self, name: str, text: str) -> None:
        with open(self._folder / name, "w", encoding="ascii") as file:
            file.write(text)


def remove_folder(folder: Path) -> None:
    """Remove a group that is empty; its files are the kernel's, and go with it. Raises: OSError."""
    os.rmdir(folder)


@contextlib.contextmanager
def control_group(parent: str, limits: Limits) -> Iterator[ControlGroup | None]:
    """A group below `parent` for one command, gone afterwards; None where no folder is named. Raises: OSError."""
    group = ControlGroup(Path(parent), limits) if parent else None
    try:
        yield group
    finally:
        if group is not None:
            group.end()


def unusable(parent: str) -> str:
    """Why groups cannot be made below a folder, in words; empty when they can."""
    folder = Path(parent)
    if not folder.is_absolute() or not folder.is_dir():
        return "it is no absolute path of a folder"
    try:
        offered = (folder / "cgroup.controllers").read_text(encoding="ascii").split()
        if lacking := [name for name in _CONTROLLERS if name not in offered]:
            return f"its cgroup.controllers lacks {' and '.join(lacking)}"
        with open(folder / "cgroup.subtree_control", "w", encoding="ascii") as file:
            file.write(" ".join(f"+{name}" for name in _CONTROLLERS))
        ControlGroup(folder, Limits()).end()
    except OSError as error:
        return (
            f"it is no control group of version 2 that is delegated to this user ({error.strerror}: {error.filename})"
        )
    return ""
