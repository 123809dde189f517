"""The lazy table of questions: adding a kind is a file in this folder, its forms in `reading`, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Final, cast

from repoquarry.agent.errors import UnknownNameError
from repoquarry.agent.questions.inquiry import Inquiry, Steps

QUESTIONS: Final[Mapping[str, str]] = {
    "where": "repoquarry.agent.questions.where",
    "flow": "repoquarry.agent.questions.flow",
    "callers": "repoquarry.agent.questions.callers",
    "callees": "repoquarry.agent.questions.callees",
    "impact": "repoquarry.agent.questions.impact",
    "module": "repoquarry.agent.questions.module",
    "subclasses": "repoquarry.agent.questions.subclasses",
    "usage": "repoquarry.agent.questions.usage",
}


def load_question(kind: str) -> Callable[[Inquiry], Steps]:
    """The steps that answer one kind of question. Raises: UnknownNameError."""
    if kind not in QUESTIONS:
        raise UnknownNameError("question", kind, QUESTIONS)
    return cast(Callable[[Inquiry], Steps], importlib.import_module(QUESTIONS[kind]).answer)
