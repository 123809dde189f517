"""Nodes of the path without a model, and of the end of every task: completion checks and the answer."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import cast

from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from repoquarry.agent.decisions import Answer, count_steps
from repoquarry.agent.loop.call_nodes import emit
from repoquarry.agent.loop.model_nodes import find_exhausted, report_stop
from repoquarry.agent.loop.state import AgentState, TaskContext, Update
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.agent.task import EventKind, TokenUsage
from repoquarry.execution.workspaces.completion_checks import (
    CompletionCheckOutcome,
    find_missing_outputs,
    run_checks,
)


def inquire(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Answer the question without a model. As a fallback it has no budget: it costs no tokens and ends by itself."""
    context, tools = runtime.context, runtime.context.tool_context
    tools.check_cancelled()
    fallback = state.get("fallback", "")
    if not fallback and (stop := find_exhausted(state, context)):
        return {"stop": stop, "answer": Answer(f"Stopped early: {report_stop(runtime, stop)}.")}
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
