"""Repair `project`: the repository itself cannot be installed as a package, or what is installed lacks its modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_NEXT = {"editable": ("copied", "linked"), "copied": ("linked",), "linked": ()}
_WORDS = {"copied": "installed as a copy", "linked": "made importable by its path, without being installed"}


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    own = failure.tried is not None and failure.tried.own
    missing = own and failure.tried is not None and f"No module named '{failure.tried.module}" in failure.tried.error
    if failure.stage != "project" and not missing:
        return
    reason = "the installed package lacks its modules" if missing else "it cannot be installed as it stands"
    evidence = failure.tried.error if failure.tried else failure.line(r"[Ee]rror")
    for mode in _NEXT[plan.project]:
        if missing and mode == "copied":
            continue
        yield Proposal(
            replace(plan, project=mode), Repair("project", f"the repository is {_WORDS[mode]}", reason, evidence[:300])
        )
