"""LangGraph nodes that execute tool calls: reading calls in parallel, calls with effects one by one, approvals as interrupts."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from repoquarry.agent.decisions import CallRecord, CommandRecord, ToolCall, ToolResult, count_unresolved
from repoquarry.agent.errors import ApprovalDeniedError
from repoquarry.agent.loop.state import AgentState, CallInput, TaskContext, Update
from repoquarry.agent.model.replies import strip_thinking
from repoquarry.agent.model.tool_offer import format_plan
from repoquarry.agent.task import ApprovalRequest, EventKind, TaskEvent, TokenUsage
from repoquarry.agent.tools.base import TOOLS, ToolContext, call_tool, load_tool
from repoquarry.code.excerpts.text_truncation import truncate_view
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import (
    ExecutionError,
    TaskCancelledError,
    ToolArgumentsError,
    ToolError,
    UnknownNameError,
)
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.errors import EngineUnavailableError, GraphStoreError
from repoquarry.operations.base import Effect
from repoquarry.operations.result import Place

_log = logging.getLogger(__name__)
_EVENT_PLACES: Final = 20
_OUTPUT_CHARACTERS: Final = 2_000
_ERROR_TOKENS: Final = 1_000
_INTERRUPTED: Final = "interrupted: the service stopped while this ran. It may have had an effect, in part or whole: look before you repeat it"


def emit(runtime: Runtime[TaskContext], kind: EventKind, data: Mapping[str, object]) -> None:
    """Report an event through the custom stream, with the usage of requests whose node has not ended."""
    model = runtime.context.model
    runtime.stream_writer(TaskEvent(kind, data, usage=model.usage if model is not None else TokenUsage()))


def pending_calls(state: AgentState) -> list[ToolCall]:
    """Calls of the newest decision that have no result yet."""
    done = {record.id for record in state.get("history", [])}
    return [call for call in state.get("calls", []) if call.id not in done]


def call_key(call: ToolCall) -> str:
    """Return a text that is equal for equal calls."""
    return f"{call.tool} {json.dumps(dict(call.arguments), sort_keys=True, default=str)}"


def effect_of(call: ToolCall) -> Effect:
    """Effect of a call; a call that cannot be made has none."""
    return Effect.READS if call.problem or call.tool not in TOOLS else load_tool(call.tool).effect


def read(state: CallInput, runtime: Runtime[TaskContext]) -> Update:
    """Make one reading call."""
    tools = runtime.context.tool_context
    _announce(runtime, state["call"])
    # Calls run in parallel, and a reader serves one thread.
    return _make(state, runtime, replace(tools, reader=CodeReader(tools.reader.store), folded=list(state["folded"])))


def collect(state: AgentState) -> Update:
    """Join parallel calls: what follows depends on the results of all."""
    return {}


def begin_effect(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Announce the next call with an effect; arguments that are refused need no approval."""
    call = pending_calls(state)[0]
    _announce(runtime, call)
    try:
        runtime.context.tools[call.tool].parse(call.arguments)
    except ToolArgumentsError as error:
        return {**_finish(call_input(state, call), runtime, _fail(error), 0.0), "begun": call.id}
    return {"begun": call.id}


def approve(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Wait for the decision of a person, unless the task approves by itself."""
    call = pending_calls(state)[0]
    automatic, effect = runtime.context.request.auto_approve, effect_of(call)
    asked = ApprovalRequest(f"approval-{call.step}", call.tool, dict(call.arguments), effect.value, call.id)
    decision = _decide_automatically(call, runtime.context) if automatic else interrupt(asked)
    granted, reason = decision is True, decision if isinstance(decision, str) else ""
    runtime.context.tool_context.check_cancelled()
    data = {"approval": asked.id, "granted": granted, "automatic": automatic, "reason": reason}
    emit(runtime, EventKind.APPROVAL_DECIDED, data)
    return {"approved": {call.id: granted or reason}}


def _decide_automatically(call: ToolCall, context: TaskContext) -> bool | str:
    """Approve a call; an address to index must come from the task or the search, since a file could make the model name another."""
    named = {word.strip(".,;:()<>\"'`") for word in context.request.text.split()}
    if effect_of(call) is not Effect.INDEXES or call.arguments.get("address") in named | context.tool_context.offered:
        return True
    return "without a person, only addresses that the task names or that `repositories` returned are indexed"


def run_effect(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Make the next call with an effect. Its start is marked first, so that a killed call is never repeated silently."""
    call, context = pending_calls(state)[0], runtime.context
    decision = state.get("approved", {}).get(call.id, True)
    if decision is not True:
        denied = ApprovalDeniedError(f"{call.tool} was not approved{f': {decision}' if decision else ''}")
        return _finish(call_input(state, call), runtime, _fail(denied), 0.0)
    context.ledger.mark(call.id)
    update = _make(call_input(state, call), runtime, context.tool_context)
    workspace = context.tool_context.workspace
    return {**update, "environment": workspace.environment if workspace is not None else None}


def call_input(state: AgentState, call: ToolCall) -> CallInput:
    """Build the input of a call. All results of one step share the size of one view."""
    tokens = state.get("view_tokens", 0)
    return CallInput(
        call=call,
        about=_find_subject(state, call),
        max_tokens=max(tokens // max(len(state["calls"]), 1), 1) if tokens else 0,
        folded=state.get("folded", []) if call.tool == "recall" else [],
        evidence=state.get("evidence", []),
    )


def _find_subject(state: AgentState, call: ToolCall) -> str:
    """Find the subject of a call: its argument `about`, or the newest reason that the model gave; empty for the subject of the task."""
    texts = (str(message.text) for message in reversed(state["messages"]) if isinstance(message, AIMessage))
    return str(call.arguments.get("about") or call.why or next(filter(None, map(strip_thinking, texts)), ""))


def interrupt_call(state: AgentState) -> tuple[Update, TaskEvent]:
    """Result, and its event, of the call with an effect that the end of the process cut short."""
    call, result = pending_calls(state)[0], ToolResult.from_text(_INTERRUPTED, failed=True)
    record = CallRecord(call.id, call_key(call), failed=True, has_effect=True)
    update = {"messages": [ToolMessage(_INTERRUPTED, tool_call_id=call.id, status="error")], "history": [record]}
    return update, TaskEvent(EventKind.TOOL_RETURNED, _returned_data(call, result, 0.0))


def _announce(runtime: Runtime[TaskContext], call: ToolCall) -> None:
    runtime.context.tool_context.check_cancelled()
    data = {"call": call.id, "tool": call.tool, "arguments": dict(call.arguments), "step": call.step, "why": call.why}
    emit(runtime, EventKind.TOOL_CALLED, data)


def _make(input: CallInput, runtime: Runtime[TaskContext], tool_context: ToolContext) -> Update:
    """Make a call; whatever a policy writes into it comes back as an error that the policy reads."""
    call, started = input["call"], time.monotonic()
    try:
        if call.problem:
            raise ToolError(call.problem)
        result = call_tool(runtime.context.tools[call.tool], tool_context, call.arguments)
    except (EngineUnavailableError, TaskCancelledError):
        raise
    except (ToolError, UnknownNameError, GraphStoreError) as error:
        _log.info("tool_failed tool=%s kind=%s", call.tool[:50], type(error).__name__)
        result = _fail(error)
    except ExecutionError:
        raise
    except Exception as error:  # the boundary to arguments that a model wrote
        _log.exception("tool_broke tool=%s kind=%s", call.tool[:50], type(error).__name__)
        result = _fail(f"{call.tool} failed: {type(error).__name__}: {str(error)[:300]}")
    return _finish(input, runtime, result, time.monotonic() - started)


def _fail(error: Exception | str) -> ToolResult:
    return ToolResult.from_text(str(error), failed=True)


def _finish(input: CallInput, runtime: Runtime[TaskContext], result: ToolResult, seconds: float) -> Update:
    """Report what a call brought, and put it into the state."""
    call, context = input["call"], runtime.context
    if result.command is not None:
        emit(runtime, EventKind.COMMAND_ENDED, _command_data(call, result.command))
    emit(runtime, EventKind.TOOL_RETURNED, _returned_data(call, result, seconds))
    text, usage = _observe(input, runtime, result)
    is_new = not {place.key for place in result.places} <= {place.key for place in input["evidence"]}
    has_effect = effect_of(call) is not Effect.READS
    added = [result.repository] if result.repository else []
    context.add_repositories(added)
    update: Update = {
        "history": [CallRecord(call.id, call_key(call), result.failed, is_new, has_effect)],
        "usage": usage,
        "messages": [ToolMessage(text, tool_call_id=call.id, status="error" if result.failed else "success")],
        "evidence": list(result.places),
        "unresolved": list(count_unresolved(result.possible)),
        "added": added,
    }
    return update | ({"notes": format_plan(call.arguments)} if call.tool == "plan" and not result.failed else {})


def _observe(input: CallInput, runtime: Runtime[TaskContext], result: ToolResult) -> tuple[str, TokenUsage]:
    """Truncate a result to the size of the call and by its subject. Returns the text and its tokens."""
    call, settings, limit = input["call"], runtime.context.tool_context.settings.selection, input["max_tokens"]
    if result.failed:
        return token_counting.truncate_end(result.summary, min(limit or _ERROR_TOKENS, _ERROR_TOKENS)), TokenUsage()
    subject = input["about"] or runtime.context.request.text
    chosen = truncate_view(result.view, subject, replace(settings, view_tokens=limit))
    if chosen.method:
        data = {"call": call.id, "method": chosen.method, "kept": chosen.kept}
        tokens = {"tokens_before": chosen.tokens_before, "tokens_after": chosen.tokens_after}
        emit(runtime, EventKind.SELECTION, {**data, **tokens})
    return chosen.text, TokenUsage(read=chosen.tokens_after)


def _returned_data(call: ToolCall, result: ToolResult, seconds: float) -> dict[str, Any]:
    return {
        "call": call.id,
        "tool": call.tool,
        "failed": result.failed,
        "summary": result.summary,
        "tokens": 0 if result.failed else token_counting.count_tokens(result.view.render()),
        "places": [_format_place(place) for place in result.places[:_EVENT_PLACES]],
        "seconds": round(seconds, 3),
    }


def _format_place(place: Place) -> str:
    where = f"{place.path}:{place.start_line}" if place.start_line else place.path
    return f"{where} {place.qualname}".rstrip()


def _command_data(call: ToolCall, record: CommandRecord) -> dict[str, Any]:
    outcome = record.outcome
    head, rest = outcome.output[:_OUTPUT_CHARACTERS], outcome.output[_OUTPUT_CHARACTERS:]
    tail = rest[-_OUTPUT_CHARACTERS:]
    return {
        "call": call.id,
        "command": record.command[:_OUTPUT_CHARACTERS],
        "exit_code": outcome.exit_code,
        "stopped": outcome.stopped,
        "seconds": round(outcome.seconds, 3),
        "head": head,
        "tail": tail,
        "left_out": len(rest) - len(tail) + outcome.dropped_bytes,
        "log": record.log,
    }
