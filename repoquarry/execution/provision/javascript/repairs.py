"""Repairs of an npm installation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from repoquarry.execution.provision.javascript.load_check import package_of
from repoquarry.execution.provision.javascript.manifest import Project
from repoquarry.execution.provision.javascript.npm import NodePlan
from repoquarry.execution.provision.report import ImportCheck, ImportNeed, Repair

_NAME: Final = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)"
_ABSENT: Final = re.compile(
    rf"'{_NAME}@[^']*' (?:is not in this registry|could not be found)|"
    r"404 Not Found - GET \w+://[^/\s]+/(?:\S+/)??(?P<path>(?:@[\w.-]+(?:%2f|/))?[\w.-]+)(?=\s|$)",
    re.I,
)
_NO_VERSION: Final = re.compile(
    rf"No matching version found for {_NAME}@(?P<range>[^\s]*?)(?P<dated> with a date before [^\n]*)?\.?$", re.M
)
_UNDATED: Final = re.compile(rf"(?:ENOVERSIONS|No versions available for {_NAME})")
_CLEAN: Final = re.compile(
    r"can only install packages when your package\.json|`npm ci` can only|does not satisfy|lockfileVersion", re.I
)
_OVERRIDE: Final = re.compile(r"\bEOVERRIDE\b")
_PEERS: Final = re.compile(r"\bERESOLVE\b")
_ADDRESS: Final = re.compile(
    r"unknown git error|ENOGIT|git ls-remote|spawn git|git@github\.com|ssh://git|codeload\.github\.com", re.I
)
_SCRIPT: Final = re.compile(r"npm (?:error|ERR!) command (?:failed|sh -c)|node-gyp|ELIFECYCLE")
_NOT_FOUND: Final = re.compile(r"Cannot find (?:module|package) '(?P<name>[^'./][^']*)'")


@dataclass(frozen=True)
class PlanChange:
    """A changed plan and why."""

    plan: NodePlan
    repair: Repair


_Reader = Callable[[str, NodePlan, Project], PlanChange | None]


def by_log(log: str, plan: NodePlan, project: Project) -> Iterator[PlanChange]:
    """Changes for an installation that failed, the likeliest first."""
    for reader in (_lock, _below, _undated, _version, _absent, _address, _peers, _script):
        change = reader(log, plan, project)
        if change is not None and change.plan != plan:
            yield change


def by_check(tried: Sequence[ImportCheck], plan: NodePlan, project: Project) -> Iterator[PlanChange]:
    """Changes for modules that cannot be found: packages that the code, or another package, takes and nobody asks for."""
    asked = project.asked()
    for item in tried:
        if item.works or item.need is ImportNeed.OPTIONAL:
            continue
        match = _NOT_FOUND.search(item.error)
        name = package_of(match["name"]) if match else ""
        if not name or name in plan.left_out or name in dict(plan.versions):
            continue
        if name not in asked:
            reason = f"{item.where} imports it, and package.json does not ask for it"
            if name != package_of(item.module):
                reason = f"{item.module} needs it, and nothing asks for it"
        elif name in project.asked("devDependencies") and not plan.tests:
            reason = f"{item.where} imports it, and package.json asks for it in development alone"
        else:
            continue
        text = asked.get(name, "*")
        yield PlanChange(
            plan.taking(name, text), _repair("missing_module", f"{name}@{text} is installed too", reason, item.error)
        )


def _repair(kind: str, change: str, reason: str, log: str, pattern: re.Pattern[str] | None = None) -> Repair:
    line = next((line for line in log.splitlines() if pattern is None or pattern.search(line)), "")
    return Repair(kind, change, reason, line.strip()[:300])


def _lock(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    if not plan.clean or not _CLEAN.search(log):
        return None
    reason = "the lock file does not say what package.json asks for"
    return PlanChange(
        replace(plan, clean=False), _repair("lock", "the lock file only guides the versions", reason, log, _CLEAN)
    )


def _below(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _NO_VERSION.search(log)
    if not plan.below or not project.below or not (_OVERRIDE.search(log) or (match and match["name"] in project.below)):
        return None
    reason = "npm cannot take a version of the lock file for what dependencies depend on"
    return PlanChange(
        replace(plan, below=False), _repair("lock", "only direct dependencies are held to the lock file", reason, log)
    )


def _undated(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _UNDATED.search(log)
    if plan.date is None or plan.clean or not match:
        return None
    reason = "the registry does not say when versions were published, or none of a package is so old"
    return PlanChange(replace(plan, date=None), _repair("date", "the newest versions are taken", reason, log, _UNDATED))


def _version(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _NO_VERSION.search(log)
    if match is None:
        return None
    if match["dated"] and plan.date is not None:
        reason = f"{match['name']} is asked for in a version that is newer than the commit"
        return PlanChange(
            replace(plan, date=None), _repair("date", "the newest versions are taken", reason, log, _NO_VERSION)
        )
    if match["name"] not in project.asked():
        return None
    reason = f"the registry has no version {match['range']} of it"
    return PlanChange(
        plan.taking(match["name"], "*"),
        _repair("pin", f"any version of {match['name']} is taken", reason, log, _NO_VERSION),
    )


def _absent(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _ABSENT.search(log)
    name = (match["name"] or match["path"].replace("%2f", "/").replace("%2F", "/")) if match else ""
    if name not in project.asked() and name not in dict(plan.versions):
        return None
    reason = "the registry has no package of that name"
    return PlanChange(plan.without(name), _repair("package_name", f"{name} is left out", reason, log, _ABSENT))


def _address(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    """All at once: which one failed is seldom said."""
    if not project.addresses or not _ADDRESS.search(log):
        return None
    changed = plan
    for name in project.addresses:
        changed = changed.taking(name, "*")
    names = ", ".join(sorted(project.addresses))
    reason = "their addresses are not granted"
    return PlanChange(changed, _repair("address", f"{names}: taken from the registry", reason, log, _ADDRESS))


def _peers(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    if plan.legacy_peers or not _PEERS.search(log):
        return None
    reason = "the peer dependencies of packages exclude each other"
    return PlanChange(
        replace(plan, legacy_peers=True), _repair("peer", "peer dependencies are passed over", reason, log, _PEERS)
    )


def _script(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    if not plan.scripts or not _SCRIPT.search(log):
        return None
    reason = "an install script of a package fails"
    return PlanChange(
        replace(plan, scripts=False), _repair("build", "no install scripts are run", reason, log, _SCRIPT)
    )
