"""Events of a task. Both policies run through the same graph, which alone emits them.

The messages of `TaskEvent` in task_service.proto document the data of each kind, by the same names.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from repoquarry.agent.task import TokenUsage


class EventKind(enum.Enum):
    """Kinds of events, in the order in which a task meets them."""

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
