"""LangGraph graph of an agent task (nodes and routing), and `TaskWalk`, which runs the graph from its start or a checkpoint."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, Command, RetryPolicy, Send, StateSnapshot

from repoquarry.agent.decisions import count_steps
from repoquarry.agent.errors import ModelUnavailableError
from repoquarry.agent.loop import call_nodes, interpretation, model_nodes
from repoquarry.agent.loop.call_nodes import call_input, effect_of, interrupt_call, pending_calls
from repoquarry.agent.loop.state import AgentState, CallInput, TaskContext, open_checkpoints
from repoquarry.agent.task import ApprovalRequest, EventKind, TaskEvent, TokenUsage
from repoquarry.operations.base import Effect

_log = logging.getLogger(__name__)
_MAX_NODES: Final = 1_000_000
"""Effectively unlimited: the budgets of a task end it earlier."""
_PARALLEL_CALLS: Final = 4
_MESSAGE_CHARACTERS: Final = 200
UNISOLATED: Final = (
    "commands of this task run without isolation: they can read, write and send all that the service's user can"
)


def find_interrupts(interrupts: Any) -> list[ApprovalRequest]:
    """List the approvals that interrupts ask for."""
    return [item.value for item in interrupts if isinstance(item.value, ApprovalRequest)]


@dataclass
class TaskWalk:
    """Walk of one task. `state` is the newest state, also when the walk raises.

    `approve` may block until a person has decided, and returns the reason of a refusal.
    """

    context: TaskContext
    emit: Callable[[TaskEvent], None]
    approve: Callable[[ApprovalRequest], bool | str]
    state: AgentState = field(default_factory=lambda: AgentState())

    def run(self, thread: str) -> None:
        """Walk to the end of the graph, from the checkpoint of an earlier process if there is one. Raises: ExecutionError."""
        model = self.context.model
        attempts = model.settings.attempts if model is not None else 1
        # A question without a model is answered from its beginning: its steps only read.
        saver = self.context.ledger.saver if model is not None else None
        graph = build_graph(saver, attempts=attempts, fallback=model is not None and self.context.can_fall_back)
        config: RunnableConfig = {
            "configurable": {"thread_id": thread},
            "recursion_limit": _MAX_NODES,
            "max_concurrency": _PARALLEL_CALLS,
        }
        pending: Any = AgentState(decision="open_task" if model is not None else "inquire")
        snapshot = self._load(graph, config) if saver is not None else None
        if snapshot is None:
            task, tools = self.context.request, self.context.tool_context
            data = {"text": task.text, "repositories": list(tools.repositories), "policy": task.policy}
            self._emit(TaskEvent(EventKind.TASK_STARTED, {**data, **asdict(self.context.budget)}))
            workspace = tools.workspace
            if workspace is not None and not workspace.is_isolated:
                self._emit(TaskEvent(EventKind.NOTICE, {"text": UNISOLATED}))
        else:
            pending = self._resume(graph, config, snapshot)
            if not graph.get_state(config).tasks:  # `next` lacks nodes whose results are stored, but not applied.
                return
        while pending is not _END:
            pending = self._stream(graph, config, pending)

    def _stream(self, graph: Any, config: RunnableConfig, pending: Any) -> Any:
        """Stream until the graph ends or waits; return what continues the graph."""
        asked: list[ApprovalRequest] = []
        durability = {"durability": "sync"} if graph.checkpointer is not None else {}
        modes = ["custom", "updates", "values"]
        for mode, chunk in graph.stream(pending, config, context=self.context, stream_mode=modes, **durability):
            if mode == "custom":
                self._emit(chunk)
            elif mode == "values":
                self.state = chunk
                self.context.ledger.prune(self.context.tool_context.settings.checkpoint_bytes)
            else:
                for item in find_interrupts(chunk.get("__interrupt__", ())):
                    asked.append(item)
                    data = {"approval": item.id, "call": item.call, "tool": item.tool, "effect": item.effect}
                    self._emit(TaskEvent(EventKind.APPROVAL_REQUESTED, {**data, "arguments": dict(item.arguments)}))
        return self._decide(asked[0]) if asked else _END

    @property
    def usage(self) -> TokenUsage:
        """Usage so far, with that of requests whose node failed."""
        model = self.context.model
        return self.state.get("usage", TokenUsage()) + (model.usage if model is not None else TokenUsage())

    def _emit(self, event: TaskEvent) -> None:
        usage = self.state.get("usage", TokenUsage()) + event.usage
        self.emit(replace(event, steps=count_steps(self.state), usage=usage))

    def _decide(self, asked: ApprovalRequest) -> Command[Any]:
        """Ask a person; the wait does not count as run time of the task."""
        waited = time.monotonic()
        decision = self.approve(asked)
        self.context.paused_seconds += time.monotonic() - waited
        self.context.tool_context.check_cancelled()  # Nobody decided: a resumed task has to ask again.
        return Command(resume=decision)

    def _load(self, graph: Any, config: RunnableConfig) -> StateSnapshot | None:
        """Load the newest checkpoint; None for a new task, and for checkpoints of another version."""
        try:
            snapshot: StateSnapshot = graph.get_state(config)
            if (snapshot.metadata or {}).get("step", -1) < 0:  # there is none, or it holds the input alone
                return None
            self.state = cast(AgentState, snapshot.values)
            pending_calls(self.state)
        except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as error:
            _log.warning("checkpoint_unreadable error=%s", error)
            self.context.ledger.saver.delete_thread(str(config["configurable"]["thread_id"]))
            self.state = AgentState()
            return None
        return snapshot

    def _resume(self, graph: Any, config: RunnableConfig, snapshot: StateSnapshot) -> Any:
        """Restore what the state holds of the workspace and the clock; report a call that was cut short."""
        state, workspace = self.state, self.context.tool_context.workspace
        self.context.paused_seconds = -state.get("seconds", 0.0)
        if workspace is not None and (environment := state.get("environment")) is not None:
            workspace.environment = environment
        self.context.add_repositories(state.get("added", []))
        data = {"steps": count_steps(state), "seconds": round(state.get("seconds", 0.0), 3)}
        self._emit(TaskEvent(EventKind.TASK_RESUMED, data))
        if "run_effect" in snapshot.next and self.context.ledger.is_marked(pending_calls(state)[0].id):
            update, event = interrupt_call(state)
            graph.update_state(config, update, as_node="run_effect")
            self._emit(event)
        asked = find_interrupts(snapshot.interrupts)
        return self._decide(asked[0]) if asked else None


_END: Final = object()


@dataclass(frozen=True)
class TaskStep:
    """Checkpoint of a task. `next_nodes` run next; empty behind the answer."""

    id: str
    time: datetime
    next_nodes: tuple[str, ...]
    tool_calls: int
    model_tokens: int
    message: str


def list_steps(path: Path, thread: str) -> list[TaskStep]:
    """List the stored steps of a task, newest first."""
    with open_checkpoints(path) as checkpoints:
        history = build_graph(checkpoints.saver).get_state_history({"configurable": {"thread_id": thread}})
        return [_build_step(snapshot) for snapshot in history if snapshot.values.get("messages")]


def fork_task(path: Path, thread: str, step: str) -> bool:
    """Make a step the newest one, so that the task continues behind it; False if there is no such step."""
    with open_checkpoints(path) as checkpoints:
        graph = build_graph(checkpoints.saver)
        found = graph.get_state({"configurable": {"thread_id": thread, "checkpoint_id": step}})
        if found.created_at is None:
            return False
        graph.update_state(found.config, None, as_node="__copy__")
        checkpoints.clear_marks()
        return True


def _build_step(snapshot: StateSnapshot) -> TaskStep:
    state: AgentState = snapshot.values  # type: ignore[assignment]  # the values of our graph
    usage = state.get("usage", TokenUsage())
    return TaskStep(
        str(snapshot.config["configurable"]["checkpoint_id"]),
        datetime.fromisoformat(snapshot.created_at or ""),
        snapshot.next,
        count_steps(state),
        usage.input + usage.output,
        str(state["messages"][-1].text)[:_MESSAGE_CHARACTERS],
    )


CompiledGraph = CompiledStateGraph[AgentState, TaskContext, AgentState, AgentState]


def build_graph(checkpointer: Checkpointer = None, *, attempts: int = 1, fallback: bool = False) -> CompiledGraph:
    """Build the graph. `attempts`: requests to the model for one reply; `fallback`: whether a failed model is replaced."""
    # No interval: the node waits by itself, where a cancelled task ends the wait.
    retry = RetryPolicy(initial_interval=0.0, max_attempts=max(attempts, 1), jitter=False, retry_on=_is_transient)
    builder = StateGraph(AgentState, context_schema=TaskContext)
    deciding = (model_nodes.open_task, model_nodes.prepare, interpretation.interpret)
    ending = (model_nodes.conclude, model_nodes.fall_back, model_nodes.inquire, model_nodes.check)
    calling = (call_nodes.collect, call_nodes.begin_effect, call_nodes.approve, call_nodes.run_effect)
    for node in (*deciding, *ending, *calling):
        builder.add_node(node.__name__, node)
    give_up = model_nodes.give_up if fallback else None
    builder.add_node("ask_model", model_nodes.ask_model, retry_policy=retry, error_handler=give_up)
    builder.add_node("read", call_nodes.read, input_schema=CallInput)
    builder.add_node("answer", model_nodes.give_answer)
    builder.add_conditional_edges(START, _decision, ["open_task", "inquire"])
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
    effects = (number for number, call in enumerate(pending) if effect_of(call) is not Effect.READS)
    first = next(effects, len(pending))
    return [Send("read", call_input(state, call)) for call in pending[:first]] if first else "begin_effect"


def _begun(state: AgentState) -> str:
    """Lead to the approval of a call that executes code; a call whose arguments were refused has its result."""
    call = next((call for call in pending_calls(state) if call.id == state["begun"]), None)
    if call is None:
        return "collect"
    return "approve" if effect_of(call).needs_approval else "run_effect"


def _decision(state: AgentState) -> str:
    return state["decision"]


def _is_transient(error: Exception) -> bool:
    return isinstance(error, ModelUnavailableError) and not error.is_final
