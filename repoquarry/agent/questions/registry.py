"""The lazy table of questions: adding a kind is a file in `kinds`, which holds its forms, plan and steps, and a line here.

The order is that in which forms are tried: the first that fits decides, so kinds with narrow forms stand first. `where` has
none: it answers what no other kind does.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Final

from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.execution.errors import UnknownNameError

QUESTIONS: Final[Mapping[str, str]] = {
    name: f"repoquarry.agent.questions.kinds.{name}"
    for name in (
        "subclasses",
        "impact",
        "tests",
        "callers",
        "callees",
        "flow",
        "values",
        "usage",
        "howto",
        "module",
        "where",
    )
}


@cache
def load_question(kind: str) -> QuestionKind:
    """One kind of question. Raises: UnknownNameError."""
    if kind not in QUESTIONS:
        raise UnknownNameError("question", kind, QUESTIONS)
    found = importlib.import_module(QUESTIONS[kind]).QUESTION
    if not isinstance(found, QuestionKind):
        raise TypeError(f"{QUESTIONS[kind]}.QUESTION is no QuestionKind")
    return found
