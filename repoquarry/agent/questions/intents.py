"""Table of the questions that are answered without a model, read from `intents.toml`.

A clause is read as words around one subject, written `X` in the patterns. An intent applies only if one of its patterns matches and every
other word of the clause is a function word or a word of the intent: a clause with further content asks something else.
"""

from __future__ import annotations

import enum
import re
import tomllib
from dataclasses import dataclass
from importlib import resources


class SubjectKind(enum.Enum):
    """Required kind of subject of a question."""

    DEFINITION = "definition"
    DEFINITION_OR_EXTERNAL = "definition or external code"
    OPTIONAL = "definition, or nothing for the whole repository"
    NONE = "nothing"
    WORDS = "words"
    CLAUSE = "the whole clause"
    """The patterns are compared with the text of the clause, whatever its words are."""


@dataclass(frozen=True)
class Intent:
    """One question that can be asked."""

    name: str
    example: str
    plan: str
    subject: SubjectKind
    words: frozenset[str]
    """Words that the question may contain besides function words."""
    variants: tuple[tuple[re.Pattern[str], str], ...]
    """(pattern of the clause with `X` for its subject, name of the answer), the narrower patterns first."""


def split_words(text: str) -> frozenset[str]:
    """Split a list of words at spaces."""
    return frozenset(text.split())


def _load() -> tuple[frozenset[str], tuple[Intent, ...]]:
    table = tomllib.loads(resources.files(__package__).joinpath("intents.toml").read_text("utf-8"))

    def compile_pattern(alternatives: list[str]) -> re.Pattern[str]:
        pattern = "|".join(alternatives)
        for name, fragment in table["fragments"].items():
            pattern = pattern.replace(f"{{{name}}}", fragment)
        return re.compile(pattern)

    intents = (
        Intent(
            row["name"],
            row["example"],
            row["plan"],
            SubjectKind(row["subject"]),
            split_words(row["words"]),
            tuple((compile_pattern(alternatives), answer) for answer, alternatives in row["answers"].items()),
        )
        for row in table["intent"]
    )
    return split_words(table["function_words"]), tuple(intents)


FUNCTION_WORDS, INTENTS = _load()
