"""Repairs of imports: missing modules, accelerators, pytest plugins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    RepairContext,
    RepairProposal,
    propose_newer,
    unbounded,
)
from repoquarry.execution.provision.report import ImportNeed, Repair
from repoquarry.languages.manifests.python_requirements import TESTS, canonical

_MISSING = re.compile(r"No module named '([\w.]+)'")


def propose_modules(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    match = _MISSING.search(failure.tried.error)
    if not match:
        yield from _named(failure, plan, situation)
    if not match or match[1].partition(".")[0] in situation.code.own:
        return
    module = match[1]
    package = install_plan.package_of(module)
    if not package or canonical(package) in plan.excluded:
        return
    installed = install_plan.named_by(package) in situation.locked
    if installed and module != "pkg_resources":
        yield from _older(module, package, plan, situation, match[0])
        return
    if (
        not install_plan.is_known(module)
        and not situation.installs(package, plan.interpreter)
        and failure.tried.need is not ImportNeed.NEEDED
        and not failure.tried.test
    ):
        return
    where = failure.tried.where or failure.tried.module
    reason = f"{where} imports {module}, and no manifest asks for it"
    if module != failure.tried.module and not failure.tried.own:
        reason = f"{failure.tried.module} imports {module} and does not require it"
    if plan.asks_for(install_plan.named_by(package)):
        return  # The requirement is in the plan already, or a joined repair adds it.
    yield RepairProposal(
        plan.asking(package, f"imported by {where}"),
        Repair("missing_module", f"{package} is installed", reason, failure.tried.error[:300]),
    )


def _older(
    module: str, package: str, plan: InstallPlan, situation: RepairContext, evidence: str
) -> Iterator[RepairProposal]:
    """Propose another version of an installed package that lacks the module."""
    name = canonical(package)
    version = situation.locked.get(name, "")
    major = re.match(r"\d+", version)
    if major and "." in module:
        constraint = f"{name}<{major[0]}" if int(major[0]) else f"{name}<{version}"
        change = constraint
        yield RepairProposal(
            plan.constrained(constraint),
            Repair("known_break", change, f"{name} {version} has no module {module}", evidence),
        )
        yield from propose_newer(plan, name, f"{name} {version} has no module {module}", evidence)


def _named(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose an optional package of the code that the error names."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    said = set(re.findall(r"\w+", failure.tried.error.partition(":")[2]))
    for item in situation.code.imported:
        top = item.module.partition(".")[0]
        package = install_plan.package_of(item.module)
        name = install_plan.named_by(package)
        if item.need is ImportNeed.NEEDED or top not in said or not name:
            continue
        if name in situation.locked or name in plan.excluded or plan.asks_for(name):
            continue
        reason = f"{item.where} imports {item.module} where it is there, and the error says it is needed"
        repair = Repair("missing_module", f"{package} is installed", reason, failure.tried.error[:300])
        yield RepairProposal(plan.asking(package, f"imported by {item.where}"), repair)
        return


_UNLOADABLE = re.compile(r"Could not load this library: \S*/env/(\S+?\.so)\b")
_NO_OPERATOR = re.compile(r"operator \w+::\w+ does not exist|lib(?:c10|torch)_cuda\.so: cannot open shared object file")
_LOST = re.compile(r"cannot import name '\w+' from '([\w.]+)'|module '([\w.]+)' has no attribute '\w+'")


def propose_accelerators(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if failure.stage not in ("check", "resolve"):
        return
    if match := _UNLOADABLE.search(failure.log):
        change = f"{match[1]} is taken out: what needs it fails when it is called"
        reason = "it was built for an accelerator, and the package works without it"
        if match[1] not in plan.without_files:
            changed = replace(plan, without_files=(*plan.without_files, match[1]))
            yield RepairProposal(changed, Repair("processor_only", change, reason, match[0]))
    match_operator = _NO_OPERATOR.search(failure.log)
    for name in sorted(plan.fixed_packages) if match_operator or failure.stage == "resolve" else ():
        evidence = match_operator[0] if match_operator else failure.line("unsatisfiable|Because")
        yield from _whole(name, plan, situation, evidence)


def _whole(name: str, plan: InstallPlan, situation: RepairContext, evidence: str) -> Iterator[RepairProposal]:
    """Propose older versions of a package whose CPU build does not match its companions."""
    if not (limit := install_plan.first_split_version(name)):
        return
    constraint = f"{name}<{limit}"
    constraints = tuple(one for one in plan.constraints if canonical(Requirement(one).name) != name)
    loose = replace(
        plan, constraints=(*constraints, constraint), fixed_packages=plan.fixed_packages - {name}, bound=False
    )
    reason = f"what is built on {name} needs an accelerator's libraries; wheels before {limit} carry all of theirs and load without one"
    bounded = SpecifierSet(f"<{limit}")
    wanted = tuple(
        unbounded(item) if item.name == name and not _allows(item.text, bounded) else item for item in loose.wanted
    )
    for other in situation.interpreters:
        moved = replace(loose, wanted=wanted, interpreter=other)
        if situation.resolves(moved):
            yield RepairProposal(
                moved, Repair("processor_only", f"{constraint} for Python {other}", reason, evidence[:300])
            )


def propose_older(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose an older companion of a pinned CPU build, if newer versions lack the imported name.

    A companion such as torchaudio requires one exact version of its package, so that older companions exclude the build.
    """
    if failure.stage != "check" or failure.tried is None or not (match := _LOST.search(failure.tried.error)):
        return
    package = install_plan.name_of(match[1] or match[2])
    for name in sorted(plan.fixed_packages):
        if package in install_plan.companions(name) and package in situation.locked:
            yield from _beside(name, package, failure.tried.error, plan, situation)
            yield from _whole(name, plan, situation, match[0])


def _beside(
    name: str, package: str, error: str, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    """Propose an older companion, whatever version of the pinned package it requires."""
    known = [one.constraint for one in install_plan.breaks() if one.pattern.search(error)]
    parts = situation.locked[package].split("+")[0].split(".")
    bounds = [text for text in known if canonical(Requirement(text).name) == package]
    fixed = [text for text in plan.constraints if canonical(Requirement(text).name) == name]
    for bound in bounds or [f"{package}<{'.'.join(parts[:2])}"]:
        reason = (
            f"its newer versions lost what is imported, and the older name another {name}; its native part may not load"
        )
        changed = replace(plan.constrained(bound), overrides=(*plan.overrides, *fixed))
        yield RepairProposal(changed, Repair("processor_only", f"{bound} with {', '.join(fixed)}", reason, error[:300]))


def _allows(text: str, bounded: SpecifierSet) -> bool:
    """Return whether the lower bounds of a requirement admit versions below the limit."""
    lower = [part.version for part in Requirement(text).specifier if part.operator in (">=", ">", "==", "~=")]
    return all(version.rstrip(".*") in bounded for version in lower)


_OPTIONS = re.compile(r"unrecognized arguments: (.+)|no such option: (-{1,2}[\w-]+)|ambiguous option: (-{1,2}[\w-]+)")
_MARKER = re.compile(r"'(\w+)' not found in `markers` configuration option|'(\w+)' not a registered marker")
_PLUGINS = re.compile(r"[Mm]issing required plugins: (.+)")
_NEWER = re.compile(r"requires pytest[->=]+([\d.]+\d), actual pytest-([\d.]+\d)")


def propose_test_plugins(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if failure.stage != "check" or failure.tried is None or not failure.tried.test:
        return
    added = [text for text in _plugins(failure.log) if not _is_there(text, plan, situation)]
    if added:
        changed = plan
        for text in added:
            changed = changed.asking(text, failure.tried.where, TESTS)
        reason = "the configuration of the tests takes it for granted"
        yield RepairProposal(
            changed, Repair("test_plugin", f"{', '.join(added)} is installed", reason, failure.tried.error[:300])
        )
        newer = changed.admit_newer(*(Requirement(text).name for text in added))
        if plan.date:
            change = f"{', '.join(added)} is installed, newer than the commit if need be"
            yield RepairProposal(newer, Repair("test_plugin", change, reason, failure.tried.error[:300]))
    if match := _NEWER.search(failure.log):
        change, reason = f"pytest>={match[1]}", f"the configuration of the tests asks for it, {match[2]} is installed"
        for undated_names in (plan.undated, plan.undated | {"pytest"}):
            newer = replace(plan, undated=undated_names).asking(change, failure.tried.where, TESTS)
            yield RepairProposal(newer, Repair("test_plugin", change, reason, match[0]))


def _plugins(log: str) -> list[str]:
    """List the plugin packages whose options, marks or names are unknown in a log."""
    found: list[str] = []
    for match in _OPTIONS.finditer(log):
        said = next(part for part in match.groups() if part)
        found += [install_plan.plugin_of_option(word) for word in said.split() if word.startswith("-")]
    found += [install_plan.plugin_of_mark(match[1] or match[2]) for match in _MARKER.finditer(log)]
    for match in _PLUGINS.finditer(log):
        found += [part.strip() for part in match[1].split(",") if _is_requirement(part)]
    return list(dict.fromkeys(filter(None, found)))


def _is_requirement(text: str) -> bool:
    try:
        Requirement(text.strip())
    except InvalidRequirement:
        return False
    return True


def _is_there(text: str, plan: InstallPlan, situation: RepairContext) -> bool:
    requirement = Requirement(text)
    name = canonical(requirement.name)
    return name in plan.excluded or (name in situation.locked and situation.locked[name] in requirement.specifier)
