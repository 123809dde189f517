"""Tasks, their events, answers and budgets: the agent's contract with its callers.

Plain frozen values, so that the server can store them and send them without knowing how the agent works.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Final

from repoquarry.execution.workspaces.completion_checks import CompletionCheck, CompletionCheckOutcome
from repoquarry.execution.workspaces.files import FileRecord
from repoquarry.operations.result import Place

DETERMINISTIC: Final = "deterministic"
CHAT: Final = "chat"
POLICIES: Final = (DETERMINISTIC, CHAT)
"""Who decides what a task does next; both are paths through the same graph."""


@dataclass(frozen=True)
class Budget:
    """Budget of one task. 0 leaves the bound to the settings; a larger value is cut to theirs."""

    steps: int = 0
    """Tool calls."""

    tokens: int = 0
    """Tokens that the policy reads, and with a chat model tokens that go in and come out."""

    seconds: float = 0.0
    """Wall-clock time."""


@dataclass(frozen=True)
class TaskRequest:
    """Request of a task. `repositories` are the ids that it may use; empty for all that are stored."""

    text: str
    repositories: tuple[str, ...] = ()
    policy: str = DETERMINISTIC
    workspace: bool = False
    """True if the task may write files and run commands in a folder of its own."""

    auto_approve: bool = False
    """True if commands and installations run without approval."""

    hosts: tuple[str, ...] = ()
    """Hosts that its commands may reach, `name` or `name:port`; among those that the settings allow."""

    checks: tuple[CompletionCheck, ...] = ()
    """Completion checks that have to pass."""

    inputs: tuple[str, ...] = ()
    """Paths of its input files, relative to the folder `inputs` of its workspace."""

    budget: Budget = field(default_factory=Budget)


class TaskState(enum.Enum):
    """How a task ended."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    """The repositories hold no answer, or the model gave none: the text says what was searched."""
    BUDGET_REACHED = "budget_reached"
    """A budget ran out: the answer holds what was found until then."""
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class UnresolvedName:
    """Unresolved calls that may affect the answer: they might reach something called `name`."""

    repository: str
    name: str
    sites: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one task."""

    read: int = 0
    """Tokens of tool output that the policy was given, after information selection."""

    input: int = 0
    """Tokens sent to the chat model, over all requests; 0 without a model."""

    output: int = 0
    """Tokens that the chat model wrote; 0 without a model."""

    cost: float = 0.0
    """Cost of the priced requests to the chat model, in the currency of the price table."""

    unpriced: int = 0
    """Requests to a chat model that the price table does not name."""

    cached: int = 0
    """Tokens of `input` that the provider read from its cache."""

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(*map(operator.add, astuple(self), astuple(other)))


@dataclass(frozen=True)
class TaskResult:
    """The answer to a task. `text` is Markdown; `places` are ranked, the best first."""

    state: TaskState
    text: str
    places: tuple[Place, ...] = ()
    steps: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    unresolved: tuple[UnresolvedName, ...] = ()
    repositories: tuple[str, ...] = ()
    """Repositories that the answer mentions."""

    relevant_names: tuple[str, ...] = ()
    """Short names whose unresolved calls may affect the answer."""

    workspace: str = ""
    """Folder of the task's workspace; empty when it had none."""

    files: tuple[FileRecord, ...] = ()
    """Produced files, those in the folder `outputs` of the workspace."""

    checks: tuple[CompletionCheckOutcome, ...] = ()
    """How the completion checks stood at the end."""

    stop: str = ""
    """Budget or reason that ended the task early; empty if none did."""

    fallback: str = ""
    """Why the answer was found without the chat model; empty if the chosen policy gave it."""

    error: str = ""
    """Message of the failure; empty unless `state` is FAILED."""

    error_reason: str = ""
    """Stable word for the failure, `reason` of the error."""


@dataclass(frozen=True)
class ApprovalRequest:
    """An action that waits for a person: which tool, with which arguments, and what it would do."""

    id: str
    tool: str
    arguments: Mapping[str, object]
    effect: str
    call: str = ""
    """Id of the call that waits."""


class EventKind(enum.Enum):
    """Kinds of events, in the order in which a task meets them. The message of each in task_service.proto documents its data."""

    TASK_STARTED = "task_started"
    TASK_RESUMED = "task_resumed"
    PLAN = "plan"
    MODEL_REQUESTED = "model_requested"
    MODEL_CALLED = "model_called"
    MODEL_RETRIED = "model_retried"
    NOTICE = "notice"
    TOOL_CALLED = "tool_called"
    APPROVAL_REQUESTED = "approval_requested"
    APPROVAL_DECIDED = "approval_decided"
    COMMAND_ENDED = "command_ended"
    TOOL_RETURNED = "tool_returned"
    SELECTION = "selection"
    CHECKED = "checked"
    BUDGET_REACHED = "budget_reached"
    ANSWER = "answer"
    TASK_CANCELLED = "task_cancelled"
    TASK_FAILED = "task_failed"


@dataclass(frozen=True)
class TaskEvent:
    """Event of a task. `data` is plain JSON with the fields of its message."""

    kind: EventKind
    data: Mapping[str, object]
    steps: int = 0
    """Tool calls until this event."""

    usage: TokenUsage = field(default_factory=TokenUsage)
    """Tokens and cost until this event, lost requests included."""
