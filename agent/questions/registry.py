"""The lazy table of questions: adding a kind is a file in this folder, its forms in `reading`, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Final, cast

from agent.errors import UnknownNameError
from agent.questions.inquiry import Inquiry, Steps

QUESTIONS: Final[Mapping[str, str]] = {
    "where": "agent.questions.where",
    "flow": "agent.questions.flow",
    "callers": "agent.questions.callers",
    "callees": "agent.questions.callees",
    "impact": "agent.questions.impact",
    "module": "agent.questions.module",
    "subclasses": "agent.questions.subclasses",
    "usage": "agent.questions.usage",
}


def load_question(kind: str) -> Callable[[Inquiry], Steps]:
    """The steps that answer one kind of question. Raises: UnknownNameError."""
    if kind not in QUESTIONS:
        raise UnknownNameError("question", kind, QUESTIONS)
    return cast(Callable[[Inquiry], Steps], importlib.import_module(QUESTIONS[kind]).answer)
