"""One attempt at a plan: resolve, install, make the repository importable, import."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from repoquarry.agent.isolation.commands import Outcome
from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.attempts.attempt import Attempt, accelerators_brought, ended_by, failed
from repoquarry.agent.provision.python.attempts.layer import Layer
from repoquarry.agent.provision.python.attempts.lookups import Lookups
from repoquarry.agent.provision.python.checking.collecting import collect
from repoquarry.agent.provision.python.checking.importing import check
from repoquarry.agent.provision.python.imports import Code
from repoquarry.agent.provision.python.installer import Installer, locked_lines
from repoquarry.agent.provision.python.interpreters import Interpreter
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure
from repoquarry.agent.provision.trial import Need, Tried

_NO_WHEEL = re.compile(r"Because ([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?==\S+ has no (?:usable )?wheels")
_LEAVE_LIMIT = 60


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
        self.installed: Plan | None = None
        """The plan whose packages lie in the folder."""
        self._installer, self._tree, self._code, self._say = installer, tree.resolve(), code, say
        self._files = installer.runner.workspace / ".home" / "plan"
        self._interpreter: Interpreter | None = None
        self._resolved: dict[str, str] = {}
        self._tests = tests
        self.layer = Layer(installer, installer.runner.workspace / layer, self._tree, code.roots, say)
        self.lookups = Lookups(installer, self.environment, self._files)

    @property
    def environment(self) -> Path:
        return self.folder / "env"

    def make(self, plan: Plan) -> Attempt:
        """Try a plan."""
        self.lookups.plan = plan
        # what neither of these changes need not be resolved again
        key = repr(replace(plan, project="", without_files=()))
        if key not in self._resolved:
            self._say("resolve", f"{len(plan.wanted)} requirements for Python {plan.interpreter}")
            outcome = self._installer.resolve(plan, self._files)
            if failed(outcome):
                return ended_by(outcome, plan, "resolve")
            self._resolved[key] = (self._files / "lock.txt").read_text(encoding="utf-8")
        text = self._resolved[key]
        lock = tuple(line for _, line in locked_lines(text))
        if not self._installer.settings.accelerator and (spoiling := accelerators_brought(lock)):
            return Attempt(plan, lock, (), (Failure("resolve", spoiling),))
        self.installed = plan
        if broken := self._install(plan, lock):
            return ended_by(broken, plan, "install", lock)
        return self._try(plan, lock)

    def restore(self, attempt: Attempt) -> None:
        """Install again what an attempt had installed, without importing."""
        self._install(attempt.plan, attempt.lock)
        self.layer.install(attempt.plan, self.environment, self._files)
        self.installed = attempt.plan

    def compile(self, attempt: Attempt) -> None:
        """Compile the environment of an attempt. It works as well without, if slower, so nothing depends on the outcome."""
        self._say("install", "compiling what is installed")
        self._installer.compile(attempt.plan, self.environment, self._files / "wheels.txt")

    def reuse(self, plan: Plan, lock: list[str]) -> Attempt:
        """Try an environment that is finished: only the repository itself is installed."""
        return self._try(plan, tuple(lock))

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
                and self.lookups.has_wheel(other, plan.interpreter)
            ):
                return Outcome(
                    1,
                    f"error: Failed to build `{line}`\nit has no wheel, and {other} has one with the same modules",
                    0.0,
                )
        return None

    def _try(self, plan: Plan, lock: tuple[str, ...]) -> Attempt:
        """Make the workspace's own environment on the shared one, install the repository in it, and import."""
        broken = self.layer.install(plan, self.environment, self._files)
        return self._check(plan, lock) if broken is None else ended_by(broken, plan, "project", lock)

    def lean_on(self, best: Attempt, environment: Path) -> None:
        """Put another environment with the same content below the workspace's."""
        self.layer.lean_on(environment, best.plan)

    def _check(self, plan: Plan, lock: tuple[str, ...]) -> Attempt:
        own = self._code.own
        self._say("check", f"importing {len(own)} packages of the repository and {len(self._code.imported)} modules")
        readable = (self.environment, plan.interpreter.prefix)
        tried = check(self._installer.runner, self.layer.python, self._code, own, readable)
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
        found = collect(self._installer.runner, self.layer.python, self._tree, readable)
        self._say("check", f"{found.tests} tests collected, {len(found.failing)} files of tests fail")
        return found.failing


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
