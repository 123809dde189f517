"""`InstallPlan`, and the table of known packages."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib import resources
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportCheck, Repair
from repoquarry.languages.manifests.python_requirements import CORE, TESTS, StatedRequirement, canonical


@dataclass(frozen=True)
class KnownBreak:
    """An error that a newer version of a package brought, and the constraint that avoids it."""

    pattern: re.Pattern[str]
    constraint: str
    reason: str


@functools.cache
def _tables() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("known.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def package_of(module: str) -> str:
    """Package that gives a module: the longest dotted name that is known, else the module's top-level name."""
    known: Mapping[str, str] = _tables()["modules"]
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if found := known.get(".".join(parts[:length])):
            return found
    return canonical(parts[0])


def name_of(module: str) -> str:
    """Name alone of the package that gives a module, in its canonical form: without the versions that a table may bound it to."""
    return named_by(package_of(module))


def named_by(requirement: str) -> str:
    """Canonical name of the package in `name`, `name<2` or `name==1.0`."""
    return canonical(re.split(r"[<>=!]", requirement)[0])


def is_known(module: str) -> bool:
    """Whether a table says which package gives the module."""
    return module.partition(".")[0] in _tables()["modules"] or module in _tables()["modules"]


def processor_only(package: str) -> str:
    """Package without an accelerator's libraries in place of one with them; empty when the package needs none."""
    return str(_tables()["accelerated"].get(canonical(package), ""))


def is_accelerator(package: str) -> bool:
    """Whether a package holds nothing but an accelerator's libraries."""
    table = _tables()["accelerator"]
    name = canonical(package)
    return name in table["names"] or any(name.startswith(prefix) for prefix in table["prefixes"])


def first_split_version(package: str) -> str:
    """First version whose wheel no longer carries all its libraries; empty when the package is not known for that."""
    return str(_tables()["whole"].get(canonical(package), {}).get("below", ""))


def whole_before(package: str) -> str:
    """Day on which that version was published, `YYYY-MM-DD`; empty when the package is not known for it."""
    return str(_tables()["whole"].get(canonical(package), {}).get("published", ""))


def companions(package: str) -> tuple[str, ...]:
    """Packages whose every version is built on one exact version of a package."""
    return tuple(_tables()["companions"].get(canonical(package), ()))


def carriers(package: str) -> tuple[str, ...]:
    """Return common packages that require a package."""
    return tuple(_tables()["carriers"].get(canonical(package), ()))


def never_installed(package: str) -> str:
    """Why a package is left out wherever it is required; empty for all others."""
    return str(_tables()["left_out"].get(canonical(package), ""))


def replacement(package: str) -> str:
    """Package that took the place of one that can no longer be installed; empty when none is known."""
    return str(_tables()["replaced"].get(canonical(package), ""))


def plugin_of_option(option: str) -> str:
    """Package of the plugin of pytest that knows an option; empty when no table says which. `--name=value` and `-n4` are read as given."""
    known: Mapping[str, str] = _tables()["test_options"]
    name = option.partition("=")[0]
    return known.get(name) or (known.get(name[:2], "") if not name.startswith("--") else "")


def plugin_of_mark(mark: str) -> str:
    """Package of the plugin of pytest that registers a mark; empty when no table says which."""
    return str(_tables()["test_marks"].get(mark, ""))


@functools.cache
def breaks() -> tuple[KnownBreak, ...]:
    """Known breaks, the most specific first."""
    return tuple(KnownBreak(re.compile(row["error"]), row["constraint"], row["reason"]) for row in _tables()["breaks"])


def removed_modules() -> Mapping[str, str]:
    """Module of the standard library -> first version of Python without it."""
    found: Mapping[str, str] = _tables()["removed"]
    return found


@dataclass(frozen=True)
class InstallPlan:
    """Input of one resolution and installation."""

    interpreter: Interpreter
    wanted: tuple[StatedRequirement, ...]
    date: datetime | None = None
    """Versions that were published later are not taken. None: the newest."""
    undated: frozenset[str] = frozenset()
    """Packages that are taken whatever their date."""
    constraints: tuple[str, ...] = ()
    held: frozenset[str] = frozenset()
    """Packages whose constraints no repair may give up: builds for processors."""
    bound: bool = False
    """Whether no repair may take another interpreter: those builds are for this one."""
    locked: tuple[tuple[str, str], ...] = ()
    """Package and version from a lock file, kept to as long as they can be."""
    overrides: tuple[str, ...] = ()
    """Requirements that hold whatever other packages require."""
    excluded: frozenset[str] = frozenset()
    """Packages that are installed for nobody."""
    build_constraints: tuple[str, ...] = ()
    build_alongside: tuple[tuple[str, str], ...] = ()
    """Package that is built, and a requirement that its build needs and does not state."""
    stated: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """Package, version and what it requires: in place of metadata that the installer cannot parse."""
    archives: tuple[tuple[str, str], ...] = ()
    """Package and version whose source archive was fetched, as its name is no longer accepted."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of builds."""
    without_files: tuple[str, ...] = ()
    """Files that are taken out of what was installed, relative to the folder of the environment."""
    project: str = "editable"
    """How the repository itself is made importable: `editable`, `copied`, or `linked` by a path alone."""

    @property
    def before(self) -> datetime | None:
        """Versions are taken that were published before this: the end of the plan's day. None: the newest."""
        return self.date + timedelta(days=1) if self.date else None

    def without(self, name: str) -> InstallPlan:
        """The plan that does not ask for a package."""
        return replace(self, wanted=tuple(item for item in self.wanted if item.name != canonical(name)))

    def asking(self, text: str, origin: str, group: str = CORE) -> InstallPlan:
        """The plan that asks for one more requirement, in place of what it asked of that package."""
        added = StatedRequirement(text, origin, group)
        return replace(self.without(added.name), wanted=(*self.without(added.name).wanted, added))

    def asks_for(self, name: str) -> bool:
        return any(item.name == canonical(name) for item in self.wanted)

    def constrained(self, *constraints: str) -> InstallPlan:
        return replace(self, constraints=tuple(dict.fromkeys((*self.constraints, *constraints))))

    def undating(self, *names: str) -> InstallPlan:
        """Return the plan that admits versions of packages from after its date."""
        return replace(self, undated=self.undated | {canonical(name) for name in names})


def relax(item: StatedRequirement) -> StatedRequirement:
    """A pin as a lower bound, and a lower bound as any version."""
    requirement = Requirement(item.text)
    pins = [part for part in requirement.specifier if part.operator in ("==", "===", "~=")]
    bounds = [f">={part.version.rstrip('.*')}" for part in pins]
    return replace(item, text=_restated(requirement, ",".join(bounds)))


def unbounded(item: StatedRequirement) -> StatedRequirement:
    """The package of a requirement, in any version."""
    return replace(item, text=_restated(Requirement(item.text), ""))


def is_pinned(item: StatedRequirement) -> bool:
    return any(part.operator in ("==", "===", "~=") for part in Requirement(item.text).specifier)


def is_bounded(item: StatedRequirement) -> bool:
    requirement = Requirement(item.text)
    return bool(requirement.specifier) or requirement.url is not None


def applies(item: StatedRequirement, interpreter: Interpreter) -> bool:
    """Whether the marker of a requirement holds for an interpreter on Linux."""
    marker = Requirement(item.text).marker
    if marker is None:
        return True
    version = ".".join(map(str, interpreter.minor))
    return bool(marker.evaluate({"python_version": version, "python_full_version": str(interpreter), "extra": ""}))


def merge_requirements(wanted: Iterable[StatedRequirement]) -> tuple[StatedRequirement, ...]:
    """One requirement each of what is stated more than once: the most definite, and of those for tests only what nothing else needs."""
    chosen: dict[tuple[str, str], StatedRequirement] = {}
    for item in wanted:
        key = (item.name, str(Requirement(item.text).marker or ""))
        before = chosen.get(key)
        if (
            before is None
            or (before.group == TESTS and item.group == CORE)
            or (_definite(item) > _definite(before) and item.group == before.group)
        ):
            chosen[key] = item
    return tuple(chosen.values())


def _definite(item: StatedRequirement) -> int:
    return 2 if is_pinned(item) else 1 if is_bounded(item) else 0


def _restated(requirement: Requirement, specifier: str) -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    marker = f"; {requirement.marker}" if requirement.marker else ""
    return f"{requirement.name}{extras}{specifier}{marker}"


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


def propose_newer(
    plan: InstallPlan, name: str, reason: str, evidence: str, *, kind: str = "date", note: str = ""
) -> Iterator[RepairProposal]:
    """Propose versions of a package from after the date of the plan, unless the plan admits them already."""
    if plan.date and canonical(name) not in plan.undated:
        repair = Repair(kind, f"{name} may be newer than the commit{note}", reason, evidence)
        yield RepairProposal(plan.undating(name), repair)


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
