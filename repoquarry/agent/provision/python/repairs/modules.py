"""Repair `missing_module`: the code imports what no manifest asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Need, Repair

_MISSING = re.compile(r"No module named '([\w.]+)'")


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    match = _MISSING.search(failure.tried.error)
    if not match:
        yield from _named(failure, plan, situation)
    if not match or match[1].partition(".")[0] in situation.code.own:
        return
    module = match[1]
    package = names.package_of(module)
    if not package or canonical(package) in plan.excluded:
        return
    installed = names.named_by(package) in situation.locked
    if installed and module != "pkg_resources":
        yield from _older(module, package, plan, situation, match[0])
        return
    if (
        not names.is_known(module)
        and not situation.installs(package, plan.interpreter)
        and failure.tried.need is not Need.NEEDED
        and not failure.tried.test
    ):
        return
    where = failure.tried.where or failure.tried.module
    reason = f"{where} imports {module}, and no manifest asks for it"
    if module != failure.tried.module and not failure.tried.own:
        reason = f"{failure.tried.module} imports {module} and does not require it"
    if plan.asks_for(names.named_by(package)):
        return  # what is asked for already did not come, or comes with a repair that is tried beside this one
    yield Proposal(
        plan.asking(package, f"imported by {where}"),
        Repair("missing_module", f"{package} is installed", reason, failure.tried.error[:300]),
    )


def _older(module: str, package: str, plan: Plan, situation: Situation, evidence: str) -> Iterator[Proposal]:
    """A package is there and lacks the module: a version of another time has it."""
    name = canonical(package)
    version = situation.locked.get(name, "")
    major = re.match(r"\d+", version)
    if major and "." in module:
        constraint = f"{name}<{major[0]}" if int(major[0]) else f"{name}<{version}"
        change = constraint
        yield Proposal(
            plan.constrained(constraint),
            Repair("known_break", change, f"{name} {version} has no module {module}", evidence),
        )
        if name in plan.undated:
            return
        if plan.date:
            newer = replace(plan, undated=plan.undated | {name})
            yield Proposal(
                newer,
                Repair(
                    "date", f"{name} may be newer than the commit", f"{name} {version} has no module {module}", evidence
                ),
            )


def _named(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """Packages that the code takes where they are there, and that an error names: what is tried goes wrong without them."""
    assert failure.tried is not None  # noqa: S101  the caller asked
    said = set(re.findall(r"\w+", failure.tried.error.partition(":")[2]))
    for item in situation.code.imported:
        top = item.module.partition(".")[0]
        package = names.package_of(item.module)
        name = names.named_by(package)
        if item.need is Need.NEEDED or top not in said or not name:
            continue
        if name in situation.locked or name in plan.excluded or plan.asks_for(name):
            continue
        reason = f"{item.where} imports {item.module} where it is there, and the error says it is needed"
        repair = Repair("missing_module", f"{package} is installed", reason, failure.tried.error[:300])
        yield Proposal(plan.asking(package, f"imported by {item.where}"), repair)
        return
