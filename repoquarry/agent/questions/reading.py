"""Reads what a task asks: its kind, what it is about, and the names, paths and stack frames in it.

English only, and deliberately plain: the sentence forms that people use for questions about code. What fits none of them is
the general kind `where`, which needs no form at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from repoquarry.agent.questions.forms import compiled
from repoquarry.agent.questions.question import Question
from repoquarry.agent.questions.registry import QUESTIONS, load_question
from repoquarry.graphstore.reading.records import is_path
from repoquarry.graphstore.search.mentions import parse_stack_frames

_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|this|that|its?|my|our|some|any|each|every|one|all)\s+)?"
    r"(?:(?:class|function|method|module|file|package|folder|directory|property|decorator|call(?:s)? (?:to|of))\s+)?",
    re.IGNORECASE,
)
_KIND_AFTER = re.compile(
    r"\s+(?:class|function|method|module|file|package|object|work|works|base class)$", re.IGNORECASE
)

_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_DEFINED = re.compile(
    r"\bwhere (?:is|are) (?:the )?(?:\w+ )?([A-Za-z_][\w.:]{0,200}[?!]?) (?:defined|declared|implemented)\b",
    re.IGNORECASE,
)
"""A word in this place is a name, whatever its shape."""
_WORD = re.compile(
    r"(?:[\w.@+-]{0,100}[/\\]){1,40}[\w.@+-]{0,100}\w(?::\d+)?|\w[\w-]*\.[A-Za-z]{1,4}\b(?![.\w])(?::\d+)?"
    r"|[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_<][\w<>]*)*(?:\(\))?"
)
_LONG_RUN = re.compile(r"\S{201,}")
"""No code has such names, and `_WORD` would take the square of them."""

_CODE_SHAPE = re.compile(r"^_|_\w|[a-z][A-Z]|[A-Z]{2,}[a-z]|\(\)$|\w\.\w|::")
_CAPITAL = re.compile(r"^[A-Z][a-z]+[A-Z]|^[A-Z]\w+(?:Error|Exception|Warning)$")
_LONG_TASK = 400  # characters; a longer text is an issue report, whose sentences are no question


def read_question(text: str) -> Question:
    """Take a task apart; every text has a reading."""
    names, found = tuple(code_names(text)), tuple(parse_stack_frames(text))
    asked = " ".join(text.split())
    if len(asked) > _LONG_TASK:
        return Question("where", names=names, frames=found)
    for kind, form in _forms():
        if match := form.search(asked):
            groups = match.groupdict()
            moved, subject, goal = (_bare(groups.get(group) or "") for group in "wxy")
            question = Question(kind, subject, goal, moved, names, found)
            if load_question(kind).accepts(question):
                return question
    return Question("where", names=names, frames=found)


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(kind of question, form), in the order in which they are tried."""
    return tuple((kind, compiled(form)) for kind in QUESTIONS for form in load_question(kind).forms)


def code_names(text: str) -> Iterable[str]:
    """Words of a text that look like code, each once, in order."""
    found: dict[str, None] = {}
    text = _LONG_RUN.sub(" ", text)
    for quoted in _QUOTED.finditer(text):
        if " " not in quoted[1].strip():
            found[quoted[1].strip()] = None
    found.update((defined[1], None) for defined in _DEFINED.finditer(_QUOTED.sub(" ", text)))
    for word in _WORD.findall(_QUOTED.sub(" ", text)):
        bare = word.rstrip(".")
        if is_path(bare) or _CODE_SHAPE.search(bare) or _CAPITAL.search(bare):
            found[bare.removesuffix("()")] = None
    return list(found)


def _bare(phrase: str) -> str:
    """A phrase without articles and words that say what kind of thing it is."""
    quoted = _QUOTED.fullmatch(phrase.strip())
    if quoted:
        return quoted[1]
    bare = _KIND_AFTER.sub("", _ARTICLE.sub("", phrase.strip()).strip())
    return bare.strip("`'\" ")
