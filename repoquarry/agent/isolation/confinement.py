"""What a command may see and use, and what an isolation variant makes of it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from repoquarry.processes.program import run_program

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
class Limits:
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

    limits: Limits = field(default_factory=Limits)
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
class Launch:
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
    ) -> Launch:
        """The process that runs the command confined, in a folder of the workspace."""


def base_interpreter() -> str:
    """The interpreter outside any virtual environment, which all variants that show the host's system can run."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def launcher(confinement: Confinement, orders: Mapping[str, object], command: Sequence[str]) -> tuple[str, ...]:
    """Command line of the launching process, whose orders `launch/entry.py` describes."""
    start = (
        "import sys; sys.path.append(sys.argv.pop(1)); "
        "from repoquarry.agent.isolation.launch.entry import main; main(sys.argv[1:])"
    )
    text = json.dumps({"report": confinement.report, **orders})
    return (base_interpreter(), "-I", "-S", "-B", "-c", start, str(PACKAGES), text, *command)


def process_limits(limits: Limits, *, processes: int) -> dict[str, int]:
    """Limits that the kernel keeps for each process, by the name that follows `RLIMIT_`."""
    return {
        "AS": limits.memory_bytes,
        "FSIZE": limits.file_bytes,
        "NPROC": processes,
        "CPU": limits.cpu_seconds,
    }
