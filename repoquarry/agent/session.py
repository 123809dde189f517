"""One task while it runs: what it has used, what it may still use, and the steps that the graph walks.

Each method is one node of the graph (`repoquarry/agent/graph.py`). All events of a task come from here, whatever the policy, and in one
order: decide, then each call with its return and its selection, then the answer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypedDict

from repoquarry.agent.decisions import Answer, Observation, ToolCall
from repoquarry.agent.errors import ApprovalDeniedError, TaskCancelledError, ToolError, UnknownNameError
from repoquarry.agent.events import EventKind, TaskEvent
from repoquarry.agent.policies.base import Policy
from repoquarry.agent.selection import select
from repoquarry.agent.task import ApprovalRequest, Budget, Place, TaskRequest, TokenUsage
from repoquarry.agent.tools.base import Effect, Tool, ToolContext, ToolResult
from repoquarry.agent.tools.registry import TOOLS
from repoquarry.graphstore import tokens
from repoquarry.graphstore.errors import EngineUnavailableError, GraphStoreError

_log = logging.getLogger(__name__)
_PLACES_IN_EVENT = 20


class State(TypedDict):
    """What the graph hands from node to node."""

    pending: tuple[ToolCall, ...]
    returned: tuple[tuple[ToolCall, ToolResult | str], ...]
    """A result, or the message of a failure."""
    observations: tuple[Observation, ...]
    stop: str
    """Name of the budget that ended; empty while there is some left."""
    answer: Answer | None


START: State = {"pending": (), "returned": (), "observations": (), "stop": "", "answer": None}


@dataclass(frozen=True)
class Callbacks:
    """How a task reaches its owner."""

    emit: Callable[[TaskEvent], None]
    cancelled: Callable[[], bool]
    approve: Callable[[ApprovalRequest], bool]


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
        self._tools = {tool.name: tool for tool in tools}
        self._context = context
        self._callbacks = callbacks
        self._started = time.monotonic()

    def emit(self, kind: EventKind, data: Mapping[str, object]) -> None:
        """Report an event."""
        self._callbacks.emit(TaskEvent(kind, data))

    def seconds_left(self) -> float | None:
        """Time left of the budget; None without a limit."""
        return self.budget.seconds - (time.monotonic() - self._started) if self.budget.seconds else None

    def decide(self, state: State) -> State:
        """Ask the policy what to do next."""
        self._check_cancelled()
        if stop := self._exhausted():
            return {**state, "stop": stop}
        decision = self.policy.decide(state["observations"])
        self.usage += decision.usage
        if isinstance(decision, Answer):
            return {**state, "pending": (), "observations": (), "answer": decision}
        if decision.plan is not None:
            self.emit(EventKind.PLAN, asdict(decision.plan))
        return {**state, "pending": decision.calls, "observations": ()}

    def act(self, state: State) -> State:
        """Make the pending calls, one after the other."""
        returned: list[tuple[ToolCall, ToolResult | str]] = []
        for call in state["pending"]:
            self._check_cancelled()
            if stop := self._exhausted():
                return {**state, "pending": (), "returned": tuple(returned), "stop": stop}
            returned.append((call, self._call(call)))
        return {**state, "pending": (), "returned": tuple(returned)}

    def select(self, state: State) -> State:
        """Cut what came back to what matters, and count it."""
        observations = tuple(self._observe(call, result) for call, result in state["returned"])
        return {**state, "returned": (), "observations": observations}

    def answer(self, state: State) -> State:
        """Give the answer, or what there is of it when a budget ended."""
        answer = state["answer"]
        if answer is None:
            limit = getattr(self.budget, state["stop"])
            self.emit(EventKind.BUDGET_REACHED, {"budget": state["stop"], "limit": limit})
            answer = self.policy.conclude(state["observations"], f"the budget of {limit} {state['stop']} is used up")
            self.usage += answer.usage
        answer = replace(answer, places=answer.places[: self._context.settings.places])
        data = {
            "text": answer.text,
            "places": [asdict(place) for place in answer.places],
            "unresolved": [asdict(name) for name in answer.unresolved],
            "steps": self.steps,
            "read_tokens": self.usage.read,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
        }
        self.emit(EventKind.ANSWER, data)
        return {**state, "answer": answer}

    def _check_cancelled(self) -> None:
        if self._callbacks.cancelled():
            raise TaskCancelledError("the task was cancelled")

    def _exhausted(self) -> str:
        """Name of a budget that is used up, empty when none is."""
        left = self.seconds_left()
        if left is not None and left <= 0:
            return "seconds"
        if self.budget.steps and self.steps >= self.budget.steps:
            return "steps"
        used = self.usage.input + self.usage.output if self.usage.input else self.usage.read
        return "tokens" if self.budget.tokens and used >= self.budget.tokens else ""

    def _call(self, call: ToolCall) -> ToolResult | str:
        self.steps += 1
        data = {
            "call": call.id,
            "tool": call.tool,
            "arguments": dict(call.arguments),
            "step": self.steps,
            "why": call.why,
        }
        self.emit(EventKind.TOOL_CALLED, data)
        started = time.monotonic()
        try:
            result: ToolResult | str = self._run(call)
        except EngineUnavailableError:
            raise
        except (ToolError, UnknownNameError, GraphStoreError) as error:
            _log.info("tool_failed tool=%s kind=%s", call.tool, type(error).__name__)
            result = str(error)
        self._returned(call, result, time.monotonic() - started)
        return result

    def _run(self, call: ToolCall) -> ToolResult:
        if call.problem:
            raise ToolError(call.problem)
        tool = self._tools.get(call.tool)
        if tool is None:
            if call.tool in TOOLS:
                raise ToolError(f"{call.tool} needs a workspace, and this task has none")
            raise UnknownNameError("tool", call.tool, self._tools)
        arguments = tool.parse(call.arguments)
        if tool.effect is Effect.EXECUTES:
            self._approve(tool, call)
        return tool.run(self._context, arguments)

    def _approve(self, tool: Tool, call: ToolCall) -> None:
        """Ask for approval, unless the task approves by itself. Raises: ApprovalDeniedError."""
        approval = f"approval-{self.steps}"
        automatic = self.request.auto_approve
        if not automatic:
            data = {"approval": approval, "call": call.id, "tool": tool.name, "arguments": dict(call.arguments)}
            self.emit(EventKind.APPROVAL_REQUESTED, {**data, "effect": tool.effect.value})
        asked = ApprovalRequest(approval, tool.name, dict(call.arguments), tool.effect.value)
        granted = automatic or self._callbacks.approve(asked)
        self._check_cancelled()
        self.emit(EventKind.APPROVAL_DECIDED, {"approval": approval, "granted": granted, "automatic": automatic})
        if not granted:
            raise ApprovalDeniedError(f"{tool.name} was not approved")

    def _returned(self, call: ToolCall, result: ToolResult | str, seconds: float) -> None:
        failed = isinstance(result, str)
        places = () if isinstance(result, str) else result.places
        self.emit(
            EventKind.TOOL_RETURNED,
            {
                "call": call.id,
                "tool": call.tool,
                "failed": failed,
                "summary": result if isinstance(result, str) else result.summary,
                "tokens": 0 if isinstance(result, str) else tokens.count(result.view.render()),
                "places": [_short(place) for place in places[:_PLACES_IN_EVENT]],
                "seconds": round(seconds, 3),
            },
        )

    def _observe(self, call: ToolCall, result: ToolResult | str) -> Observation:
        if isinstance(result, str):
            return Observation(call, result, None)
        chosen = select(result.view, self.request.text, self._context.settings.selection)
        self.usage += TokenUsage(read=chosen.tokens_after)
        if chosen.method:
            data = {"call": call.id, "method": chosen.method, "kept": chosen.kept}
            self.emit(
                EventKind.SELECTION,
                {**data, "tokens_before": chosen.tokens_before, "tokens_after": chosen.tokens_after},
            )
        return Observation(call, chosen.text, result)


def _short(place: Place) -> str:
    where = f"{place.path}:{place.start_line}" if place.start_line else place.path
    return f"{where} {place.qualname}".rstrip()
