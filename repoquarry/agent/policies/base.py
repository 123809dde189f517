"""What a policy is: it decides what to call next, or gives the answer.

The graph calls `decide` with what the last calls brought until it gets an answer; `conclude` when a budget ends before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from repoquarry.agent.events import EventKind
from repoquarry.agent.reader import CodeReader
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import Place, TaskRequest, TokenUsage, UnresolvedName
from repoquarry.agent.tools.base import Tool, ToolResult


@dataclass(frozen=True)
class ToolCall:
    """A call that a policy wants made. `id` is its own; `problem` answers it without calling, when it is malformed."""

    id: str
    tool: str
    arguments: Mapping[str, object]
    why: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Observation:
    """What a call brought: `text` after selection; `result` is None when it failed, and then `text` says why."""

    call: ToolCall
    text: str
    result: ToolResult | None


@dataclass(frozen=True)
class Plan:
    """What the policy takes the task for."""

    question: str
    subjects: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Act:
    """Make these calls; `usage` is what deciding cost."""

    calls: tuple[ToolCall, ...]
    plan: Plan | None = None
    usage: TokenUsage = field(default_factory=TokenUsage)


@dataclass(frozen=True)
class Answer:
    """The answer, places ranked; `usage` is what writing it cost."""

    text: str
    places: tuple[Place, ...] = ()
    unresolved: tuple[UnresolvedName, ...] = ()
    repositories: tuple[str, ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)


Emit = Callable[[EventKind, Mapping[str, object]], None]


@dataclass(frozen=True)
class PolicyContext:
    """What a policy may know. `seconds_left` is None without a limit; `emit` reports what a model did."""

    request: TaskRequest
    repositories: tuple[str, ...]
    tools: tuple[Tool, ...]
    settings: AgentSettings
    reader: CodeReader
    emit: Emit
    cancelled: Callable[[], bool]
    seconds_left: Callable[[], float | None]


class Policy(Protocol):
    """Decides step by step; one instance serves one task."""

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        """The next calls, or the answer. `observations` are those since the last decision.

        Raises: AgentError when it cannot go on.
        """
        ...

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        """The answer from what was found so far, because a budget ended; `reason` says which."""
        ...
