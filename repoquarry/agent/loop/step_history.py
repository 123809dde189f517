"""History of a task: its stored steps, and continuation behind one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from repoquarry.agent.loop.checkpoints import open_checkpoints
from repoquarry.agent.loop.graph import build_graph
from repoquarry.agent.loop.model_nodes import count_steps
from repoquarry.agent.loop.state import AgentState
from repoquarry.agent.task import TokenUsage

_MESSAGE_CHARACTERS: Final = 200


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
        history = build_graph(checkpoints.saver).get_state_history(_config(thread))
        return [_build_step(snapshot) for snapshot in history if snapshot.values.get("messages")]


def fork_task(path: Path, thread: str, step: str) -> bool:
    """Make a step the newest one, so that the task continues behind it; False if there is no such step."""
    with open_checkpoints(path) as checkpoints:
        graph = build_graph(checkpoints.saver)
        history = graph.get_state_history(_config(thread))
        found = next((item for item in history if item.config["configurable"]["checkpoint_id"] == step), None)
        if found is None:
            return False
        graph.update_state(found.config, None, as_node="__copy__")
        checkpoints.clear_marks()
        return True


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}


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
