"""What npm is to install, and how: a value that repairs change and package.json is written from."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from repoquarry.agent.provision.javascript.manifest import Project


@dataclass(frozen=True)
class NodePlan:
    """Input of one installation."""

    date: datetime | None
    """Versions published later are not taken; None: the newest."""
    clean: bool
    """Whether just what npm's lock file says is installed."""
    scripts: bool
    """Whether install scripts of packages run."""
    tests: bool
    """Whether what only development needs is installed too."""
    legacy_peers: bool = False
    """Whether peer dependencies that exclude each other are passed over, as npm did before version 7."""
    below: bool = True
    """Whether what only dependencies ask for is held to the versions of another manager's lock."""
    left_out: frozenset[str] = frozenset()
    versions: tuple[tuple[str, str], ...] = field(default=())
    """Package and the range that is taken in place of what package.json asks for, or beside it."""

    def without(self, package: str) -> NodePlan:
        kept = tuple(pair for pair in self.versions if pair[0] != package)
        return replace(self, left_out=self.left_out | {package}, versions=kept, clean=False)

    def taking(self, package: str, text: str) -> NodePlan:
        """The plan with another range of a package; a lock does not fit it any more."""
        kept = tuple(pair for pair in self.versions if pair[0] != package)
        return replace(self, versions=(*kept, (package, text)), clean=False)


def manifest_text(project: Project, plan: NodePlan) -> str:
    """package.json as the plan wants it."""
    manifest: dict[str, Any] = copy.deepcopy(dict(project.manifest))
    wanted = dict(plan.versions)
    for group in ("dependencies", "optionalDependencies", "devDependencies", "peerDependencies"):
        table = manifest.get(group)
        if isinstance(table, dict):
            manifest[group] = {
                name: wanted.pop(name, text) for name, text in table.items() if name not in plan.left_out
            }
    held = {
        name: version for name, version in project.below.items() if name not in wanted and name not in plan.left_out
    }
    if held and plan.below:
        own = manifest.get("overrides")
        manifest["overrides"] = {**held, **(own if isinstance(own, dict) else {})}
    if wanted:
        manifest["dependencies"] = {**(manifest.get("dependencies") or {}), **wanted}
    return json.dumps(manifest, indent=2)
