"""Repairs of builds: build requirements, metadata, project, system libraries, package names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from repoquarry.execution.provision import command_runner
from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    RepairContext,
    RepairProposal,
    failed_build,
    is_bounded,
    propose_newer,
    relax,
    unbounded,
)
from repoquarry.execution.provision.python.version_repairs import wheels_elsewhere
from repoquarry.execution.provision.report import Repair
from repoquarry.languages.manifests.python_requirements import TESTS, canonical

_MISSING = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?")
_CYTHON = re.compile(
    r"Cython\.Compiler\.Errors|\.pyx:\d+:\d+: |cython_version|Cython 3|undeclared name not builtin: long|tree = Parsing|NumpyImport"
)
_HEADER = re.compile(
    r"fatal error: ([\w./+-]+\.h(?:pp)?): No such file|([\w-]+_config) executable not found"
    r"|error: command '([\w.+-]+)' failed: No such file|(?:Could not find|unable to execute) '?([\w+-]+)'?"
)
_SETUP = re.compile(
    r"No module named 'setuptools\.(?:extern|_distutils)|fetch_build_eggs|install_layout|InvalidVersion|error in \w+ setup command"
)
_REMOVED = (
    (re.compile(r"cannot import name '?Feature"), "setuptools<46"),
    (re.compile(r"use_2to3|has no attribute '_?2to3"), "setuptools<58"),
    (re.compile(r"must be a string or list of strings containing valid project"), "setuptools<66"),
    (re.compile(r"canonicalize_version\(\) got"), "setuptools<71"),
    (re.compile(r"No module named '?setuptools\.command\.test|invalid command 'test'"), "setuptools<72"),
    (re.compile(r"License classifiers|dash-separated|project\.license"), "setuptools<77"),
)
"""Error of setuptools -> versions before the change. Source: its changelog."""
_SCM = re.compile(
    r"setuptools[-_]scm was unable to detect version|Versioning for this project requires either an sdist|unable to detect version for"
    r"|vcs_versioning|Unable to determine version|does not look like a git repository|Failed to detect version"
)

_VERSION_VARIABLES = (
    "SETUPTOOLS_SCM_PRETEND_VERSION",
    "PBR_VERSION",
    "PDM_BUILD_SCM_VERSION",
    "HATCH_VCS_PRETEND_VERSION",
    "POETRY_DYNAMIC_VERSIONING_BYPASS",
)
"""Variables that override the version that build tools read from tags."""


def propose_builds(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    name, version = failed_build(failure.log)
    if failure.stage == "check" or not (name or failure.stage == "project"):
        return
    yield from _surroundings(failure, plan, name)
    yield from _version_given(failure, plan, situation)
    if failure.stage == "project":
        return
    yield from wheels_elsewhere(name, version, plan, situation)
    reason = _reason(failure)
    evidence = failure.line(r"[Ee]rror")
    yield from _replaced(plan, name, reason, evidence)
    yield from _relaxed(plan, situation, name, reason, evidence)
    yield from _newer(plan, situation, name, version, reason, evidence)
    for item in plan.wanted:
        if item.name == name and item.group == TESTS:
            yield RepairProposal(
                plan.without(name), Repair("build", f"{name} is omitted", f"only tests need it; {reason}", evidence)
            )
    left = replace(plan.without(name), excluded=plan.excluded | {name})
    yield RepairProposal(left, Repair("build", f"{name} is omitted", reason, evidence))


def _replaced(plan: InstallPlan, name: str, reason: str, evidence: str) -> Iterator[RepairProposal]:
    """Propose a package that provides the same modules."""
    if other := install_plan.replacement(name):
        changed = plan.without(name).asking(other, f"in place of {name}")
        if canonical(other) != canonical(name):
            yield RepairProposal(
                replace(changed, excluded=plan.excluded | {name}),
                Repair(
                    "build",
                    f"{other} in place of {name}",
                    f"{reason}; it gives the same modules with a wheel",
                    evidence,
                ),
            )


def _relaxed(
    plan: InstallPlan, situation: RepairContext, name: str, reason: str, evidence: str
) -> Iterator[RepairProposal]:
    """Propose another version with a wheel, if a manifest requires this one."""
    for item in plan.wanted:
        if item.name == name and is_bounded(item):
            for other_item in (relax(item), unbounded(item)):
                if other_item != item and situation.installs(other_item.text.partition(";")[0], plan.interpreter):
                    wanted = tuple(other_item if one == item else one for one in plan.wanted)
                    undated = plan.undated | {name}
                    change = f"{item.text} becomes {other_item.text}"
                    yield RepairProposal(
                        replace(plan, wanted=wanted, undated=undated),
                        Repair("pin_without_wheel", change, reason, evidence),
                    )


def _newer(
    plan: InstallPlan, situation: RepairContext, name: str, version: str, reason: str, evidence: str
) -> Iterator[RepairProposal]:
    """Propose a version from after the commit."""
    if name not in plan.undated:
        newer = replace(plan, undated=plan.undated | {name})
        wheel = situation.installs_newer(name, plan.interpreter)
        change = f"{name} may be newer than the commit{', and has a wheel then' if wheel else ''}"
        yield RepairProposal(newer, Repair("pin_without_wheel", change, reason, evidence))
        below = f"{name}!={version}" if version else name
        if wheel:
            yield RepairProposal(newer.constrained(below), Repair("pin_without_wheel", f"{below}", reason, evidence))


def _surroundings(failure: AttemptFailure, plan: InstallPlan, name: str) -> Iterator[RepairProposal]:
    """Propose changes of the build environment."""
    log = failure.log
    if match := _MISSING.search(log):
        needed = install_plan.package_of(match[1])
        if match[1].partition(".")[0] in install_plan.removed_modules() or match[1] == "pkg_resources":
            yield from _older_tools(plan, match[0], "setuptools<81", f"the build needs {match[1]}")
        if name and needed:
            for requirement in dict.fromkeys((_fitting(needed, plan), needed)):
                pair = (name, requirement)
                if pair not in plan.build_alongside:
                    added = replace(plan, build_alongside=(*plan.build_alongside, pair))
                    change = f"{requirement} is there when {name} is built"
                    yield RepairProposal(
                        added, Repair("build_isolation", change, "its build imports it and does not say so", match[0])
                    )
    for pattern, constraint in _REMOVED:
        if match := pattern.search(log):
            yield from _older_tools(plan, match[0], constraint, "its build was written for an older setuptools")
    if match := _SETUP.search(log):
        for constraint in ("setuptools<81", "setuptools<72", "setuptools<66", "setuptools<58"):
            yield from _older_tools(plan, match[0], constraint, "its build was written for an older setuptools")
    if match := _CYTHON.search(log):
        yield from _older_tools(plan, match[0], "cython<3", "its sources were written for Cython before 3")
    for known in install_plan.breaks():
        if (match := known.pattern.search(log)) and not known.constraint.startswith("python"):
            yield from _older_tools(plan, match[0], known.constraint, known.reason)
    if re.search(r"numpy/|NPY_|PyArray_|numpy\.distutils|npy_", log):
        for constraint in ("numpy<2", "numpy<1.24"):
            yield from _older_tools(
                plan, failure.line(r"numpy|NPY_|PyArray"), constraint, "its sources were written for an older numpy"
            )


def _version_given(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose a version for a build that reads missing tags: the one in the repository's files, otherwise a fixed one."""
    match = _SCM.search(failure.log)
    if not match or _VERSION_VARIABLES[0] in plan.variables:
        return
    stated = situation.own_version()
    given = dict.fromkeys(_VERSION_VARIABLES, stated or "0.0.1")
    reason = "the version is read from git's history, which is not here"
    reason += "; the repository's files say this one" if stated else ", and no file says it"
    repair = Repair("build", f"the version is given as {stated or '0.0.1'}", reason, match[0])
    yield RepairProposal(replace(plan, variables={**plan.variables, **given}), repair)


def _fitting(package: str, plan: InstallPlan) -> str:
    """Return the plan's own requirement of a package."""
    return next(
        (item.text.partition(";")[0].strip() for item in plan.wanted if item.name == canonical(package)), package
    )


def _older_tools(plan: InstallPlan, evidence: str, constraint: str, reason: str) -> Iterator[RepairProposal]:
    if constraint not in plan.build_constraints:
        package = install_plan.named_by(constraint)
        others = tuple(one for one in plan.build_constraints if install_plan.named_by(one) != package)
        changed = replace(plan, build_constraints=(*others, constraint))
        yield RepairProposal(changed, Repair("build", f"builds use {constraint}", reason, evidence[:300]))


def _reason(failure: AttemptFailure) -> str:
    """Describe why a build failed: a missing system package, if the log names one of its files."""
    for match in _HEADER.finditer(failure.log):
        file = next(part for part in match.groups() if part)
        if package := command_runner.package_of(file):
            return f"its build needs {file}, which the system's package {package} holds and which is not installed"
        return f"its build needs {file}, which is not here"
    return "it cannot be built here"


_REFUSED = re.compile(r"Metadata for `([\w.-]+)` \(v([\w.!+]+)\) could not be parsed:((?:\n[ \t]+\S.*)*)")


def propose_metadata(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    if failure.stage not in ("resolve", "install"):
        return
    for match in _REFUSED.finditer(failure.log):
        name, version = canonical(match[1]), match[2]
        evidence = " ".join(match[0].split())[:300]
        reason = f"{name} {version} states it in a form that is no longer accepted"
        if any(one[:2] == (name, version) for one in plan.stated):
            continue
        if (requires := situation.requires(name, version)) is not None:
            change = f"what {name} {version} requires is read from its wheel"
            yield RepairProposal(
                replace(plan, stated=(*plan.stated, (name, version, requires))),
                Repair("metadata", change, reason, evidence),
            )
        change = f"{name}!={version}"
        yield RepairProposal(plan.constrained(change), Repair("metadata", change, reason, evidence))


_NEXT = {"editable": ("copied", "linked"), "copied": ("linked",), "linked": ()}
_WORDS = {"copied": "installed as a copy", "linked": "made importable by its path, without being installed"}


def propose_project(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    own = failure.tried is not None and failure.tried.own
    missing = own and failure.tried is not None and f"No module named '{failure.tried.module}" in failure.tried.error
    if failure.stage != "project" and not missing:
        return
    reason = "the installed package lacks its modules" if missing else "it cannot be installed as it stands"
    evidence = failure.tried.error if failure.tried else failure.line(r"[Ee]rror")
    for mode in _NEXT[plan.project]:
        if missing and mode == "copied":
            continue
        yield RepairProposal(
            replace(plan, project=mode), Repair("project", f"the repository is {_WORDS[mode]}", reason, evidence[:300])
        )


_WITHOUT: Final = {"opencv-python": "opencv-python-headless", "opencv-contrib-python": "opencv-contrib-python-headless"}


def propose_system_libraries(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    file, said = command_runner.missing_library(failure.tried.error)
    if not file:
        return
    reason = f"it needs {file}, which is not installed" + (
        f" (system's package {package})" if (package := command_runner.package_of(file)) else ""
    )
    for name, other in _WITHOUT.items():
        if name in situation.locked and failure.tried.top_is("cv2"):
            version = situation.locked[name]
            changed = replace(plan.without(name), excluded=plan.excluded | {name})
            for text in (f"{other}=={version}", other):
                change = f"{text} in place of {name}"
                yield RepairProposal(
                    changed.asking(text, f"in place of {name}"), Repair("system_library", change, reason, said)
                )
    package_name = install_plan.name_of(failure.tried.module)
    if package_name in situation.locked:
        note = ": newer wheels contain their libraries"
        yield from propose_newer(plan, package_name, reason, said, kind="system_library", note=note)


_UNKNOWN = (
    r"Because ([A-Za-z0-9][\w.-]*)(?:[<>=!~][^ ]*)? (?:was not found in the (?:package registry|provided)|could not be found)"
    r"|(?:Because|because) all versions of ([A-Za-z0-9][\w.-]*) were yanked|No such package: ([\w.-]+)"
)


def propose_package_names(failure: AttemptFailure, plan: InstallPlan, _: RepairContext) -> Iterator[RepairProposal]:
    flat = " ".join(failure.log.split())
    for match in re.finditer(_UNKNOWN, flat):
        name = match[1] or match[2] or match[3]
        evidence = match[0]
        if not match[1]:
            yield from propose_newer(plan, name, "all its versions of that day were withdrawn", evidence)
        for other in (install_plan.replacement(name), install_plan.package_of(name)):
            if other and other.lower() != name.lower() and plan.asks_for(name):
                change = f"{other} in place of {name}"
                plan_with = plan.without(name).asking(other, f"in place of {name}")
                yield RepairProposal(
                    plan_with, Repair("package_name", change, "the registry has no package of that name", evidence)
                )
        reason = "the registry has no package of that name" if match[1] else "all its versions were withdrawn"
        repair = Repair("package_name", f"{name} is omitted", reason, evidence)
        yield RepairProposal(replace(plan.without(name), excluded=plan.excluded | {name}), repair)
