"""One call of a tool as the task's owner sees it: told, approved where it runs code, made, and told again with what came of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from repoquarry.agent.decisions import ToolCall, ToolResult
from repoquarry.agent.errors import ApprovalDeniedError
from repoquarry.agent.events import EventKind, TaskEvent
from repoquarry.agent.task import ApprovalRequest, Place
from repoquarry.agent.tools.base import Effect, Tool, ToolContext
from repoquarry.agent.tools.commands import CommandRecord
from repoquarry.agent.tools.registry import TOOLS
from repoquarry.execution.errors import TaskCancelledError, ToolError, UnknownNameError
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.errors import EngineUnavailableError, GraphStoreError

_log = logging.getLogger(__name__)
_PLACES_IN_EVENT = 20
_OUTPUT_CHARACTERS = 2_000


@dataclass(frozen=True)
class Callbacks:
    """How a task reaches its owner."""

    emit: Callable[[TaskEvent], None]
    cancelled: Callable[[], bool]
    approve: Callable[[ApprovalRequest], bool]

    def tell(self, kind: EventKind, data: Mapping[str, object]) -> None:
        """Report an event."""
        self.emit(TaskEvent(kind, data))

    def check_cancelled(self) -> None:
        """Raises: TaskCancelledError."""
        if self.cancelled():
            raise TaskCancelledError("the task was cancelled")


class Calls:
    """Makes the calls of one task with its tools. `auto_approve`: what runs code is not asked about."""

    def __init__(
        self, tools: Sequence[Tool], context: ToolContext, callbacks: Callbacks, *, auto_approve: bool
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._context = context
        self._callbacks = callbacks
        self._auto_approve = auto_approve

    def make(self, call: ToolCall, step: int) -> ToolResult | str:
        """Make a call, the `step`th of the task; why it failed when it did."""
        data = {
            "call": call.id,
            "tool": call.tool,
            "arguments": dict(call.arguments),
            "step": step,
            "why": call.why,
        }
        self._callbacks.tell(EventKind.TOOL_CALLED, data)
        started = time.monotonic()
        try:
            result: ToolResult | str = self._run(call, step)
        except EngineUnavailableError:
            raise
        except (ToolError, UnknownNameError, GraphStoreError) as error:
            _log.info("tool_failed tool=%s kind=%s", call.tool, type(error).__name__)
            result = str(error)
        for record in () if isinstance(result, str) else result.records:
            if isinstance(record, CommandRecord):
                self._command_ended(call, record)
        self._returned(call, result, time.monotonic() - started)
        return result

    def _command_ended(self, call: ToolCall, record: CommandRecord) -> None:
        output, outcome = record.outcome.output, record.outcome
        head, rest = output[:_OUTPUT_CHARACTERS], output[_OUTPUT_CHARACTERS:]
        tail = rest[-_OUTPUT_CHARACTERS:]
        self._callbacks.tell(
            EventKind.COMMAND_ENDED,
            {
                "call": call.id,
                "command": record.command[:_OUTPUT_CHARACTERS],
                "exit_code": outcome.exit_code,
                "stopped": outcome.stopped,
                "seconds": round(outcome.seconds, 3),
                "head": head,
                "tail": tail,
                "left_out": len(rest) - len(tail) + outcome.dropped_bytes,
                "log": record.log,
            },
        )

    def _run(self, call: ToolCall, step: int) -> ToolResult:
        if call.problem:
            raise ToolError(call.problem)
        tool = self._tools.get(call.tool)
        if tool is None:
            if call.tool in TOOLS:
                raise ToolError(f"{call.tool} needs a workspace, and this task has none")
            raise UnknownNameError("tool", call.tool, self._tools)
        tool.parse(call.arguments)  # Nobody is asked to approve arguments that are refused.
        if tool.effect is Effect.EXECUTES:
            self._approve(tool, call, step)
        return tool.call(self._context, call.arguments)

    def _approve(self, tool: Tool, call: ToolCall, step: int) -> None:
        """Ask for approval, unless the task approves by itself. Raises: ApprovalDeniedError."""
        approval = f"approval-{step}"
        automatic = self._auto_approve
        if not automatic:
            data = {"approval": approval, "call": call.id, "tool": tool.name, "arguments": dict(call.arguments)}
            self._callbacks.tell(EventKind.APPROVAL_REQUESTED, {**data, "effect": tool.effect.value})
        asked = ApprovalRequest(approval, tool.name, dict(call.arguments), tool.effect.value)
        granted = automatic or self._callbacks.approve(asked)
        self._callbacks.check_cancelled()
        self._callbacks.tell(
            EventKind.APPROVAL_DECIDED, {"approval": approval, "granted": granted, "automatic": automatic}
        )
        if not granted:
            raise ApprovalDeniedError(f"{tool.name} was not approved")

    def _returned(self, call: ToolCall, result: ToolResult | str, seconds: float) -> None:
        failed = isinstance(result, str)
        places = () if isinstance(result, str) else result.places
        self._callbacks.tell(
            EventKind.TOOL_RETURNED,
            {
                "call": call.id,
                "tool": call.tool,
                "failed": failed,
                "summary": result if isinstance(result, str) else result.summary,
                "tokens": 0 if isinstance(result, str) else token_counting.count_tokens(result.view.render()),
                "places": [_short(place) for place in places[:_PLACES_IN_EVENT]],
                "seconds": round(seconds, 3),
            },
        )


def _short(place: Place) -> str:
    where = f"{place.path}:{place.start_line}" if place.start_line else place.path
    return f"{where} {place.qualname}".rstrip()
