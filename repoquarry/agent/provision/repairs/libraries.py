"""Repair `system_library`: a shared library of the operating system is missing, and a build of the package carries it or needs none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from repoquarry.agent.provision import names
from repoquarry.agent.provision.plan import Plan, Repair
from repoquarry.agent.provision.repairs.values import Failure, Proposal, Situation

LIBRARY: Final = re.compile(
    r"((?:lib)?[\w+-]+\.so(?:\.[\d.]+)?): cannot open shared object file|(lib\w+)[\w ]* (?:not found|library not found)"
)
_WITHOUT: Final = {"opencv-python": "opencv-python-headless", "opencv-contrib-python": "opencv-contrib-python-headless"}


def propose(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    if failure.stage != "check" or failure.tried is None:
        return
    match = LIBRARY.search(failure.tried.error)
    if not match:
        return
    file = match[1] or match[2]
    reason = f"it needs {file}, which is not installed" + (
        f" (system's package {package})" if (package := names.system_package(file)) else ""
    )
    for name, other in _WITHOUT.items():
        if name in situation.locked and failure.tried.top_is("cv2"):
            version = situation.locked[name]
            changed = replace(plan.without(name), excluded=plan.excluded | {name})
            for text in (f"{other}=={version}", other):
                change = f"{text} in place of {name}"
                yield Proposal(
                    changed.asking(text, f"in place of {name}"), Repair("system_library", change, reason, match[0])
                )
    package_name = names.name_of(failure.tried.module)
    if plan.date and package_name in situation.locked and package_name not in plan.undated:
        change = f"{package_name} may be newer than the commit: newer wheels carry their libraries"
        repair = Repair("system_library", change, reason, match[0])
        yield Proposal(replace(plan, undated=plan.undated | {package_name}), repair)
