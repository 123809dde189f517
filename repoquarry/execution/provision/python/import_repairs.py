"""Repairs of an install plan for failed imports: missing modules, GPU libraries and mismatched CPU builds, pytest plugins."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    Proposals,
    RepairContext,
    load_known,
    propose,
    propose_newer,
    unbounded,
)
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.languages.manifests.python_requirements import TESTS, canonical

_MISSING = re.compile(r"No module named '([\w.]+)'")


def propose_modules(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    tried = failure.tried
    if tried is None:
        return
    match = _MISSING.search(tried.error)
    if not match:
        yield from _named(tried, plan, context)
        return
    module = match[1]
    package = install_plan.package_of(module)
    if module.partition(".")[0] in context.code.own or not package or canonical(package) in plan.excluded:
        return
    if install_plan.named_by(package) in context.locked and module != "pkg_resources":
        yield from _older(module, package, plan, context, match[0])
        return
    is_guess = not install_plan.is_known(module) and not context.installs(package, plan.interpreter)
    if is_guess and tried.need is not ImportNeed.NEEDED and not tried.test:
        return
    where = tried.where or tried.module
    reason = f"{where} imports {module}, and no manifest requires it"
    if module != tried.module and not tried.own:
        reason = f"{tried.module} imports {module} and does not require it"
    if plan.asks_for(install_plan.named_by(package)):
        return  # The requirement is in the plan already, or a joined repair adds it.
    changed = plan.asking(package, f"imported by {where}")
    yield propose(changed, "missing_module", f"{package} is installed", reason, tried.error)


def _older(module: str, package: str, plan: InstallPlan, context: RepairContext, evidence: str) -> Proposals:
    """Propose another version of an installed package that lacks the module."""
    name = canonical(package)
    version = context.locked.get(name, "")
    major = re.match(r"\d+", version)
    if major and "." in module:
        constraint = f"{name}<{major[0]}" if int(major[0]) else f"{name}<{version}"
        reason = f"{name} {version} has no module {module}"
        yield propose(plan.constrained(constraint), "known_break", constraint, reason, evidence)
        yield from propose_newer(plan, name, reason, evidence)


def _named(tried: ImportCheck, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose an optional package of the code that the error names."""
    said = set(re.findall(r"\w+", tried.error.partition(":")[2]))
    for item in context.code.imported:
        package = install_plan.package_of(item.module)
        name = install_plan.named_by(package)
        if item.need is ImportNeed.NEEDED or item.module.partition(".")[0] not in said or not name:
            continue
        if name in context.locked or name in plan.excluded or plan.asks_for(name):
            continue
        reason = f"{item.where} imports {item.module} if it is installed, and the error states that it is needed"
        changed = plan.asking(package, f"imported by {item.where}")
        yield propose(changed, "missing_module", f"{package} is installed", reason, tried.error)
        return


_UNLOADABLE = re.compile(r"Could not load this library: \S*/env/(\S+?\.so)\b")
_NO_OPERATOR = re.compile(r"operator \w+::\w+ does not exist|lib(?:c10|torch)_cuda\.so: cannot open shared object file")
_LOST = re.compile(r"cannot import name '\w+' from '([\w.]+)'|module '([\w.]+)' has no attribute '\w+'")


def propose_accelerators(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    if failure.stage not in ("check", "resolve"):
        return
    if (match := _UNLOADABLE.search(failure.log)) and match[1] not in plan.without_files:
        change = f"{match[1]} is removed; functions that need it will fail"
        reason = "it was built for an accelerator, and the package works without it"
        changed = replace(plan, without_files=(*plan.without_files, match[1]))
        yield propose(changed, "processor_only", change, reason, match[0])
    match_operator = _NO_OPERATOR.search(failure.log)
    for name in sorted(plan.fixed_packages) if match_operator or failure.stage == "resolve" else ():
        evidence = match_operator[0] if match_operator else failure.line("unsatisfiable|Because")
        yield from _whole(name, plan, context, evidence)


def _whole(name: str, plan: InstallPlan, context: RepairContext, evidence: str) -> Proposals:
    """Propose older versions of a package whose CPU build does not match its companions."""
    if not (limit := load_known().split_release(name).below):
        return
    constraint = f"{name}<{limit}"
    constraints = tuple(one for one in plan.constraints if canonical(Requirement(one).name) != name)
    bounded = SpecifierSet(f"<{limit}")
    loose = replace(
        plan,
        constraints=(*constraints, constraint),
        fixed_packages=plan.fixed_packages - {name},
        bound=False,
        wanted=tuple(
            unbounded(item) if item.name == name and not _allows(item.text, bounded) else item for item in plan.wanted
        ),
    )
    reason = (
        f"packages built on {name} need an accelerator's libraries; "
        f"wheels before {limit} contain these libraries and load without an accelerator"
    )
    for other in context.interpreters:
        moved = replace(loose, interpreter=other)
        if context.resolves(moved):
            yield propose(moved, "processor_only", f"{constraint} for Python {other}", reason, evidence)


def propose_older(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose an older companion of a pinned CPU build, if newer versions lack the imported name.

    A companion such as torchaudio requires one exact version of its package, so that older companions exclude the build.
    """
    if failure.tried is None or not (match := _LOST.search(failure.tried.error)):
        return
    package = install_plan.name_of(match[1] or match[2])
    for name in sorted(plan.fixed_packages):
        if package in load_known().companions.get(name, ()) and package in context.locked:
            yield from _beside(name, package, failure.tried.error, plan, context)
            yield from _whole(name, plan, context, match[0])


def _beside(name: str, package: str, error: str, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose an older companion, whatever version of the pinned package it requires."""
    known = [one.constraint for one in load_known().breaks if one.error.search(error)]
    parts = context.locked[package].split("+")[0].split(".")
    bounds = [text for text in known if canonical(Requirement(text).name) == package]
    fixed = [text for text in plan.constraints if canonical(Requirement(text).name) == name]
    reason = f"newer versions lack the imported name, older ones require another {name}; native parts may not load"
    for bound in bounds or [f"{package}<{'.'.join(parts[:2])}"]:
        changed = replace(plan.constrained(bound), overrides=(*plan.overrides, *fixed))
        yield propose(changed, "processor_only", f"{bound} with {', '.join(fixed)}", reason, error)


def _allows(text: str, bounded: SpecifierSet) -> bool:
    """Return whether the lower bounds of a requirement admit versions below the limit."""
    lower = [part.version for part in Requirement(text).specifier if part.operator in (">=", ">", "==", "~=")]
    return all(version.rstrip(".*") in bounded for version in lower)


_OPTIONS = re.compile(r"unrecognized arguments: (.+)|no such option: (-{1,2}[\w-]+)|ambiguous option: (-{1,2}[\w-]+)")
_MARKER = re.compile(r"'(\w+)' not found in `markers` configuration option|'(\w+)' not a registered marker")
_PLUGINS = re.compile(r"[Mm]issing required plugins: (.+)")
_NEWER = re.compile(r"requires pytest[->=]+([\d.]+\d), actual pytest-([\d.]+\d)")


def propose_test_plugins(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    tried = failure.tried
    if tried is None or not tried.test:
        return
    added = [text for text in dict.fromkeys(_plugins(failure.log)) if text and not _is_there(text, plan, context)]
    if added:
        changed = plan
        for text in added:
            changed = changed.asking(text, tried.where, TESTS)
        reason = "the configuration of the tests requires it"
        change = f"{', '.join(added)} is installed"
        yield propose(changed, "test_plugin", change, reason, tried.error)
        if plan.date:
            newer = changed.admit_newer(*(Requirement(text).name for text in added))
            yield propose(newer, "test_plugin", f"{change}, newer than the commit if necessary", reason, tried.error)
    if match := _NEWER.search(failure.log):
        change = f"pytest>={match[1]}"
        reason = f"the configuration of the tests requires it, and {match[2]} is installed"
        for before in (plan, plan.admit_newer("pytest")):
            yield propose(before.asking(change, tried.where, TESTS), "test_plugin", change, reason, match[0])


def _plugins(log: str) -> Iterator[str]:
    """Yield the plugin packages whose options, marks or names are unknown in a log; empty for an unknown option."""
    for match in _OPTIONS.finditer(log):
        said = next(part for part in match.groups() if part)
        yield from (install_plan.plugin_of_option(word) for word in said.split() if word.startswith("-"))
    for match in _MARKER.finditer(log):
        yield load_known().test_marks.get(match[1] or match[2], "")
    for match in _PLUGINS.finditer(log):
        for part in match[1].split(","):
            with contextlib.suppress(InvalidRequirement):
                Requirement(part.strip())
                yield part.strip()


def _is_there(text: str, plan: InstallPlan, context: RepairContext) -> bool:
    requirement = Requirement(text)
    name = canonical(requirement.name)
    return name in plan.excluded or (name in context.locked and context.locked[name] in requirement.specifier)
