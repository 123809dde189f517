"""What a kind of question is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.questions.question import Question, Steps


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
