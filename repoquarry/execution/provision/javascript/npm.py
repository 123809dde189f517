"""Install plan, npm commands and shared environments.

The environment mirrors the folders of the tree that hold a `node_modules`, so that packages which lie in one of them find those above.
Links to the repository's own packages stay in the workspace: another workspace has another copy of them.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.execution.provision.javascript.manifest import NodeRuntime, Project
from repoquarry.execution.settings import EnvironmentSettings


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


MODULES: Final = "node_modules"
_QUIET: Final = {
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "npm_config_progress": "false",
    "npm_config_color": "false",
    "npm_config_engine_strict": "false",
    "npm_config_replace_registry_host": "always",  # locks of other managers name registries of their own
    "npm_config_fetch_retries": "2",
    "npm_config_loglevel": "error",
    "NO_UPDATE_NOTIFIER": "1",
}


@dataclass(frozen=True)
class Npm:
    """npm as the settings want it used, in one workspace."""

    runner: CommandRunner
    settings: EnvironmentSettings
    node: NodeRuntime
    cache: Path
    """Downloads that all provisionings share, each under the digest of its content; written only while no foreign script runs."""

    def install(self, plan: NodePlan, tree: Path) -> CommandOutcome:
        """Install into `node_modules` of the tree."""
        command = [str(self.node.path), str(self.node.npm), "ci" if plan.clean else "install", "--no-audit"]
        command += [] if plan.scripts else ["--ignore-scripts"]
        command += ["--legacy-peer-deps"] if plan.legacy_peers else []
        command += [] if plan.tests else ["--omit=dev"]
        if plan.date is not None and not plan.clean:
            command.append(f"--before={(plan.date + timedelta(days=1)).strftime('%Y-%m-%d')}")
        return self._run(command, plan, tree)

    def says_when(self, package: str, plan: NodePlan, tree: Path) -> bool:
        """Whether the registry tells when versions of a package were published; without that npm passes over the date in silence."""
        outcome = self._run([str(self.node.path), str(self.node.npm), "view", package, "time", "--json"], plan, tree)
        return outcome.exit_code != 0 or bool(re.search(r'"\d+\.\d+\.\d+[^"]*"\s*:', outcome.output))

    def _run(self, command: Sequence[str], plan: NodePlan, tree: Path) -> CommandOutcome:
        cache = self.runner.workspace / ".home" / "npm" if plan.scripts else self.cache
        cache.mkdir(parents=True, exist_ok=True)
        variables = {**_QUIET, "npm_config_cache": str(cache), "npm_config_userconfig": "/dev/null"}
        if self.settings.npm_registry:
            variables["npm_config_registry"] = self.settings.npm_registry
        writable = () if plan.scripts else (cache,)
        return self.runner.run(
            command, CommandAccess(writable, (self.node.prefix,), network=True, variables=variables), tree
        )


def clear(tree: Path) -> None:
    """Remove all that is installed in a tree."""
    for folder in list(_installed(tree)):
        shutil.rmtree(folder, ignore_errors=True)


def move_out(tree: Path, environment: Path) -> dict[str, str]:
    """Move what is installed into the environment; the links to the tree's own packages that were in it, both relative to the tree."""
    links: dict[str, str] = {}
    environment.mkdir(parents=True, exist_ok=True)
    for folder in list(_installed(tree)):
        for entry in _entries(folder):
            if entry.is_symlink():
                target = entry.resolve()
                if target.is_relative_to(tree.resolve()):
                    links[entry.relative_to(tree).as_posix()] = target.relative_to(tree.resolve()).as_posix()
                entry.unlink()
        target = environment / folder.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, target)
    (environment / MODULES).mkdir(exist_ok=True)
    return links


def link_in(tree: Path, environment: Path, links: Mapping[str, str]) -> Path:
    """Let a tree see an environment; the folder of the links at its root."""
    clear(tree)
    for folder in _installed(environment):
        for entry in [*_entries(folder), folder / ".bin"]:
            place = tree / entry.relative_to(environment)
            if entry.exists() and (tree / folder.relative_to(environment)).parent.is_dir():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(entry)
    for name, target in links.items():
        place = tree / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(tree / target)
    (tree / MODULES).mkdir(exist_ok=True)
    return tree / MODULES


def _installed(root: Path) -> Iterator[Path]:
    """Folders `node_modules` that lie in no other."""
    for folder, folders, _ in os.walk(root):
        if MODULES in folders:
            yield Path(folder, MODULES)
        folders[:] = [name for name in folders if name not in (MODULES, ".git")]


def _entries(folder: Path) -> list[Path]:
    """Packages in one `node_modules`, those of scopes among them."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("@") and entry.is_dir() and not entry.is_symlink():
            found += sorted(entry.iterdir())
        elif not entry.name.startswith("."):
            found.append(entry)
    return found
