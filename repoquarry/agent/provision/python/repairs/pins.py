"""Repair `pin`: versions that do not exist, or that exclude each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from packaging.requirements import Requirement

from repoquarry.agent.provision.python.manifests.values import TESTS, Wanted, canonical
from repoquarry.agent.provision.python.plan import Plan, is_bounded, is_pinned, relaxed, unbounded
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair


def propose(failure: Failure, plan: Plan, _: Situation) -> Iterator[Proposal]:
    flat = " ".join(failure.log.split())
    if failure.stage not in ("resolve", "install") or "unsatisfiable" not in flat:
        return
    evidence = flat[flat.find("Because") :][:400]
    if plan.locked:
        change = f"the {len(plan.locked)} versions of the lock file are not kept to"
        yield Proposal(
            replace(plan, locked=()), Repair("pin", change, "they exclude what the manifests ask for", evidence)
        )
    named = {canonical(name) for name in re.findall(r"[A-Za-z0-9][\w.-]*", evidence)}
    asked = [item for item in plan.wanted if item.name in named and is_bounded(item)]
    # a version that does not exist cannot stay; then what only tests need gives way, then what is pinned
    asked.sort(key=lambda item: (not _missing(item, evidence), item.group != TESTS, not is_pinned(item)))
    yield from _relaxed(plan, asked, evidence)
    for item in asked:
        if item.name not in plan.undated and plan.date and "exclude-newer" in flat:
            change, why = f"{item.name} may be newer than the commit", "it asks for a version that was published later"
            yield Proposal(replace(plan, undated=plan.undated | {item.name}), Repair("date", change, why, evidence))
    yield from _unbounded(plan, asked, evidence)
    yield from _without_constraints(plan, named, evidence)
    yield from _all_at_once(plan, evidence)
    for item in plan.wanted:
        if item.name in named and item.group == TESTS:
            repair = Repair("pin", f"{item.text} is left out", "only tests need it, and nothing of it fits", evidence)
            yield Proposal(plan.without(item.name), repair)


def _relaxed(plan: Plan, asked: Iterable[Wanted], evidence: str) -> Iterator[Proposal]:
    for item in asked:
        if (other := relaxed(item)) != item:
            why = (
                "no such version for this interpreter and date"
                if _missing(item, evidence)
                else "it excludes what others require"
            )
            yield Proposal(
                _exchanged(plan, item, other), Repair("pin", f"{item.text} becomes {other.text}", why, evidence)
            )


def _unbounded(plan: Plan, asked: Iterable[Wanted], evidence: str) -> Iterator[Proposal]:
    for item in asked:
        other = unbounded(item)
        if other != item:
            why = "no version that it allows fits the others"
            yield Proposal(
                _exchanged(plan, item, other), Repair("pin", f"{item.text} becomes {other.text}", why, evidence)
            )


def _without_constraints(plan: Plan, named: Collection[str], evidence: str) -> Iterator[Proposal]:
    for constraint in plan.constraints:
        if (name := canonical(Requirement(constraint).name)) in named and name not in plan.held:
            left = tuple(other for other in plan.constraints if other != constraint)
            change = f"the constraint {constraint} is given up"
            yield Proposal(replace(plan, constraints=left), Repair("pin", change, "it leaves no solution", evidence))


def _missing(item: Wanted, evidence: str) -> bool:
    return bool(re.search(rf"(there (is|are) no versions? of|only) {re.escape(item.name)}", evidence, re.IGNORECASE))


def _exchanged(plan: Plan, old: Wanted, new: Wanted) -> Plan:
    return replace(plan, wanted=tuple(new if item == old else item for item in plan.wanted))


def _all_at_once(plan: Plan, evidence: str) -> Iterator[Proposal]:
    for make, word in ((relaxed, "lower bounds"), (unbounded, "any version")):
        wanted = tuple(map(make, plan.wanted))
        if wanted != plan.wanted:
            change = f"all {_count(plan.wanted, wanted)} bounds become {word}"
            repair = Repair("pin", change, "single changes left no solution", evidence)
            yield Proposal(replace(plan, wanted=wanted), repair)


def _count(before: Iterable[Wanted], after: Iterable[Wanted]) -> int:
    return sum(one != other for one, other in zip(before, after, strict=True))
