"""Repair `known_break`: an error that a newer version of a package brought, by the table of such errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.specifiers import SpecifierSet

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    text = f"{failure.tried.error}\n{failure.tried.trace}"
    for known in names.breaks():
        match = known.pattern.search(text)
        if not match:
            continue
        name = names.named_by(known.constraint)
        bound = SpecifierSet(known.constraint[len(name) :])
        if name == "python":
            for other in () if plan.bound else situation.interpreters:
                if str(other) in bound and other != plan.interpreter and str(plan.interpreter) not in bound:
                    change = f"Python {other} in place of {plan.interpreter}"
                    yield Proposal(
                        replace(plan, interpreter=other), Repair("interpreter", change, known.reason, match[0])
                    )
        elif (version := situation.locked.get(name)) and version not in bound:
            changed = plan.constrained(known.constraint)
            yield Proposal(changed, Repair("known_break", known.constraint, known.reason, match[0]))
            loose = replace(changed, wanted=tuple(one for one in changed.wanted if one.name != name))
            yield Proposal(
                loose, Repair("known_break", f"{known.constraint}, whatever is asked for", known.reason, match[0])
            )
    yield from _own_dependency(failure, plan, situation)


def _own_dependency(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """A name that a module of an installed package lacks: a version of the package before the installed one may have it."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    match = re.search(
        r"cannot import name '(\w+)' from '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'", failure.tried.error
    )
    if not match:
        return
    module, name = match[2] or match[3], match[1] or match[4]
    package = names.name_of(module)
    version = situation.locked.get(package, "")
    parts = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if len(parts) < 2:
        return
    evidence = failure.tried.error[:300]
    if plan.date and package not in plan.undated:
        change, reason = f"{package} may be newer than the commit", f"{package} {version} has no {module}.{name}"
        yield Proposal(replace(plan, undated=plan.undated | {package}), Repair("date", change, reason, evidence))
    for constraint in (f"{package}<{parts[0]}.{parts[1]}", f"{package}<{parts[0]}"):
        if constraint not in plan.constraints and not constraint.endswith("<0") and not constraint.endswith("<0.0"):
            repair = Repair("known_break", constraint, f"{package} {version} has no {module}.{name}", evidence)
            yield Proposal(plan.constrained(constraint), repair)
