"""Reads stack traces, as the runtimes of several languages print them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from repoquarry.languages.language import Frames
from repoquarry.languages.registry import all_languages

_WIDEST: Final = 1_000
"""Characters of a line that are read: the expressions below take the square of it."""
_MOST_LINES: Final = 20_000

_CALL: Final = re.compile(
    r"^[ \t]*at[ \t]+(?:async |new )?(?P<function>[\w$.<>/]{1,200})?[ \t]*\(?(?P<path>[^\s()]{1,300}?\.\w{1,9}):(?P<line>\d+)(?::\d+)?\)?"
)
"""`at f (path:line:column)`, as most runtimes print it."""
_PLAIN: Final = re.compile(
    r"^[ \t]*(?P<path>[\w./\\-]{1,300}\.\w{1,5}):(?P<line>\d+):(?:\d+:)?\s*(?:in )?(?P<function>\w+)?"
)
"""`path:line: in f`, as compilers and the rest do."""
_LAST_NAME: Final = re.compile(r"[./#:]+")


@dataclass(frozen=True)
class Frame:
    """A line of a stack trace. `depth` counts from 0 for the frame nearest to the failure."""

    path: str
    line: int
    """1-based."""

    function: str
    depth: int


def frames(text: str) -> Iterator[Frame]:
    """Frames of all traces, nearest to the failure first: some runtimes name the failing one last, most of them first."""
    last: list[tuple[str, int, str]] = []
    first: list[tuple[str, int, str]] = []
    for line in text.split("\n")[:_MOST_LINES]:
        found = _read(line[:_WIDEST], (*_styles(), Frames(_CALL), Frames(_PLAIN)))
        if found is not None:
            (last if found[0].nearest_last else first).append(found[1])
    for run in (list(reversed(last)), first):
        for depth, (path, number, function) in enumerate(run):
            yield Frame(path, number, function, depth)


def is_frame(line: str) -> bool:
    """Whether a line belongs to a stack trace and to nothing else that people write."""
    return _read(line[:_WIDEST], (*_styles(), Frames(_CALL))) is not None


def _read(line: str, styles: tuple[Frames, ...]) -> tuple[Frames, tuple[str, int, str]] | None:
    """The first style that a line is written in, with its path, number and function."""
    for style in styles:
        if match := style.pattern.search(line):
            function = match.groupdict().get("function") or ""
            name = function if style.nearest_last else _LAST_NAME.split(function)[-1]
            return style, (match["path"].replace("\\", "/"), int(match["line"]), name)
    return None


@cache
def _styles() -> tuple[Frames, ...]:
    """How the runtimes of all languages print a frame."""
    return tuple(dict.fromkeys(style for language in all_languages() for style in language.frames))
