"""Repairs of versions: pins, dates, known breaks, interpreter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    RepairContext,
    RepairProposal,
    is_bounded,
    is_pinned,
    propose_newer,
    relax,
    unbounded,
)
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportNeed, Repair
from repoquarry.languages.manifests.python_requirements import TESTS, StatedRequirement, canonical


def propose_pins(failure: AttemptFailure, plan: InstallPlan, _: RepairContext) -> Iterator[RepairProposal]:
    flat = " ".join(failure.log.split())
    if failure.stage not in ("resolve", "install") or "unsatisfiable" not in flat:
        return
    evidence = flat[flat.find("Because") :][:400]
    if plan.locked:
        change = f"the {len(plan.locked)} versions of the lock file are not kept to"
        yield RepairProposal(
            replace(plan, locked=()), Repair("pin", change, "they exclude what the manifests ask for", evidence)
        )
    named = {canonical(name) for name in re.findall(r"[A-Za-z0-9][\w.-]*", evidence)}
    asked = [item for item in plan.wanted if item.name in named and is_bounded(item)]
    # Versions that do not exist are relaxed first, then requirements of tests, then pins.
    asked.sort(key=lambda item: (not _missing(item, evidence), item.group != TESTS, not is_pinned(item)))
    yield from _relaxed(plan, asked, evidence)
    for item in asked:
        if "exclude-newer" in flat:
            yield from propose_newer(plan, item.name, "it asks for a version that was published later", evidence)
    yield from _unbounded(plan, asked, evidence)
    yield from _without_constraints(plan, named, evidence)
    yield from _all_at_once(plan, evidence)
    for item in plan.wanted:
        if item.name in named and item.group == TESTS:
            repair = Repair("pin", f"{item.text} is omitted", "only tests need it, and nothing of it fits", evidence)
            yield RepairProposal(plan.without(item.name), repair)


def _relaxed(plan: InstallPlan, asked: Iterable[StatedRequirement], evidence: str) -> Iterator[RepairProposal]:
    for item in asked:
        if (other := relax(item)) != item:
            why = (
                "no such version for this interpreter and date"
                if _missing(item, evidence)
                else "it excludes what others require"
            )
            yield RepairProposal(
                _exchanged(plan, item, other), Repair("pin", f"{item.text} becomes {other.text}", why, evidence)
            )


def _unbounded(plan: InstallPlan, asked: Iterable[StatedRequirement], evidence: str) -> Iterator[RepairProposal]:
    for item in asked:
        other = unbounded(item)
        if other != item:
            why = "no version that it allows fits the others"
            yield RepairProposal(
                _exchanged(plan, item, other), Repair("pin", f"{item.text} becomes {other.text}", why, evidence)
            )


def _without_constraints(plan: InstallPlan, named: Collection[str], evidence: str) -> Iterator[RepairProposal]:
    for constraint in plan.constraints:
        if (name := canonical(Requirement(constraint).name)) in named and name not in plan.fixed_packages:
            left = tuple(other for other in plan.constraints if other != constraint)
            change = f"the constraint {constraint} is given up"
            yield RepairProposal(
                replace(plan, constraints=left), Repair("pin", change, "it leaves no solution", evidence)
            )


def _missing(item: StatedRequirement, evidence: str) -> bool:
    return bool(re.search(rf"(there (is|are) no versions? of|only) {re.escape(item.name)}", evidence, re.IGNORECASE))


def _exchanged(plan: InstallPlan, old: StatedRequirement, new: StatedRequirement) -> InstallPlan:
    return replace(plan, wanted=tuple(new if item == old else item for item in plan.wanted))


def _all_at_once(plan: InstallPlan, evidence: str) -> Iterator[RepairProposal]:
    for make, word in ((relax, "lower bounds"), (unbounded, "any version")):
        wanted = tuple(map(make, plan.wanted))
        if wanted != plan.wanted:
            change = f"all {_count(plan.wanted, wanted)} bounds become {word}"
            repair = Repair("pin", change, "single changes left no solution", evidence)
            yield RepairProposal(replace(plan, wanted=wanted), repair)


def _count(before: Iterable[StatedRequirement], after: Iterable[StatedRequirement]) -> int:
    return sum(one != other for one, other in zip(before, after, strict=True))


_UNNAMED = re.compile(r"([A-Za-z0-9][\w.-]*?)(?:[<>=!~][^ ]*)? ha(?:s|ve) a non-PEP 625-compliant source distribution")


def propose_dates(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    if failure.stage not in ("resolve", "install", "project"):
        return
    flat = " ".join(failure.log.split())
    unnamed = sorted({canonical(found) for found in _UNNAMED.findall(flat)})
    for name in unnamed:
        yield from _archive(name, failure, plan, situation)
    if plan.date is None:
        return
    held_back = {canonical(name) for name in re.findall(r"`([\w.-]+)` was filtered by `exclude-newer`", flat)}
    undated = {canonical(name) for name in re.findall(r"`([\w.]+?)-\d[^`]*` is missing an upload date", flat)}
    if held_back & undated:
        reason = "the index does not say when versions were published"
        evidence = failure.line("missing an upload date")
        yield RepairProposal(
            replace(plan, date=None), Repair("date", "the newest versions are taken", reason, evidence)
        )
    for name in unnamed:
        reason = "its archives of that day have names that are no longer accepted, and newer versions have wheels"
        yield from propose_newer(plan, name, reason, failure.line("non-PEP 625-compliant"))
    for name in sorted(held_back):
        reason = "no version that is asked for had been published at the commit's date"
        yield from propose_newer(plan, name, reason, failure.line("was filtered by `exclude-newer`"))


def _archive(
    name: str, failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    """Propose the archive under a valid name."""
    if any(package == name for package, _ in plan.archives):
        return
    allowed = SpecifierSet()
    for text in (*(item.text for item in plan.wanted), *plan.constraints):
        if canonical((requirement := Requirement(text)).name) == name:
            allowed &= requirement.specifier
    if version := situation.takes_archive(name, allowed):
        change = f"{name} {version} is built from its archive"
        reason = "the archive has a name that is no longer accepted, and is given one that is"
        repair = Repair("archive", change, reason, failure.line("non-PEP 625-compliant"))
        yield RepairProposal(replace(plan, archives=(*plan.archives, (name, version))), repair)


def propose_known_breaks(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    text = f"{failure.tried.error}\n{failure.tried.trace}"
    for known in install_plan.breaks():
        match = known.pattern.search(text)
        if not match:
            continue
        name = install_plan.named_by(known.constraint)
        bound = SpecifierSet(known.constraint[len(name) :])
        if name == "python":
            for other in () if plan.bound else situation.interpreters:
                if str(other) in bound and other != plan.interpreter and str(plan.interpreter) not in bound:
                    change = f"Python {other} in place of {plan.interpreter}"
                    yield RepairProposal(
                        replace(plan, interpreter=other), Repair("interpreter", change, known.reason, match[0])
                    )
        elif (version := situation.locked.get(name)) and version not in bound:
            changed = plan.constrained(known.constraint)
            yield RepairProposal(changed, Repair("known_break", known.constraint, known.reason, match[0]))
            loose = replace(changed, wanted=tuple(one for one in changed.wanted if one.name != name))
            yield RepairProposal(
                loose, Repair("known_break", f"{known.constraint}, whatever is asked for", known.reason, match[0])
            )
    yield from _own_dependency(failure, plan, situation)


def _own_dependency(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose earlier versions of an installed package whose module lacks a name."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    match = re.search(
        r"cannot import name '(\w+)' from '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'", failure.tried.error
    )
    if not match:
        return
    module, name = match[2] or match[3], match[1] or match[4]
    package = install_plan.name_of(module)
    version = situation.locked.get(package, "")
    parts = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if len(parts) < 2:
        return
    evidence = failure.tried.error[:300]
    yield from propose_newer(plan, package, f"{package} {version} has no {module}.{name}", evidence)
    for constraint in (f"{package}<{parts[0]}.{parts[1]}", f"{package}<{parts[0]}"):
        if constraint not in plan.constraints and not constraint.endswith("<0") and not constraint.endswith("<0.0"):
            repair = Repair("known_break", constraint, f"{package} {version} has no {module}.{name}", evidence)
            yield RepairProposal(plan.constrained(constraint), repair)


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


def propose_interpreters(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if plan.bound:
        return
    flat = " ".join(failure.log.split())
    if match := _NO_TAG.search(flat):
        minors = _minors(flat)
        for other in situation.interpreters:
            if other != plan.interpreter and other.minor in minors:
                reason = f"{match[1]} has wheels for {', '.join(f'3.{minor[1]}' for minor in sorted(minors))} only"
                yield _moved(plan, other, reason, match[0])
    # Versions that only a repair admitted do not justify another interpreter.
    asking = (match for match in _PYTHON.finditer(flat) if not match[3] or canonical(match[3]) not in plan.undated)
    if match := next(asking, None):
        wanted = SpecifierSet(match[2].rstrip(","))
        for other in situation.interpreters:
            if other != plan.interpreter and str(other) in wanted:
                yield _moved(plan, other, f"a requirement asks for Python {match[2]}", match[0])
    if failure.stage == "check" and failure.tried:
        yield from _removed(failure, plan, situation)
    # An unpublished version is missing for every interpreter.
    unpublished = _NO_VERSION.search(flat)
    if failure.stage == "resolve" and "unsatisfiable" in flat and not unpublished and any(map(is_pinned, plan.wanted)):
        for other in situation.interpreters:
            moved = _moved(
                plan, other, "all that is asked for fits together there, and not here", flat[flat.find("Because") :]
            )
            if other != plan.interpreter and situation.resolves(moved.plan):
                yield moved


def _minors(text: str) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for tags in _TAGS.findall(text):
        found |= {(3, int(number)) for number in re.findall(r"`cp3(\d+)m?`", tags)}
    return found


def _moved(plan: InstallPlan, other: Interpreter, reason: str, evidence: str) -> RepairProposal:
    change = f"Python {other} in place of {plan.interpreter}"
    return RepairProposal(replace(plan, interpreter=other), Repair("interpreter", change, reason, evidence[:300]))


def _removed(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose an older interpreter for a removed module of the standard library."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    match = re.search(r"No module named '(\w+)", failure.tried.error)
    until = install_plan.removed_modules().get(match[1]) if match else None
    if not match or until is None:
        return
    limit = (3, int(until.split(".")[1]))
    for other in situation.interpreters:
        if other.minor < limit:
            yield _moved(plan, other, f"Python {until} removed the module {match[1]}", failure.tried.error)


def wheels_elsewhere(name: str, version: str, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Propose interpreters for which a pinned version has a wheel."""
    pinned = (
        version and not plan.bound and any(item.name == canonical(name) and is_pinned(item) for item in plan.wanted)
    )
    for other in situation.interpreters if pinned else ():
        if other != plan.interpreter and situation.installs(f"{name}=={version}", other):
            yield _moved(
                plan, other, f"{name} {version} cannot be built here and has a wheel for it", f"{name}=={version}"
            )


_FILE = re.compile(
    r'File "[^"]*/site-packages/([\w.-]+?)(?:\.py|/[^"]*)", line \d+\n(.*)\n[\sE^~]*\n?.*(?:SyntaxError|TabError)'
)


def propose_source_versions(
    failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
) -> Iterator[RepairProposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    matches = list(_FILE.finditer(failure.log))
    if not matches:
        return
    package = situation.holder(matches[-1][1]) or install_plan.name_of(matches[-1][1])
    version = situation.locked.get(package)
    if version is None:
        return
    reason = f"{package} {version} holds code that Python {plan.interpreter} cannot parse"
    evidence = " ".join(matches[-1][2].split())[:300]
    for item in plan.wanted:  # A pin to a version for Python 2.
        for other in (relax(item), unbounded(item)) if item.name == package and is_bounded(item) else ():
            if other != item:
                wanted = tuple(other if one == item else one for one in plan.wanted)
                newer = replace(plan, wanted=wanted).constrained(f"{package}!={version}")
                change = f"{item.text} becomes {other.text}"
                yield RepairProposal(newer, Repair("pin", change, reason, evidence))
    change = f"{package}<{version}"
    yield RepairProposal(plan.constrained(change), Repair("known_break", change, reason, evidence))
    if failure.tried.need is not ImportNeed.NEEDED:  # The code handles the absence of an optional package.
        left = replace(plan.without(package), excluded=plan.excluded | {package})
        yield RepairProposal(
            left, Repair("left_out", f"{package} is omitted", f"nothing needed needs it; {reason}", evidence)
        )
    newer = plan.constrained(f"{package}!={version}")
    yield from propose_newer(newer, package, reason, evidence)
