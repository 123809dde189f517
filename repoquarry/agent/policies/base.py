"""What a policy is: it decides what to call next, or gives the answer.

The graph calls `decide` with what the last calls brought until it gets an answer; `conclude` when a budget ends before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from repoquarry.agent.decisions import Act, Answer, Folded, Observation
from repoquarry.agent.events import EventKind
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest
from repoquarry.agent.tools.base import Tool
from repoquarry.graphstore.reading.code_reader import CodeReader

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
    folded: list[Folded] = field(default_factory=list)
    """Where the policy puts the calls that it folds, for the tool `recall`."""


class Policy(Protocol):
    """Decides step by step; one instance serves one task."""

    resumable: bool
    """Whether what it remembers is enough to go on in another process; else the task starts from its beginning there."""

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        """The next calls, or the answer. `observations` are those since the last decision.

        Raises: ExecutionError when it cannot go on.
        """
        ...

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        """The answer from what was found so far, because a budget ended; `reason` says which."""
        ...

    def unfinished(self, problem: str) -> bool:
        """Its answer came while completion checks do not hold, as `problem` says: whether it goes on with `decide`."""
        ...

    def remembered(self) -> Any:
        """What `restore` needs, plain JSON; None where it is not resumable."""
        ...

    def restore(self, memory: Any) -> None:
        """Go on from what `remembered` gave. Raises: KeyError, TypeError, ValueError for another version's."""
        ...
