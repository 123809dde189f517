"""Request, steps and result of a provisioning."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from repoquarry.execution.isolation.confinement import Environment
from repoquarry.execution.provision import command_runner
from repoquarry.execution.provision.environment_cache import CachedEnvironment


@dataclass(frozen=True)
class ProvisioningRequest:
    """What is to be provisioned."""

    tree: Path
    """The repository's files, in the workspace; its builds write in it."""
    workspace: Path
    """Folder that the commands may write in."""
    date: datetime | None = None
    """Date of the commit."""
    tests: bool = False
    """Whether what the repository's own tests need is installed too."""
    layer: str = ".venv"
    """Folder of the workspace's own environment of Python."""
    language: str = ""
    """One of the table in `registry.py`; empty lets the manifests decide."""


class ImportNeed(enum.IntEnum):
    """How much the repository depends on an import."""

    OPTIONAL = 0
    """The code goes on without it, or only tests that nobody asked for and examples import it."""
    BESIDE = 1
    """A file imports it that neither the packages nor the scripts at the root reach by their own imports."""
    NEEDED = 2
    """Importing the repository's packages, or running its scripts, fails without it."""


@dataclass(frozen=True)
class ImportCheck:
    """One module, and what came of importing it."""

    module: str
    own: bool
    need: ImportNeed
    error: str = ""
    """Kind and message of the exception; empty when the import succeeded."""
    trace: str = ""
    """End of the traceback."""
    where: str = ""
    """File that imports it."""
    test: bool = False
    """Whether it is a file of tests, which pytest collects, in place of a module."""

    def top_is(self, name: str) -> bool:
        """Whether the module is `name` or lies in it."""
        return self.module.partition(".")[0] == name

    @property
    def needed(self) -> bool:
        return self.need is ImportNeed.NEEDED

    @property
    def works(self) -> bool:
        return not self.error


@dataclass(frozen=True)
class Repair:
    """One change of the plan, with what made it necessary."""

    kind: str
    """Stable word: the name of the repair in `repairs/`."""
    change: str
    """What was changed, in words."""
    reason: str
    """Why, in words."""
    evidence: str = ""
    """Line of the log that asked for it."""


class ProvisioningState(enum.StrEnum):
    """How far a provisioning came."""

    READY = "ready"
    """The repository's own packages and all that its code needs can be imported."""
    PARTIAL = "partial"
    """There is an environment; something that the code imports is missing, which `missing` names."""
    FAILED = "failed"
    """There is no environment; `missing` says why."""


@dataclass(frozen=True)
class ProvisioningStep:
    """One step of a provisioning, as it happens."""

    stage: str
    """`read`, `resolve`, `install`, `project`, `check`, `repair` or `done`."""
    text: str
    repairs: tuple[Repair, ...] = ()
    """Those that the step tries."""


@dataclass(frozen=True)
class ProvisioningResult:
    """Result of a provisioning."""

    state: ProvisioningState
    environment: CachedEnvironment | None
    layer: Path | None
    """The workspace's own environment on top of the shared one; the repository is installed in it."""
    interpreter: str
    interpreter_reason: str
    date: str
    """Versions published later were not taken; empty when the newest were."""
    lock: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    tried: tuple[ImportCheck, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    cached: bool = False
    """Whether the environment was made before."""
    seconds: float = 0.0
    language: str = "python"
    commands: Environment | None = None
    """What a task's commands get of it; None when there is none."""

    @property
    def runtime(self) -> str:
        """The interpreter in words."""
        return f"{'Node.js' if self.language == 'javascript' else 'Python'} {self.interpreter}"

    def as_json(self) -> Mapping[str, Any]:
        """All of it but the traces, with plain values."""
        return {
            "state": str(self.state),
            "language": self.language,
            "environment": str(self.environment.path) if self.environment else "",
            "layer": str(self.layer or ""),
            "interpreter": self.interpreter,
            "interpreter_reason": self.interpreter_reason,
            "date": self.date,
            "manifests": list(self.manifests),
            "packages": list(self.lock),
            "repairs": [asdict(repair) for repair in self.repairs],
            "imports": [
                {"module": item.module, "own": item.own, "needed": item.needed, "error": item.error}
                for item in self.tried
            ],
            "missing": list(self.missing),
            "notes": list(self.notes),
            "cached": self.cached,
            "seconds": round(self.seconds, 2),
        }


def missing_lines(tried: Sequence[ImportCheck]) -> tuple[str, ...]:
    """What is missing, exactly: one line for each needed import that fails."""
    lines = []
    for item in tried:
        if item.needed and not item.works:
            what = (
                f"package {item.module} of the repository"
                if item.own
                else f"module {item.module}, imported by {item.where}"
            )
            lines.append(f"{what}: {item.error[:300]}{_remedy(item)}")
    return tuple(lines)


def list_optional_failures(tried: Sequence[ImportCheck]) -> tuple[str, ...]:
    """What fails beside the repository's packages and scripts: one line each."""
    failing = (item for item in tried if item.need is ImportNeed.BESIDE and not item.works)
    return tuple(f"beside: {_beside(item)}: {item.error[:200]}" for item in failing)


def _beside(item: ImportCheck) -> str:
    return f"tests of {item.module} cannot be collected" if item.test else f"{item.module}, imported by {item.where}"


def _remedy(item: ImportCheck) -> str:
    package = command_runner.package_of(command_runner.missing_library(item.error)[0])
    return f" (install the system's package {package})" if package else ""
