"""LangGraph nodes that request decisions of a chat model within budgets, fall back to answers without it, and check the final answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final, cast

from langchain_core.messages import BaseMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.errors import NodeError
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from langgraph.types import Command

from repoquarry.agent.decisions import Answer, ToolCall, count_steps
from repoquarry.agent.errors import ModelOverflowError, ModelRejectedError, ModelUnavailableError
from repoquarry.agent.loop.call_nodes import emit
from repoquarry.agent.loop.interpretation import build_answer, check_answer
from repoquarry.agent.loop.state import AgentState, TaskContext, Update
from repoquarry.agent.model.client import ModelAnswer
from repoquarry.agent.model.context_window import OPENING, ContextWindow, drop_blocks, fold, is_small, mark_opening
from repoquarry.agent.model.replies import FINISH, read_reply
from repoquarry.agent.model.tool_offer import FinishCall, build_instructions, offer_schemas, read_finish
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.agent.task import EventKind, TokenUsage
from repoquarry.execution.errors import ToolArgumentsError
from repoquarry.execution.workspaces.completion_checks import (
    CompletionCheckOutcome,
    find_missing_outputs,
    run_checks,
)

_MAX_OVERFLOWS: Final = 4
_MIN_CONTEXT: Final = 512
_STALLED_CALLS: Final = 8
_RESERVE_SHARE: Final = 0.1
_RESERVE_SECONDS: Final = 60.0


def open_task(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Build the instructions, with the four blocks of each repository, and the task; a question begins with its evidence pack.

    Without the reading tools there is no pack.
    """
    context = runtime.context
    task, tools, settings = context.request, context.tool_context, context.tool_context.settings.model
    limit = context.require_model().find_context_limit()
    text = build_instructions(tools, task, context.budget, limit, blocks=settings.opening_blocks)
    messages: list[BaseMessage] = [SystemMessage(text), HumanMessage(task.text)]
    opened: Update = {"messages": messages, "context_limit": limit, "token_ratio": 1.0}
    can_explore = settings.opening_evidence and "explore" in context.tools
    if not tools.repositories or task.workspace or not can_explore or is_small(limit):
        return opened | {"decision": "prepare"}
    call = ToolCall("call-1", "explore", {"target": task.text}, "gather evidence", step=1)
    messages.append(mark_opening(call))
    return opened | {"decision": "call", "calls": [call], "call_count": 1}


def prepare(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Check budgets, warn the model, and fold the conversation until the next request fits the context."""
    context = runtime.context
    context.tool_context.check_cancelled()
    update: Update = {"seconds": context.seconds()}
    if stop := state.get("stop") or find_exhausted(state, context):
        return update | {"stop": stop, "decision": "conclude"}
    window = _build_window(state, context)
    sizes = (context.tool_context.settings.selection.view_tokens, window.max_view)
    update |= {"decision": "ask_model", "view_tokens": min(filter(None, sizes), default=0)}
    notices = _notices(state, context)
    messages = [*state["messages"], *map(HumanMessage, notices.values())]
    if notices:
        emit(runtime, EventKind.NOTICE, {"text": " ".join(notices.values())})
        update["warnings"] = [*state.get("warnings", []), *notices]
    if state.get("overflows") and window.room and window.count(messages[:OPENING]) > window.room // 3:
        messages[0] = drop_blocks(messages[0])
    kept, folded = fold(messages, window.room, state.get("notes", ""))
    if kept == list(state["messages"]):
        return update
    return update | {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *kept], "folded": folded}


def ask_model(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Send one request. The retry policy of this node repeats it; an overflow leads to folding instead."""
    model, attempt = (
        runtime.context.require_model(),
        runtime.execution_info.node_attempt if runtime.execution_info else 1,
    )
    if attempt > 1 and model.failure is not None:
        wait = model.wait_for_retry(attempt)
        data = {"model": model.settings.name, "attempt": attempt - 1, "error": str(model.failure), "wait_seconds": wait}
        emit(runtime, EventKind.MODEL_RETRIED, data)
        model.sleep(wait)
    window, overflows = _build_window(state, runtime.context), state.get("overflows", 0)
    sent = window.schema_tokens + window.count(state["messages"])
    try:
        answer = _request(runtime, window, state["messages"], attempt)
    except ModelOverflowError as error:
        if overflows >= _MAX_OVERFLOWS:
            raise
        limit = error.limit or sent
        if overflows:
            limit = min(limit, (state["context_limit"] or sent) * 3 // 4)
        limit = limit if error.limit else min(limit, sent // 2)
        return {"context_limit": max(limit, _MIN_CONTEXT), "overflows": overflows + 1, "decision": "prepare"}
    except ModelUnavailableError as error:
        attempts = max(model.settings.attempts, 1)
        if error.is_final or attempt < attempts:
            raise
        message = f"{model.settings.name} failed {attempts} times, last with {error}"
        raise ModelUnavailableError(message, is_final=True) from error
    return {
        "messages": [answer.message],
        "usage": model.take_usage(),
        "last_request_tokens": answer.usage.input + answer.usage.output,
        "token_ratio": state.get("token_ratio", 1.0) if answer.estimated else max(answer.usage.input / sent, 1.0),
        "overflows": 0,
        "decision": "interpret",
    }


def conclude(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Ask for one last answer from what was seen; without one the deterministic answer takes its place."""
    context = runtime.context
    reason = report_stop(runtime, state["stop"])
    messages: list[BaseMessage] = []
    given, text = FinishCall(text=""), ""
    if _can_afford_last_word(state, context):
        window = _build_window(state, context)
        asked = HumanMessage(f"Stop here: {reason}. Call {FINISH} now with your answer from what you have seen.")
        kept, _ = fold([*state["messages"], asked], window.room, state.get("notes", ""))
        try:
            last = _request(runtime, window, kept, 1)
            message, reply = read_reply(last.message, {*context.tools, FINISH}, state.get("call_count", 0) + 1)
            messages = [RemoveMessage(REMOVE_ALL_MESSAGES), *kept, message]
            text = reply.text or reply.refusal
            if reply.finish is not None:
                given = read_finish(reply.finish)
                text = given.text
        except (ModelUnavailableError, ModelRejectedError, ToolArgumentsError) as error:
            reason = f"{reason}, and the last request failed: {error}"
    update: Update = {"usage": context.require_model().take_usage(), "messages": messages}
    if not text and context.can_fall_back:
        return update | {"decision": "fall_back", "fallback": reason}
    grounded = check_answer(state, context, FinishCall(text=text, places=given.places))
    answer = build_answer(state, context, text or "The model gave no answer.", grounded)
    return update | {"answer": replace(answer, text=f"Stopped early: {reason}.\n\n{answer.text}"), "decision": "check"}


def give_up(state: AgentState, error: NodeError) -> Command[str]:
    """Handle a model that failed for good: the deterministic answer takes its place."""
    if isinstance(error.error, ModelRejectedError | ModelUnavailableError):
        return Command(goto="fall_back", update={"fallback": str(error.error)})
    raise error.error


def fall_back(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Hand the question to the path without a model."""
    usage = runtime.context.require_model().take_usage()
    fallback = state["fallback"] or "the model gave no answer"
    return {"usage": usage, "calls": [], "fallback": fallback}


def find_exhausted(state: AgentState, context: TaskContext) -> str:
    """Return the name of a used up budget, less what the last answer needs; empty if there is none."""
    budget, usage, left = context.budget, state.get("usage", TokenUsage()), context.seconds_left()
    if left is not None and left <= min(_RESERVE_SECONDS, _RESERVE_SHARE * budget.seconds):
        return "seconds"
    if budget.steps and count_steps(state) >= budget.steps:
        return "steps"
    used = usage.input + usage.output
    next_tokens = 2 * state.get("last_request_tokens", 0)
    return "tokens" if budget.tokens and used + next_tokens > budget.tokens and used else ""


def report_stop(runtime: Runtime[TaskContext], stop: str) -> str:
    """Report a limit that is reached; return the reason as text."""
    if stop == "repetition":
        return "the model repeated calls whose results it has"
    if stop == "malformed":
        return "the model sent calls that cannot be made"
    limit = getattr(runtime.context.budget, stop)
    emit(runtime, EventKind.BUDGET_REACHED, {"budget": stop, "limit": limit})
    return (
        f"time limit of {limit} s reached"
        if stop == "seconds"
        else f"{stop.removesuffix('s')} limit of {limit} reached"
    )


def _build_window(state: AgentState, context: TaskContext) -> ContextWindow:
    """Size of the next request with the schemas of the offered tools."""
    limit = state.get("context_limit", 0)
    schemas = offer_schemas(context.tools, context.tool_context.repositories, limit)
    output = context.tool_context.settings.model.output_tokens
    return ContextWindow(limit, schemas, output, state.get("token_ratio", 1.0))


def _can_afford_last_word(state: AgentState, context: TaskContext) -> bool:
    """Return whether the reserves of tokens and time hold one more request."""
    usage, left = state.get("usage", TokenUsage()), context.seconds_left()
    used = usage.input + usage.output + state.get("last_request_tokens", 0)
    return (not context.budget.tokens or used <= context.budget.tokens) and (left is None or left > 0)


def _request(
    runtime: Runtime[TaskContext], window: ContextWindow, messages: Sequence[BaseMessage], attempt: int
) -> ModelAnswer:
    """Send a request and report it. Raises: as `ChatModel.ask`."""
    model = runtime.context.require_model()
    data: dict[str, Any] = {"model": model.settings.name, "attempt": attempt}
    tokens = window.schema_tokens + window.count(messages)
    emit(runtime, EventKind.MODEL_REQUESTED, {**data, "tokens": tokens})
    answer = model.ask(messages, window.schemas, window.max_output)
    used = answer.usage
    data |= {"input_tokens": used.input, "output_tokens": used.output, "estimated": answer.estimated}
    data |= {"cost": None if used.unpriced else used.cost, "seconds": round(answer.seconds, 3)}
    emit(runtime, EventKind.MODEL_CALLED, data)
    return answer


def _notices(state: AgentState, context: TaskContext) -> dict[str, str]:
    """Notices that the model has not been given yet, by name."""
    history, given = state.get("history", []), state.get("warnings", [])
    steps, made, found = context.budget.steps, count_steps(state), {}
    recent = history[-_STALLED_CALLS:]
    if len(recent) == _STALLED_CALLS and not any(record.is_new or record.has_effect for record in recent):
        found[f"stalled-{len(history) // _STALLED_CALLS}"] = (
            f"The last {_STALLED_CALLS} calls showed nothing new. Revise your plan, or call {FINISH} with the answer so far."
        )
    if steps and made * 3 >= steps * 2:
        found["budget"] = f"{steps - made} of {steps} tool calls are left."
    return {name: text for name, text in found.items() if name not in given}


def inquire(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Answer the question without a model. As a fallback it has no budget: it costs no tokens and ends by itself."""
    context, tools = runtime.context, runtime.context.tool_context
    tools.check_cancelled()
    fallback = state.get("fallback", "")
    left = context.seconds_left()
    if not fallback and left is not None and left <= 0:
        return {"stop": "seconds", "answer": Answer(f"Stopped early: {report_stop(runtime, 'seconds')}.")}
    question = QuestionReader(context.request.text, tools.repositories, tools.reader, tools.check_cancelled)
    emit(runtime, EventKind.PLAN, question.plan())
    answer = question.answer()
    if fallback:
        answer = replace(answer, text=f"Answered without the model ({fallback}):\n\n{answer.text}")
    return {"answer": answer}


def check(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Run the completion checks; while one does not hold the answer is sent back, as often as the settings say."""
    context, answer = runtime.context, cast(Answer, state["answer"])
    outcomes = _run_checks(context, answer.text)
    if outcomes:
        emit(runtime, EventKind.CHECKED, {"checks": [asdict(outcome) for outcome in outcomes]})
    update: Update = {"checks": list(outcomes), "decision": "answer"}
    failed = "; ".join(f"{outcome.check}: {outcome.why}" for outcome in outcomes if not outcome.held)
    rounds = state.get("rounds", 0)
    if (
        not failed
        or state.get("stop")
        or rounds >= context.tool_context.settings.check_rounds
        or find_exhausted(state, context)
    ):
        return update
    newest = next(message for message in reversed(state["messages"]) if message.type == "ai")
    calls = [call["id"] or "" for call in getattr(newest, "tool_calls", ())]
    closed = [ToolMessage("not accepted: the task is not done", tool_call_id=id_, status="error") for id_ in calls]
    told = HumanMessage(f"The task is not done: {failed}. Go on, and call finish when it is.")
    return {
        "checks": list(outcomes),
        "rounds": rounds + 1,
        "messages": [*closed, told],
        "answer": None,
        "decision": "prepare",
    }


def give_answer(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Report the answer with the produced files and its cost."""
    context, answer = runtime.context, cast(Answer, state["answer"])
    answer = replace(answer, places=answer.places[: context.tool_context.settings.places])
    usage = state.get("usage", TokenUsage())
    data = {
        "text": answer.text,
        "places": [asdict(place) for place in answer.places],
        "unresolved": [asdict(name) for name in answer.unresolved],
        "steps": count_steps(state),
        "read_tokens": usage.read,
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cost": usage.cost,
        "unpriced_calls": usage.unpriced,
        "files": [
            {"path": item.path, "size": item.size, "sha256": item.sha256, "executable": item.executable}
            for item in context.tool_context.list_outputs()
        ],
        "checks": [asdict(outcome) for outcome in state.get("checks", ())],
    }
    emit(runtime, EventKind.ANSWER, data)
    return {"answer": answer, "seconds": context.seconds()}


def _run_checks(context: TaskContext, text: str) -> tuple[CompletionCheckOutcome, ...]:
    """Check what the task asks for, and that every output that the answer names was made."""
    workspace = context.tool_context.workspace
    if workspace is None:
        return ()
    return (*run_checks(context.request.checks, workspace), *find_missing_outputs(text, workspace))
