"""Graph of a task: nodes, edges and policies. Both policies are paths through it."""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, RetryPolicy, Send

from repoquarry.agent.errors import ModelUnavailableError
from repoquarry.agent.loop import answer_nodes, call_nodes, interpretation, model_nodes
from repoquarry.agent.loop.call_nodes import call_input, pending_calls
from repoquarry.agent.loop.state import AgentState, CallInput, TaskContext
from repoquarry.agent.tools.base import Effect
from repoquarry.agent.tools.registry import available_tools

CompiledGraph = CompiledStateGraph[AgentState, TaskContext, AgentState, AgentState]


def build_graph(checkpointer: Checkpointer = None, *, attempts: int = 1, fallback: bool = False) -> CompiledGraph:
    """Build the graph. `attempts`: requests to the model for one reply; `fallback`: whether a failed model is replaced."""
    # No interval: the node waits by itself, where a cancelled task ends the wait.
    retry = RetryPolicy(initial_interval=0.0, max_attempts=max(attempts, 1), jitter=False, retry_on=_is_transient)
    builder = StateGraph(AgentState, context_schema=TaskContext)
    builder.add_node("open_task", model_nodes.open_task)
    builder.add_node("prepare", model_nodes.prepare)
    builder.add_node(
        "ask_model",
        model_nodes.ask_model,
        retry_policy=retry,
        error_handler=model_nodes.give_up if fallback else None,
    )
    builder.add_node("interpret", interpretation.interpret)
    builder.add_node("conclude", model_nodes.conclude)
    builder.add_node("fall_back", model_nodes.fall_back)
    builder.add_node("inquire", answer_nodes.inquire)
    builder.add_node("read", call_nodes.read, input_schema=CallInput)
    builder.add_node("collect", call_nodes.collect)
    builder.add_node("begin_effect", call_nodes.begin_effect)
    builder.add_node("approve", call_nodes.approve)
    builder.add_node("run_effect", call_nodes.run_effect)
    builder.add_node("check", answer_nodes.check)
    builder.add_node("answer", answer_nodes.give_answer)
    builder.add_conditional_edges(START, _start, ["open_task", "inquire"])
    builder.add_conditional_edges("open_task", route_calls, ["read", "prepare"])
    builder.add_conditional_edges("prepare", _decision, ["ask_model", "conclude"])
    builder.add_conditional_edges("ask_model", _decision, ["interpret", "prepare"])
    builder.add_conditional_edges("interpret", route_calls, ["read", "begin_effect", "prepare", "check", "fall_back"])
    builder.add_edge("inquire", "answer")
    builder.add_edge("read", "collect")
    builder.add_edge("run_effect", "collect")
    builder.add_conditional_edges("collect", route_calls, ["read", "begin_effect", "prepare"])
    builder.add_conditional_edges("begin_effect", _begun, ["approve", "run_effect", "collect"])
    builder.add_edge("approve", "run_effect")
    builder.add_conditional_edges("conclude", _decision, ["check", "fall_back"])
    builder.add_edge("fall_back", "inquire")
    builder.add_conditional_edges("check", _decision, ["prepare", "answer"])
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=checkpointer)


def route_calls(state: AgentState) -> str | list[Send]:
    """Lead to the next calls in their order: all reading calls up to the next effect in parallel, an effect by itself."""
    if state["decision"] != "call":
        return state["decision"]
    pending = pending_calls(state)
    if not pending:
        return "prepare"
    first = next(
        (number for number, call in enumerate(pending) if call.tool in _EFFECTS and not call.problem), len(pending)
    )
    return [Send("read", call_input(state, call)) for call in pending[:first]] if first else "begin_effect"


def _begun(state: AgentState) -> str:
    """Lead to the approval of a call that executes code; a call whose arguments were refused has its result."""
    call = next((call for call in pending_calls(state) if call.id == state["begun"]), None)
    if call is None:
        return "collect"
    return "approve" if _EFFECTS[call.tool].needs_approval else "run_effect"


def _start(state: AgentState) -> str:
    return "inquire" if state["path"] == "deterministic" else "open_task"


def _decision(state: AgentState) -> str:
    return state["decision"]


def _is_transient(error: Exception) -> bool:
    return isinstance(error, ModelUnavailableError) and not error.is_final


_EFFECTS = {
    tool.name: tool.effect for tool in available_tools(workspace=True, indexing=True) if tool.effect is not Effect.READS
}
