"""Repair `system_library`: a shared library of the operating system is missing, and a build of the package carries it or needs none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from repoquarry.agent.provision import system
from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Situation
from repoquarry.agent.provision.trial import Repair

_WITHOUT: Final = {"opencv-python": "opencv-python-headless", "opencv-contrib-python": "opencv-contrib-python-headless"}


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    file, said = system.missing_library(failure.tried.error)
    if not file:
        return
    reason = f"it needs {file}, which is not installed" + (
        f" (system's package {package})" if (package := system.package_of(file)) else ""
    )
    for name, other in _WITHOUT.items():
        if name in situation.locked and failure.tried.top_is("cv2"):
            version = situation.locked[name]
            changed = replace(plan.without(name), excluded=plan.excluded | {name})
            for text in (f"{other}=={version}", other):
                change = f"{text} in place of {name}"
                yield Proposal(
                    changed.asking(text, f"in place of {name}"), Repair("system_library", change, reason, said)
                )
    package_name = names.name_of(failure.tried.module)
    if plan.date and package_name in situation.locked and package_name not in plan.undated:
        change = f"{package_name} may be newer than the commit: newer wheels carry their libraries"
        repair = Repair("system_library", change, reason, said)
        yield Proposal(replace(plan, undated=plan.undated | {package_name}), repair)
