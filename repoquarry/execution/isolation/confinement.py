"""Launch specification and limits of a command; mounted environment; control groups.

Used where the operator names a folder that is delegated to the service (`agent.workspace.control_group`), beside what is watched: the
kernel holds the bounds at every moment, and to all that the command started. Version 2 and its files: the kernel's
Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from repoquarry.processes.programs import run_program


@dataclass(frozen=True)
class Environment:
    """What a command gets besides its workspace. All paths are absolute, without symbolic links, and the same inside."""

    root: Path
    """Folder of the environment."""

    readable: tuple[Path, ...] = ()
    """Further folders that it needs, such as that of its interpreter."""

    programs: tuple[Path, ...] = ()
    """Folders with its programs, first on PATH in this order."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, such as `VIRTUAL_ENV`."""


PACKAGES: Final = Path(__file__).resolve().parents[3]
"""Folder that holds the package `repoquarry`, from which the launching process imports."""

LAUNCH_FOLDER: Final = Path(__file__).resolve().with_name("launch")
_CLEAN_UP_SECONDS: Final = 30
PROXY_PORT: Final = 3128
"""Port of the command's own loopback at which it finds the proxy."""

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SYSTEM_FILES: Final = tuple(
    f"/etc/{name}"
    for name in (
        *("alternatives", "ca-certificates", "fonts", "group", "host.conf", "hosts", "ld.so.cache", "ld.so.conf"),
        *("ld.so.conf.d", "localtime", "magic", "mime.types", "nsswitch.conf", "os-release", "passwd", "pki"),
        *("alpine-release", "debian_version", "fedora-release", "lsb-release", "redhat-release", "system-release"),
        *("protocols", "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "xdg"),
    )
)
"""What programs read in /etc; the rest, keys and hashed passwords among it, is shown to no command."""


@dataclass(frozen=True)
class CommandLimits:
    """Bounds of one command; 0 means no limit."""

    memory_bytes: int = 0
    """Address space of each process, and resident memory of all of them."""

    file_bytes: int = 0
    """Size of one written file."""

    disk_bytes: int = 0
    """Size of the whole workspace."""

    processes: int = 0
    cpu_seconds: int = 0


@dataclass(frozen=True)
class Confinement:
    """What one command may see; nothing else."""

    workspace: Path
    """Absolute, without symbolic links; read and written, at the same path inside."""

    readable: tuple[Path, ...] = ()
    """Absolute; provisioned environments and the like, read-only, at the same path inside."""

    limits: CommandLimits = field(default_factory=CommandLimits)
    proxy: Path | None = None
    """Unix socket of the proxy that is the command's only network. None: no network."""

    report: int = -1
    """Descriptor that the launching process inherits and writes to how many processes the command left running; -1 for none."""

    writable: tuple[Path, ...] = ()
    """Absolute, and existing; read and written besides the workspace, at the same path inside. Their size is not watched."""

    @cached_property
    def visible(self) -> tuple[Path, ...]:
        """`readable` and the interpreter that environments are made with."""
        return tuple(dict.fromkeys((Path(sys.base_prefix).resolve(), *self.readable)))


@dataclass(frozen=True)
class LaunchSpec:
    """A process to start in place of the command."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    afterwards: tuple[str, ...] = ()
    """Command that ends what killing the process leaves running; empty when nothing is left."""

    def clean_up(self) -> None:
        """End what killing the process left running; what cannot be started or does not end in time is given up."""
        if self.afterwards:
            with contextlib.suppress(OSError):
                run_program(self.afterwards, environment=self.environment, seconds=_CLEAN_UP_SECONDS)


class Isolation(Protocol):
    """One variant. Stateless; `docs/agent.md` says what each holds."""

    name: str
    holds: bool
    """Whether it keeps commands from files, processes and network outside."""

    grants_network: bool
    """Whether it can lead a command to the proxy."""

    interpreter: str
    """Python inside, with which environments are made."""

    def unavailable(self) -> str:
        """Why it cannot be used here, in words; empty when it was tried and works."""

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        """The process that runs the command confined, in a folder of the workspace."""


def base_interpreter() -> str:
    """The interpreter outside any virtual environment, which all variants that show the host's system can run."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def launcher(confinement: Confinement, orders: Mapping[str, object], command: Sequence[str]) -> tuple[str, ...]:
    """Command line of the launching process, whose orders `launch/entry.py` describes."""
    start = (
        "import sys; sys.path.append(sys.argv.pop(1)); "
        "from repoquarry.execution.isolation.launch.entry import main; main(sys.argv[1:])"
    )
    text = json.dumps({"report": confinement.report, **orders})
    return (base_interpreter(), "-I", "-S", "-B", "-c", start, str(PACKAGES), text, *command)


def process_limits(limits: CommandLimits, *, processes: int) -> dict[str, int]:
    """Limits that the kernel keeps for each process, by the name that follows `RLIMIT_`."""
    return {
        "AS": limits.memory_bytes,
        "FSIZE": limits.file_bytes,
        "NPROC": processes,
        "CPU": limits.cpu_seconds,
    }


_log = logging.getLogger(__name__)

_CONTROLLERS: Final = ("memory", "pids")
_ENTER: Final = 'echo 0 > "$0" && exec "$@"'
"""A process that writes 0 moves itself; what it becomes and starts is in the group from its first moment."""

_EMPTY_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.02


class ControlGroup:
    """The group of one running command."""

    def __init__(self, parent: Path, limits: CommandLimits) -> None:
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
def control_group(parent: str, limits: CommandLimits) -> Iterator[ControlGroup | None]:
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
        ControlGroup(folder, CommandLimits()).end()
    except OSError as error:
        return (
            f"it is no control group of version 2 that is delegated to this user ({error.strerror}: {error.filename})"
        )
    return ""
