"""Repairs of an install plan by other versions: relaxed pins, later dates, constraints for known breaks, another interpreter."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    Proposals,
    RepairContext,
    RepairProposal,
    is_bounded,
    is_pinned,
    load_known,
    propose,
    propose_newer,
    relax,
    unbounded,
)
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.languages.manifests.python_requirements import TESTS, StatedRequirement, canonical


def propose_pins(failure: AttemptFailure, plan: InstallPlan, _: RepairContext) -> Proposals:
    flat = " ".join(failure.log.split())
    if failure.stage not in ("resolve", "install") or "unsatisfiable" not in flat:
        return
    evidence = flat[flat.find("Because") :][:400]
    if plan.locked:
        change = f"the {len(plan.locked)} versions of the lock file are dropped"
        yield propose(replace(plan, locked=()), "pin", change, "they conflict with the manifests", evidence)
    named = {canonical(name) for name in re.findall(r"[A-Za-z0-9][\w.-]*", evidence)}
    asked = [item for item in plan.wanted if item.name in named and is_bounded(item)]
    # Versions that do not exist are relaxed first, then requirements of tests, then pins.
    asked.sort(key=lambda item: (not _is_missing(item, evidence), item.group != TESTS, not is_pinned(item)))
    yield from _restated(plan, asked, relax, "it excludes what others require", evidence)
    for item in asked:
        if "exclude-newer" in flat:
            yield from propose_newer(plan, item.name, "it requires a version that was published later", evidence)
    yield from _restated(plan, asked, unbounded, "no version that it allows fits the others", evidence)
    yield from _without_constraints(plan, named, evidence)
    yield from _all_at_once(plan, evidence)
    for item in plan.wanted:
        if item.name in named and item.group == TESTS:
            reason = "only tests need it, and no version of it fits"
            yield propose(plan.without(item.name), "pin", f"{item.text} is omitted", reason, evidence)


def _restated(
    plan: InstallPlan,
    asked: Iterable[StatedRequirement],
    restate: Callable[[StatedRequirement], StatedRequirement],
    reason: str,
    evidence: str,
) -> Proposals:
    """Propose each requirement in its restated form."""
    for item in asked:
        if (other := restate(item)) != item:
            why = "no such version for this interpreter and date" if _is_missing(item, evidence) else reason
            yield propose(plan.exchange(item, other), "pin", f"{item.text} becomes {other.text}", why, evidence)


def _without_constraints(plan: InstallPlan, named: Collection[str], evidence: str) -> Proposals:
    for constraint in plan.constraints:
        if (name := canonical(Requirement(constraint).name)) in named and name not in plan.fixed_packages:
            left = replace(plan, constraints=tuple(other for other in plan.constraints if other != constraint))
            change = f"the constraint {constraint} is dropped"
            yield propose(left, "pin", change, "it leaves no solution", evidence)


def _is_missing(item: StatedRequirement, evidence: str) -> bool:
    """Return whether the log states that the required version does not exist."""
    return bool(re.search(rf"(there (is|are) no versions? of|only) {re.escape(item.name)}", evidence, re.IGNORECASE))


def _all_at_once(plan: InstallPlan, evidence: str) -> Proposals:
    for restate, word in ((relax, "lower bounds"), (unbounded, "any version")):
        wanted = tuple(map(restate, plan.wanted))
        if count := sum(one != other for one, other in zip(plan.wanted, wanted, strict=True)):
            change = f"all {count} bounds become {word}"
            yield propose(replace(plan, wanted=wanted), "pin", change, "single changes left no solution", evidence)


_UNNAMED = re.compile(r"([A-Za-z0-9][\w.-]*?)(?:[<>=!~][^ ]*)? ha(?:s|ve) a non-PEP 625-compliant source distribution")


def propose_dates(failure: AttemptFailure, plan: InstallPlan, _: RepairContext) -> Proposals:
    if failure.stage not in ("resolve", "install", "project"):
        return
    flat = " ".join(failure.log.split())
    unnamed = sorted({canonical(found) for found in _UNNAMED.findall(flat)})
    if plan.date is None:
        return
    held_back = {canonical(name) for name in re.findall(r"`([\w.-]+)` was filtered by `exclude-newer`", flat)}
    undated = {canonical(name) for name in re.findall(r"`([\w.]+?)-\d[^`]*` is missing an upload date", flat)}
    if held_back & undated:
        reason, evidence = "the index does not state publication dates", failure.line("missing an upload date")
        yield propose(replace(plan, date=None), "date", "the newest versions are installed", reason, evidence)
    for name in unnamed:
        reason = "its archives of that date have names that are no longer accepted, and newer versions have wheels"
        yield from propose_newer(plan, name, reason, failure.line("non-PEP 625-compliant"))
    for name in sorted(held_back):
        reason = "no required version had been published at the commit's date"
        yield from propose_newer(plan, name, reason, failure.line("was filtered by `exclude-newer`"))


def propose_known_breaks(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    if failure.tried is None:
        return
    for known in load_known().breaks:
        match = known.error.search(f"{failure.tried.error}\n{failure.tried.trace}")
        if not match:
            continue
        name = install_plan.named_by(known.constraint)
        bound = SpecifierSet(known.constraint[len(name) :])
        if name == "python":
            for other in () if plan.bound else context.interpreters:
                if str(other) in bound and str(plan.interpreter) not in bound:
                    yield _moved(plan, other, known.reason, match[0])
        elif (version := context.locked.get(name)) and version not in bound:
            changed = plan.constrained(known.constraint)
            yield propose(changed, "known_break", known.constraint, known.reason, match[0])
            change = f"{known.constraint}, regardless of the manifests"
            yield propose(changed.without(name), "known_break", change, known.reason, match[0])
    yield from _own_dependency(failure.tried, plan, context)


def _own_dependency(tried: ImportCheck, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose earlier versions of an installed package whose module lacks a name."""
    match = re.search(
        r"cannot import name '(\w+)' from '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'", tried.error
    )
    if not match:
        return
    module, name = match[2] or match[3], match[1] or match[4]
    package = install_plan.name_of(module)
    version = context.locked.get(package, "")
    parts = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if len(parts) < 2:
        return
    reason = f"{package} {version} has no {module}.{name}"
    yield from propose_newer(plan, package, reason, tried.error)
    for constraint in (f"{package}<{parts[0]}.{parts[1]}", f"{package}<{parts[0]}"):
        if constraint not in plan.constraints and not constraint.endswith(("<0", "<0.0")):
            yield propose(plan.constrained(constraint), "known_break", constraint, reason, tried.error)


_NO_TAG = re.compile(
    r"(?:Because |and )?([A-Za-z0-9][\w.-]*?)(?:==([\w.+!]+)|[<>=!~][^ ]*)? has no wheels with a matching Python "
    r"(?:ABI|version|implementation)? ?tag"
)
_TAGS = re.compile(r"with the following Python (?:ABI |implementation )?tags?: ((?:`[\w]+`(?:, )?)+)")
_NO_VERSION = re.compile(
    r"Because there (?:is|are) no versions? of [A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?==\S+ and you require"
)
_PYTHON = re.compile(
    r"the (?:current|requested) Python version \(([\d.]+)\) does not satisfy Python([<>=!~][^ ]*)(?: and ([A-Za-z0-9][\w.-]*?)[<>=!~]\S* depends)?"
)


def propose_interpreters(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    if plan.bound:
        return
    flat = " ".join(failure.log.split())
    others = [other for other in context.interpreters if other != plan.interpreter]
    if match := _NO_TAG.search(flat):
        tags = " ".join(_TAGS.findall(flat))
        minors = {(3, int(number)) for number in re.findall(r"`cp3(\d+)m?`", tags)}
        for other in others:
            if other.minor in minors:
                reason = f"{match[1]} has wheels for {', '.join(f'3.{minor[1]}' for minor in sorted(minors))} only"
                yield _moved(plan, other, reason, match[0])
    # Versions that only a repair admitted do not justify another interpreter.
    asking = (match for match in _PYTHON.finditer(flat) if not match[3] or canonical(match[3]) not in plan.undated)
    if match := next(asking, None):
        wanted = SpecifierSet(match[2].rstrip(","))
        for other in others:
            if str(other) in wanted:
                yield _moved(plan, other, f"a requirement needs Python {match[2]}", match[0])
    if failure.tried:
        yield from _removed(failure.tried, plan, context)
    # An unpublished version is missing for every interpreter.
    unsolved = failure.stage == "resolve" and "unsatisfiable" in flat and not _NO_VERSION.search(flat)
    if unsolved and any(map(is_pinned, plan.wanted)):
        reason, evidence = "all requirements can be resolved for it together", flat[flat.find("Because") :]
        for moved in (_moved(plan, other, reason, evidence) for other in others):
            if context.resolves(moved.plan):
                yield moved


def _moved(plan: InstallPlan, other: Interpreter, reason: str, evidence: str) -> RepairProposal:
    change = f"Python {other} in place of {plan.interpreter}"
    return propose(replace(plan, interpreter=other), "interpreter", change, reason, evidence)


def _removed(tried: ImportCheck, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose an older interpreter for a removed module of the standard library."""
    match = re.search(r"No module named '(\w+)", tried.error)
    until = load_known().removed.get(match[1]) if match else None
    if not match or until is None:
        return
    for other in context.interpreters:
        if other.minor[1] < int(until.split(".")[1]):
            yield _moved(plan, other, f"Python {until} removed the module {match[1]}", tried.error)


def wheels_elsewhere(name: str, version: str, plan: InstallPlan, context: RepairContext) -> Proposals:
    """Propose interpreters for which a pinned version has a wheel."""
    if not version or plan.bound or not any(item.name == canonical(name) and is_pinned(item) for item in plan.wanted):
        return
    pin, reason = f"{name}=={version}", f"{name} {version} cannot be built here and has a wheel for it"
    for other in context.interpreters:
        if other != plan.interpreter and context.installs(pin, other):
            yield _moved(plan, other, reason, pin)


_FILE = re.compile(
    r'File "[^"]*/site-packages/([\w.-]+?)(?:\.py|/[^"]*)", line \d+\n(.*)\n[\sE^~]*\n?.*(?:SyntaxError|TabError)'
)


def propose_source_versions(failure: AttemptFailure, plan: InstallPlan, context: RepairContext) -> Proposals:
    if failure.tried is None or not (matches := list(_FILE.finditer(failure.log))):
        return
    package = context.holder(matches[-1][1]) or install_plan.name_of(matches[-1][1])
    version = context.locked.get(package)
    if version is None:
        return
    reason = f"{package} {version} contains code that Python {plan.interpreter} cannot parse"
    evidence = " ".join(matches[-1][2].split())
    without = f"{package}!={version}"
    for item in plan.wanted:  # A pin to a version for Python 2.
        for other in (relax(item), unbounded(item)) if item.name == package and is_bounded(item) else ():
            if other != item:
                newer = plan.exchange(item, other).constrained(without)
                yield propose(newer, "pin", f"{item.text} becomes {other.text}", reason, evidence)
    change = f"{package}<{version}"
    yield propose(plan.constrained(change), "known_break", change, reason, evidence)
    if failure.tried.need is not ImportNeed.NEEDED:  # The code handles the absence of an optional package.
        why = f"no needed module needs it; {reason}"
        yield propose(plan.exclude(package), "left_out", f"{package} is omitted", why, evidence)
    yield from propose_newer(plan.constrained(without), package, reason, evidence)
