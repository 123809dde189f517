"""Repair `test_plugin`: the configuration of the tests takes a plugin of pytest for granted that no manifest asks for, or another pytest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from packaging.requirements import InvalidRequirement, Requirement

from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.manifests.values import TESTS, canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_OPTIONS = re.compile(r"unrecognized arguments: (.+)|no such option: (-{1,2}[\w-]+)|ambiguous option: (-{1,2}[\w-]+)")
_MARKER = re.compile(r"'(\w+)' not found in `markers` configuration option|'(\w+)' not a registered marker")
_PLUGINS = re.compile(r"[Mm]issing required plugins: (.+)")
_NEWER = re.compile(r"requires pytest[->=]+([\d.]+\d), actual pytest-([\d.]+\d)")


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None or not failure.tried.test:
        return
    added = [text for text in _plugins(failure.log) if not _is_there(text, plan, situation)]
    if added:
        changed = plan
        for text in added:
            changed = changed.asking(text, failure.tried.where, TESTS)
        reason = "the configuration of the tests takes it for granted"
        yield Proposal(
            changed, Repair("test_plugin", f"{', '.join(added)} is installed", reason, failure.tried.error[:300])
        )
        undated = replace(changed, undated=plan.undated | {canonical(Requirement(text).name) for text in added})
        if plan.date:
            change = f"{', '.join(added)} is installed, newer than the commit if need be"
            yield Proposal(undated, Repair("test_plugin", change, reason, failure.tried.error[:300]))
    if match := _NEWER.search(failure.log):
        change, reason = f"pytest>={match[1]}", f"the configuration of the tests asks for it, {match[2]} is installed"
        for undated_names in (plan.undated, plan.undated | {"pytest"}):
            newer = replace(plan, undated=undated_names).asking(change, failure.tried.where, TESTS)
            yield Proposal(newer, Repair("test_plugin", change, reason, match[0]))


def _plugins(log: str) -> list[str]:
    """Packages of the plugins whose options, marks or names a log says are unknown."""
    found: list[str] = []
    for match in _OPTIONS.finditer(log):
        said = next(part for part in match.groups() if part)
        found += [names.plugin_of_option(word) for word in said.split() if word.startswith("-")]
    found += [names.plugin_of_mark(match[1] or match[2]) for match in _MARKER.finditer(log)]
    for match in _PLUGINS.finditer(log):
        found += [part.strip() for part in match[1].split(",") if _is_requirement(part)]
    return list(dict.fromkeys(filter(None, found)))


def _is_requirement(text: str) -> bool:
    try:
        Requirement(text.strip())
    except InvalidRequirement:
        return False
    return True


def _is_there(text: str, plan: Plan, situation: Situation) -> bool:
    requirement = Requirement(text)
    name = canonical(requirement.name)
    return name in plan.excluded or (name in situation.locked and situation.locked[name] in requirement.specifier)
