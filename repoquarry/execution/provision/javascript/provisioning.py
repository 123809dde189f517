"""Provisioning of a JavaScript repository with npm: install, check that imports load, search for repairs.

A repair of an installation is accepted if it matches the log; a repair of imports is accepted if more modules load.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.isolation.confinement import Environment
from repoquarry.execution.provision.environment_cache import CachedEnvironment, content_key
from repoquarry.execution.provision.javascript import npm
from repoquarry.execution.provision.javascript.load_check import (
    ImportedSpecifier,
    check_loading,
    read_imported_specifiers,
)
from repoquarry.execution.provision.javascript.manifest import PACKAGE, Project, choose_node, read_project
from repoquarry.execution.provision.provisioning_run import ProvisioningRun, digest_of
from repoquarry.execution.provision.report import (
    ImportCheck,
    ImportNeed,
    ProvisioningResult,
    Repair,
    list_optional_failures,
    missing_lines,
)

_LOCK: Final = f"{npm.MODULES}/.package-lock.json"
_DOWNLOADS: Final = ".npm"


@dataclass(frozen=True)
class _Attempt:
    """Result of one attempt at a plan."""

    plan: npm.NodePlan
    log: str = ""
    """Output of npm if the installation failed; empty otherwise."""
    tried: tuple[ImportCheck, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def score(self) -> tuple[bool, int, int]:
        """Rank of the attempt; lower is better."""
        failing = [item.need for item in self.tried if not item.works]
        return bool(self.log), failing.count(ImportNeed.NEEDED), failing.count(ImportNeed.BESIDE)


def provision(run: ProvisioningRun) -> ProvisioningResult:
    """Provision a repository with a package.json at its root.

    Raises: EnvironmentUnavailableError without Node.js or a readable package.json; TaskCancelledError.
    """
    project = run.read_files(read_project, {"root": run.request.tree})
    if project is None:
        raise EnvironmentUnavailableError(f"no readable {PACKAGE} at the repository's root")
    return _Provisioning(run, project).run()


class _Provisioning:
    """State of one provisioning: inputs, best attempt, and its repairs."""

    def __init__(self, run: ProvisioningRun, project: Project) -> None:
        self._run, self._project = run, project
        self._request, self._cache, self._settings = run.request, run.cache, run.settings
        self._report = run.report_progress
        self._tree = run.request.tree.resolve()
        self._node, self._reason = choose_node(project, run.settings.nodes)
        self._runner = run.runner()
        self._npm = npm.Npm(self._runner, run.settings, self._node, run.cache.root / _DOWNLOADS)
        self._installed: npm.NodePlan | None = None

    def run(self) -> ProvisioningResult:
        files = ", ".join(self._project.files)
        self._report(
            "read", f"Node.js {self._node}: {self._reason}; {files}, {len(self._project.asked())} dependencies"
        )
        given = {"root": self._tree, "project": self._project, "built_in": list(self._node.built_in)}
        taken, count = self._run.read_files(read_imported_specifiers, given)
        self._report("read", f"{len(taken)} modules of packages imported by {count} files")
        key = self._key(taken)
        if stored := self._cache.find(key):
            return self._reuse(stored, taken)
        first = npm.NodePlan(self._request.date, self._project.locked, self._settings.npm_scripts, self._request.tests)
        for name, version in self._project.pins.items():
            if name in self._project.asked():
                first = first.taking(name, version)
        best, repairs = self._search(first, taken)
        return self._finish(best, repairs, taken, key)

    def _key(self, taken: Sequence[ImportedSpecifier]) -> str:
        """Compute the key of the request; requests with equal keys share an environment."""
        settings = self._settings
        machine = (_rules(), str(self._node), str(self._node.npm), self._run.isolation.name)
        choice = self._run.choice(settings.npm_registry, settings.npm_scripts)
        contents = [hashlib.sha256(path.read_bytes()).hexdigest() for path in self._inputs()]
        return content_key(machine, choice, contents, [asdict(item) for item in taken])

    def _inputs(self) -> Iterator[Path]:
        """Yield the files that decide what npm installs."""
        yield from (self._tree / name for name in self._project.files)
        for text in self._project.asked().values():
            path = (self._tree / text.removeprefix("file:")).resolve() if text.startswith("file:") else None
            if path is not None and path.is_relative_to(self._tree):
                yield from [path] if path.is_file() else sorted(path.glob(PACKAGE))
        yield from sorted(path for path in self._tree.glob(f"*/*/{PACKAGE}") if npm.MODULES not in path.parts)

    def _search(self, first: npm.NodePlan, taken: Sequence[ImportedSpecifier]) -> tuple[_Attempt, list[Repair]]:
        """Return the best attempt and its repairs."""
        first, begun = self._dated(first)
        best, repairs = self._settled(first, taken)
        repairs = [*begun, *repairs]
        while not best.log and self._run.may_continue:
            found = self._mended(best, taken)
            if found is None:
                break
            best, made = found
            repairs += made
        return best, repairs

    def _dated(self, plan: npm.NodePlan) -> tuple[npm.NodePlan, list[Repair]]:
        """Drop the date of the plan if the registry states no publication dates."""
        asked = [name for name, text in self._project.asked().items() if not text.startswith(("file:", "link:"))]
        if plan.date is None or plan.clean or not asked or self._npm.says_when(asked[0], plan, self._tree):
            return plan, []
        repair = Repair("date", npm.NEWEST, "the registry does not state publication dates", asked[0])
        self._run.report_repair(repair)
        return replace(plan, date=None), [repair]

    def _settled(self, plan: npm.NodePlan, taken: Sequence[ImportedSpecifier]) -> tuple[_Attempt, list[Repair]]:
        """Attempt a plan, and repair the installation by its logs."""
        attempt, repairs = self._attempt(plan, taken), []
        while attempt.log and self._run.may_continue:
            changes = npm.by_log(attempt.log, attempt.plan, self._project)
            change = next((change for change in changes if not self._run.was_seen(change.plan)), None)
            if change is None:
                break
            self._run.report_repair(change.repair)
            repairs.append(change.repair)
            attempt = self._attempt(change.plan, taken)
        return attempt, repairs

    def _mended(self, best: _Attempt, taken: Sequence[ImportedSpecifier]) -> tuple[_Attempt, list[Repair]] | None:
        """Find a better attempt for modules that do not load: all changes together, otherwise the first single one that helps."""
        changes = list(npm.by_check(best.tried, best.plan, self._project))
        for chosen in [changes, *([change] for change in changes if len(changes) > 1)]:
            plan = best.plan
            for change in chosen:
                plan = plan.taking(*change.plan.versions[-1])
            if not chosen or self._run.was_seen(plan) or not self._run.may_continue:
                continue
            for change in chosen:
                self._run.report_repair(change.repair)
            found, repairs = self._settled(plan, taken)
            if found.score < best.score:
                return found, [*(change.repair for change in chosen), *repairs]
        return None

    def _attempt(self, plan: npm.NodePlan, taken: Sequence[ImportedSpecifier]) -> _Attempt:
        self._run.attempt(plan)
        outcome = self._install(plan)
        if outcome.exit_code != 0 or outcome.stopped:
            stopped = f"\nthe command was stopped: {outcome.stopped}" if outcome.stopped else ""
            return _Attempt(plan, (outcome.output + stopped) or "npm failed without output")
        tried, notes = self._check(taken, ())
        return _Attempt(plan, tried=tried, notes=notes)

    def _install(self, plan: npm.NodePlan) -> CommandOutcome:
        self._report(
            "install", f"npm {'ci' if plan.clean else 'install'} for {len(self._project.asked())} dependencies"
        )
        npm.clear(self._tree)
        manifest = self._tree / PACKAGE
        manifest.write_text(npm.manifest_text(self._project, plan), encoding="utf-8")
        self._installed = plan
        try:
            return self._npm.install(plan, self._tree)
        finally:
            manifest.write_text(json.dumps(self._project.manifest, indent=2), encoding="utf-8")

    def _check(
        self, taken: Sequence[ImportedSpecifier], readable: Sequence[Path]
    ) -> tuple[tuple[ImportCheck, ...], tuple[str, ...]]:
        self._report("check", f"loading {len(taken)} modules")
        return check_loading(self._runner, self._node, self._tree, taken, readable)

    def _finish(
        self, best: _Attempt, repairs: list[Repair], taken: Sequence[ImportedSpecifier], key: str
    ) -> ProvisioningResult:
        if best.log:
            return self._result(best, repairs, None)
        if self._installed != best.plan:
            self._report("install", "undoing the last repair")
            self._install(best.plan)
        folder = self._cache.start()
        try:
            lock = _lock_lines(self._tree / _LOCK)
            links = npm.move_out(self._tree, folder / "env")
            record = {"keys": [key], "repairs": [asdict(repair) for repair in repairs], "lock": lock}
            record |= {"interpreter": str(self._node), "language": "javascript", "links": links}
            stored = self._run.finish(folder, record)
        except BaseException:
            self._cache.discard(folder)
            raise
        npm.link_in(self._tree, stored.path, links)
        tried, notes = self._check(taken, (stored.path,))
        return self._result(replace(best, tried=tried, notes=notes), repairs, stored)

    def _reuse(self, stored: CachedEnvironment, taken: Sequence[ImportedSpecifier]) -> ProvisioningResult:
        """Build the result from the cached environment of an equal request."""
        with self._cache.using(stored):
            self._report("install", f"environment {stored.name} (cached)")
            npm.link_in(self._tree, stored.path, stored.record["links"])
            tried, notes = self._check(taken, (stored.path,))
        plan = npm.NodePlan(self._request.date, clean=False, scripts=False, tests=self._request.tests)
        repairs = [Repair(**repair) for repair in stored.record["repairs"]]
        if any(repair.kind == "date" for repair in repairs):
            plan = replace(plan, date=None)
        attempt = _Attempt(plan, tried=tried, notes=notes)
        return self._result(attempt, repairs, stored, cached=True)

    def _result(
        self, best: _Attempt, repairs: Sequence[Repair], stored: CachedEnvironment | None, *, cached: bool = False
    ) -> ProvisioningResult:
        failed = (f"install: {_last(best.log)}",)
        missing = self._run.add_remedy(failed) if stored is None else missing_lines(best.tried)
        notes = (*self._project.notes, *self._native(best.tried), *list_optional_failures(best.tried), *best.notes)
        modules = self._tree / npm.MODULES
        return ProvisioningResult(
            self._run.report_end(stored, missing, repairs),
            stored,
            modules if stored else None,
            str(self._node),
            self._reason,
            best.plan.date.date().isoformat() if best.plan.date else "",
            tuple(stored.record["lock"]) if stored else (),
            tuple(repairs),
            best.tried,
            missing,
            notes,
            self._project.files,
            cached,
            self._run.seconds,
            "javascript",
            self._commands(stored, modules) if stored else None,
        )

    def _native(self, tried: Sequence[ImportCheck]) -> tuple[str, ...]:
        """Describe native parts that an install script would have built."""
        broken = [item.module for item in tried if "bindings" in item.error or ".node" in item.error]
        if not broken or self._settings.npm_scripts:
            return ()
        return (
            f"{', '.join(broken)}: needs an install script; set agent.environment.npm_scripts to run install scripts",
        )

    def _commands(self, stored: CachedEnvironment, modules: Path) -> Environment:
        """Describe the environment of commands: links of the tree first, shared packages and Node.js read-only."""
        programs = (modules / ".bin", self._node.path.parent)
        return Environment(stored.path, (self._node.prefix,), programs, {"NODE_PATH": str(modules)})


def _lock_lines(path: Path) -> tuple[str, ...]:
    """List the installed packages as `name@version`, by npm's record."""
    try:
        packages: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")).get("packages", {})
    except (OSError, ValueError):
        return ()
    lines = {
        f"{place.rpartition(f'{npm.MODULES}/')[2]}@{entry['version']}"
        for place, entry in packages.items()
        if npm.MODULES in place and isinstance(entry, dict) and entry.get("version")
    }
    return tuple(sorted(lines))


def _last(log: str) -> str:
    """Extract the cause of a failure from npm's log."""
    lines = [line.strip() for line in log.splitlines() if line.strip() and "complete log of this run" not in line]
    return " | ".join(lines[:6])[:600]


@functools.cache
def _rules() -> str:
    return digest_of(path for path in Path(__file__).parent.glob("*.*") if path.suffix in (".py", ".mjs"))
