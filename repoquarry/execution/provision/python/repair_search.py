"""Greedy search for repairs of an install plan that improve an attempt; table of repairs in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from repoquarry.execution.provision.provisioning_run import ProvisioningRun
from repoquarry.execution.provision.python import build_repairs, import_repairs, version_repairs
from repoquarry.execution.provision.python.attempt_runner import AttemptRunner, PlanAttempt, accelerators_named
from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    Proposer,
    RepairContext,
    RepairProposal,
    failed_build,
)
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportNeed, Repair
from repoquarry.languages.manifests.python_projects import read_project_version

REPAIRS: Final[Sequence[Proposer]] = (
    build_repairs.propose_metadata,
    import_repairs.propose_accelerators,
    version_repairs.propose_dates,
    build_repairs.propose_package_names,
    version_repairs.propose_interpreters,
    version_repairs.propose_pins,
    build_repairs.propose_builds,
    build_repairs.propose_system_libraries,
    import_repairs.propose_older,
    import_repairs.propose_test_plugins,
    version_repairs.propose_source_versions,
    version_repairs.propose_known_breaks,
    import_repairs.propose_modules,
    build_repairs.propose_project,
)


def proposals(failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
    """Yield proposals for a failure, most likely first."""
    for propose in REPAIRS:
        yield from propose(failure, plan, situation)


_TRIES_PER_FAILURE = 4
_HARMLESS = ("missing_module", "system_library")
"""Kinds of repairs for imports that the repository does not need: no version is changed for such imports."""
_FOR_TESTS = (*_HARMLESS, "test_plugin", "left_out", "known_break", "pin", "date")
"""Kinds of repairs for test files; an attempt that breaks a needed import is rejected anyway."""


class RepairSearch:
    """Greedy search for repairs; packages that cannot be installed are not proposed again."""

    def __init__(
        self, run: ProvisioningRun, attempts: AttemptRunner, code: CodeImports, interpreters: Sequence[Interpreter]
    ) -> None:
        self._run, self._attempts, self._code, self._interpreters = run, attempts, code, interpreters
        self._report = run.report_progress
        self._refused: set[str] = set()

    def run(self, plan: InstallPlan) -> tuple[PlanAttempt, list[Repair]]:
        """Return the best attempt and its repairs."""
        repairs: list[Repair] = []
        best = self._attempt(plan)
        while best.failures and self._run.may_continue:
            changed = self._find_better_attempt(best)
            if changed is None:
                break
            best, made = changed
            repairs += made
        return best, repairs

    def _situation(self, best: PlanAttempt) -> RepairContext:
        """Build the context of repairs for an attempt."""
        lookups = self._attempts.lookups
        return RepairContext(
            self._interpreters,
            self._code,
            lookups.has_wheel,
            lookups.resolves,
            best.versions,
            requires=lookups.requires,
            installs_newer=partial(lookups.has_wheel, newer=True),
            holder=lookups.holder,
            own_version=lambda: self._run.read_files(read_project_version, {"root": self._run.request.tree}),
        )

    def _find_better_attempt(self, best: PlanAttempt) -> tuple[PlanAttempt, list[Repair]] | None:
        """Find a better attempt and its repairs; None if there is none."""
        situation = self._situation(best)
        while len(best.failures) > 1 and self._run.may_continue and (together := self._together(best, situation)):
            found = self._attempt(together[0])
            if found.score < best.score:
                return found, together[1]
            if not self._refuse(found, best.plan):
                break
        for failure in best.failures:
            allowed = _allowed(failure)
            for count, proposal in enumerate(self._fresh(failure, best.plan, situation)):
                if allowed and proposal.repair.kind not in allowed:
                    continue
                if not self._run.may_continue or (failure.stage == "check" and count >= _TRIES_PER_FAILURE):
                    break
                self._run.report_repair(proposal.repair)
                found = self._attempt(proposal.plan)
                # Until the first environment is installed, any change that makes progress is accepted.
                moved = best.score[0] and found.score[0] <= best.score[0] and found.log != best.log
                if found.score < best.score or moved or found.has_another_error(best, failure):
                    return found, [proposal.repair]
                self._refuse(found, best.plan)
        return None

    def _refuse(self, found: PlanAttempt, before: InstallPlan) -> bool:
        """Record added packages that cannot be installed, so that no proposal adds them again. Returns whether there were any."""
        logs = [failure.log for failure in found.failures if failure.stage != "check"]
        named = {name for log in logs for name in (failed_build(log)[0], *accelerators_named(log)) if name}
        new = {name for name in named if found.plan.asks_for(name) and not before.asks_for(name)}
        self._refused |= new
        return bool(new)

    def _together(self, best: PlanAttempt, situation: RepairContext) -> tuple[InstallPlan, list[Repair]] | None:
        """Join the first proposals for all failures; most are independent missing modules."""
        plan, repairs = best.plan, []
        for failure in best.failures:
            proposal = next(self._proposals(failure, plan, situation), None)
            if (
                proposal
                and proposal.repair.kind in (_allowed(failure) or (proposal.repair.kind,))
                and not _is_guess(proposal, plan, situation)
                and proposal.plan.interpreter == plan.interpreter
                and proposal.plan.project == plan.project
            ):
                plan = proposal.plan
                repairs.append(proposal.repair)
        if len(repairs) < 2 or self._run.was_seen(plan):
            return None
        self._run.mark(plan)
        self._report("repair", "; ".join(repair.change for repair in repairs), *repairs)
        return plan, repairs

    def _fresh(self, failure: AttemptFailure, plan: InstallPlan, situation: RepairContext) -> Iterator[RepairProposal]:
        for proposal in self._proposals(failure, plan, situation):
            if not self._run.was_seen(proposal.plan):
                self._run.mark(proposal.plan)
                yield proposal

    def _proposals(
        self, failure: AttemptFailure, plan: InstallPlan, situation: RepairContext
    ) -> Iterator[RepairProposal]:
        for proposal in proposals(failure, plan, situation):
            if not any(proposal.plan.asks_for(name) and not plan.asks_for(name) for name in self._refused):
                yield proposal

    def _attempt(self, plan: InstallPlan) -> PlanAttempt:
        self._run.attempt(plan)
        found = self._attempts.run_attempt(plan)
        if found.failures:
            failure = found.failures[0]
            more = f", and {len(found.failures) - 1} more" if len(found.failures) > 1 else ""
            self._report(failure.stage, f"failed: {last_lines(failure.log)}{more}")
        return found


def _is_guess(proposal: RepairProposal, plan: InstallPlan, situation: RepairContext) -> bool:
    """Return whether a proposal adds a package that may not exist, which would fail the joined proposals."""
    added = [item for item in proposal.plan.wanted if item not in plan.wanted]
    return any(not situation.installs(item.text, plan.interpreter) for item in added)


def _allowed(failure: AttemptFailure) -> tuple[str, ...]:
    """Return the kinds of repairs that are allowed for a failure; empty for all."""
    if failure.tried is None or failure.tried.need is not ImportNeed.BESIDE:
        return ()
    return _FOR_TESTS if failure.tried.test else _HARMLESS


def last_lines(log: str) -> str:
    """Extract the cause of a failure from a log."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if "rror" in line or line.startswith(("cause:", "hint:", "Because"))]
    return " | ".join((telling or lines)[-4:])[:600]
