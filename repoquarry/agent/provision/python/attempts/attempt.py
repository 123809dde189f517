"""How far a plan came, and which of two attempts came further."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.agent.isolation.commands import Outcome
from repoquarry.agent.provision.python import names
from repoquarry.agent.provision.python.checking.collecting import START
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs.values import Failure
from repoquarry.agent.provision.trial import Need, Tried

_STAGES = ("check", "project", "install", "resolve")
_SPOILING = "libraries of an accelerator would be installed: "


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


def failed(outcome: Outcome) -> bool:
    return outcome.exit_code != 0 or bool(outcome.stopped)


def ended_by(outcome: Outcome, plan: Plan, stage: str, lock: tuple[str, ...] = ()) -> Attempt:
    """The attempt at a plan that a command ended."""
    log = outcome.output + (f"\nthe command was stopped: {outcome.stopped}" if outcome.stopped else "")
    return Attempt(plan, lock, (), (Failure(stage, log),))


def accelerators_brought(lock: tuple[str, ...]) -> str:
    """What a lock would bring of an accelerator's libraries, as a log; empty for none."""
    found = [line for line in lock if names.is_accelerator(line.split("==")[0])]
    return f"{_SPOILING}{', '.join(found)}" if found else ""


def accelerators_named(log: str) -> tuple[str, ...]:
    """Packages that such a log names."""
    found = log.removeprefix(_SPOILING) if log.startswith(_SPOILING) else ""
    return tuple(canonical(line.split("==")[0]) for line in found.split(", ") if line)
