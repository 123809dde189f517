"""Repair `metadata`: a package states what it requires in a form that installers of today refuse, so that none of its versions is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_REFUSED = re.compile(r"Metadata for `([\w.-]+)` \(v([\w.!+]+)\) could not be parsed:((?:\n[ \t]+\S.*)*)")


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage not in ("resolve", "install"):
        return
    for match in _REFUSED.finditer(failure.log):
        name, version = canonical(match[1]), match[2]
        evidence = " ".join(match[0].split())[:300]
        reason = f"{name} {version} states it in a form that is no longer accepted"
        if any(one[:2] == (name, version) for one in plan.stated):
            continue
        if (requires := situation.requires(name, version)) is not None:
            change = f"what {name} {version} requires is read from its wheel"
            yield Proposal(
                replace(plan, stated=(*plan.stated, (name, version, requires))),
                Repair("metadata", change, reason, evidence),
            )
        change = f"{name}!={version}"
        yield Proposal(plan.constrained(change), Repair("metadata", change, reason, evidence))
