"""Interface of sandbox variants: visible paths and limits of a command, its launch command line, and its control group.

Control groups are used if a folder is delegated to the service (`agent.workspace.control_group`), in addition to watching: the kernel
enforces the limits at every moment, for all processes of the command. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
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
    """Environment mounted for a command. All paths are absolute, without symbolic links, and the same inside."""

    root: Path
    """Folder of the environment."""
    readable: tuple[Path, ...] = ()
    """Further required folders, such as that of the interpreter."""
    programs: tuple[Path, ...] = ()
    """Folders of programs, first on PATH in this order."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, such as `VIRTUAL_ENV`."""


PACKAGES: Final = Path(__file__).resolve().parents[3]
"""Folder that holds the package `repoquarry`, from which the launching process imports."""
LAUNCH_FOLDER: Final = Path(__file__).resolve().with_name("launch")
_CLEAN_UP_SECONDS: Final = 30
PROXY_PORT: Final = 3128
"""Port of the proxy on the loopback of the command."""
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
"""Files of /etc that programs read; no command sees the rest, such as keys and hashed passwords."""


@dataclass(frozen=True)
class CommandLimits:
    """Bounds of one command; 0 means no limit."""

    memory_bytes: int = 0
    """Private memory that each process may write, and resident memory of all of them."""
    file_bytes: int = 0
    """Size of one written file."""
    disk_bytes: int = 0
    """Size of the whole workspace."""
    processes: int = 0
    cpu_seconds: int = 0


@dataclass(frozen=True)
class Confinement:
    """Confinement of one command: all that it may see."""

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
    """Process that is started in place of the command."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    afterwards: tuple[str, ...] = ()
    """Command that terminates what survives the process; empty if nothing does."""
    has_own_processes: bool = False
    """True if the kernel kills all processes of the command with the first process of their namespace."""
    user: int = 0
    """User of the command alone; 0 if the command has the user of the service."""

    def clean_up(self) -> None:
        """Terminate what survived the process, within a time limit; failures are ignored."""
        if self.afterwards:
            with contextlib.suppress(OSError):
                run_program(self.afterwards, environment=self.environment, seconds=_CLEAN_UP_SECONDS)


class Isolation(Protocol):
    """Isolation variant. Stateless; docs/explanation/agent.md states what each variant enforces."""

    name: str
    holds: bool
    """True if commands are kept from external files, processes and networks."""
    grants_network: bool
    """True if a command can reach the proxy."""
    interpreter: str
    """Path of Python inside, which creates environments."""

    def unavailable(self) -> str:
        """Try the variant. Returns why it cannot be used here; empty if it works."""

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        """Build the process that runs the command confined, in a folder of the workspace."""


def base_interpreter() -> str:
    """Return the interpreter outside any virtual environment, which all variants but containers can run."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def launcher(confinement: Confinement, orders: Mapping[str, object], command: Sequence[str]) -> tuple[str, ...]:
    """Build the command line of the launch process; `launch/entry.py` describes its orders."""
    start = (
        "import sys; sys.path.append(sys.argv.pop(1)); "
        "from repoquarry.execution.isolation.launch.entry import main; main(sys.argv[1:])"
    )
    text = json.dumps({"report": confinement.report, **orders})
    return (base_interpreter(), "-I", "-S", "-B", "-c", start, str(PACKAGES), text, *command)


def process_limits(limits: CommandLimits, *, processes: int) -> dict[str, int]:
    """Return the kernel's limits of each process by the name after `RLIMIT_`."""
    # Not `AS`: WebAssembly and the JVM reserve address space of many times what they use.
    return {"DATA": limits.memory_bytes, "FSIZE": limits.file_bytes, "NPROC": processes, "CPU": limits.cpu_seconds}


_log = logging.getLogger(__name__)

_CONTROLLERS: Final = ("memory", "pids")
_ENTER: Final = 'echo 0 > "$0" && exec "$@"'
"""Script that moves its process into the group by writing 0, before it becomes the command."""
_EMPTY_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.02


class ControlGroup:
    """Control group of one running command."""

    def __init__(self, parent: Path, limits: CommandLimits) -> None:
        """Create the group. Raises: OSError."""
        self._limits = limits
        self._folder = parent / f"repoquarry-{uuid.uuid4().hex}"
        self._folder.mkdir()
        try:
            self._write("memory.max", str(limits.memory_bytes or "max"))
            self._write("pids.max", str(limits.processes or "max"))
            self._write("memory.oom.group", "1")  # Kill all processes of a command, not only one.
            with contextlib.suppress(OSError):  # Kernels without swap lack this file.
                self._write("memory.swap.max", "0")
        except OSError:
            self._remove()
            raise

    def entering(self, command: Sequence[str]) -> tuple[str, ...]:
        """Build the command line that enters the group and becomes the command."""
        return ("/bin/sh", "-c", _ENTER, str(self._folder / "cgroup.procs"), *command)

    def exceeded(self) -> str:
        """Describe the limit for which the kernel killed the command; empty if there is none."""
        try:
            events = (self._folder / "memory.events").read_text(encoding="ascii")
        except OSError:
            return ""
        counts = dict(line.split() for line in events.splitlines() if len(line.split()) == 2)
        killed = int(counts.get("oom_kill", "0")) > 0
        return f"over its memory limit of {self._limits.memory_bytes} bytes" if killed else ""

    def end(self) -> None:
        """Kill all processes of the group, and remove the group."""
        with contextlib.suppress(OSError):  # Older than Linux 5.14: marked processes are killed.
            self._write("cgroup.kill", "1")
        self._remove()

    def _remove(self) -> None:
        deadline = time.monotonic() + _EMPTY_SECONDS
        while True:
            try:
                remove_folder(self._folder)
            except FileNotFoundError:
                return
            except OSError as error:  # The group is busy until its last process exited.
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
    """Remove an empty group; the kernel removes its files. Raises: OSError."""
    os.rmdir(folder)


@contextlib.contextmanager
def control_group(parent: str, limits: CommandLimits) -> Iterator[ControlGroup | None]:
    """Create a group below `parent` while the block runs; None without a folder. Raises: OSError."""
    group = ControlGroup(Path(parent), limits) if parent else None
    try:
        yield group
    finally:
        if group is not None:
            group.end()


def unusable(parent: str) -> str:
    """Describe why groups cannot be created below a folder; empty if they can."""
    folder = Path(parent)
    if not folder.is_absolute() or not folder.is_dir():
        return "not an absolute path of a folder"
    try:
        offered = (folder / "cgroup.controllers").read_text(encoding="ascii").split()
        if lacking := [name for name in _CONTROLLERS if name not in offered]:
            return f"its cgroup.controllers lacks {' and '.join(lacking)}"
        with open(folder / "cgroup.subtree_control", "w", encoding="ascii") as file:
            file.write(" ".join(f"+{name}" for name in _CONTROLLERS))
        ControlGroup(folder, CommandLimits()).end()
    except OSError as error:
        return f"not a control group of version 2 that is delegated to this user ({error.strerror}: {error.filename})"
    return ""
