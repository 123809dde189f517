"""npm commands that install a plan, environments shared by workspaces, and repairs of a plan by npm's log or missing modules.

The environment mirrors the folders of the tree with a `node_modules`, so that packages find those in folders above.
Links to the repository's own packages stay in the workspace, because each workspace has its own copy of these packages.
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
from repoquarry.execution.provision.javascript.load_check import package_of
from repoquarry.execution.provision.javascript.manifest import GROUPS, NodeRuntime, Project
from repoquarry.execution.provision.report import ImportCheck, ImportNeed, Repair
from repoquarry.execution.settings import EnvironmentSettings


@dataclass(frozen=True)
class NodePlan:
    """Input of one installation."""

    date: datetime | None
    """Latest publication date of versions; None admits the newest."""
    clean: bool
    """True if exactly the versions of npm's lock file are installed."""
    scripts: bool
    """True if install scripts of packages run."""
    tests: bool
    """True if development dependencies are installed."""
    legacy_peers: bool = False
    """True if conflicts of peer dependencies are ignored, as npm did before version 7."""
    below: bool = True
    """True if indirect dependencies are pinned to the lock file of another package manager."""
    left_out: frozenset[str] = frozenset()
    versions: tuple[tuple[str, str], ...] = field(default=())
    """Package and the range that replaces or extends package.json."""

    def without(self, package: str) -> NodePlan:
        kept = tuple(pair for pair in self.versions if pair[0] != package)
        return replace(self, left_out=self.left_out | {package}, versions=kept, clean=False)

    def taking(self, package: str, text: str) -> NodePlan:
        """Return the plan with another range of a package; the lock file no longer matches."""
        return replace(self, versions=tuple({**dict(self.versions), package: text}.items()), clean=False)


def manifest_text(project: Project, plan: NodePlan) -> str:
    """Format package.json by the plan."""
    manifest: dict[str, Any] = copy.deepcopy(dict(project.manifest))
    wanted = dict(plan.versions)
    for group in GROUPS:
        if isinstance(table := manifest.get(group), dict):
            kept = {name: text for name, text in table.items() if name not in plan.left_out}
            manifest[group] = {name: wanted.pop(name, text) for name, text in kept.items()}
    held = {name: version for name, version in project.below.items() if name not in {*wanted, *plan.left_out}}
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
    "npm_config_replace_registry_host": "always",  # Lock files of other package managers name their own registries.
    "npm_config_fetch_retries": "2",
    "npm_config_loglevel": "error",
    "NO_UPDATE_NOTIFIER": "1",
}


@dataclass(frozen=True)
class Npm:
    """Commands of npm in one workspace, by the settings."""

    runner: CommandRunner
    settings: EnvironmentSettings
    node: NodeRuntime
    cache: Path
    """Content-addressed downloads shared by all provisionings; written only while no foreign script runs."""

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
        """Return whether the registry states publication dates; without them npm silently ignores the date."""
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
    """Remove all installed packages of a tree."""
    for folder in list(_installed(tree)):
        shutil.rmtree(folder, ignore_errors=True)


def move_out(tree: Path, environment: Path) -> dict[str, str]:
    """Move the installed packages into the environment. Returns link -> target of the tree's own packages, relative to the tree."""
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
    """Link an environment into a tree. Returns the folder of links at the root."""
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
    """Yield the outermost `node_modules` folders."""
    for folder, folders, _ in os.walk(root):
        if MODULES in folders:
            yield Path(folder, MODULES)
        folders[:] = [name for name in folders if name not in (MODULES, ".git")]


def _entries(folder: Path) -> list[Path]:
    """List the packages in one `node_modules`, scoped packages included."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("@") and entry.is_dir() and not entry.is_symlink():
            found += sorted(entry.iterdir())
        elif not entry.name.startswith("."):
            found.append(entry)
    return found


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
NEWEST: Final = "the newest versions are installed"
_NOT_FOUND: Final = re.compile(r"Cannot find (?:module|package) '(?P<name>[^'./][^']*)'")


@dataclass(frozen=True)
class PlanChange:
    """Changed plan, and the record of the change."""

    plan: NodePlan
    repair: Repair


def by_log(log: str, plan: NodePlan, project: Project) -> Iterator[PlanChange]:
    """Yield changes for a failed installation, most likely first."""
    for reader in (_lock, _below, _undated, _version, _absent, _address, _peers, _script):
        change = reader(log, plan, project)
        if change is not None and change.plan != plan:
            yield change


def by_check(tried: Sequence[ImportCheck], plan: NodePlan, project: Project) -> Iterator[PlanChange]:
    """Yield changes for missing modules: packages that are imported and not declared."""
    asked = project.asked()
    for item in tried:
        if item.works or item.need is ImportNeed.OPTIONAL:
            continue
        match = _NOT_FOUND.search(item.error)
        name = package_of(match["name"]) if match else ""
        if not name or name in plan.left_out or name in dict(plan.versions):
            continue
        if name not in asked:
            reason = f"{item.where} imports it, and package.json does not declare it"
            if name != package_of(item.module):
                reason = f"{item.module} needs it, and no package declares it"
        elif name in project.asked("devDependencies") and not plan.tests:
            reason = f"{item.where} imports it, and package.json declares it as a development dependency only"
        else:
            continue
        text = asked.get(name, "*")
        yield _change(plan.taking(name, text), "missing_module", f"{name}@{text} is installed", reason, item.error)


def _change(
    plan: NodePlan, kind: str, change: str, reason: str, log: str, pattern: re.Pattern[str] | None = None
) -> PlanChange:
    """Build a change with the first matching line of the log as its evidence."""
    line = next((line for line in log.splitlines() if pattern is None or pattern.search(line)), "")
    return PlanChange(plan, Repair(kind, change, reason, line.strip()[:300]))


def _lock(log: str, plan: NodePlan, _: Project) -> PlanChange | None:
    if not plan.clean or not _CLEAN.search(log):
        return None
    reason = "the lock file does not match package.json"
    return _change(
        replace(plan, clean=False), "lock", "versions of the lock file are preferred only", reason, log, _CLEAN
    )


def _below(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _NO_VERSION.search(log)
    if not project.below or not (_OVERRIDE.search(log) or (match and match["name"] in project.below)):
        return None
    reason = "npm cannot install an indirect dependency in the version of the lock file"
    return _change(replace(plan, below=False), "lock", "only direct dependencies are pinned", reason, log)


def _undated(log: str, plan: NodePlan, _: Project) -> PlanChange | None:
    if plan.clean or not _UNDATED.search(log):
        return None
    reason = "the registry does not state publication dates, or no version of a package is that old"
    return _change(replace(plan, date=None), "date", NEWEST, reason, log, _UNDATED)


def _version(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _NO_VERSION.search(log)
    if match is None:
        return None
    name = match["name"]
    if match["dated"] and plan.date is not None:
        reason = f"{name} is required in a version that is newer than the commit"
        return _change(replace(plan, date=None), "date", NEWEST, reason, log, _NO_VERSION)
    if name not in project.asked():
        return None
    reason = f"the registry has no version {match['range']} of it"
    return _change(plan.taking(name, "*"), "pin", f"any version of {name} is accepted", reason, log, _NO_VERSION)


def _absent(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    match = _ABSENT.search(log)
    name = re.sub("%2f", "/", match["name"] or match["path"], flags=re.I) if match else ""
    if name not in project.asked() and name not in dict(plan.versions):
        return None
    reason = "the registry has no package of that name"
    return _change(plan.without(name), "package_name", f"{name} is omitted", reason, log, _ABSENT)


def _address(log: str, plan: NodePlan, project: Project) -> PlanChange | None:
    """Install all such packages from the registry: logs seldom name the one that failed."""
    if not project.addresses or not _ADDRESS.search(log):
        return None
    for name in project.addresses:
        plan = plan.taking(name, "*")
    names = ", ".join(sorted(project.addresses))
    reason = "their addresses are not granted"
    return _change(plan, "address", f"{names}: installed from the registry", reason, log, _ADDRESS)


def _peers(log: str, plan: NodePlan, _: Project) -> PlanChange | None:
    if not _PEERS.search(log):
        return None
    reason = "the peer dependencies of packages exclude each other"
    return _change(replace(plan, legacy_peers=True), "peer", "peer dependencies are ignored", reason, log, _PEERS)


def _script(log: str, plan: NodePlan, _: Project) -> PlanChange | None:
    if not plan.scripts or not _SCRIPT.search(log):
        return None
    reason = "an install script of a package fails"
    return _change(replace(plan, scripts=False), "build", "no install scripts are run", reason, log, _SCRIPT)
