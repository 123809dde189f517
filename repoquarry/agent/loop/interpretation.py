"""Handling of a chat model's reply: starts its tool calls, checks its answer, sends problems back to the model, or ends the task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from repoquarry.agent.decisions import Answer, CallRecord, ToolCall, count_steps
from repoquarry.agent.loop.call_nodes import call_key, emit
from repoquarry.agent.loop.state import AgentState, TaskContext, Update
from repoquarry.agent.model.grounding import AnswerChecker, GroundedAnswer
from repoquarry.agent.model.replies import FINISH, MAX_CALLS, Reply, read_reply
from repoquarry.agent.model.tool_offer import FinishCall, read_finish
from repoquarry.agent.task import EventKind
from repoquarry.agent.tools.base import TOOLS, load_tool
from repoquarry.execution.errors import ToolArgumentsError, UnknownNameError
from repoquarry.operations.table import OPERATIONS

_MAX_NUDGES: Final = 3
_SAME_CALLS: Final = 2
"""Number of equal calls that are made; further ones are refused."""
_MAX_REPEATS: Final = 5
_MAX_SCHEMA: Final = 1_500
"""Maximum characters of a schema in an answer to a malformed call."""
_NO_ANSWER: Final = "NO ANSWER"
_UNGROUNDED: Final = "Not grounded: nothing that the tools of this task returned supports this answer of the model.\n\n"


def interpret(state: AgentState, runtime: Runtime[TaskContext]) -> Update:
    """Decide what the newest message of the model leads to."""
    raw, count = cast(AIMessage, state["messages"][-1]), state.get("call_count", 0)
    message, reply = read_reply(raw, {*runtime.context.tools, FINISH}, count + 1)
    message.id = raw.id
    if count == 0 and reply.calls:
        plan = reply.text or "let the model choose the tools"
        emit(runtime, EventKind.PLAN, {"question": "chat", "subjects": [], "text": plan})
    update: Update = {"messages": [message], "call_count": count + len(message.tool_calls), "calls": []}
    return update | _Interpreter(state, runtime.context, reply, message).interpret()


@dataclass
class _Interpreter:
    """Interpreter of one reply; its methods return the change of the state, with all messages behind the reply."""

    state: AgentState
    context: TaskContext
    reply: Reply
    message: AIMessage

    def interpret(self) -> Update:
        reply = self.reply
        if reply.refusal and not reply.calls:
            return self._end(build_answer(self.state, self.context, f"The model declines: {reply.refusal}"))
        if reply.calls:
            return self._take_calls()
        if reply.finish is not None:
            try:
                return self._take_answer(read_finish(reply.finish))
            except ToolArgumentsError as error:
                return self._send_back(str(error))
        if not reply.text:
            return self._send_back(f"Call a tool, or answer with {FINISH}.")
        if reply.is_cut:
            return self._send_back(f"Your text was cut at the limit on tokens. Call {FINISH} with a shorter answer.")
        return self._take_answer(FinishCall(text=reply.text))

    def _end(self, answer: Answer) -> Update:
        return {"answer": answer, "decision": "check"}

    def _take_calls(self) -> Update:
        """Number the calls that are made; answer the others at once."""
        answers: list[BaseMessage] = []
        repeated: list[CallRecord] = []
        made: list[ToolCall] = []
        history, steps, limit = self.state.get("history", []), count_steps(self.state), self.context.budget.steps
        if self.reply.finish is not None:
            refused = f"{FINISH} counts only alone: look at the results of your other calls first"
            answers.append(_refusal(self.reply.finish, refused))
        for number, call in enumerate(self.reply.calls):
            if number >= MAX_CALLS:
                answers.append(_refusal(call, f"not called: at most {MAX_CALLS} calls in one message"))
            elif earlier := self._find_known_result(call, [*history, *repeated]):
                had = "it failed already" if earlier.failed else "you have this already"
                use = "change the call" if earlier.failed else "change the call, or use that result"
                answers.append(_refusal(call, f"{had} ({earlier.id}); {use}"))
                repeated.append(CallRecord(call.id, call_key(call), failed=True, is_repeated=True))
            elif limit and steps + len(made) >= limit:
                answers.append(_refusal(call, "not called: step limit reached"))
            else:
                problem = self._with_arguments(call) or self._find_problem(call)
                made.append(replace(call, step=steps + len(made) + 1, problem=problem))
        nudges = self.state.get("nudges", 0) + 1 if all(call.problem for call in self.reply.calls) else 0
        update: Update = {"history": repeated, "messages": [self.message, *answers]}
        if sum(record.is_repeated for record in (*history, *repeated)) >= _MAX_REPEATS or nudges > _MAX_NUDGES:
            update["messages"] += [_refusal(call, "not called: the task ends") for call in made]
            return update | {"stop": "malformed" if nudges > _MAX_NUDGES else "repetition", "decision": "prepare"}
        return update | {"calls": made, "nudges": nudges, "decision": "call" if made else "prepare"}

    def _with_arguments(self, call: ToolCall) -> str:
        """Return the problem of a call that could not be read, with the arguments of its tool; empty for other calls."""
        tool = self.context.tools.get(call.tool)
        if not call.problem or tool is None:
            return call.problem
        properties = json.dumps(tool.schema().get("properties", {}), separators=(",", ":"))[:_MAX_SCHEMA]
        return f"{call.problem}; send one JSON object with the arguments of {call.tool}: {properties}"

    def _find_problem(self, call: ToolCall) -> str:
        """Why a call of an unknown tool cannot be made; empty for one that this task has."""
        if call.tool in self.context.tools:
            return ""
        if call.tool in OPERATIONS:
            return f"{call.tool} reads the stored graph, which the setting agent.exploration denies; use another tool"
        if call.tool in TOOLS:
            needed = "a workspace" if load_tool(call.tool).effect.needs_workspace else "a store that it may write"
            return f"{call.tool} needs {needed}, and this task has none"
        return str(UnknownNameError("tool", call.tool[:100], self.context.tools))

    def _find_known_result(self, call: ToolCall, history: Sequence[CallRecord]) -> CallRecord | None:
        """Return an equal call whose result is in the conversation, if it was made twice and nothing changed since.

        A call that could not be read is never equal to another: only its problem is known.
        """
        if call.problem:
            return None
        key = call_key(call)
        since: list[CallRecord] = []
        for record in history:
            if record.has_effect and record.key != key:
                since.clear()
            elif record.key == key and not record.is_repeated:
                since.append(record)
        shown = {message.tool_call_id for message in self.state["messages"] if isinstance(message, ToolMessage)}
        known = [record for record in since if record.id in shown]
        return known[0] if len(since) >= _SAME_CALLS and known else None

    def _take_answer(self, given: FinishCall) -> Update:
        """Check an answer; one that is not grounded or names what does not exist is sent back once."""
        grounded = check_answer(self.state, self.context, given)
        is_denial = given.text.lstrip().upper().startswith(_NO_ANSWER)
        if self.state.get("corrections", 0) == 0 and not is_denial:
            problem = ""
            if not _has_looked(self.state):
                problem = f"You looked at nothing. Call tools first; then call {FINISH}."
            elif grounded.problems:
                problem = f"Correct this: {'; '.join(grounded.problems)}. Name only what tools showed you."
            elif self.reply.finish is None and not grounded.is_grounded and not self.context.request.workspace:
                problem = f"If this is your answer, call {FINISH} with its places; else call the next tool."
            if problem:
                return {"corrections": 1} | self._send_back(problem)
        if self.reply.finish is None and not _has_looked(self.state) and not is_denial:
            return self._give_up()
        answer = build_answer(self.state, self.context, grounded.text, grounded)
        return self._end(replace(answer, places=(), found=False) if is_denial else answer)

    def _send_back(self, problem: str) -> Update:
        """Tell the model what is missing; after some replies in a row the task ends without its answer."""
        nudges = self.state.get("nudges", 0) + 1
        finish = self.reply.finish
        told = _refusal(finish, problem) if finish is not None else HumanMessage(problem)
        update: Update = {"messages": [self.message, told], "nudges": nudges, "decision": "prepare"}
        return update if nudges <= _MAX_NUDGES else update | self._give_up()

    def _give_up(self) -> Update:
        """End a task whose model stated nothing: with the answer that needs no model, else without one."""
        if self.context.can_fall_back:
            return {"messages": [self.message], "decision": "fall_back", "fallback": "the model gave no answer"}
        answer = build_answer(self.state, self.context, "The model gave no answer.")
        return self._end(replace(answer, found=False))


def check_answer(state: AgentState, context: TaskContext, given: FinishCall) -> GroundedAnswer:
    """Check an answer against the graph and all text that tools returned in this task."""
    results = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    shown = [str(message.content) for message in results if message.status == "success"]
    observed = "\n".join([*shown, *(item.text for item in state.get("folded", []))])
    return AnswerChecker(context.tool_context, state.get("evidence", []), observed).check(given.text, given.places)


def build_answer(state: AgentState, context: TaskContext, text: str, grounded: GroundedAnswer | None = None) -> Answer:
    """Build the answer; an ungrounded one is marked and has no repository."""
    unresolved = tuple(state.get("unresolved", []))
    if grounded is not None and grounded.problems:
        text += f"\n\nNot confirmed: {'; '.join(grounded.problems)}."
    if grounded is None or not _has_looked(state) or not (grounded.is_grounded or context.request.workspace):
        return Answer(_UNGROUNDED + text, unresolved=unresolved, is_grounded=False)
    named = tuple(dict.fromkeys(place.repository for place in grounded.places))
    names = tuple(dict.fromkeys(place.qualname.rpartition(".")[2] for place in grounded.places))
    repositories = named or context.tool_context.repositories
    return Answer(text, grounded.places, unresolved, repositories, relevant_names=names)


def _has_looked(state: AgentState) -> bool:
    return any(not record.failed or record.has_effect for record in state.get("history", []))


def _refusal(call: ToolCall, why: str) -> ToolMessage:
    return ToolMessage(why, tool_call_id=call.id, status="error")
