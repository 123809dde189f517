"""The LangGraph graph that every policy runs through: decide, act, decide …, answer; and its checkpoints.

The only file that knows langgraph. It is imported when a task starts and not before, because importing it takes longer than
most answers; what the nodes do is in `repoquarry/agent/loop/session.py`. A checkpoint holds the session's snapshot and where the graph
stands; the latest alone is kept, for nobody goes back in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypedDict

import msgspec
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.graph import END, StateGraph

from repoquarry.agent.loop.memory import TaskMemory
from repoquarry.agent.loop.session import ACT, ANSWER, DECIDE, Session
from repoquarry.execution.errors import ExecutionError

_NODES_A_STEP = 3  # decide, act, and decide again when a completion check sends an answer back
_NO_LIMIT = 1_000_000  # LangGraph wants a bound; without a budget of steps the other budgets end a task long before


class State(TypedDict):
    """What the graph stores between its nodes."""

    snapshot: bytes
    next: str


def run_graph(
    session: Session, memory: TaskMemory | None, resumed: Callable[[], None], started: Callable[[], None]
) -> None:
    """Walk the graph until the session has its answer, from the checkpoint in `memory` when there is one. Raises: ExecutionError.

    One of `resumed` and `started` is called before the first node, whichever it is.
    """
    builder = StateGraph(State)
    for name, node in ((DECIDE, session.decide), (ACT, session.act), (ANSWER, session.give_answer)):
        builder.add_node(name, _node(session, node))  # type: ignore[call-overload]  # its overloads take no closure
    builder.set_entry_point(DECIDE)
    builder.add_conditional_edges(DECIDE, lambda state: state["next"], {name: name for name in (DECIDE, ACT, ANSWER)})
    builder.add_conditional_edges(ACT, lambda state: state["next"], {DECIDE: DECIDE, ANSWER: ANSWER})
    builder.add_edge(ANSWER, END)
    steps = session.budget.steps
    config: RunnableConfig = {
        "recursion_limit": _NODES_A_STEP * (steps + 2) + 2 if steps else _NO_LIMIT,
        "configurable": {"thread_id": "task"},
    }
    saver = _LatestCheckpoint(memory) if memory is not None and session.policy.resumable else None
    found = saver.get_tuple(config) if saver is not None else None
    start: State | None = {"snapshot": b"", "next": DECIDE}
    if (
        found is not None
        and (snapshot := found.checkpoint["channel_values"].get("snapshot"))
        and session.resume(snapshot)
    ):
        start = None
        resumed()
    else:
        started()
    compiled = builder.compile(checkpointer=saver)
    if saver is None:
        compiled.invoke(start, config)
    else:
        compiled.invoke(start, config, durability="sync")
    if session.answer is None:
        raise ExecutionError("the graph ended without an answer")


def _node(session: Session, node: Callable[[], str]) -> Callable[[State], State]:
    def run(_: State) -> State:
        following = node()
        return {"snapshot": session.snapshot(), "next": following}

    return run


class _LatestCheckpoint(BaseCheckpointSaver[int]):
    """Keeps the newest checkpoint of one task, and of it what a graph without parallel nodes needs."""

    def __init__(self, memory: TaskMemory) -> None:
        super().__init__()
        self._memory = memory

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        data = self._memory.load()
        if data is None:
            return None
        try:
            kind, content = msgspec.msgpack.decode(data, type=tuple[str, bytes])
            checkpoint, metadata = self.serde.loads_typed((kind, content))
        except (msgspec.MsgspecError, ValueError, TypeError):  # another version's: the task starts anew
            return None
        return CheckpointTuple(_at(config, checkpoint), checkpoint, metadata, None, [])

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        self._memory.save(msgspec.msgpack.encode(self.serde.dumps_typed((checkpoint, metadata))))
        return _at(config, checkpoint)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Nothing: what a node wrote is in the checkpoint behind it, and no node runs beside another."""

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        found = self.get_tuple(config) if config is not None else None
        if found is not None:
            yield found


def _at(config: RunnableConfig, checkpoint: Checkpoint) -> RunnableConfig:
    thread = config["configurable"]["thread_id"]
    return {"configurable": {"thread_id": thread, "checkpoint_ns": "", "checkpoint_id": checkpoint["id"]}}
