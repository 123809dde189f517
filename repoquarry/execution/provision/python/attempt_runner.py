"""Runner of one attempt at an install plan: resolves versions, installs packages and the repository, checks imports; lookups."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.command_runner import CommandAccess
from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.environment_checks import START, check_imports, collect_tests
from repoquarry.execution.provision.python.install_plan import AttemptFailure, InstallPlan, load_known
from repoquarry.execution.provision.python.installer import Installer, holder_of, locked_lines, required_by
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.languages.manifests.python_requirements import canonical

_STAGES = ("check", "project", "install", "resolve")
_SPOILING = "libraries of an accelerator would be installed: "


@dataclass(frozen=True)
class PlanAttempt:
    """Result of one attempt at a plan."""

    plan: InstallPlan
    lock: tuple[str, ...]
    tried: tuple[ImportCheck, ...]
    failures: tuple[AttemptFailure, ...]

    @property
    def score(self) -> tuple[int, int, int, int, int]:
        """Rank of the attempt, lower is better: stages not passed; own packages and needed modules that fail; whether pytest cannot start,
        which hides other failures; other modules and test files that fail."""
        stage = self.failures[0].stage if self.failures else "check"
        own = sum(item.own and not item.works for item in self.tried)
        needed = sum(item.needed and not item.works for item in self.tried)
        halted = any(item.test and item.module == START for item in self.tried)
        beside = sum(item.need is ImportNeed.BESIDE and not item.works for item in self.tried)
        return _STAGES.index(stage), own, needed, halted, beside

    @property
    def log(self) -> str:
        return "\n".join(failure.log for failure in self.failures)

    @property
    def versions(self) -> dict[str, str]:
        """Package -> version of the lock."""
        pairs = (line.split("==", 1) for line in self.lock if "==" in line)
        return {canonical(name.split("[")[0]): version.split(";")[0].strip() for name, version in pairs}

    def has_another_error(self, before: PlanAttempt, failure: AttemptFailure) -> bool:
        """Return whether as many imports fail as before, and the repaired one fails with another error."""
        if self.score != before.score or failure.tried is None:
            return False
        now = next((item for item in self.tried if item.module == failure.tried.module), None)
        if now is None or now.error == failure.tried.error:
            return False
        return now.test or "No module named" not in now.error  # Tests report one missing module after another.


def failed(outcome: CommandOutcome) -> bool:
    return outcome.exit_code != 0 or bool(outcome.stopped)


def failed_attempt(outcome: CommandOutcome, plan: InstallPlan, stage: str, lock: tuple[str, ...] = ()) -> PlanAttempt:
    """Build the attempt that failed with a command."""
    log = outcome.output + (f"\nthe command was stopped: {outcome.stopped}" if outcome.stopped else "")
    return PlanAttempt(plan, lock, (), (AttemptFailure(stage, log),))


def accelerators_brought(lock: tuple[str, ...]) -> str:
    """Format the accelerator libraries in a lock as a log; empty if there are none."""
    found = [line for line in lock if install_plan.is_accelerator(line.split("==")[0])]
    return f"{_SPOILING}{', '.join(found)}" if found else ""


def accelerators_named(log: str) -> tuple[str, ...]:
    """Parse the packages in such a log."""
    found = log.removeprefix(_SPOILING) if log.startswith(_SPOILING) else ""
    return tuple(canonical(line.split("==")[0]) for line in found.split(", ") if line)


class Layer:
    """Workspace layer, rebuilt when a plan builds the repository differently."""

    def __init__(
        self, installer: Installer, path: Path, tree: Path, roots: Sequence[str], report: Callable[[str, str], None]
    ) -> None:
        self.path = path
        self._installer, self._tree, self._roots, self._report = installer, tree, roots, report
        self._built = ""
        """`_build_key` of the installed repository."""

    @property
    def python(self) -> Path:
        return self.path / "bin" / "python"

    def install(self, plan: InstallPlan, environment: Path, files: Path) -> CommandOutcome | None:
        """Build the layer on `environment` and install the repository, unless an equal build is installed. Returns the failed outcome, or None.

        Compiled repositories take minutes to build, and most repairs do not change the build.
        """
        key = _build_key(plan)
        if self._built == key:
            return None
        self._built = ""
        shutil.rmtree(self.path, ignore_errors=True)
        if failed(outcome := self._installer.make(plan.interpreter, self.path)):
            return outcome
        self.attach(environment, plan)
        if plan.project != "linked":
            self._report("project", f"installing the repository ({plan.project})")
            target = [*(["--editable"] if plan.project == "editable" else []), str(self._tree)]
            access = CommandAccess(readable=(environment,))
            if failed(outcome := self._installer.build(plan, self.path, target, files, access)):
                return outcome
        self._built = key
        return None

    def attach(self, environment: Path, plan: InstallPlan) -> None:
        """Make the shared environment importable, and the repository if it is not installed."""
        place = "lib/python{}.{}/site-packages".format(*plan.interpreter.minor)
        target = self.path / place
        target.joinpath("shared_environment.pth").write_text(
            f"import site; site.addsitedir({str(environment / place)!r})\n", encoding="utf-8"
        )
        if plan.project != "copied":
            # Needed for editable installations too: a workspace folder named like a package would shadow import hooks.
            roots = self._roots if plan.project == "linked" else self._roots[:1]
            paths = (self._tree if root == "." else self._tree / root for root in roots)
            target.joinpath("repository.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")


def _build_key(plan: InstallPlan) -> str:
    """Return the parts of a plan that the build of the repository depends on."""
    dates = (plan.date, sorted(plan.undated))
    build = (plan.project, plan.build_constraints, plan.build_alongside, dict(plan.variables))
    return repr((plan.interpreter, *dates, *build))


_PROBES = 24
_PROBE_SECONDS = 120.0


class Lookups:
    """Lookups about the plan of the current attempt."""

    plan: InstallPlan
    """Plan of the current attempt; set before the first lookup."""

    def __init__(self, installer: Installer, environment: Path, files: Path) -> None:
        self._installer, self._environment, self._files = installer, environment, files
        self._wheels: dict[tuple[str, Interpreter, datetime | None], bool] = {}
        self._probes = 0

    def resolves(self, plan: InstallPlan) -> bool:
        """Return whether a plan can be resolved; False without a check after too many checks, and on timeout."""
        self._probes += 1
        return self._probes <= _PROBES and not failed(self._installer.resolve(plan, self._files, _PROBE_SECONDS))

    def requires(self, name: str, version: str) -> tuple[str, ...] | None:
        """Return the requirements of a version's wheel in current notation; None without a wheel."""
        place = self._files / "unpacked"
        shutil.rmtree(place, ignore_errors=True)
        if failed(self._installer.unpack(f"{name}=={version}", self.plan, place)):
            return None
        found = next(place.glob("*.dist-info/METADATA"), None)
        return required_by(found.read_text(encoding="utf-8", errors="replace")) if found else None

    def holder(self, module: str) -> str:
        """Find the installed package that provides a top-level module; empty if there is none."""
        return holder_of(self._environment, module)

    def has_wheel(self, requirement: str, interpreter: Interpreter, *, newer: bool = False) -> bool:
        """Return whether wheels satisfy a requirement on an interpreter, at the date of the plan or, if `newer`, of any date."""
        plan = replace(self.plan, date=None) if newer else self.plan
        key = (requirement, interpreter, plan.date)
        if key not in self._wheels:
            self._wheels[key] = not failed(self._installer.look_up(requirement, interpreter, plan, self._files))
        return self._wheels[key]


_NO_WHEEL = re.compile(r"Because ([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?==\S+ has no (?:usable )?wheels")
_LEAVE_LIMIT = 60


class AttemptRunner:
    """Runner of attempts in one folder; each attempt changes the installation of the previous one."""

    def __init__(
        self,
        installer: Installer,
        folder: Path,
        tree: Path,
        layer: str,
        code: CodeImports,
        report: Callable[[str, str], None],
        *,
        tests: bool = False,
    ) -> None:
        self.folder = folder
        self.installed: InstallPlan | None = None
        """Plan that is currently installed."""
        self._installer, self._tree, self._code, self._report = installer, tree.resolve(), code, report
        self._files = installer.runner.workspace / ".home" / "plan"
        self._interpreter: Interpreter | None = None
        self._resolved: dict[str, str] = {}
        self._tests = tests
        self.layer = Layer(installer, installer.runner.workspace / layer, self._tree, code.roots, report)
        self.lookups = Lookups(installer, self.environment, self._files)

    @property
    def environment(self) -> Path:
        return self.folder / "env"

    def run_attempt(self, plan: InstallPlan) -> PlanAttempt:
        """Attempt a plan."""
        self.lookups.plan = plan
        # Neither field influences the resolution.
        key = repr(replace(plan, project="", without_files=()))
        if key not in self._resolved:
            self._report("resolve", f"{len(plan.wanted)} requirements for Python {plan.interpreter}")
            outcome = self._installer.resolve(plan, self._files)
            if failed(outcome):
                return failed_attempt(outcome, plan, "resolve")
            self._resolved[key] = (self._files / "lock.txt").read_text(encoding="utf-8")
        text = self._resolved[key]
        lock = tuple(line for _, line in locked_lines(text))
        if not self._installer.settings.accelerator and (spoiling := accelerators_brought(lock)):
            return PlanAttempt(plan, lock, (), (AttemptFailure("resolve", spoiling),))
        self.installed = plan
        if broken := self._install(plan, lock):
            return failed_attempt(broken, plan, "install", lock)
        return self.reuse(plan, lock)

    def restore(self, attempt: PlanAttempt) -> None:
        """Reinstall the packages of an attempt, without import checks."""
        self._install(attempt.plan, attempt.lock)
        self.layer.install(attempt.plan, self.environment, self._files)
        self.installed = attempt.plan

    def compile(self, attempt: PlanAttempt) -> None:
        """Compile the environment of an attempt. Failure is harmless: imports are only slower."""
        self._report("install", "compiling what is installed")
        self._installer.compile(attempt.plan, self.environment, self._files / "wheels.txt")

    def _install(self, plan: InstallPlan, lock: tuple[str, ...]) -> CommandOutcome | None:
        """Install a lock into the environment. Returns the failed outcome, or None."""
        self._report("install", f"{len(lock)} packages")
        if self._interpreter != plan.interpreter:
            shutil.rmtree(self.environment, ignore_errors=True)
            if failed(outcome := self._installer.make(plan.interpreter, self.environment)):
                return outcome
            self._interpreter = plan.interpreter
        built: list[str] = []
        for _ in range(_LEAVE_LIMIT):
            kept = self._files / "wheels.txt"
            kept.write_text("".join(f"{line}\n" for line in lock if line not in built), encoding="utf-8")
            outcome = self._installer.install_wheels(plan, self.environment, kept)
            lacking = without_wheel(outcome.output) if failed(outcome) else ""
            if not lacking:
                break
            built += [line for name, line in locked_lines("\n".join(lock)) if canonical(name) == lacking]
        if failed(outcome):
            return outcome
        if other := self._with_wheel(plan, built):
            return other
        if built:
            self._report("install", f"building {len(built)} packages that have no wheel: {', '.join(built)[:200]}")
            access = CommandAccess((self.folder,))
            if failed(outcome := self._installer.build(plan, self.environment, built, self._files, access)):
                return outcome
        for name in plan.without_files:
            (self.environment / name).unlink(missing_ok=True)
        return None

    def _with_wheel(self, plan: InstallPlan, built: list[str]) -> CommandOutcome | None:
        """Build a failure for a package whose replacement has a wheel, so that it need not be built; None if there is none."""
        for name, line in locked_lines("\n".join(built)):
            other = load_known().replaced.get(canonical(name)) or name
            is_other = canonical(other) != canonical(name) and plan.asks_for(name)
            if is_other and self.lookups.has_wheel(other, plan.interpreter):
                cause = f"it has no wheel, and {other} has one with the same modules"
                return CommandOutcome(1, f"error: Failed to build `{line}`\n{cause}", 0.0)
        return None

    def reuse(self, plan: InstallPlan, lock: tuple[str, ...]) -> PlanAttempt:
        """Attempt a finished environment: install only the repository itself, in the workspace layer, and check imports."""
        broken = self.layer.install(plan, self.environment, self._files)
        return self._check(plan, lock) if broken is None else failed_attempt(broken, plan, "project", lock)

    def _check(self, plan: InstallPlan, lock: tuple[str, ...]) -> PlanAttempt:
        own = self._code.own
        self._report("check", f"importing {len(own)} packages of the repository and {len(self._code.imported)} modules")
        readable = (self.environment, plan.interpreter.prefix)
        tried = check_imports(self._installer.runner, self.layer.python, self._code, own, readable)
        tried = tuple(replace(item, need=ImportNeed.NEEDED) if _is_declared(item, plan) else item for item in tried)
        if self._tests and all(item.works for item in tried if item.own):
            tried += self._collect(lock, readable)
        broken = sorted((item for item in tried if item.need and not item.works), key=lambda item: -item.need)
        failures = tuple(AttemptFailure("check", f"{item.error}\n{item.trace}", item) for item in broken)
        return PlanAttempt(plan, lock, tried, failures)

    def _collect(self, lock: tuple[str, ...], readable: tuple[Path, ...]) -> tuple[ImportCheck, ...]:
        """Return the test files that cannot be collected."""
        if not any(canonical(name) == "pytest" for name, _ in locked_lines("\n".join(lock))):
            return ()
        self._report("check", "collecting the repository's tests")
        found = collect_tests(self._installer.runner, self.layer.python, self._tree, readable)
        self._report("check", f"{found.tests} tests collected, {len(found.failing)} files of tests fail")
        return found.failing


def without_wheel(log: str) -> str:
    """Find the package without a wheel in a log, with or without extras; empty if there is none."""
    match = _NO_WHEEL.search(" ".join(log.split()))
    return canonical(match[1]) if match else ""


def _is_declared(item: ImportCheck, plan: InstallPlan) -> bool:
    """Return whether a manifest requires the package of a module that some file needs."""
    if item.need is not ImportNeed.BESIDE:
        return False
    package = install_plan.name_of(item.module)
    return any(one.name == package and not one.origin.startswith("imported by") for one in plan.wanted)
