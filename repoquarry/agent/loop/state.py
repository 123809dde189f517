"""LangGraph state of one agent task with its reducers, the context of its nodes, and checkpoints in one SQLite file per task."""

from __future__ import annotations

import logging
import operator
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.message import add_messages

from repoquarry.agent.decisions import Answer, CallRecord, Folded, ToolCall
from repoquarry.agent.errors import ModelRejectedError
from repoquarry.agent.task import ApprovalRequest, Budget, TaskRequest, TokenUsage, UnresolvedName
from repoquarry.agent.tools.base import ToolContext
from repoquarry.execution.isolation.confinement import Environment
from repoquarry.execution.workspaces.completion_checks import CompletionCheckOutcome
from repoquarry.operations.base import Operation
from repoquarry.operations.result import Place

if TYPE_CHECKING:
    from repoquarry.agent.model.client import ChatModel  # loads langchain's models, which only a chat task needs


def merge_places(old: list[Place], new: list[Place]) -> list[Place]:
    """Append the places that are not there yet."""
    known = {place.key for place in old}
    return [*old, *(place for place in new if place.key not in known)]


def merge_unresolved(old: list[UnresolvedName], new: list[UnresolvedName]) -> list[UnresolvedName]:
    """Keep one entry per name, that with the most call sites."""
    best = {(name.repository, name.name): name for name in sorted((*old, *new), key=lambda name: name.sites)}
    return [best[key] for key in sorted(best)]


class AgentState(TypedDict, total=False):
    """State of a task between two nodes, as a restarted process needs it. Collections are lists: checkpoints have no tuples."""

    messages: Annotated[list[AnyMessage], add_messages]
    folded: Annotated[list[Folded], operator.add]
    """Calls that were folded out of the messages, for `recall`."""

    calls: list[ToolCall]
    """Calls of the newest decision."""

    begun: str
    """Id of the newest call with an effect that was announced."""

    history: Annotated[list[CallRecord], operator.add]
    evidence: Annotated[list[Place], merge_places]
    unresolved: Annotated[list[UnresolvedName], merge_unresolved]
    added: Annotated[list[str], operator.add]
    """Repositories that were indexed during the task."""

    notes: str
    """Plan and notes of the model."""

    decision: str
    """Node to which the newest decision leads; at the start the first node of the policy."""

    approved: dict[str, bool | str]
    """Decisions of a person by id of the call."""

    call_count: int
    usage: Annotated[TokenUsage, operator.add]
    last_request_tokens: int
    seconds: float
    """Run time of the task until the newest decision."""

    context_limit: int
    """Tokens of the model's context as far as known; 0 for no limit."""

    view_tokens: int
    """Tokens of all results of one step; 0 means no limit."""

    token_ratio: float
    overflows: int
    nudges: int
    """Replies in a row that brought neither a call nor an answer."""

    corrections: int
    """Answers that were sent back because of their citations."""

    rounds: int
    """Answers that the completion checks sent back."""

    warnings: list[str]
    """Notices that the model was given once."""

    stop: str
    """Budget or reason that ended the task early; empty while there is none."""

    fallback: str
    """Why the model was given up; empty while it decides."""

    answer: Answer | None
    checks: list[CompletionCheckOutcome]
    environment: Environment | None


class CallInput(TypedDict):
    """Input of the node that makes one reading call. `about` is the subject of the view, `max_tokens` its size."""

    call: ToolCall
    about: str
    max_tokens: int
    folded: list[Folded]
    evidence: list[Place]


@dataclass
class TaskContext:
    """Context of a run: what nodes use and checkpoints do not hold."""

    request: TaskRequest
    budget: Budget
    tools: Mapping[str, type[Operation]]
    tool_context: ToolContext
    ledger: TaskCheckpoints
    model: ChatModel | None = None
    """None for the policy without a model."""

    paused_seconds: float = 0.0
    """Waits for a person, less the run time of earlier processes."""

    started: float = field(default_factory=time.monotonic)

    def add_repositories(self, added: Sequence[str]) -> None:
        """Add indexed repositories to those of the task."""
        repositories = tuple(dict.fromkeys((*self.tool_context.repositories, *added)))
        self.tool_context = replace(self.tool_context, repositories=repositories)

    def require_model(self) -> ChatModel:
        """Return the model. Raises: ModelRejectedError."""
        if self.model is None:
            raise ModelRejectedError("this task has no chat model")
        return self.model

    @property
    def can_fall_back(self) -> bool:
        """True if a question may be answered without the model."""
        return self.tool_context.settings.model.fallback and not self.request.workspace

    def seconds(self) -> float:
        """Run time of the task over all its starts, without waits for a person."""
        return time.monotonic() - self.started - self.paused_seconds

    def seconds_left(self) -> float | None:
        """Remaining time of the budget; None without a limit."""
        return self.budget.seconds - self.seconds() if self.budget.seconds else None


Update = dict[str, Any]
"""Changes of the state that a node returns."""


_log = logging.getLogger(__name__)
_STORED: Final = (
    *(Answer, ApprovalRequest, CallRecord, CompletionCheckOutcome, Environment, Folded, Place, TokenUsage, ToolCall),
    UnresolvedName,
)
_MIN_CHECKPOINTS: Final = 4


@dataclass(frozen=True)
class TaskCheckpoints:
    """Open checkpoints of one task."""

    saver: SqliteSaver
    connection: sqlite3.Connection

    def mark(self, call: str) -> None:
        """Mark a call with effects as started; the mark is on disk when this returns."""
        with self.connection:
            self.connection.execute("INSERT OR IGNORE INTO started_calls VALUES (?)", (call,))

    def is_marked(self, call: str) -> bool:
        """Return whether a call was started before."""
        found = self.connection.execute("SELECT 1 FROM started_calls WHERE call = ?", (call,)).fetchone()
        return found is not None

    def clear_marks(self) -> None:
        """Forget started calls: a task that continues behind an earlier step makes them again."""
        with self.connection:
            self.connection.execute("DELETE FROM started_calls")

    def prune(self, max_bytes: int) -> None:
        """Delete the oldest checkpoints while the file is larger than `max_bytes`; 0 means no limit."""
        if not max_bytes:
            return
        ids = self.connection.execute("SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id").fetchall()
        pages, free, size = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size <= max_bytes or len(ids) <= _MIN_CHECKPOINTS:
            return
        oldest = ids[: max(len(ids) // 4, 1)]
        with self.connection:
            self.connection.executemany("DELETE FROM checkpoints WHERE checkpoint_id = ?", oldest)
            self.connection.executemany("DELETE FROM writes WHERE checkpoint_id = ?", oldest)


@contextmanager
def open_checkpoints(path: Path | None) -> Iterator[TaskCheckpoints]:
    """Open the checkpoints of a task, in memory without a path.

    A file that cannot be read is replaced, and its task starts from its beginning.
    """
    serializer = JsonPlusSerializer(allowed_msgpack_modules=[(kind.__module__, kind.__name__) for kind in _STORED])
    try:
        connection = _connect(path)
    except sqlite3.DatabaseError as error:
        if path is None:
            raise
        _log.warning("checkpoints_replaced task=%s error=%s", path.stem, error)
        for file in path.parent.glob(f"{path.name}*"):  # With its journals.
            file.unlink()
        connection = _connect(path)
    with closing(connection):
        saver = SqliteSaver(connection, serde=serializer)
        saver.setup()
        yield TaskCheckpoints(saver, connection)


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS started_calls (call TEXT PRIMARY KEY) WITHOUT ROWID")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    if path is not None:
        path.chmod(0o600)
    return connection
