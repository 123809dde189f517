"""Repair `interpreter`: what is required runs on another version of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.specifiers import SpecifierSet

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.interpreters import Interpreter
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan, is_pinned
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

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


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if plan.bound:
        return
    flat = " ".join(failure.log.split())
    if match := _NO_TAG.search(flat):
        minors = _minors(flat)
        for other in situation.interpreters:
            if other != plan.interpreter and other.minor in minors:
                reason = f"{match[1]} has wheels for {', '.join(f'3.{minor[1]}' for minor in sorted(minors))} only"
                yield _moved(plan, other, reason, match[0])
    # versions that are looked at only because a repair let in newer ones are no reason to leave the interpreter of that day
    asking = (match for match in _PYTHON.finditer(flat) if not match[3] or canonical(match[3]) not in plan.undated)
    if match := next(asking, None):
        wanted = SpecifierSet(match[2].rstrip(","))
        for other in situation.interpreters:
            if other != plan.interpreter and str(other) in wanted:
                yield _moved(plan, other, f"a requirement asks for Python {match[2]}", match[0])
    if failure.stage == "check" and failure.tried:
        yield from _removed(failure, plan, situation)
    # a version that nobody published is missing for every interpreter
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


def _moved(plan: Plan, other: Interpreter, reason: str, evidence: str) -> Proposal:
    change = f"Python {other} in place of {plan.interpreter}"
    return Proposal(replace(plan, interpreter=other), Repair("interpreter", change, reason, evidence[:300]))


def _removed(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """A module that the standard library had in older versions."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    match = re.search(r"No module named '(\w+)", failure.tried.error)
    until = names.removed_modules().get(match[1]) if match else None
    if not match or until is None:
        return
    limit = (3, int(until.split(".")[1]))
    for other in situation.interpreters:
        if other.minor < limit:
            yield _moved(plan, other, f"Python {until} removed the module {match[1]}", failure.tried.error)


def wheels_elsewhere(name: str, version: str, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """Interpreters for which a version has a wheel, where the one at hand would have to build it."""
    pinned = (
        version and not plan.bound and any(item.name == canonical(name) and is_pinned(item) for item in plan.wanted)
    )
    for other in situation.interpreters if pinned else ():
        if other != plan.interpreter and situation.installs(f"{name}=={version}", other):
            yield _moved(
                plan, other, f"{name} {version} cannot be built here and has a wheel for it", f"{name}=={version}"
            )
