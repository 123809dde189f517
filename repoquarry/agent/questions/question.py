"""What a task asks, taken apart, and what a kind of question is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.graphstore.code.frames import Frame

if TYPE_CHECKING:
    from repoquarry.agent.questions.inquiry import Inquiry

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

    frames: tuple[Frame, ...] = ()
    """Of stack traces, nearest to the failure first."""


def is_about_something(question: Question) -> bool:
    """Whether the form named what the question is about."""
    return bool(question.subject)


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question: the sentence forms that ask it, and the steps that answer it."""

    plan: str
    """What the steps do, as the task's plan tells it."""

    forms: Sequence[str]
    """Regular expressions, narrow ones first. Group `x` is what the question is about, `y` the goal of a way, `w` what moves
    along it."""

    answer: Callable[[Inquiry], Steps]
    accepts: Callable[[Question], bool] = is_about_something
    """Whether a reading by one of the forms makes sense; else the next form is tried."""
