"""Repair `package_name`: the registry has no package of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_UNKNOWN = (
    r"Because ([A-Za-z0-9][\w.-]*)(?:[<>=!~][^ ]*)? (?:was not found in the (?:package registry|provided)|could not be found)"
    r"|(?:Because|because) all versions of ([A-Za-z0-9][\w.-]*) were yanked|No such package: ([\w.-]+)"
)


def propose(failure: Failure, plan: Plan, _: Situation) -> Iterator[Proposal]:
    flat = " ".join(failure.log.split())
    for match in re.finditer(_UNKNOWN, flat):
        name = match[1] or match[2] or match[3]
        evidence = match[0]
        if not match[1] and plan.date and name not in plan.undated:
            newer = replace(plan, undated=plan.undated | {canonical(name)})
            reason = "all its versions of that day were withdrawn"
            yield Proposal(newer, Repair("date", f"{name} may be newer than the commit", reason, evidence))
        for other in (names.replacement(name), names.package_of(name)):
            if other and other.lower() != name.lower() and plan.asks_for(name):
                change = f"{other} in place of {name}"
                plan_with = plan.without(name).asking(other, f"in place of {name}")
                yield Proposal(
                    plan_with, Repair("package_name", change, "the registry has no package of that name", evidence)
                )
        reason = "the registry has no package of that name" if match[1] else "all its versions were withdrawn"
        repair = Repair("package_name", f"{name} is left out", reason, evidence)
        yield Proposal(replace(plan.without(name), excluded=plan.excluded | {name}), repair)
