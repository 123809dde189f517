"""Repair `processor_only`: a library that was built for an accelerator cannot be loaded without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan, unbounded
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_UNLOADABLE = re.compile(r"Could not load this library: \S*/env/(\S+?\.so)\b")
_NO_OPERATOR = re.compile(r"operator \w+::\w+ does not exist|lib(?:c10|torch)_cuda\.so: cannot open shared object file")
_LOST = re.compile(r"cannot import name '\w+' from '([\w.]+)'|module '([\w.]+)' has no attribute '\w+'")


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage not in ("check", "resolve"):
        return
    if match := _UNLOADABLE.search(failure.log):
        change = f"{match[1]} is taken out: what needs it fails when it is called"
        reason = "it was built for an accelerator, and the package goes on without it"
        if match[1] not in plan.without_files:
            changed = replace(plan, without_files=(*plan.without_files, match[1]))
            yield Proposal(changed, Repair("processor_only", change, reason, match[0]))
    match_operator = _NO_OPERATOR.search(failure.log)
    for name in sorted(plan.held) if match_operator or failure.stage == "resolve" else ():
        evidence = match_operator[0] if match_operator else failure.line("unsatisfiable|Because")
        yield from _whole(name, plan, situation, evidence)


def _whole(name: str, plan: Plan, situation: Situation, evidence: str) -> Iterator[Proposal]:
    """Older versions of a package whose build for processors does not fit those that are built on it."""
    if not (limit := names.whole_below(name)):
        return
    constraint = f"{name}<{limit}"
    constraints = tuple(one for one in plan.constraints if canonical(Requirement(one).name) != name)
    loose = replace(plan, constraints=(*constraints, constraint), held=plan.held - {name}, bound=False)
    reason = f"what is built on {name} needs an accelerator's libraries; wheels before {limit} carry all of theirs and load without one"
    bounded = SpecifierSet(f"<{limit}")
    wanted = tuple(
        unbounded(item) if item.name == name and not _allows(item.text, bounded) else item for item in loose.wanted
    )
    for other in situation.interpreters:
        moved = replace(loose, wanted=wanted, interpreter=other)
        if situation.resolves(moved):
            yield Proposal(moved, Repair("processor_only", f"{constraint} for Python {other}", reason, evidence[:300]))


def propose_older(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """An older version of a package that follows a held one, where the newer lost what is imported; beside the held build, else with it.

    A companion such as torchaudio names the exact version of its package, so that no older one can be had while the build is kept.
    """
    if failure.stage != "check" or failure.tried is None or not (match := _LOST.search(failure.tried.error)):
        return
    package = names.name_of(match[1] or match[2])
    for name in sorted(plan.held):
        if package in names.companions(name) and package in situation.locked:
            yield from _beside(name, package, failure.tried.error, plan, situation)
            yield from _whole(name, plan, situation, match[0])


def _beside(name: str, package: str, error: str, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """The companion in an older version, whatever version of the held package it names."""
    known = [one.constraint for one in names.breaks() if one.pattern.search(error)]
    parts = situation.locked[package].split("+")[0].split(".")
    bounds = [text for text in known if canonical(Requirement(text).name) == package]
    held = [text for text in plan.constraints if canonical(Requirement(text).name) == name]
    for bound in bounds or [f"{package}<{'.'.join(parts[:2])}"]:
        reason = (
            f"its newer versions lost what is imported, and the older name another {name}; its native part may not load"
        )
        changed = replace(plan.constrained(bound), overrides=(*plan.overrides, *held))
        yield Proposal(changed, Repair("processor_only", f"{bound} beside {', '.join(held)}", reason, error[:300]))


def _allows(text: str, bounded: SpecifierSet) -> bool:
    """Whether a requirement leaves anything below the limit; decided by its lower bounds."""
    lower = [part.version for part in Requirement(text).specifier if part.operator in (">=", ">", "==", "~=")]
    return all(version.rstrip(".*") in bounded for version in lower)
