"""One task while it runs: what it has used, what it may still use, and the steps that the graph walks.

Each method is one node of the graph (`repoquarry/agent/loop/graph.py`). All events of a task come from here, whatever the policy, and in one
order: decide, then each call with its return and its selection, then the answer. Between two nodes `snapshot` says all that a new
process needs to go on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import msgspec

from repoquarry.agent.decisions import Answer, Observation, ToolCall, ToolResult
from repoquarry.agent.events import EventKind
from repoquarry.agent.loop.calls import Callbacks, Calls
from repoquarry.agent.loop.memory import Seen, Snapshot
from repoquarry.agent.policies.base import Policy
from repoquarry.agent.task import Budget, TaskRequest, TokenUsage
from repoquarry.agent.tools.base import Tool, ToolContext
from repoquarry.agent.views.truncation import truncate_view
from repoquarry.execution.workspaces.completion_checks import (
    CompletionCheckOutcome,
    find_missing_outputs,
    run_checks,
)
from repoquarry.execution.workspaces.files import OUTPUTS, FileRecord, list_files

_log = logging.getLogger(__name__)
_FILES_IN_ANSWER = 1_000


DECIDE, ACT, ANSWER = "decide", "act", "answer"
"""Names of the graph's nodes."""


class Session:
    """The running task. `policy` is set before the first step, because it needs the session's clock and events."""

    policy: Policy

    def __init__(
        self, request: TaskRequest, budget: Budget, tools: Sequence[Tool], context: ToolContext, callbacks: Callbacks
    ) -> None:
        self.request = request
        self.budget = budget
        self.steps = 0
        self.usage = TokenUsage()
        self._calls = Calls(tools, context, callbacks, auto_approve=request.auto_approve)
        self._context = context
        self._callbacks = callbacks
        self.produced: tuple[FileRecord, ...] = ()
        self.checked: tuple[CompletionCheckOutcome, ...] = ()
        self.answer: Answer | None = None
        self.stop = ""
        """Name of the budget that ended; empty while there is some left."""

        self._pending: tuple[ToolCall, ...] = ()
        self._observations: tuple[Observation, ...] = ()
        self._rounds = 0
        self._started = time.monotonic()

    def emit(self, kind: EventKind, data: Mapping[str, object]) -> None:
        """Report an event."""
        self._callbacks.tell(kind, data)

    def seconds_left(self) -> float | None:
        """Time left of the budget; None without a limit."""
        return self.budget.seconds - (time.monotonic() - self._started) if self.budget.seconds else None

    def decide(self) -> str:
        """Ask the policy what to do next."""
        self._callbacks.check_cancelled()
        if stop := self._exhausted():
            self.stop = stop
            return ANSWER
        decision = self.policy.decide(self._observations)
        self._observations = ()
        self.usage += decision.usage
        if isinstance(decision, Answer):
            return self._sent_back(decision) or ANSWER
        if decision.plan is not None:
            self.emit(EventKind.PLAN, asdict(decision.plan))
        self._pending = decision.calls
        return ACT

    def _sent_back(self, answer: Answer) -> str:
        """Keep the answer when the completion checks hold; else the policy goes on, as often as the settings let it."""
        self._check(answer)
        failed = [outcome for outcome in self.checked if not outcome.held]
        if failed and self._rounds < self._context.settings.check_rounds and not self._exhausted():
            self._rounds += 1
            if self.policy.unfinished("; ".join(f"{outcome.check}: {outcome.why}" for outcome in failed)):
                return DECIDE
        self.answer = answer
        return ""

    def _check(self, answer: Answer) -> None:
        """Check what the task asks for, and that each output that the answer names was made."""
        if self._context.workspace is None:
            return
        asked = run_checks(self.request.checks, self._context.workspace)
        self.checked = (*asked, *find_missing_outputs(answer.text, self._context.workspace))
        if self.checked:
            self.emit(EventKind.CHECKED, {"checks": [asdict(outcome) for outcome in self.checked]})

    def act(self) -> str:
        """Make the pending calls, one after the other, and cut what came back to what matters."""
        observations: list[Observation] = []
        for call in self._pending:
            self._callbacks.check_cancelled()
            if stop := self._exhausted():
                self.stop = stop
                break
            self.steps += 1
            observations.append(self._observe(call, self._calls.make(call, self.steps)))
        self._pending, self._observations = (), tuple(observations)
        return ANSWER if self.stop else DECIDE

    def give_answer(self) -> str:
        """Give the answer, or what there is of it when a budget ended."""
        answer = self.answer
        if answer is None:
            limit = getattr(self.budget, self.stop)
            self.emit(EventKind.BUDGET_REACHED, {"budget": self.stop, "limit": limit})
            answer = self.policy.conclude(self._observations, f"the budget of {limit} {self.stop} is used up")
            self.usage += answer.usage
            self._check(answer)
        answer = self.answer = replace(answer, places=answer.places[: self._context.settings.places])
        if self._context.workspace is not None:
            self.produced = list_files(self._context.workspace.root, OUTPUTS, most=_FILES_IN_ANSWER).files
        data = {
            "text": answer.text,
            "places": [asdict(place) for place in answer.places],
            "unresolved": [asdict(name) for name in answer.unresolved],
            "steps": self.steps,
            "read_tokens": self.usage.read,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": self.usage.cost,
            "unpriced_calls": self.usage.unpriced,
            "files": [_file(item) for item in self.produced],
            "checks": [asdict(outcome) for outcome in self.checked],
        }
        self.emit(EventKind.ANSWER, data)
        return ANSWER

    def snapshot(self) -> bytes:
        """What is to be remembered now."""
        workspace = self._context.workspace
        return Snapshot(
            self.policy.remembered(),
            self.steps,
            self.usage,
            time.monotonic() - self._started,
            self.stop,
            self._rounds,
            self._pending,
            tuple(map(Seen.of, self._observations)),
            self.answer,
            workspace.environment if workspace is not None else None,
        ).encode()

    def resume(self, data: bytes) -> bool:
        """Go on from a snapshot; False, and nothing changed, for one that another version wrote."""
        try:
            found = Snapshot.decode(data)
            self.policy.restore(found.policy)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
            _log.warning("snapshot_not_understood")
            return False
        self.steps, self.usage, self.stop, self._rounds = found.steps, found.usage, found.stop, found.rounds
        self._started = time.monotonic() - found.seconds
        self._pending = found.pending
        self._observations = tuple(seen.observation() for seen in found.seen)
        self.answer = found.answer
        if self._context.workspace is not None:
            self._context.workspace.environment = found.environment
            self.produced = list_files(self._context.workspace.root, OUTPUTS, most=_FILES_IN_ANSWER).files
        return True

    def _exhausted(self) -> str:
        """Name of a budget that is used up, empty when none is."""
        left = self.seconds_left()
        if left is not None and left <= 0:
            return "seconds"
        if self.budget.steps and self.steps >= self.budget.steps:
            return "steps"
        used = self.usage.input + self.usage.output if self.usage.input else self.usage.read
        return "tokens" if self.budget.tokens and used >= self.budget.tokens else ""

    def _observe(self, call: ToolCall, result: ToolResult | str) -> Observation:
        if isinstance(result, str):
            return Observation(call, result, None)
        chosen = truncate_view(result.view, self.request.text, self._context.settings.selection)
        self.usage += TokenUsage(read=chosen.tokens_after)
        if chosen.method:
            data = {"call": call.id, "method": chosen.method, "kept": chosen.kept}
            self.emit(
                EventKind.SELECTION,
                {**data, "tokens_before": chosen.tokens_before, "tokens_after": chosen.tokens_after},
            )
        return Observation(call, chosen.text, result)


def _file(item: FileRecord) -> dict[str, object]:
    return {"path": item.path, "size": item.size, "sha256": item.sha256, "executable": item.executable}
