"""What a running task has to remember to go on after its process was killed: one value, stored after each step.

Plain data alone: places and texts, not the records that tools make for policies without a model. So a policy says what it remembers
itself, and one that cannot say is started from its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from repoquarry.agent.decisions import Answer, Observation, ToolCall, ToolResult
from repoquarry.agent.task import Place, TokenUsage
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.isolation.confinement import Environment


class TaskMemory(Protocol):
    """Where the latest checkpoint of one task is kept."""

    def load(self) -> bytes | None:
        """What was saved last; None at the first start."""
        ...

    def save(self, data: bytes) -> None:
        """Keep this in place of what was saved before; it is on disk when this returns."""
        ...


@dataclass(frozen=True)
class Seen:
    """What a call brought, as far as it is remembered."""

    call: ToolCall
    text: str
    failed: bool
    places: tuple[Place, ...] = ()

    @classmethod
    def of(cls, observation: Observation) -> Seen:
        result = observation.result
        return cls(observation.call, observation.text, result is None, result.places if result else ())

    def observation(self) -> Observation:
        """The observation again, without its records."""
        result = None if self.failed else ToolResult(ToolView(ViewKind.ROWS, self.text), "", self.places)
        return Observation(self.call, self.text, result)


@dataclass(frozen=True)
class Snapshot:
    """A task between two steps. `policy` is the policy's own, plain JSON."""

    policy: Any
    steps: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    seconds: float = 0.0
    """Time that the task ran, over all its starts."""

    stop: str = ""
    rounds: int = 0
    """Answers that the completion checks sent back."""

    pending: tuple[ToolCall, ...] = ()
    seen: tuple[Seen, ...] = ()
    answer: Answer | None = None
    environment: Environment | None = None

    def encode(self) -> bytes:
        return msgspec.json.encode(self, enc_hook=_plain)

    @classmethod
    def decode(cls, data: bytes) -> Snapshot:
        """Raises: msgspec.MsgspecError for what another version wrote."""
        return msgspec.json.decode(data, type=cls, dec_hook=_made)


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be remembered")


def _made(kind: type, value: object) -> object:
    return value if kind is object else kind(value)
