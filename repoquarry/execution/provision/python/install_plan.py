"""`InstallPlan` (requirements, interpreter, date) and changes of it by repairs; table of known packages, replacements and breaks."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib import resources

import msgspec
from packaging.requirements import Requirement

from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportCheck, Repair
from repoquarry.languages.manifests.python_requirements import CORE, StatedRequirement, canonical


@dataclass(frozen=True)
class KnownBreak:
    """Error caused by newer versions of a package, and the constraint that avoids it."""

    error: re.Pattern[str]
    constraint: str
    reason: str


class SplitRelease(msgspec.Struct, frozen=True):
    """First release of a package whose wheel lacks bundled libraries."""

    below: str = ""
    """Its version; empty if unknown."""
    published: str = ""
    """Its publication date, `YYYY-MM-DD`; empty if unknown."""


class KnownPackages(msgspec.Struct, frozen=True):
    """Table of known packages; keys are canonical names unless a field says otherwise."""

    modules: Mapping[str, str]
    """Package of a module, by dotted name."""
    accelerated: Mapping[str, str]
    """CPU-only replacement of a package."""
    accelerator: Mapping[str, tuple[str, ...]]
    """Names, and prefixes of names, of packages that contain accelerator libraries only."""
    left_out: Mapping[str, str]
    """Why a package is never installed."""
    replaced: Mapping[str, str]
    """Replacement of a package that can no longer be installed."""
    test_options: Mapping[str, str]
    """Plugin of pytest by option."""
    test_marks: Mapping[str, str]
    """Plugin of pytest by mark."""
    whole: Mapping[str, SplitRelease]
    companions: Mapping[str, tuple[str, ...]]
    """Packages whose versions each require one exact version of the package."""
    carriers: Mapping[str, tuple[str, ...]]
    """Common packages that require the package."""
    removed: Mapping[str, str]
    """First Python version without a module of the standard library."""
    breaks: tuple[KnownBreak, ...]
    """Most specific first."""

    def split_release(self, package: str) -> SplitRelease:
        return self.whole.get(package, SplitRelease())


@functools.cache
def load_known() -> KnownPackages:
    text = resources.files(__package__).joinpath("known.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), KnownPackages, dec_hook=lambda _, pattern: re.compile(pattern))


def package_of(module: str) -> str:
    """Return the package of a module: by the longest known dotted name, otherwise its top-level name."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if found := load_known().modules.get(".".join(parts[:length])):
            return found
    return canonical(parts[0])


def is_known(module: str) -> bool:
    """Return whether the table knows the package of a module."""
    return not {module, module.partition(".")[0]}.isdisjoint(load_known().modules)


def name_of(module: str) -> str:
    """Return the canonical name of a module's package, without the version bounds of the table."""
    return named_by(package_of(module))


def named_by(requirement: str) -> str:
    """Return the canonical name in `name`, `name<2` or `name==1.0`."""
    return canonical(re.split(r"[<>=!]", requirement)[0])


def is_accelerator(package: str) -> bool:
    """Return whether a package contains accelerator libraries only."""
    name, table = canonical(package), load_known().accelerator
    return name in table["names"] or name.startswith(table["prefixes"])


def plugin_of_option(option: str) -> str:
    """Return the pytest plugin of an option, in the form `--name=value` or `-n4` too; empty if unknown."""
    plugins, name = load_known().test_options, option.partition("=")[0]
    return plugins.get(name) or (plugins.get(name[:2], "") if not name.startswith("--") else "")


@dataclass(frozen=True)
class InstallPlan:
    """Input of one resolution and installation."""

    interpreter: Interpreter
    wanted: tuple[StatedRequirement, ...]
    date: datetime | None = None
    """Latest publication date of versions; None admits the newest."""
    undated: frozenset[str] = frozenset()
    """Packages whose versions are not limited by the date."""
    constraints: tuple[str, ...] = ()
    fixed_packages: frozenset[str] = frozenset()
    """Packages whose constraints no repair may drop: CPU builds."""
    bound: bool = False
    """True if the interpreter is fixed, because CPU builds are for it."""
    locked: tuple[tuple[str, str], ...] = ()
    """Package and version from a lock file, used as long as they can be resolved."""
    overrides: tuple[str, ...] = ()
    """Requirements that override those of other packages."""
    excluded: frozenset[str] = frozenset()
    """Packages that are never installed."""
    build_constraints: tuple[str, ...] = ()
    build_alongside: tuple[tuple[str, str], ...] = ()
    """Package, and an undeclared requirement of its build."""
    stated: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """Package, version and its requirements, replacing metadata that the installer cannot parse."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of builds."""
    without_files: tuple[str, ...] = ()
    """Installed files to remove, relative to the folder of the environment."""
    project: str = "editable"
    """Installation of the repository itself: `editable`, `copied`, or `linked` by a path alone."""

    @property
    def before(self) -> datetime | None:
        """End of the plan's date, before which versions must be published; None admits the newest."""
        return self.date + timedelta(days=1) if self.date else None

    def without(self, name: str) -> InstallPlan:
        """Return the plan without the requirements of a package."""
        return replace(self, wanted=tuple(item for item in self.wanted if item.name != canonical(name)))

    def asking(self, text: str, origin: str, group: str = CORE) -> InstallPlan:
        """Return the plan with a requirement, which replaces those of the same package."""
        added = StatedRequirement(text, origin, group)
        return replace(self.without(added.name), wanted=(*self.without(added.name).wanted, added))

    def exchange(self, old: StatedRequirement, new: StatedRequirement) -> InstallPlan:
        """Return the plan with one requirement in place of another."""
        return replace(self, wanted=tuple(new if item == old else item for item in self.wanted))

    def exclude(self, name: str) -> InstallPlan:
        """Return the plan without a package, which no other package may bring in either."""
        return replace(self.without(name), excluded=self.excluded | {name})

    def asks_for(self, name: str) -> bool:
        return any(item.name == canonical(name) for item in self.wanted)

    def constrained(self, *constraints: str) -> InstallPlan:
        return replace(self, constraints=tuple(dict.fromkeys((*self.constraints, *constraints))))

    def admit_newer(self, *names: str) -> InstallPlan:
        """Return the plan that admits versions of packages from after its date."""
        return replace(self, undated=self.undated | {canonical(name) for name in names})


_PINS = ("==", "===", "~=")


def relax(item: StatedRequirement) -> StatedRequirement:
    """Relax a pin to a lower bound, and a lower bound to any version."""
    requirement = Requirement(item.text)
    pins = (part for part in requirement.specifier if part.operator in _PINS)
    bounds = [f">={part.version.rstrip('.*')}" for part in pins]
    return replace(item, text=_restated(requirement, ",".join(bounds)))


def unbounded(item: StatedRequirement) -> StatedRequirement:
    """Relax a requirement to any version of its package."""
    return replace(item, text=_restated(Requirement(item.text), ""))


def is_pinned(item: StatedRequirement) -> bool:
    return any(part.operator in _PINS for part in Requirement(item.text).specifier)


def is_bounded(item: StatedRequirement) -> bool:
    requirement = Requirement(item.text)
    return bool(requirement.specifier) or requirement.url is not None


def applies(item: StatedRequirement, interpreter: Interpreter) -> bool:
    """Return whether the marker of a requirement holds for an interpreter on Linux."""
    marker = Requirement(item.text).marker
    if marker is None:
        return True
    version = ".".join(map(str, interpreter.minor))
    return bool(marker.evaluate({"python_version": version, "python_full_version": str(interpreter), "extra": ""}))


def merge_requirements(wanted: Iterable[StatedRequirement]) -> tuple[StatedRequirement, ...]:
    """Merge requirements of equal packages: the most specific wins, and core requirements win over those of tests."""
    chosen: dict[tuple[str, str], StatedRequirement] = {}
    for item in wanted:
        key = (item.name, str(Requirement(item.text).marker or ""))
        before = chosen.get(key)
        if before is None or _rank(item) > _rank(before):
            chosen[key] = item
    return tuple(chosen.values())


def _rank(item: StatedRequirement) -> tuple[bool, bool, bool]:
    return item.group == CORE, is_pinned(item), is_bounded(item)


def _restated(requirement: Requirement, specifier: str) -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    marker = f"; {requirement.marker}" if requirement.marker else ""
    return f"{requirement.name}{extras}{specifier}{marker}"


@dataclass(frozen=True)
class AttemptFailure:
    """Failure of one attempt."""

    stage: str
    """`resolve`, `install`, `project` or `check`."""
    log: str
    tried: ImportCheck | None = None
    """Failed import at the stage `check`."""

    def line(self, pattern: str) -> str:
        """Find the first line of the log that matches; empty if none does."""
        return next((line.strip()[:300] for line in self.log.splitlines() if re.search(pattern, line)), "")


@dataclass(frozen=True)
class RepairContext:
    """Context of repairs besides the failure."""

    interpreters: Sequence[Interpreter]
    """Interpreters in order of preference."""
    code: CodeImports
    installs: Callable[[str, Interpreter], bool]
    """True if wheels satisfy a requirement on an interpreter, at the date of the plan."""
    resolves: Callable[[InstallPlan], bool]
    """True if a plan can be resolved."""
    locked: dict[str, str] = field(default_factory=dict)
    """Package -> version of the last resolution."""
    requires: Callable[[str, str], tuple[str, ...] | None] = lambda *_: None
    """Requirements of a version's wheel in current notation; None without a wheel."""
    installs_newer: Callable[[str, Interpreter], bool] = lambda *_: False
    """True if wheels of any date satisfy a requirement on an interpreter."""
    holder: Callable[[str], str] = lambda _: ""
    """Find the installed package that provides a top-level module; empty if there is none."""
    own_version: Callable[[], str] = lambda: ""
    """Version in the repository's files; empty if there is none."""


@dataclass(frozen=True)
class RepairProposal:
    """Changed plan, and the record of the change."""

    plan: InstallPlan
    repair: Repair


Proposals = Iterator[RepairProposal]
Proposer = Callable[[AttemptFailure, InstallPlan, RepairContext], Proposals]


def propose(plan: InstallPlan, kind: str, change: str, reason: str, evidence: str) -> RepairProposal:
    """Build the proposal of a changed plan."""
    return RepairProposal(plan, Repair(kind, change, reason, evidence[:400]))


def propose_newer(
    plan: InstallPlan, name: str, reason: str, evidence: str, *, kind: str = "date", note: str = ""
) -> Proposals:
    """Propose versions of a package from after the date of the plan, unless the plan admits them already."""
    if plan.date and canonical(name) not in plan.undated:
        yield propose(plan.admit_newer(name), kind, f"{name} may be newer than the commit{note}", reason, evidence)


def failed_build(log: str) -> tuple[str, str]:
    """Find the package and version whose build failed in a log; empty if there is none."""
    for pattern in (
        r"Failed to (?:download and )?build(?: source distribution)?:? `?([A-Za-z0-9][\w.-]*?)(?:==([\w.+!]+))?(?: @[^`]*)?`",
        r"Failed to prepare distributions\s+.*?`([A-Za-z0-9][\w.-]*?)==([\w.+!]+)`",
        r"`([A-Za-z0-9][\w.-]*?)(?:==| \(v?)([\w.+!]+)\)?` .*(?:build|metadata)",
    ):
        if match := re.search(pattern, log, re.DOTALL):
            return canonical(match[1]), match[2] or ""
    return "", ""
