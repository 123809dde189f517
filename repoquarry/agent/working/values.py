"""Values that a task states beside its files: strings that it quotes, the text behind a colon, pages.

A program's example has values of its own in their places. Which value belongs where is decided by what the task calls it and what the
program calls the place; a single string fits the single place for text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from repoquarry.agent.working.files import TaskFiles

PAGES: Final = frozenset(["page", "pages"])
_QUOTES: Final = (
    ('"', '"'),
    ("`", "`"),
    ("\u201c", "\u201d"),
    ("\u00ab", "\u00bb"),
    ("\u300c", "\u300d"),
    ("\u2018", "\u2019"),
)
_QUOTED: Final = re.compile("|".join(f"{first}([^{first}{last}\n]+){last}" for first, last in _QUOTES))
_APOSTROPHES: Final = re.compile(r"(?<![A-Za-z0-9])'([^'\n]+)'(?![A-Za-z0-9])")
_COLON: Final = re.compile(
    r"\w[:\uff1a][ \t]*([^\s:\uff1a/()\[\]{}][^:\uff1a\n\u3002()\[\]{}]{0,79}?)[ \t]*(?:[.?!](?:\s|$)|[\u3002\uff1f\uff01]|$)"
)
_ENTRY: Final = re.compile(r"^\s*[-*]\s")
_COUNTS: Final = {
    **{word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1)},
    **{word: number for number, word in enumerate("\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d", 1)},
    "\u4e24": 2,
}  # fmt: skip
_ORDINALS: Final = {
    word: number for number, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1)
}
_NUMBER: Final = rf"(\d+|{'|'.join(_COUNTS)})"
_RANGE: Final = re.compile(r"\bpages?\s+(\d+)(?:\s*(?:-|\u2013|to|and)\s*(\d+))?", re.IGNORECASE)
_FIRST: Final = re.compile(rf"(?:\bfirst\s+{_NUMBER}\s+pages\b|\u524d{_NUMBER}\u9875)", re.IGNORECASE)
_NTH: Final = re.compile(rf"(?:\b({'|'.join(_ORDINALS)})\s+page\b|\u7b2c{_NUMBER}\u9875)", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-Za-z]{3,}")
_NEAR: Final = 3
"""Words in front of a value that may name it."""


@dataclass(frozen=True)
class Value:
    """One value, and words in small letters that the task has for it."""

    text: str
    names: frozenset[str] = frozenset()

    @property
    def is_pages(self) -> bool:
        return self.names == PAGES


def values_of(text: str, files: TaskFiles) -> tuple[Value, ...]:
    """The values in the text of a task, each once; no names of its files."""
    own = {PurePosixPath(path).name for path in (*files.inputs, files.output)}
    quoted = sorted((match.start(), match) for found in (_QUOTED, _APOSTROPHES) for match in found.finditer(text))
    strings: dict[str, Value] = {}
    for start, match in quoted:
        string = next(part for part in match.groups() if part)
        if PurePosixPath(string).name not in own:
            strings.setdefault(string, Value(string, _named(text[:start])))
    return (*(strings.values() or _behind_colon(text, own)), *_pages(text))


def _behind_colon(text: str, own: set[str]) -> Iterator[Value]:
    """What the first sentence with a colon ends with, where the text quotes nothing; lists of files are none."""
    for line in text.splitlines():
        match = None if _ENTRY.match(line) else _COLON.search(line)
        if match and PurePosixPath(match[1]).name not in own:
            yield Value(match[1], _named(line[: match.start() + 1]))
            return


def _named(before: str) -> frozenset[str]:
    """Words in small letters right in front of a value."""
    return frozenset(word.lower() for word in _NAME.findall(before)[-_NEAR:])


def _pages(text: str) -> Iterator[Value]:
    """Pages as most programs take them: a number, or the first and the last of a range."""
    if match := _FIRST.search(text):
        last = _number(match[1] or match[2])
        yield Value(f"1-{last}" if last > 1 else "1", PAGES)
    elif match := _NTH.search(text):
        yield Value(str(_ORDINALS[match[1].lower()] if match[1] else _number(match[2])), PAGES)
    elif match := _RANGE.search(text):
        yield Value(f"{match[1]}-{match[2]}" if match[2] else match[1], PAGES)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.lower()]


def fitting(names: Sequence[str], values: Sequence[Value]) -> Value | None:
    """The value that the task calls by a word that a place is called by; None for none."""
    words = {word for name in names for word in _parts(name)}
    return next((one for one in values if any(_alike(word, name) for word in words for name in one.names)), None)


def _parts(name: str) -> set[str]:
    return {part.lower() for part in re.findall(r"[A-Za-z]{3,}", name)}


def _alike(one: str, other: str) -> bool:
    """Whether two words are the same but for an ending, or one is short for the other: `msg` is not `message`, `pages` is `page`."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and len(longer) - len(shorter) <= max(2, len(shorter) // 2)
