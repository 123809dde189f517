"""What a task asks, taken apart."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.graphstore.search.mentions import StackFrame

Steps = Generator[tuple[ToolCall, ...], Sequence[Observation], None]


@dataclass(frozen=True)
class Question:
    """What a task asks. `subject` and `goal` are as written, without articles; `goal` is set for `flow` only."""

    kind: str
    subject: str = ""
    goal: str = ""
    moved: str = ""
    """What goes from `subject` to `goal`, where the question says it: "how does a request get from A to B"."""

    names: tuple[str, ...] = ()
    """What looks like code: quoted, dotted, snake or camel case, paths; in order."""

    frames: tuple[StackFrame, ...] = ()
    """Of stack traces, nearest to the failure first."""
