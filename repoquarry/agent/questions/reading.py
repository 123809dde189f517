"""Reads what a task asks: its kind, what it is about, and the names, paths and stack frames in it.

English only, and deliberately plain: the sentence forms that people use for questions about code. What fits none of them is
the general kind `where`, which needs no form at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from repoquarry.agent.names import Frame, frames, is_path
from repoquarry.agent.questions.forms import FORMS

_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|this|that|its?|my|our|some|any|each|every|one|all)\s+)?"
    r"(?:(?:class|function|method|module|file|package|folder|directory|property|decorator|call(?:s)? (?:to|of))\s+)?",
    re.IGNORECASE,
)
_KIND_AFTER = re.compile(
    r"\s+(?:class|function|method|module|file|package|object|work|works|base class)$", re.IGNORECASE
)

_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_WORD = re.compile(
    r"(?:[\w.@+-]{0,100}[/\\]){1,40}[\w.@+-]{0,100}\w(?::\d+)?|\w[\w-]*\.[A-Za-z]{1,4}\b(?![.\w])(?::\d+)?"
    r"|[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_<][\w<>]*)*(?:\(\))?"
)
_CODE_SHAPE = re.compile(r"^_|_\w|[a-z][A-Z]|[A-Z]{2,}[a-z]|\(\)$|\w\.\w|::")
_CAPITAL = re.compile(r"^[A-Z][a-z]+[A-Z]|^[A-Z]\w+(?:Error|Exception|Warning)$")
_LONG_TASK = 400  # characters; a longer text is an issue report, whose sentences are no question


@dataclass(frozen=True)
class Question:
    """What a task asks. `subject` and `goal` are as written, without articles; `goal` is set for `flow` only."""

    kind: str
    subject: str = ""
    goal: str = ""
    names: tuple[str, ...] = ()
    """What looks like code: quoted, dotted, snake or camel case, paths; in order."""

    frames: tuple[Frame, ...] = ()


def read_question(text: str) -> Question:
    """Take a task apart; every text has a reading."""
    names, found = tuple(code_names(text)), tuple(frames(text))
    asked = " ".join(text.split())
    if len(asked) > _LONG_TASK:
        return Question("where", "", "", names, found)
    for kind, form in FORMS:
        if match := form.search(asked):
            groups = match.groupdict()
            subject, goal = _bare(groups.get("x") or ""), _bare(groups.get("y") or "")
            if kind == "callers" and " " in subject:
                break  # "where is the connection created": no name, so no callers to be listed
            if subject or kind == "usage":
                return Question(kind, subject, goal, names, found)
    return Question("where", "", "", names, found)


def code_names(text: str) -> Iterable[str]:
    """Words of a text that look like code, each once, in order."""
    found: dict[str, None] = {}
    for quoted in _QUOTED.finditer(text):
        if " " not in quoted[1].strip():
            found[quoted[1].strip()] = None
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
