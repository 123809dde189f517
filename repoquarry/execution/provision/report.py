"""Data model of provisioning: request, progress steps, import checks, repairs and result."""

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
    """Repository to provision, and options."""

    tree: Path
    """Tree of the repository in the workspace; builds write into it."""
    workspace: Path
    """Folder that commands may write to."""
    date: datetime | None = None
    """Date of the commit."""
    tests: bool = False
    """True if the requirements of the repository's own tests are installed."""
    layer: str = ".venv"
    """Folder of the Python workspace layer."""
    language: str = ""
    """Language of the table in `provisioning_run.py`; empty lets the manifests decide."""


class ImportNeed(enum.IntEnum):
    """How much the repository depends on an import."""

    OPTIONAL = 0
    """The code works without the import, or only examples and unrequested tests import it."""
    BESIDE = 1
    """Only files import it that neither the packages nor the scripts at the root import."""
    NEEDED = 2
    """Importing the repository's packages, or running its scripts, fails without it."""


@dataclass(frozen=True)
class ImportCheck:
    """Result of importing one module."""

    module: str
    own: bool
    need: ImportNeed
    error: str = ""
    """Type and message of the exception; empty if the import succeeded."""
    trace: str = ""
    """End of the traceback."""
    where: str = ""
    """File that imports the module."""
    test: bool = False
    """True if the check is of a test file collected by pytest, not of a module."""

    def top_is(self, name: str) -> bool:
        """Return whether the module is `name` or inside of it."""
        return self.module.partition(".")[0] == name

    @property
    def needed(self) -> bool:
        return self.need is ImportNeed.NEEDED

    @property
    def works(self) -> bool:
        return not self.error


@dataclass(frozen=True)
class Repair:
    """Record of one change of the plan, and its cause."""

    kind: str
    """Stable code of the kind of repair; see docs/guides/environments.md."""
    change: str
    """Change in natural language."""
    reason: str
    """Reason in natural language."""
    evidence: str = ""
    """Line of the log that caused the repair."""


class ProvisioningState(enum.StrEnum):
    """Final state of a provisioning."""

    READY = "ready"
    """The repository's own packages and all needed modules can be imported."""
    PARTIAL = "partial"
    """There is an environment; `missing` lists needed imports that fail."""
    FAILED = "failed"
    """There is no environment; `missing` states why."""


@dataclass(frozen=True)
class ProvisioningStep:
    """Progress event of a provisioning."""

    stage: str
    """`read`, `resolve`, `install`, `project`, `check`, `repair` or `done`."""
    text: str
    repairs: tuple[Repair, ...] = ()
    """Repairs that the step attempts."""


@dataclass(frozen=True)
class ProvisioningResult:
    """Result of a provisioning."""

    state: ProvisioningState
    environment: CachedEnvironment | None
    layer: Path | None
    """Workspace layer on top of the shared environment; the repository is installed in it."""
    interpreter: str
    interpreter_reason: str
    date: str
    """Latest publication date of versions; empty if the newest were admitted."""
    lock: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    tried: tuple[ImportCheck, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    cached: bool = False
    """True if the environment came from the cache."""
    seconds: float = 0.0
    language: str = "python"
    commands: Environment | None = None
    """Environment of a task's commands; None if there is none."""

    @property
    def runtime(self) -> str:
        """Name and version of the interpreter."""
        return f"{'Node.js' if self.language == 'javascript' else 'Python'} {self.interpreter}"

    def as_json(self) -> Mapping[str, Any]:
        """Convert the result to plain values, without traces."""
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
    """Format one line for each needed import that fails."""
    lines = []
    for item in (item for item in tried if item.needed and not item.works):
        module = f"package {item.module} of the repository" if item.own else f"module {_imported(item)}"
        package = command_runner.package_of(command_runner.missing_library(item.error)[0])
        remedy = f" (install the system's package {package})" if package else ""
        lines.append(f"{module}: {item.error[:300]}{remedy}")
    return tuple(lines)


def list_optional_failures(tried: Sequence[ImportCheck]) -> tuple[str, ...]:
    """Format one line for each failing import that is not needed."""
    failing = (item for item in tried if item.need is ImportNeed.BESIDE and not item.works)
    return tuple(
        f"optional: {f'tests of {item.module} cannot be collected' if item.test else _imported(item)}: {item.error[:200]}"
        for item in failing
    )


def _imported(item: ImportCheck) -> str:
    return f"{item.module}, imported by {item.where}"
