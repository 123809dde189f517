"""Provisioning of a Python repository with uv: resolve, install, check imports, search for repairs.

The search is greedy: a repair is accepted if its attempt makes progress (resolution, installation, the repository itself, fewer failed
imports), and undone otherwise. Builds and import checks run isolated.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.execution.isolation.confinement import Environment
from repoquarry.execution.provision.environment_cache import CachedEnvironment, content_key
from repoquarry.execution.provision.provisioning_run import ProvisioningRun, digest_of
from repoquarry.execution.provision.python.attempt_runner import AttemptRunner, PlanAttempt
from repoquarry.execution.provision.python.code_imports import CodeImports, read_imports
from repoquarry.execution.provision.python.initial_plan import build_initial_plan
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.installer import Installer, find_uv
from repoquarry.execution.provision.python.interpreters import find_interpreters
from repoquarry.execution.provision.python.repair_search import RepairSearch, last_lines
from repoquarry.execution.provision.report import ProvisioningResult, Repair, list_optional_failures, missing_lines
from repoquarry.languages.manifests.python_repository import RepositoryManifests, read_manifests


def provision(run: ProvisioningRun) -> ProvisioningResult:
    """Provision a repository.

    Raises: EnvironmentUnavailableError if this machine cannot provision environments; TaskCancelledError.
    """
    return _Provisioning(run).run()


class _Provisioning:
    """State of one provisioning: inputs, best attempt, and its repairs."""

    def __init__(self, run: ProvisioningRun) -> None:
        self._run = run
        self._request, self._cache, self._settings = run.request, run.cache, run.settings
        self._report = run.report_progress
        self._installer = Installer(run.runner(), run.settings, find_uv(), run.cache.wheels)
        self._manifests, self._code = self._read()
        available = find_interpreters(self._settings.interpreters)
        if not available:
            raise EnvironmentUnavailableError(
                "no Python from 3.6 on was found on this machine; install one, or name it in agent.environment.interpreters"
            )
        date, tests = self._request.date, self._request.tests
        self._first = build_initial_plan(self._manifests, self._code, available, date, self._settings, tests=tests)

    def run(self) -> ProvisioningResult:
        plan = self._first.plan
        self._report("read", f"Python {plan.interpreter}: {self._first.reason}; {len(plan.wanted)} requirements")
        key = self._key()
        if (stored := self._cache.find(key)) and (found := self._reuse(stored)):
            return found
        attempts = self._attempts(self._cache.start())
        try:
            best, made = RepairSearch(self._run, attempts, self._code, self._first.interpreters).run(plan)
            return self._finish(best, [*self._first.repairs, *made], attempts, key)
        except BaseException:
            self._cache.discard(attempts.folder)
            raise

    def _attempts(self, folder: Path) -> AttemptRunner:
        """Build the runner of attempts for the environment in `folder`."""
        tree, layer, tests = self._request.tree, self._request.layer, self._request.tests
        return AttemptRunner(self._installer, folder, tree, layer, self._code, self._report, tests=tests)

    def _read(self) -> tuple[RepositoryManifests, CodeImports]:
        self._report("read", f"reading {self._request.tree.name}")
        tree = self._request.tree
        manifests = self._run.read_files(read_manifests, {"root": tree})
        given = {"root": tree, "packaged": manifests.installable, "tests": self._request.tests}
        code = self._run.read_files(read_imports, given)
        files = ", ".join(manifests.files[:8]) or "none"
        self._report("read", f"manifests: {files}; {len(code.imported)} modules imported by {code.files} Python files")
        return manifests, code

    def _key(self) -> str:
        """Compute the key of the request; requests with equal keys share an environment."""
        settings, code = self._settings, self._code
        interpreters = [str(one) for one in self._first.interpreters]
        machine = (_rules(), version("uv"), self._run.isolation.name, interpreters)
        choice = self._run.choice(settings.index, settings.find_links, settings.accelerator)
        imported = [asdict(item) for item in code.imported]
        return content_key(machine, choice, asdict(self._manifests), imported, code.own, code.roots)

    def _finish(
        self, best: PlanAttempt, repairs: list[Repair], attempts: AttemptRunner, key: str
    ) -> ProvisioningResult:
        if best.score[0]:
            self._cache.discard(attempts.folder)
            return self._result(best, repairs, None, attempts)
        plan = best.plan
        if attempts.installed != plan:  # The last attempt was rejected and is still installed.
            self._report("install", "undoing the last repair")
            attempts.restore(best)
        # If the time limit ended the repairs, the next equal request tries again.
        keys = [] if best.failures and not self._run.may_continue else [key]
        lock_key = content_key(best.lock, str(plan.interpreter), plan.build_constraints, plan.without_files)
        if stored := self._cache.find(lock_key):
            self._cache.discard(attempts.folder)
            stored = self._cache.add_key(stored, key) if keys else stored
            attempts.layer.attach(stored.path, plan)
        else:
            attempts.compile(best)
            record = {"keys": [*keys, lock_key], "repairs": [asdict(repair) for repair in repairs], "lock": best.lock}
            record |= {"interpreter": str(plan.interpreter), "plan": _plan_record(plan)}
            stored = self._run.finish(attempts.folder, record)
        return self._result(best, repairs, stored, attempts)

    def _result(
        self,
        best: PlanAttempt,
        repairs: Sequence[Repair],
        stored: CachedEnvironment | None,
        attempts: AttemptRunner,
        *,
        cached: bool = False,
    ) -> ProvisioningResult:
        missing = missing_lines(best.tried)
        if stored is None:
            failed = tuple(f"{failure.stage}: {last_lines(failure.log)}" for failure in best.failures)
            missing = self._run.add_remedy(failed)
        moved = best.plan.interpreter != self._first.plan.interpreter
        return ProvisioningResult(
            self._run.report_end(stored, missing, repairs),
            stored,
            attempts.layer.path if stored else None,
            str(best.plan.interpreter),
            "chosen by a repair" if moved else self._first.reason,
            best.plan.date.date().isoformat() if best.plan.date else "",
            best.lock,
            tuple(repairs),
            best.tried,
            missing,
            (*self._manifests.notes, *list_optional_failures(best.tried)),
            self._manifests.files,
            cached,
            self._run.seconds,
            commands=_commands(stored, attempts.layer.path) if stored else None,
        )

    def _reuse(self, stored: CachedEnvironment) -> ProvisioningResult | None:
        """Build the result from the cached environment of an equal request; None if it no longer matches."""
        available = (one for one in self._first.interpreters if str(one) == stored.record["interpreter"])
        interpreter = next(available, None)
        if interpreter is None:
            return None
        plan = _plan_of(stored, replace(self._first.plan, interpreter=interpreter))
        attempts = self._attempts(stored.folder)
        with self._cache.using(stored):
            self._report("install", f"environment {stored.name} (cached)")
            best = attempts.reuse(plan, tuple(stored.record["lock"]))
        if best.score[0]:
            return None
        repairs = [Repair(**repair) for repair in stored.record["repairs"]]
        return self._result(best, repairs, stored, attempts, cached=True)


def _commands(stored: CachedEnvironment, layer: Path) -> Environment:
    """Describe the environment of commands: workspace layer first, shared environment and interpreter read-only."""
    interpreter = (layer / "bin" / "python").resolve()
    programs = (layer / "bin", stored.path / "bin")
    return Environment(stored.path, (interpreter.parents[1], find_uv()), programs, {"VIRTUAL_ENV": str(layer)})


@functools.cache
def _rules() -> str:
    folder = Path(__file__).parents[1]
    files = (path for path in folder.rglob("*.*") if path.suffix in (".py", ".toml"))
    return digest_of(path for path in files if not path.is_relative_to(folder / "javascript"))


def _plan_record(plan: InstallPlan) -> dict[str, object]:
    """Return the parts of a plan that a later installation of the repository needs."""
    return {
        "project": plan.project,
        "build_constraints": plan.build_constraints,
        "build_alongside": plan.build_alongside,
        "variables": dict(plan.variables),
        "date": plan.date.isoformat() if plan.date else None,
        "undated": sorted(plan.undated),
    }


def _plan_of(stored: CachedEnvironment, plan: InstallPlan) -> InstallPlan:
    record = stored.record["plan"]
    return replace(
        plan,
        project=record["project"],
        build_constraints=tuple(record["build_constraints"]),
        build_alongside=tuple((name, requirement) for name, requirement in record["build_alongside"]),
        variables=record["variables"],
        date=datetime.fromisoformat(record["date"]) if record["date"] else None,
        undated=frozenset(record["undated"]),
    )
