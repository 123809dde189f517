"""One attempt at a plan: resolve, install, make the repository importable, import."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from packaging.specifiers import SpecifierSet

from repoquarry.agent.isolation.commands import Outcome
from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.archives.taking import Archives
from repoquarry.agent.provision.python.checking.collecting import START, collect
from repoquarry.agent.provision.python.checking.importing import check
from repoquarry.agent.provision.python.imports import Code
from repoquarry.agent.provision.python.installed import holder_of, required_by
from repoquarry.agent.provision.python.installer import Installer, locked_lines
from repoquarry.agent.provision.python.interpreters import Interpreter
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure
from repoquarry.agent.provision.trial import Need, Tried

_STAGES = ("check", "project", "install", "resolve")
_NO_WHEEL = re.compile(r"Because ([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?==\S+ has no (?:usable )?wheels")
_SPOILING = "libraries of an accelerator would be installed: "
_LEAVE_LIMIT = 60
_PROBES = 24
_PROBE_SECONDS = 120.0


@dataclass(frozen=True)
class Attempt:
    """How far a plan came."""

    plan: Plan
    lock: tuple[str, ...]
    tried: tuple[Tried, ...]
    failures: tuple[Failure, ...]

    @property
    def score(self) -> tuple[int, int, int, int, int]:
        """The lower the better: stages that were not passed; own packages and needed modules that cannot be imported; whether pytest cannot
        begin, which hides what fails behind it; other modules and files of tests."""
        stage = self.failures[0].stage if self.failures else "check"
        own = sum(item.own and not item.works for item in self.tried)
        needed = sum(item.needed and not item.works for item in self.tried)
        halted = any(item.test and item.module == START for item in self.tried)
        beside = sum(item.need is Need.BESIDE and not item.works for item in self.tried)
        return _STAGES.index(stage), own, needed, halted, beside

    @property
    def log(self) -> str:
        return "\n".join(failure.log for failure in self.failures)

    @property
    def versions(self) -> dict[str, str]:
        """Package -> version, by the lock."""
        pairs = (line.split("==", 1) for line in self.lock if "==" in line)
        return {canonical(name.split("[")[0]): version.split(";")[0].strip() for name, version in pairs}

    def moves_on(self, before: Attempt, failure: Failure) -> bool:
        """Whether the same number of imports fail, and the one that was to be mended fails by something else."""
        if self.score != before.score or failure.tried is None:
            return False
        now = next((item for item in self.tried if item.module == failure.tried.module), None)
        if now is None or now.error == failure.tried.error:
            return False
        return now.test or "No module named" not in now.error  # tests name one missing module after the other


class Attempts:
    """The folder in which attempts are made, one after the other, each changing what the one before installed."""

    def __init__(
        self,
        installer: Installer,
        folder: Path,
        tree: Path,
        layer: str,
        code: Code,
        say: Callable[[str, str], None],
        *,
        tests: bool = False,
    ) -> None:
        self.folder = folder
        self.layer = installer.runner.workspace / layer
        self.installed: Plan | None = None
        """The plan whose packages lie in the folder."""
        self._installer, self._tree, self._code, self._say = installer, tree.resolve(), code, say
        self._files = installer.runner.workspace / ".home" / "plan"
        self._interpreter: Interpreter | None = None
        self._wheels: dict[tuple[str, Interpreter, datetime | None], bool] = {}
        self._resolved: dict[str, str] = {}
        self._probes = 0
        self._tests = tests
        self._layered = ""
        """How the repository in the layer was built, by `_build_key`."""
        self._date_plan: Plan | None = None
        self._archives = Archives(installer.runner, installer.settings.index)

    @property
    def environment(self) -> Path:
        return self.folder / "env"

    def make(self, plan: Plan) -> Attempt:
        """Try a plan."""
        self._date_plan = plan
        return self._make(plan)

    def _make(self, plan: Plan) -> Attempt:
        key = repr(
            replace(plan, project="", without_files=())
        )  # what neither of these changes need not be resolved again
        if key not in self._resolved:
            self._say("resolve", f"{len(plan.wanted)} requirements for Python {plan.interpreter}")
            outcome = self._installer.resolve(plan, self._files)
            if failed(outcome):
                return _failed(plan, "resolve", outcome)
            self._resolved[key] = (self._files / "lock.txt").read_text(encoding="utf-8")
        text = self._resolved[key]
        lock = tuple(line for _, line in locked_lines(text))
        if spoiling := _accelerators(lock, self._installer):
            return Attempt(plan, lock, (), (Failure("resolve", spoiling),))
        self.installed = plan
        if broken := self._install(plan, lock):
            return replace(_failed(plan, "install", broken), lock=lock)
        return self._layer(plan, lock)

    def restore(self, attempt: Attempt) -> None:
        """Install again what an attempt had installed, without importing."""
        self._install(attempt.plan, attempt.lock)
        self._install_project(attempt.plan)
        self.installed = attempt.plan

    def compile(self, attempt: Attempt) -> None:
        """Compile the environment of an attempt. It works as well without, if slower, so nothing depends on the outcome."""
        self._say("install", "compiling what is installed")
        self._installer.compile(attempt.plan, self.environment, self._files / "wheels.txt")

    def resolves(self, plan: Plan) -> bool:
        """Whether a plan has a solution; nothing is installed. False without a look when many were tried, and when it takes long."""
        self._probes += 1
        return self._probes <= _PROBES and not failed(self._installer.resolve(plan, self._files, _PROBE_SECONDS))

    def reuse(self, plan: Plan, lock: list[str]) -> Attempt:
        """Try an environment that is finished: only the repository itself is installed."""
        return self._layer(plan, tuple(lock))

    def _install(self, plan: Plan, lock: tuple[str, ...]) -> Outcome | None:
        """Install a lock into the environment; the outcome that failed, or None."""
        self._say("install", f"{len(lock)} packages")
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
            self._say("install", f"building {len(built)} packages that have no wheel: {', '.join(built)[:200]}")
            if failed(outcome := self._installer.build(plan, self.environment, built, self._files)):
                return outcome
        for name in plan.without_files:
            (self.environment / name).unlink(missing_ok=True)
        return None

    def _with_wheel(self, plan: Plan, built: list[str]) -> Outcome | None:
        """A failure that names a package which need not be built, because another with a wheel gives the same modules; None when none does."""
        for name, line in locked_lines("\n".join(built)):
            other = names.replacement(name)
            if (
                other
                and canonical(other) != canonical(name)
                and plan.asks_for(name)
                and self.has_wheel(other, plan.interpreter)
            ):
                return Outcome(
                    1,
                    f"error: Failed to build `{line}`\nit has no wheel, and {other} has one with the same modules",
                    0.0,
                )
        return None

    def _layer(self, plan: Plan, lock: tuple[str, ...]) -> Attempt:
        """Make the workspace's own environment on the shared one, install the repository in it, and import."""
        broken = self._install_project(plan)
        return self._check(plan, lock) if broken is None else replace(_failed(plan, "project", broken), lock=lock)

    def _install_project(self, plan: Plan) -> Outcome | None:
        """Make the layer, and install the repository in it unless it lies there built in the same way; the outcome that failed, or None.

        A repository with parts to compile takes minutes, and most repairs change nothing that its build sees.
        """
        key = _build_key(plan)
        if self._layered == key:
            return None
        self._layered = ""
        if failed(outcome := self._make_layer(plan)):
            return outcome
        if plan.project != "linked":
            self._say("project", f"installing the repository ({plan.project})")
            readable = (self.environment, plan.interpreter.prefix)
            outcome = self._installer.install_project(plan, self.layer, self._tree, self._files, readable)
            if failed(outcome):
                return outcome
        self._layered = key
        return None

    def _make_layer(self, plan: Plan) -> Outcome:
        shutil.rmtree(self.layer, ignore_errors=True)
        outcome = self._installer.make(plan.interpreter, self.layer)
        if not failed(outcome):
            self._link(self.environment, plan)
        return outcome

    def _link(self, environment: Path, plan: Plan) -> None:
        """Let the workspace's environment see the shared one, and the repository where it is not installed."""
        place = "lib/python{}.{}/site-packages".format(*plan.interpreter.minor)
        target = self.layer / place
        target.joinpath("shared_environment.pth").write_text(
            f"import site; site.addsitedir({str(environment / place)!r})\n", encoding="utf-8"
        )
        if plan.project != "copied":
            # also where it is installed: a folder of the workspace that is called like a package would hide what import hooks give
            roots = self._code.roots if plan.project == "linked" else self._code.roots[:1]
            paths = (self._tree if root == "." else self._tree / root for root in roots)
            target.joinpath("repository.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")

    def lean_on(self, best: Attempt, environment: Path) -> None:
        """Put another environment with the same content below the workspace's."""
        self._link(environment, best.plan)

    def _check(self, plan: Plan, lock: tuple[str, ...]) -> Attempt:
        own = self._code.own
        self._say("check", f"importing {len(own)} packages of the repository and {len(self._code.imported)} modules")
        readable = (self.environment, plan.interpreter.prefix)
        tried = check(self._installer.runner, self.layer / "bin" / "python", self._code, own, readable)
        tried = tuple(replace(item, need=Need.NEEDED) if _is_declared(item, plan) else item for item in tried)
        if self._tests and all(item.works for item in tried if item.own):
            tried += self._collect(lock, readable)
        broken = sorted((item for item in tried if item.need and not item.works), key=lambda item: -item.need)
        failures = tuple(Failure("check", f"{item.error}\n{item.trace}", item) for item in broken)
        return Attempt(plan, lock, tried, failures)

    def _collect(self, lock: tuple[str, ...], readable: tuple[Path, ...]) -> tuple[Tried, ...]:
        """The files of tests that cannot be collected."""
        if not any(canonical(name) == "pytest" for name, _ in locked_lines("\n".join(lock))):
            return ()
        self._say("check", "collecting the repository's tests")
        found = collect(self._installer.runner, self.layer / "bin" / "python", self._tree, readable)
        self._say("check", f"{found.tests} tests collected, {len(found.failing)} files of tests fail")
        return found.failing

    def requires(self, name: str, version: str) -> tuple[str, ...] | None:
        """What the wheel of a version requires, in the form of today; None without a wheel."""
        assert self._date_plan is not None  # noqa: S101  asked in the course of an attempt
        place = self._files / "unpacked"
        shutil.rmtree(place, ignore_errors=True)
        if failed(self._installer.unpack(f"{name}=={version}", self._date_plan, place)):
            return None
        found = next(place.glob("*.dist-info/METADATA"), None)
        return required_by(found.read_text(encoding="utf-8", errors="replace")) if found else None

    def takes_archive(self, name: str, allowed: SpecifierSet) -> str:
        """Version of a package whose source archive could be fetched for the plan; empty for none."""
        assert self._date_plan is not None  # noqa: S101  asked in the course of an attempt
        return self._archives.take(name, allowed, self._date_plan)

    def holder(self, module: str) -> str:
        """Package of the last installation that gives a top-level module; empty for none."""
        return holder_of(self.environment, module)

    def has_wheel(self, requirement: str, interpreter: Interpreter) -> bool:
        """Whether a requirement can be met by wheels alone on an interpreter, at the date of the plan."""
        assert self._date_plan is not None  # noqa: S101  asked in the course of an attempt
        return self._looked_up(requirement, interpreter, self._date_plan)

    def has_newer_wheel(self, requirement: str, interpreter: Interpreter) -> bool:
        """The same at any date."""
        assert self._date_plan is not None  # noqa: S101  asked in the course of an attempt
        return self._looked_up(requirement, interpreter, replace(self._date_plan, date=None))

    def _looked_up(self, requirement: str, interpreter: Interpreter, plan: Plan) -> bool:
        key = (requirement, interpreter, plan.date)
        if key not in self._wheels:
            self._wheels[key] = not failed(self._installer.look_up(requirement, interpreter, plan, self._files))
        return self._wheels[key]


def without_wheel(log: str) -> str:
    """Package that a log says has no wheel, with extras or without; empty for none."""
    match = _NO_WHEEL.search(" ".join(log.split()))
    return canonical(match[1]) if match else ""


def _is_declared(item: Tried, plan: Plan) -> bool:
    """Whether a manifest asks for the package that gives a module which some file needs."""
    if item.need is not Need.BESIDE:
        return False
    package = names.name_of(item.module)
    return any(one.name == package and not one.origin.startswith("imported by") for one in plan.wanted)


def _build_key(plan: Plan) -> str:
    """What of a plan the build of the repository sees."""
    dates = (plan.date, sorted(plan.undated))
    build = (plan.project, plan.build_constraints, plan.build_alongside, dict(plan.variables))
    return repr((plan.interpreter, *dates, *build))


def failed(outcome: Outcome) -> bool:
    return outcome.exit_code != 0 or bool(outcome.stopped)


def _failed(plan: Plan, stage: str, outcome: Outcome) -> Attempt:
    log = outcome.output + (f"\nthe command was stopped: {outcome.stopped}" if outcome.stopped else "")
    return Attempt(plan, (), (), (Failure(stage, log),))


def _accelerators(lock: tuple[str, ...], installer: Installer) -> str:
    """What a lock would bring of an accelerator's libraries where they are not wanted, as a log; empty for none."""
    found = [line for line in lock if names.is_accelerator(line.split("==")[0])]
    if installer.settings.accelerator or not found:
        return ""
    return f"{_SPOILING}{', '.join(found)}"


def accelerators_named(log: str) -> tuple[str, ...]:
    """Packages that such a log names."""
    found = log.removeprefix(_SPOILING) if log.startswith(_SPOILING) else ""
    return tuple(canonical(line.split("==")[0]) for line in found.split(", ") if line)
