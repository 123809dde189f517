"""Input and output of a repair."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportCheck, Repair
from repoquarry.languages.manifests.python_requirements import canonical


@dataclass(frozen=True)
class AttemptFailure:
    """What went wrong in one attempt."""

    stage: str
    """`resolve`, `install`, `project` or `check`."""
    log: str
    tried: ImportCheck | None = None
    """The import that failed, at the stage `check`."""

    def line(self, pattern: str) -> str:
        """First line of the log that fits; empty when none does."""
        return next((line.strip()[:300] for line in self.log.splitlines() if re.search(pattern, line)), "")


@dataclass(frozen=True)
class RepairContext:
    """What repairs may look at besides the failure."""

    interpreters: Sequence[Interpreter]
    """In the order of preference."""
    code: CodeImports
    installs: Callable[[str, Interpreter], bool]
    """Whether a requirement has a wheel for an interpreter, at the date of the plan."""
    resolves: Callable[[InstallPlan], bool]
    """Whether a plan has a solution."""
    locked: dict[str, str] = field(default_factory=dict)
    """Package -> version of the last resolution."""
    requires: Callable[[str, str], tuple[str, ...] | None] = lambda *_: None
    """What the wheel of a package's version requires, in the form of today; None without a wheel."""
    installs_newer: Callable[[str, Interpreter], bool] = lambda *_: False
    """Whether a requirement has a wheel for an interpreter, whatever its date."""
    holder: Callable[[str], str] = lambda _: ""
    """Package of the last installation that gives a top-level module; empty for none."""
    takes_archive: Callable[[str, SpecifierSet], str] = lambda *_: ""
    """Version of a package whose source archive could be fetched, at the date of the plan, by what is allowed; empty for none."""
    own_version: Callable[[], str] = lambda: ""
    """Version that the repository's files give it; empty where they say none."""


@dataclass(frozen=True)
class RepairProposal:
    """A changed plan, and the record of the change."""

    plan: InstallPlan
    repair: Repair


Proposer = Callable[[AttemptFailure, InstallPlan, RepairContext], Iterator[RepairProposal]]


def failed_build(log: str) -> tuple[str, str]:
    """Package and version of which a log says that it could not be built; empty when it says no such thing."""
    for pattern in (
        r"Failed to (?:download and )?build(?: source distribution)?:? `?([A-Za-z0-9][\w.-]*?)(?:==([\w.+!]+))?(?: @[^`]*)?`",
        r"Failed to prepare distributions\s+.*?`([A-Za-z0-9][\w.-]*?)==([\w.+!]+)`",
        r"`([A-Za-z0-9][\w.-]*?)(?:==| \(v?)([\w.+!]+)\)?` .*(?:build|metadata)",
    ):
        if match := re.search(pattern, log, re.DOTALL):
            return canonical(match[1]), match[2] or ""
    return "", ""
