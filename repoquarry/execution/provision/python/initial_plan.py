"""Builder of the first install plan of a Python repository from its manifests and imports: requirements, interpreter, CPU builds."""

from __future__ import annotations

import contextlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.install_plan import InstallPlan, load_known, merge_requirements, unbounded
from repoquarry.execution.provision.python.interpreters import Interpreter, order_interpreters
from repoquarry.execution.provision.report import ImportNeed, Repair
from repoquarry.execution.settings import EnvironmentSettings
from repoquarry.languages.manifests.python_repository import RepositoryManifests
from repoquarry.languages.manifests.python_requirements import CORE, StatedRequirement, canonical

_COMPANIONS = ("torch", *load_known().companions["torch"])
_BUILDERS_SINCE = datetime(2022, 9, 1, tzinfo=UTC)
"""Date since which setuptools supports editable installations by PEP 660 (version 64 of 2022-08)."""
_NO_ACCELERATOR = "the settings exclude accelerators"
_WHEEL = re.compile(r"(?P<name>[\w.]+)-(?P<version>[\w.!]+\+cpu[\w.]*)-cp(?P<python>3\d+)-[\w.]+-[\w.]+\.whl$")


@dataclass(frozen=True)
class InitialPlan:
    """First plan, and the decisions that led to it."""

    plan: InstallPlan
    interpreters: tuple[Interpreter, ...]
    """All interpreters in order of preference."""
    reason: str
    """Why the interpreter was chosen."""
    repairs: tuple[Repair, ...]


def build_initial_plan(
    manifests: RepositoryManifests,
    code: CodeImports,
    available: Sequence[Interpreter],
    date: datetime | None,
    settings: EnvironmentSettings,
    *,
    tests: bool,
) -> InitialPlan:
    """Build the first plan. `tests` adds the requirements of the repository's own tests."""
    repairs: list[Repair] = []
    ordered = order_interpreters(available, manifests.python, date, _oldest_without(code))
    wanted = [
        item for item in manifests.wanted if (tests or item.group == CORE) and item.name != canonical(manifests.name)
    ]
    asked = merge_requirements(wanted)
    present = frozenset(item.name for item in asked)
    kept = [item for item in (_fitting(item, present, settings, repairs) for item in asked) if item]
    if not any(item.group == CORE for item in kept):
        kept += _from_imports(code, repairs)
    if tests and not any(item.name == "pytest" for item in kept):
        kept.append(StatedRequirement("pytest", "tests of the repository", "tests"))
    # No repair may install these packages.
    excluded = {item.name for item in manifests.wanted if item.name in load_known().left_out} - {"pip"}
    plan = InstallPlan(
        ordered[0][0],
        tuple(kept),
        date,
        locked=tuple(pair for pair in manifests.locked if not _spoils(pair[0], settings)),
        excluded=frozenset(excluded),
        project="editable" if manifests.installable else "linked",
    )
    plan = _with_builders(plan, repairs)
    reasons = dict(ordered)
    plan = _for_processors(plan, code, list(reasons), settings, repairs)
    return InitialPlan(plan, tuple(reasons), reasons[plan.interpreter], tuple(repairs))


def _with_builders(plan: InstallPlan, repairs: list[Repair]) -> InstallPlan:
    """Admit current build tools, if those of the commit's date lack today's build interface."""
    if plan.date is None or plan.date >= _BUILDERS_SINCE:
        return plan
    change = "setuptools and wheel may be newer than the commit"
    reason = "today's installers cannot call those of the commit's date"
    repairs.append(Repair("build", change, reason, plan.date.date().isoformat()))
    newer = replace(plan, undated=plan.undated | {"setuptools", "wheel"}, build_constraints=("setuptools<81",))
    # Version 71 adds its own copies of other packages, which conflict with those of the commit's date. Version 67.5 emits a
    # deprecation warning, which tests may treat as an error. Version 66 rejects version numbers outside PEP 440.
    return newer.constrained("setuptools<66; python_version < '3.12'", "setuptools<71")


def _oldest_without(code: CodeImports) -> int:
    """Return the first minor version whose standard library lacks a needed module; 99 if there is none."""
    removed = load_known().removed
    found = [int(removed[module].split(".")[1]) for module in code.dated if module in removed and module != "distutils"]
    return min(found, default=99)


def _fitting(
    item: StatedRequirement, present: frozenset[str], settings: EnvironmentSettings, repairs: list[Repair]
) -> StatedRequirement | None:
    """Adapt a requirement to this machine; None if it is omitted."""
    omitted = f"{item.text} is omitted"
    if reason := load_known().left_out.get(item.name):
        repairs.append(Repair("left_out", omitted, reason, item.origin))
        return None
    requirement = Requirement(item.text)
    if requirement.url is not None:
        change, reason = (
            f"{requirement.name} is installed from the index",
            f"its address {requirement.url} is not granted",
        )
        repairs.append(Repair("address", change, reason, item.origin))
        return unbounded(item)
    if settings.accelerator:
        return item
    if other := load_known().accelerated.get(item.name):
        if other in present:
            reason = f"{_NO_ACCELERATOR}, and {other} is required too"
            repairs.append(Repair("processor_only", omitted, reason, item.origin))
            return None
        text = item.text.replace(requirement.name, other, 1)
        repairs.append(Repair("processor_only", f"{text} in place of {item.text}", _NO_ACCELERATOR, item.origin))
        return replace(item, text=text)
    if install_plan.is_accelerator(item.name):
        repairs.append(Repair("processor_only", omitted, "it contains libraries of an accelerator", item.origin))
        return None
    return item


def _spoils(name: str, settings: EnvironmentSettings) -> bool:
    return name in load_known().left_out or (
        not settings.accelerator and (install_plan.is_accelerator(name) or name in _COMPANIONS)
    )


def _from_imports(code: CodeImports, repairs: list[Repair]) -> Iterator[StatedRequirement]:
    """Yield requirements by the imports of the code, for repositories without manifests."""
    packages: dict[str, str] = {}
    for item in code.imported:
        if item.need is not ImportNeed.OPTIONAL and (package := install_plan.package_of(item.module)):
            packages.setdefault(package, item.where)
    for package, where in packages.items():
        reason = f"{where} imports it, and there is no manifest"
        repairs.append(Repair("missing_module", f"{package} is installed", reason))
        yield StatedRequirement(package, f"imported by {where}")


def _for_processors(
    plan: InstallPlan,
    code: CodeImports,
    interpreters: Sequence[Interpreter],
    settings: EnvironmentSettings,
    repairs: list[Repair],
) -> InstallPlan:
    """Replace accelerator builds by the CPU builds in the operator's wheel folders."""
    if settings.accelerator:
        return plan
    for name, version, minor, path in _processor_wheels(settings.find_links):
        asked = any(item.name in (name, *_COMPANIONS, *load_known().carriers.get(name, ())) for item in plan.wanted)
        if not asked and not _imports(code, (name, *_COMPANIONS)):
            continue
        published = load_known().split_release(name).published
        if _pinned_whole(name, plan) or (plan.date and plan.date.date().isoformat() < published):
            continue  # Wheels of that date contain all their libraries and match the code.
        other = next((one for one in interpreters if one.minor == minor), None)
        if other is None:
            continue
        pin = f"{name}=={version}"
        if plan.interpreter != other:
            change = f"Python {other} in place of {plan.interpreter}"
            repairs.append(Repair("interpreter", change, f"the CPU build of {name} needs it", pin))
        wanted = tuple(unbounded(item) if item.name in _COMPANIONS else item for item in plan.wanted)
        changed = [f"{item.text} becomes {pin}" for item in plan.wanted if item.name == name]
        repairs.append(Repair("processor_only", "; ".join(changed) or pin, _NO_ACCELERATOR))
        plan = replace(
            plan,
            interpreter=other,
            wanted=wanted,
            undated=plan.undated | set(_COMPANIONS) | _required_by(path),
            fixed_packages=plan.fixed_packages | {name},
            bound=True,
        )
        plan = plan.constrained(pin)
    return plan


def _pinned_whole(name: str, plan: InstallPlan) -> bool:
    """Return whether a manifest pins a version whose wheel loads without an accelerator."""
    limit = load_known().split_release(name).below
    pins = [
        part.version
        for item in plan.wanted
        if item.name == name
        for part in Requirement(item.text).specifier
        if part.operator == "=="
    ]
    return bool(limit and pins) and all(pin.rstrip(".*") in SpecifierSet(f"<{limit}") for pin in pins)


def _imports(code: CodeImports, packages: Sequence[str]) -> bool:
    """Return whether the code needs one of the packages, declared or not."""
    needed = (item.module for item in code.imported if item.need is ImportNeed.NEEDED)
    return any(install_plan.name_of(module) in packages for module in needed)


def _required_by(wheel: Path) -> frozenset[str]:
    """Read the packages that a wheel requires: a wheel from after the commit requires such packages. Empty if unreadable."""
    with contextlib.suppress(OSError, zipfile.BadZipFile, StopIteration), zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        head = archive.read(name).decode("utf-8", "replace").partition("\n\n")[0]
        return frozenset(canonical(found) for found in re.findall(r"^Requires-Dist: ([\w.-]+)", head, re.MULTILINE))
    return frozenset()


def _processor_wheels(folders: Sequence[str]) -> Iterator[tuple[str, str, tuple[int, int], Path]]:
    """Yield wheels with the local version `cpu`: package, version, Python's minor version, file."""
    for folder in folders:
        for path in sorted(Path(folder).glob("*.whl")) if Path(folder).is_dir() else ():
            if match := _WHEEL.match(path.name):
                yield canonical(match["name"]), match["version"], (3, int(match["python"][1:])), path
