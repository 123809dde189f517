"""Repairs `date` and `archive`: the index does not say when versions were published, nothing is old enough, or an archive's name is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_UNNAMED = re.compile(r"([A-Za-z0-9][\w.-]*?)(?:[<>=!~][^ ]*)? ha(?:s|ve) a non-PEP 625-compliant source distribution")


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
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
        yield Proposal(replace(plan, date=None), Repair("date", "the newest versions are taken", reason, evidence))
    for name in unnamed:
        if name in plan.undated:
            continue
        change = f"{name} may be newer than the commit"
        reason = "its archives of that day have names that are no longer accepted, and newer versions have wheels"
        evidence = failure.line("non-PEP 625-compliant")
        yield Proposal(replace(plan, undated=plan.undated | {name}), Repair("date", change, reason, evidence))
    for name in sorted(held_back - plan.undated):
        change = f"{name} may be newer than the commit"
        reason = "no version that is asked for had been published at the commit's date"
        evidence = failure.line("was filtered by `exclude-newer`")
        yield Proposal(replace(plan, undated=plan.undated | {name}), Repair("date", change, reason, evidence))


def _archive(name: str, failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """The archive itself, under a name that is accepted."""
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
        yield Proposal(replace(plan, archives=(*plan.archives, (name, version))), repair)
