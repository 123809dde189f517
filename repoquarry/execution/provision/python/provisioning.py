"""Provisioning with uv: resolve, install, import, repair.

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
from repoquarry.execution.provision.python.initial_plan import InitialPlan, build_initial_plan
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.installer import Installer, find_uv
from repoquarry.execution.provision.python.interpreters import find_interpreters
from repoquarry.execution.provision.python.repair_search import RepairSearch, last_lines
from repoquarry.execution.provision.report import ProvisioningResult, Repair, list_optional_failures, missing_lines
from repoquarry.languages.manifests.python_repository import RepositoryManifests, read_manifests


def provision(course: ProvisioningRun) -> ProvisioningResult:
    """Provision a repository.

    Raises: EnvironmentUnavailableError if this machine cannot provision environments; TaskCancelledError.
    """
    return _Provisioning(course).run()


class _Provisioning:
    """State of one provisioning: inputs, best attempt, and its repairs."""

    def __init__(self, course: ProvisioningRun) -> None:
        self._course = course
        self._request, self._cache, self._settings = course.request, course.cache, course.settings
        self._say = course.say
        self._installer = Installer(course.runner(), course.settings, find_uv(), course.cache.wheels)

    def run(self) -> ProvisioningResult:
        manifests, code = self._read()
        available = find_interpreters(self._settings.interpreters)
        if not available:
            raise EnvironmentUnavailableError(
                "no Python from 3.6 on was found on this machine; install one, or name it in agent.environment.interpreters"
            )
        beginning = build_initial_plan(
            manifests, code, available, self._request.date, self._settings, tests=self._request.tests
        )
        self._say(
            "read",
            f"Python {beginning.plan.interpreter}: {beginning.reason}; {len(beginning.plan.wanted)} requirements",
        )
        key = self._key(manifests, code, beginning)
        if (stored := self._cache.find(key)) and (found := self._again(stored, beginning, code, manifests)):
            return found
        attempts = self._attempts(self._cache.start(), code)
        try:
            best, made = RepairSearch(self._course, attempts, code, beginning.interpreters).run(beginning.plan)
            return self._finish(best, [*beginning.repairs, *made], attempts, beginning, manifests, key)
        except BaseException:
            self._cache.discard(attempts.folder)
            raise

    def _attempts(self, folder: Path, code: CodeImports) -> AttemptRunner:
        """Build the runner of attempts for the environment in `folder`."""
        request = self._request
        return AttemptRunner(self._installer, folder, request.tree, request.layer, code, self._say, tests=request.tests)

    def _read(self) -> tuple[RepositoryManifests, CodeImports]:
        self._say("read", f"reading {self._request.tree.name}")
        manifests = read_manifests(self._request.tree)
        code = read_imports(self._request.tree, packaged=manifests.installable, tests=self._request.tests)
        files = ", ".join(manifests.files[:8]) or "none"
        self._say("read", f"manifests: {files}; {len(code.imported)} modules imported by {code.files} Python files")
        return manifests, code

    def _key(self, manifests: RepositoryManifests, code: CodeImports, beginning: InitialPlan) -> str:
        """Compute the key of the request; requests with equal keys share an environment."""
        settings = self._settings
        machine = (_rules(), version("uv"), self._course.isolation.name, [str(one) for one in beginning.interpreters])
        choice = self._course.choice(settings.index, settings.find_links, settings.accelerator)
        return content_key(
            machine, choice, asdict(manifests), [asdict(item) for item in code.imported], code.own, code.roots
        )

    def _finish(
        self,
        best: PlanAttempt,
        repairs: list[Repair],
        attempts: AttemptRunner,
        beginning: InitialPlan,
        manifests: RepositoryManifests,
        key: str,
    ) -> ProvisioningResult:
        if (
            not best.score[0] and attempts.installed != best.plan
        ):  # The last attempt was rejected and is still installed.
            self._say("install", "undoing the last repair")
            attempts.restore(best)
        stored: CachedEnvironment | None = None
        lock_key = content_key(
            best.lock, str(best.plan.interpreter), best.plan.build_constraints, best.plan.without_files
        )
        if best.score[0]:
            self._cache.discard(attempts.folder)
        elif other := self._cache.find(lock_key):
            self._cache.discard(attempts.folder)
            stored = other if self._cut_short(best) else self._cache.add_key(other, key)
            attempts.lean_on(best, other.path)
        else:
            attempts.compile(best)
            keys = [lock_key] if self._cut_short(best) else [key, lock_key]
            record = {"keys": keys, "repairs": [asdict(repair) for repair in repairs], "lock": best.lock}
            record |= {"interpreter": str(best.plan.interpreter), "plan": _plan_record(best.plan)}
            stored = self._course.finish(attempts.folder, record)
        return self._result(best, repairs, stored, attempts, beginning, manifests)

    def _cut_short(self, best: PlanAttempt) -> bool:
        """Return whether the time limit ended the repairs; the next equal request then retries."""
        return bool(best.failures) and not self._course.left

    def _result(
        self,
        best: PlanAttempt,
        repairs: Sequence[Repair],
        stored: CachedEnvironment | None,
        attempts: AttemptRunner,
        beginning: InitialPlan,
        manifests: RepositoryManifests,
        *,
        cached: bool = False,
    ) -> ProvisioningResult:
        missing = missing_lines(best.tried)
        if stored is None:
            failed = tuple(f"{failure.stage}: {last_lines(failure.log)}" for failure in best.failures)
            missing = self._course.explained(failed)
        reason = beginning.reason if best.plan.interpreter == beginning.plan.interpreter else "moved to by a repair"
        return ProvisioningResult(
            self._course.ended(stored, missing, repairs),
            stored,
            attempts.layer.path if stored else None,
            str(best.plan.interpreter),
            reason,
            best.plan.date.date().isoformat() if best.plan.date else "",
            best.lock,
            tuple(repairs),
            best.tried,
            missing,
            (*manifests.notes, *list_optional_failures(best.tried)),
            manifests.files,
            cached,
            self._course.seconds,
            commands=_commands(stored, attempts.layer.path) if stored else None,
        )

    def _again(
        self, stored: CachedEnvironment, beginning: InitialPlan, code: CodeImports, manifests: RepositoryManifests
    ) -> ProvisioningResult | None:
        """Build the result from the cached environment of an equal request; None if it no longer matches."""
        interpreter = next((one for one in beginning.interpreters if str(one) == stored.record["interpreter"]), None)
        if interpreter is None:
            return None
        plan = _plan_of(stored, replace(beginning.plan, interpreter=interpreter))
        attempts = self._attempts(stored.folder, code)
        with self._cache.using(stored):
            self._say("install", f"environment {stored.name} (cached)")
            best = attempts.reuse(plan, stored.record["lock"])
        if best.score[0]:
            return None
        repairs = [Repair(**repair) for repair in stored.record["repairs"]]
        return self._result(best, repairs, stored, attempts, beginning, manifests, cached=True)


def _commands(stored: CachedEnvironment, layer: Path) -> Environment:
    """Describe the environment of commands: workspace layer first, shared environment and interpreter read-only."""
    interpreter = (layer / "bin" / "python").resolve()
    return Environment(
        stored.path,
        (interpreter.parents[1], find_uv()),
        (layer / "bin", stored.path / "bin"),
        {"VIRTUAL_ENV": str(layer)},
    )


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
