"""Repair `pin` and `known_break`: an installed package is written for another Python, so that its source cannot be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.plan import Plan, is_bounded, relaxed, unbounded
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Need, Repair

_FILE = re.compile(
    r'File "[^"]*/site-packages/([\w.-]+?)(?:\.py|/[^"]*)", line \d+\n(.*)\n[\sE^~]*\n?.*(?:SyntaxError|TabError)'
)


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    matches = list(_FILE.finditer(failure.log))
    if not matches:
        return
    package = situation.holder(matches[-1][1]) or names.name_of(matches[-1][1])
    version = situation.locked.get(package)
    if version is None:
        return
    reason = f"{package} {version} holds code that Python {plan.interpreter} cannot parse"
    evidence = " ".join(matches[-1][2].split())[:300]
    for item in plan.wanted:  # a pin on a version from the days of Python 2
        for other in (relaxed(item), unbounded(item)) if item.name == package and is_bounded(item) else ():
            if other != item:
                wanted = tuple(other if one == item else one for one in plan.wanted)
                newer = replace(plan, wanted=wanted).constrained(f"{package}!={version}")
                change = f"{item.text} becomes {other.text}"
                yield Proposal(newer, Repair("pin", change, reason, evidence))
    change = f"{package}<{version}"
    yield Proposal(plan.constrained(change), Repair("known_break", change, reason, evidence))
    if failure.tried.need is not Need.NEEDED:  # code that can do without it looks whether it is there
        left = replace(plan.without(package), excluded=plan.excluded | {package})
        yield Proposal(
            left, Repair("left_out", f"{package} is left out", f"nothing needed needs it; {reason}", evidence)
        )
    if plan.date and package not in plan.undated:
        newer = replace(plan, undated=plan.undated | {package}).constrained(f"{package}!={version}")
        yield Proposal(newer, Repair("date", f"{package} may be newer than the commit", reason, evidence))
