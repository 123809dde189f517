"""What a policy is: it decides what to call next, or gives the answer.

The graph calls `decide` with what the last calls brought until it gets an answer; `conclude` when a budget ends before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from repoquarry.agent.decisions import Act, Answer, Observation
from repoquarry.agent.events import EventKind
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest
from repoquarry.agent.tools.base import Tool
from repoquarry.graphstore.code.reader import CodeReader

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
