"""Nodes of the path with a chat model: prepare the request, ask, read the reply, conclude when a budget ends."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.errors import NodeError
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from langgraph.types import Command

from repoquarry.agent.decisions import Answer, ToolCall
from repoquarry.agent.errors import ModelOverflowError, ModelRejectedError, ModelUnavailableError, ToolArgumentsError
from repoquarry.agent.loop.call_nodes import call_key, emit
from repoquarry.agent.loop.state import AgentState, CallRecord, TaskContext, Update
from repoquarry.agent.model.context_window import (
    OPENING,
    ContextWindow,
    count_message,
    count_schemas,
    drop_blocks,
    fold,
    is_small,
)
from repoquarry.agent.model.grounding import AnswerChecker, GroundedAnswer
from repoquarry.agent.model.prompt import build_instructions
from repoquarry.agent.model.replies import FINISH, MAX_CALLS, Reply, read_reply
from repoquarry.agent.model.tool_offer import FinishCall, offer_schemas, read_finish
from repoquarry.agent.task import EventKind, TokenUsage
from repoquarry.agent.tools.registry import TOOLS, load_tool
from repoquarry.execution.errors import TaskCancelledError, UnknownNameError

if TYPE_CHECKING:
    from repoquarry.agent.model.client import ChatModel, ModelAnswer

_MAX_NUDGES: Final = 3
_MAX_OVERFLOWS: Final = 4
_SAME_CALLS: Final = 2
"""Number of equal calls that are made; further ones are refused."""
_MAX_REPEATS: Final = 5
_STALLED_CALLS: Final = 8
_RESERVE_SHARE: Final = 0.1
_RESERVE_SECONDS: Final = 60.0
_NO_ANSWER: Final = "NO ANSWER"
_UNGROUNDED: Final = "Not grounded: nothing that the tools of this task returned supports this answer of the model.\n\n"


def open_task(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Build the instructions, with the four blocks of each repository, and the task; a question begins with its evidence pack."""
    context = runtime.context
    settings = context.tool_context.settings.model
    limit = _require_model(context).find_context_limit()
    text = build_instructions(
        context.tool_context, context.request, context.budget, limit, blocks=settings.opening_blocks
    )
    messages: list[BaseMessage] = [SystemMessage(text), HumanMessage(context.request.text)]
    opened: Update = {"messages": messages, "context_limit": limit, "token_ratio": 1.0}
    is_empty = not context.tool_context.repositories
    if is_empty or context.request.workspace or not settings.opening_blocks or is_small(limit):
        return opened | {"decision": "prepare"}
    call = ToolCall("call-1", "explore", {"target": context.request.text}, "gather evidence", step=1)
    asked = {"id": call.id, "name": call.tool, "args": dict(call.arguments), "type": "tool_call"}
    messages.append(AIMessage("", tool_calls=[asked]))
    return opened | {"decision": "call", "calls": [call], "call_count": 1}


def prepare(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Check budgets, warn the model, and fold the conversation until the next request fits the context."""
    context = runtime.context
    if context.cancelled():
        raise TaskCancelledError("the task was cancelled")
    update: Update = {"seconds": context.clock.seconds()}
    if stop := state.get("stop") or find_exhausted(state, context):
        return update | {"stop": stop, "decision": "conclude"}
    window, _ = build_window(state, context)
    sizes = (context.tool_context.settings.selection.view_tokens, window.max_view)
    update |= {"decision": "ask_model", "view_tokens": min(filter(None, sizes), default=0)}
    notices = _notices(state, context)
    messages = [*state["messages"], *(HumanMessage(text) for text in notices.values())]
    if notices:
        emit(runtime, EventKind.NOTICE, {"text": " ".join(notices.values())})
    if state.get("overflows") and window.room and sum(map(count_message, messages[:OPENING])) > window.room // 3:
        messages[0] = SystemMessage(drop_blocks(messages[0]).content, id=messages[0].id)
    kept, folded = fold(messages, window.room, state.get("notes", ""))
    warned = {"warnings": [*state.get("warnings", []), *notices]} if notices else {}
    if kept == list(state["messages"]):
        return update
    return update | warned | {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *kept], "folded": folded}


def ask_model(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Send one request. The retry policy of this node repeats it; an overflow leads to folding instead."""
    context = runtime.context
    model, attempt = _require_model(context), runtime.execution_info.node_attempt if runtime.execution_info else 1
    settings = model.settings
    if attempt > 1 and model.failure is not None:
        wait = model.wait_for_retry(attempt)
        data = {"model": settings.name, "attempt": attempt - 1, "error": str(model.failure), "wait_seconds": wait}
        emit(runtime, EventKind.MODEL_RETRIED, data)
        model.sleep(wait)
    window, schemas = build_window(state, context)
    sent = window.schema_tokens + sum(map(count_message, state["messages"]))
    emit(runtime, EventKind.MODEL_REQUESTED, {"model": settings.name, "tokens": sent, "attempt": attempt})
    try:
        answer = model.ask(state["messages"], schemas, window.max_output)
    except ModelOverflowError as error:
        if state.get("overflows", 0) >= _MAX_OVERFLOWS:
            raise
        limit = min(
            error.limit or sent // 2,
            (state["context_limit"] or sent) * 3 // 4 if state.get("overflows") else error.limit or sent,
        )
        return {"context_limit": max(limit, 512), "overflows": state.get("overflows", 0) + 1, "decision": "prepare"}
    except ModelUnavailableError as error:
        attempts = max(settings.attempts, 1)
        if not error.is_final and attempt >= attempts:
            message = f"{settings.name} failed {attempts} times, last with {error}"
            raise ModelUnavailableError(message, is_final=True) from error
        raise
    _report_request(runtime, model, answer, attempt)
    return {
        "messages": [answer.message],
        "usage": model.take_usage(),
        "last_request_tokens": answer.usage.input + answer.usage.output,
        "token_ratio": state.get("token_ratio", 1.0) if answer.estimated else max(answer.usage.input / sent, 1.0),
        "overflows": 0,
        "decision": "interpret",
    }


def interpret(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Decide what a reply means: calls to make, an answer, or something that is sent back."""
    context = runtime.context
    raw = state["messages"][-1]
    if not isinstance(raw, AIMessage):
        raise TypeError(f"the newest message is of {raw.type}, not of the model")
    count = state.get("call_count", 0)
    message, reply = read_reply(raw, {*context.tools, FINISH}, count + 1)
    message.id = raw.id
    if count == 0 and reply.calls:
        plan = reply.text or "let the model choose the tools"
        emit(runtime, EventKind.PLAN, {"question": "chat", "subjects": [], "text": plan})
    update: Update = {"messages": [message], "call_count": count + len(message.tool_calls), "calls": []}
    if reply.refusal and not reply.calls:
        answer = _build_answer(state, context, f"The model declines: {reply.refusal}", None)
        return update | {"answer": answer, "decision": "check"}
    if reply.calls:
        return _take_calls(state, context, reply, update)
    if reply.finish is None:
        return _take_text(state, context, reply, update)
    try:
        return _take_answer(state, context, read_finish(reply.finish), reply, update)
    except ToolArgumentsError as error:
        return _send_back(state, context, update, str(error), reply)


def conclude(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Ask for one last answer from what was seen; without one the deterministic answer takes its place."""
    context, stop = runtime.context, state["stop"]
    reason = report_stop(runtime, stop)
    model = _require_model(context)
    messages, text, named = [], "", FinishCall(text="")
    window, schemas = build_window(state, context)
    if _can_afford_last_word(state, context):
        asked = HumanMessage(f"Stop here: {reason}. Call {FINISH} now with your answer from what you have seen.")
        kept, _ = fold([*_closed(state["messages"]), asked], window.room, state.get("notes", ""))
        sent = window.schema_tokens + sum(map(count_message, kept))
        emit(runtime, EventKind.MODEL_REQUESTED, {"model": model.settings.name, "tokens": sent, "attempt": 1})
        try:
            last = model.ask(kept, schemas, window.max_output)
            _report_request(runtime, model, last, 1)
            message, reply = read_reply(last.message, {*context.tools, FINISH}, state.get("call_count", 0) + 1)
            messages = [RemoveMessage(REMOVE_ALL_MESSAGES), *kept, message]
            text = reply.text or reply.refusal
            if reply.finish is not None:
                named = read_finish(reply.finish)
                text = named.text
        except (ModelUnavailableError, ModelRejectedError, ToolArgumentsError) as error:
            reason = f"{reason}, and the last request failed: {error}"
    update: Update = {"usage": model.take_usage(), "messages": messages}
    if not text and can_fall_back(context):
        return update | {"decision": "fall_back", "fallback": reason}
    grounded = AnswerChecker(context.tool_context, state.get("evidence", []), _observed(state)).check(
        text, named.places
    )
    answer = _build_answer(state, context, text or "The model gave no answer.", grounded)
    return update | {
        "answer": dataclasses.replace(answer, text=f"Cut short: {reason}.\n\n{answer.text}"),
        "decision": "check",
    }


def give_up(state: AgentState, error: NodeError) -> Command[str]:
    """Handle a model that failed for good: the deterministic answer takes its place."""
    if isinstance(error.error, ModelRejectedError | ModelUnavailableError):
        return Command(goto="fall_back", update={"fallback": str(error.error)})
    raise error.error


def fall_back(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Hand the question to the path without a model."""
    return {
        "path": "deterministic",
        "usage": _require_model(runtime.context).take_usage(),
        "calls": [],
        "fallback": state["fallback"] or "the model gave no answer",
    }


def can_fall_back(context: TaskContext) -> bool:
    """Return whether a question may be answered without the model."""
    return context.tool_context.settings.model.fallback and not context.request.workspace


def find_exhausted(state: AgentState, context: TaskContext) -> str:
    """Return the name of a used up budget, less what the last answer needs; empty if there is none."""
    budget, usage, chat = context.budget, state.get("usage", TokenUsage()), state["path"] == "chat"
    left = context.seconds_left()
    reserve = min(_RESERVE_SECONDS, _RESERVE_SHARE * budget.seconds) if chat else 0.0
    if left is not None and left <= reserve:
        return "seconds"
    if budget.steps and count_steps(state) >= budget.steps:
        return "steps"
    used = usage.input + usage.output if chat else usage.read
    tokens = state.get("last_request_tokens", 0) if chat else 0
    return "tokens" if budget.tokens and used + 2 * tokens > budget.tokens and used else ""


def count_steps(state: AgentState) -> int:
    """Number of tool calls that were made."""
    return sum(not record.is_repeated for record in state.get("history", []))


def report_stop(runtime: Runtime[TaskContext], stop: str) -> str:
    """Report a used up budget; return the reason as text."""
    if stop == "repetition":
        return "the model repeated calls whose results it has"
    limit = getattr(runtime.context.budget, stop)
    emit(runtime, EventKind.BUDGET_REACHED, {"budget": stop, "limit": limit})
    return f"the budget of {limit} {stop} is used up"


def build_window(state: AgentState, context: TaskContext) -> tuple[ContextWindow, list[dict[str, Any]]]:
    """Size of the next request, and the schemas of the offered tools."""
    settings, limit = context.tool_context.settings.model, state.get("context_limit", 0)
    schemas = offer_schemas(context.tools, context.tool_context.repositories, limit)
    ratio = state.get("token_ratio", 1.0)
    return ContextWindow(limit, count_schemas(schemas), settings.output_tokens, ratio), schemas


def _can_afford_last_word(state: AgentState, context: TaskContext) -> bool:
    """Return whether the reserves of tokens and time hold one more request."""
    usage, left = state.get("usage", TokenUsage()), context.seconds_left()
    used = usage.input + usage.output + state.get("last_request_tokens", 0)
    return (not context.budget.tokens or used <= context.budget.tokens) and (left is None or left > 0)


def _require_model(context: TaskContext) -> ChatModel:
    if context.model is None:
        raise ModelRejectedError("this task has no chat model")
    return context.model


def _report_request(runtime: Runtime[TaskContext], model: ChatModel, answer: ModelAnswer, attempt: int) -> None:
    priced = answer.usage
    data = {
        "model": model.settings.name,
        "input_tokens": priced.input,
        "output_tokens": priced.output,
        "estimated": answer.estimated,
        "cost": None if priced.unpriced else priced.cost,
        "seconds": round(answer.seconds, 3),
        "attempt": attempt,
    }
    emit(runtime, EventKind.MODEL_CALLED, data)


def _notices(state: AgentState, context: TaskContext) -> dict[str, str]:
    """Notices that the model has not been given yet, by name."""
    history, given = state.get("history", []), state.get("warnings", [])
    budget, found = context.budget, {}
    recent = history[-_STALLED_CALLS:]
    if len(recent) == _STALLED_CALLS and not any(record.is_new or record.has_effect for record in recent):
        found[f"stalled-{len(history) // _STALLED_CALLS}"] = (
            f"The last {_STALLED_CALLS} calls showed nothing new. Revise your plan, or call {FINISH} with the answer so far."
        )
    if budget.steps and count_steps(state) * 3 >= budget.steps * 2:
        found["budget"] = f"{budget.steps - count_steps(state)} of {budget.steps} tool calls are left."
    return {name: text for name, text in found.items() if name not in given}


def _take_calls(state: AgentState, context: TaskContext, reply: Reply, update: Update) -> Update:
    """Number the calls that are made; answer the others at once."""
    answers: list[BaseMessage] = []
    records: list[CallRecord] = []
    made: list[ToolCall] = []
    history, steps = state.get("history", []), count_steps(state)
    if reply.finish is not None:
        answers.append(
            _refusal(reply.finish, f"{FINISH} counts only alone: look at the results of your other calls first")
        )
    for number, call in enumerate(reply.calls):
        if number >= MAX_CALLS:
            answers.append(_refusal(call, f"not called: at most {MAX_CALLS} calls in one message"))
        elif earlier := _known_result(state, call, [*history, *records]):
            answers.append(_refusal(call, f"you have this already ({earlier}); change the call, or use that result"))
            records.append(CallRecord(call.id, call_key(call), failed=True, is_repeated=True))
        elif context.budget.steps and steps + len(made) >= context.budget.steps:
            answers.append(_refusal(call, "not called: the budget of steps is used up"))
        else:
            problem = call.problem or _find_problem(call, context)
            made.append(dataclasses.replace(call, step=steps + len(made) + 1, problem=problem))
    update = update | {"calls": made, "history": records, "messages": [*update["messages"], *answers]}
    repeats = sum(record.is_repeated for record in (*history, *records))
    nudges = state.get("nudges", 0) + 1 if all(call.problem for call in reply.calls) else 0
    if repeats >= _MAX_REPEATS or nudges > _MAX_NUDGES:
        calls = [_refusal(call, "not called: the task ends") for call in made]
        return update | {
            "stop": "repetition",
            "calls": [],
            "messages": [*update["messages"], *calls],
            "decision": "prepare",
        }
    return update | {"nudges": nudges, "decision": "call" if made else "prepare"}


def _find_problem(call: ToolCall, context: TaskContext) -> str:
    """Why a call of an unknown tool cannot be made; empty for one that this task has."""
    if call.tool in context.tools:
        return ""
    if call.tool in TOOLS:
        needed = "a workspace" if load_tool(call.tool).effect.needs_workspace else "a store that it may write"
        return f"{call.tool} needs {needed}, and this task has none"
    return str(UnknownNameError("tool", call.tool[:100], context.tools))


def _known_result(state: AgentState, call: ToolCall, history: Sequence[CallRecord]) -> str:
    """Id of an equal call whose result is in the conversation, if it was made twice and nothing changed since."""
    key = call_key(call)
    since: list[CallRecord] = []
    for record in history:
        if record.has_effect and record.key != key:
            since.clear()
        elif record.key == key and not record.is_repeated:
            since.append(record)
    shown = {message.tool_call_id for message in state["messages"] if isinstance(message, ToolMessage)}
    known = [record.id for record in since if record.id in shown]
    return known[0] if len(since) >= _SAME_CALLS and known else ""


def _refusal(call: ToolCall, why: str) -> ToolMessage:
    return ToolMessage(why, tool_call_id=call.id, status="error")


def _closed(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Answer calls that have no result, which providers insist on."""
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    newest = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
    calls = [call["id"] or "" for call in newest.tool_calls] if newest is not None else []
    missing = [
        ToolMessage("not called: a budget was used up", tool_call_id=id_) for id_ in calls if id_ not in answered
    ]
    return [*messages, *missing]


def _take_text(state: AgentState, context: TaskContext, reply: Reply, update: Update) -> Update:
    """Take a text without a call as the answer if it cites what tools showed; else send it back once."""
    if not reply.text:
        return _send_back(state, context, update, f"Call a tool, or answer with {FINISH}.", reply)
    if reply.is_cut:
        problem = f"Your text was cut at the limit on tokens. Call {FINISH} with a shorter answer."
        return _send_back(state, context, update, problem, reply)
    return _take_answer(state, context, FinishCall(text=reply.text), reply, update)


def _take_answer(state: AgentState, context: TaskContext, given: FinishCall, reply: Reply, update: Update) -> Update:
    """Check an answer; one that is not grounded or names what does not exist is sent back once."""
    checker = AnswerChecker(context.tool_context, state.get("evidence", []), _observed(state))
    grounded = checker.check(given.text, given.places)
    looked = any(not record.failed or record.has_effect for record in state.get("history", []))
    is_denial = given.text.lstrip().upper().startswith(_NO_ANSWER)
    if state.get("corrections", 0) == 0 and not is_denial:
        problem = ""
        if not looked:
            problem = f"You looked at nothing. Call tools first; then call {FINISH}."
        elif grounded.problems:
            problem = f"Correct this: {'; '.join(grounded.problems)}. Name only what tools showed you."
        elif reply.finish is None and not grounded.is_grounded and not context.request.workspace:
            problem = f"If this is your answer, call {FINISH} with its places; else call the next tool."
        if problem:
            return _send_back(state, context, update | {"corrections": 1}, problem, reply)
    answer = _build_answer(state, context, grounded.text, grounded)
    if is_denial:
        answer = dataclasses.replace(answer, places=(), found=False)
    return update | {"answer": answer, "decision": "check"}


def _send_back(state: AgentState, context: TaskContext, update: Update, problem: str, reply: Reply) -> Update:
    """Tell the model what is missing; after some replies in a row the task ends without its answer."""
    nudges = state.get("nudges", 0) + 1
    told = _refusal(reply.finish, problem) if reply.finish is not None else HumanMessage(problem)
    update = update | {"messages": [*update["messages"], told], "nudges": nudges, "decision": "prepare"}
    if nudges <= _MAX_NUDGES:
        return update
    if can_fall_back(context):
        return update | {"decision": "fall_back", "fallback": "the model gave no answer"}
    answer = dataclasses.replace(_build_answer(state, context, "The model gave no answer.", None), found=False)
    return update | {"answer": answer, "decision": "check"}


def _build_answer(state: AgentState, context: TaskContext, text: str, grounded: GroundedAnswer | None) -> Answer:
    """Build the answer; an ungrounded one is marked and has no repository."""
    looked = any(not record.failed or record.has_effect for record in state.get("history", []))
    if grounded is not None and grounded.problems:
        text += f"\n\nNot confirmed: {'; '.join(grounded.problems)}."
    places = grounded.places if grounded is not None else ()
    is_grounded = looked and grounded is not None and (grounded.is_grounded or context.request.workspace)
    if not is_grounded:
        return Answer(_UNGROUNDED + text, (), tuple(state.get("unresolved", [])), (), is_grounded=False)
    repositories = tuple(dict.fromkeys(place.repository for place in places)) or context.tool_context.repositories
    return Answer(text, places, tuple(state.get("unresolved", [])), repositories)


def _observed(state: AgentState) -> str:
    """All text that tools returned in this task."""
    results = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    shown = [str(message.content) for message in results if message.status == "success"]
    return "\n".join([*shown, *(item.text for item in state.get("folded", []))])
