"""Repairs of an install plan for failed builds: build requirements, metadata, system libraries, unknown package names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from repoquarry.execution.provision import command_runner
from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    Proposals,
    RepairContext,
    failed_build,
    is_bounded,
    load_known,
    propose,
    propose_newer,
    relax,
    unbounded,
)
from repoquarry.execution.provision.python.version_repairs import wheels_elsewhere
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


def propose_builds(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    name, version = failed_build(failure.log)
    if failure.stage == "check" or not (name or failure.stage == "project"):
        return
    yield from _surroundings(failure, plan, name)
    yield from _version_given(failure, plan, context)
    if failure.stage == "project":
        return
    yield from wheels_elsewhere(name, version, plan, context)
    reason = _reason(failure)
    evidence = failure.line(r"[Ee]rror")
    other = load_known().replaced.get(canonical(name))
    if other and canonical(other) != canonical(name):
        change, why = f"{other} in place of {name}", f"{reason}; it provides the same modules with a wheel"
        yield propose(plan.exclude(name).asking(other, f"in place of {name}"), "build", change, why, evidence)
    yield from _relaxed(plan, context, name, reason, evidence)
    yield from _newer(plan, context, name, version, reason, evidence)
    change = f"{name} is omitted"
    if any(item.name == name and item.group == TESTS for item in plan.wanted):
        yield propose(plan.without(name), "build", change, f"only tests need it; {reason}", evidence)
    yield propose(plan.exclude(name), "build", change, reason, evidence)


def _relaxed(plan: InstallPlan, context: RepairContext, name: str, reason: str, evidence: str) -> Proposals:
    """Propose another version with a wheel, if a manifest requires this one."""
    for item in plan.wanted:
        if item.name == name and is_bounded(item):
            for other in (relax(item), unbounded(item)):
                if other != item and context.installs(other.text.partition(";")[0], plan.interpreter):
                    changed = plan.exchange(item, other).admit_newer(name)
                    yield propose(changed, "pin_without_wheel", f"{item.text} becomes {other.text}", reason, evidence)


def _newer(plan: InstallPlan, context: RepairContext, name: str, version: str, reason: str, evidence: str) -> Proposals:
    """Propose a version from after the commit."""
    if name in plan.undated:
        return
    newer = plan.admit_newer(name)
    wheel = context.installs_newer(name, plan.interpreter)
    change = f"{name} may be newer than the commit{', and has a wheel then' if wheel else ''}"
    yield propose(newer, "pin_without_wheel", change, reason, evidence)
    if wheel:
        constraint = f"{name}!={version}" if version else name
        yield propose(newer.constrained(constraint), "pin_without_wheel", constraint, reason, evidence)


def _surroundings(failure: AttemptFailure, plan: InstallPlan, name: str) -> Proposals:
    """Propose changes of the build environment."""
    log = failure.log
    if match := _MISSING.search(log):
        needed = install_plan.package_of(match[1])
        if match[1].partition(".")[0] in load_known().removed or match[1] == "pkg_resources":
            yield from _older_tools(plan, match[0], "setuptools<81", f"the build needs {match[1]}")
        if name and needed:
            own = (item.text.partition(";")[0].strip() for item in plan.wanted if item.name == canonical(needed))
            for requirement in dict.fromkeys((next(own, needed), needed)):
                if (name, requirement) not in plan.build_alongside:
                    added = replace(plan, build_alongside=(*plan.build_alongside, (name, requirement)))
                    change = f"{requirement} is installed when {name} is built"
                    reason = "its build imports it and does not declare it"
                    yield propose(added, "build_isolation", change, reason, match[0])
    old_setuptools = "its build was written for an older setuptools"
    for pattern, constraint in _REMOVED:
        if match := pattern.search(log):
            yield from _older_tools(plan, match[0], constraint, old_setuptools)
    if match := _SETUP.search(log):
        for constraint in ("setuptools<81", "setuptools<72", "setuptools<66", "setuptools<58"):
            yield from _older_tools(plan, match[0], constraint, old_setuptools)
    if match := _CYTHON.search(log):
        yield from _older_tools(plan, match[0], "cython<3", "its sources were written for Cython before 3")
    for known in load_known().breaks:
        if (match := known.error.search(log)) and not known.constraint.startswith("python"):
            yield from _older_tools(plan, match[0], known.constraint, known.reason)
    if re.search(r"numpy/|NPY_|PyArray_|numpy\.distutils|npy_", log):
        evidence = failure.line(r"numpy|NPY_|PyArray")
        for constraint in ("numpy<2", "numpy<1.24"):
            yield from _older_tools(plan, evidence, constraint, "its sources were written for an older numpy")


def _version_given(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose a version for a build that reads missing tags: the one in the repository's files, otherwise a fixed one."""
    match = _SCM.search(failure.log)
    if not match or _VERSION_VARIABLES[0] in plan.variables:
        return
    stated = context.own_version()
    source = "the repository's files state this version" if stated else "no file states one"
    reason = f"the build reads the version from git's history, which is missing here; {source}"
    variables = {**plan.variables, **dict.fromkeys(_VERSION_VARIABLES, stated or "0.0.1")}
    change = f"the version is set to {stated or '0.0.1'}"
    yield propose(replace(plan, variables=variables), "build", change, reason, match[0])


def _older_tools(plan: InstallPlan, evidence: str, constraint: str, reason: str) -> Proposals:
    if constraint not in plan.build_constraints:
        package = install_plan.named_by(constraint)
        others = tuple(one for one in plan.build_constraints if install_plan.named_by(one) != package)
        changed = replace(plan, build_constraints=(*others, constraint))
        yield propose(changed, "build", f"builds use {constraint}", reason, evidence)


def _reason(failure: AttemptFailure) -> str:
    """Describe why a build failed: a missing system package, if the log names one of its files."""
    if match := _HEADER.search(failure.log):
        file = next(part for part in match.groups() if part)
        if package := command_runner.package_of(file):
            return f"its build needs {file} from the system's package {package}, which is not installed"
        return f"its build needs {file}, which is missing"
    return "it cannot be built here"


_REFUSED = re.compile(r"Metadata for `([\w.-]+)` \(v([\w.!+]+)\) could not be parsed:((?:\n[ \t]+\S.*)*)")


def propose_metadata(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    if failure.stage not in ("resolve", "install"):
        return
    for match in _REFUSED.finditer(failure.log):
        name, version = canonical(match[1]), match[2]
        evidence = " ".join(match[0].split())
        reason = f"the metadata of {name} {version} has a form that is no longer accepted"
        if any(one[:2] == (name, version) for one in plan.stated):
            continue
        if (requires := context.requires(name, version)) is not None:
            changed = replace(plan, stated=(*plan.stated, (name, version, requires)))
            change = f"the requirements of {name} {version} are read from its wheel"
            yield propose(changed, "metadata", change, reason, evidence)
        change = f"{name}!={version}"
        yield propose(plan.constrained(change), "metadata", change, reason, evidence)


_NEXT = {"editable": ("copied", "linked"), "copied": ("linked",), "linked": ()}
_WORDS = {"copied": "installed as a copy", "linked": "made importable by its path, without being installed"}


def propose_project(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    tried = failure.tried
    missing = tried is not None and tried.own and f"No module named '{tried.module}" in tried.error
    if failure.stage != "project" and not missing:
        return
    reason = "the installed package lacks its modules" if missing else "it cannot be installed in its current form"
    evidence = tried.error if tried else failure.line(r"[Ee]rror")
    for mode in _NEXT[plan.project]:
        if not missing or mode != "copied":
            changed = replace(plan, project=mode)
            yield propose(changed, "project", f"the repository is {_WORDS[mode]}", reason, evidence)


_WITHOUT: Final = {"opencv-python": "opencv-python-headless", "opencv-contrib-python": "opencv-contrib-python-headless"}


def propose_system_libraries(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    file, said = command_runner.missing_library(failure.tried.error) if failure.tried else ("", "")
    if failure.tried is None or not file:
        return
    package = command_runner.package_of(file)
    reason = f"it needs {file}, which is not installed{f' (system package {package})' if package else ''}"
    for name, other in _WITHOUT.items():
        if name in context.locked and failure.tried.top_is("cv2"):
            for text in (f"{other}=={context.locked[name]}", other):
                change = f"{text} in place of {name}"
                changed = plan.exclude(name).asking(text, f"in place of {name}")
                yield propose(changed, "system_library", change, reason, said)
    package_name = install_plan.name_of(failure.tried.module)
    if package_name in context.locked:
        note = ": newer wheels contain their libraries"
        yield from propose_newer(plan, package_name, reason, said, kind="system_library", note=note)


_UNKNOWN = re.compile(
    r"Because ([A-Za-z0-9][\w.-]*)(?:[<>=!~][^ ]*)? (?:was not found in the (?:package registry|provided)|could not be found)"
    r"|(?:Because|because) all versions of ([A-Za-z0-9][\w.-]*) were yanked|No such package: ([\w.-]+)"
)


def propose_package_names(failure: AttemptFailure, plan: InstallPlan, _: RepairContext) -> Proposals:
    for match in _UNKNOWN.finditer(" ".join(failure.log.split())):
        name = match[1] or match[2] or match[3]
        unknown = "the registry has no package of that name"
        if not match[1]:
            yield from propose_newer(plan, name, "all its versions of that date were withdrawn", match[0])
        for other in (load_known().replaced.get(canonical(name)), install_plan.package_of(name)):
            if other and other.lower() != name.lower() and plan.asks_for(name):
                changed = plan.without(name).asking(other, f"in place of {name}")
                yield propose(changed, "package_name", f"{other} in place of {name}", unknown, match[0])
        reason = unknown if match[1] else "all its versions were withdrawn"
        yield propose(plan.exclude(name), "package_name", f"{name} is omitted", reason, match[0])
