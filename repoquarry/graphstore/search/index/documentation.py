"""Which lines inside definitions are documentation: they say what a definition is for, and seldom where it goes wrong.

Known from the outline alone: documentation begins with the summary. Inside a definition that is right behind a quote that begins its
line, up to the next such quote; above it, in the comment that ends on the line before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from repoquarry.graphstore.search.index.standing import Standing, line_starts
from repoquarry.languages.language import Comments
from repoquarry.languages.registry import is_source, language_for

if TYPE_CHECKING:  # a worker that reads files searches nothing
    from repoquarry.graphstore.search.index.filters import Mask

_HEAD_WORDS: Final = 3
"""Of the summary that are looked for: a longer sentence may go on in the next line."""
_OPENING: Final = re.compile(r"^[ \t]*[A-Za-z]{0,2}(\"{3}|'{3}|`{3}|[\"'`])\\?\s*\Z", re.MULTILINE)
_WIDEST: Final = 400
"""Characters before the summary in which its quote is looked for."""
_MOST_LINES: Final = 400
"""Lines of a comment."""
_WORDS: Final = re.compile(r"\S+")


def documented_lines(standing: Standing, text: str) -> Mask:
    """Return (lines,) which lines of a file are documentation of its definitions, from quote to quote."""
    if not any(standing.summaries):
        return np.zeros(text.count("\n") + 1, dtype=np.bool_)
    starts = line_starts(text)
    found = np.zeros(len(starts) - 1, dtype=np.bool_)
    for place, summary in enumerate(standing.summaries):
        head = " ".join(summary.rstrip("…").split()[:_HEAD_WORDS])
        if not head:
            continue
        first, last = int(standing.start_lines[place]) - 1, min(int(standing.end_lines[place]), len(found))
        lines = _documentation(text, head, starts[min(first, last)], starts[last])
        if lines is not None:
            found[bisect_right(starts, lines[0]) - 1 : bisect_right(starts, lines[1])] = True
    return found


def comments_above(standing: Standing, text: str) -> list[tuple[int, int, int]]:
    """(place, first, last line) of each comment above a definition that is its documentation; lines are 0-based."""
    if not any(standing.summaries) or not is_source(standing.path):
        return []
    comments = language_for(standing.path).comments
    lines = text.split("\n")
    found = []
    for place, summary in enumerate(standing.summaries, 1):
        head = summary.rstrip("…").split()[:_HEAD_WORDS]
        last = int(standing.start_lines[place - 1]) - 2
        first = _comment_begins(lines, last, comments) if head and 0 <= last < len(lines) else last + 1
        if first <= last and set(head) <= set(_WORDS.findall(" ".join(lines[first : last + 1]))):
            found.append((place, first, last))
    return found


def _comment_begins(lines: Sequence[str], last: int, comments: Comments) -> int:
    """First line of the comment that ends on a line; the line behind it where none does."""
    text = lines[last].strip()
    for opening, closing in comments.block:
        if text.endswith(closing):
            for number in range(last, max(-1, last - _MOST_LINES), -1):
                if lines[number].lstrip().startswith(opening):
                    return number
    first = last + 1
    while first > max(0, last - _MOST_LINES) and comments.line and lines[first - 1].lstrip().startswith(comments.line):
        first -= 1
    return first


def _documentation(text: str, head: str, start: int, end: int) -> tuple[int, int] | None:
    """Offsets of the opening and of the closing quote of the documentation between `start` and `end`; None without any."""
    begin = text.find(head, start, end)
    if begin < 0:
        return None
    opening = _OPENING.search(text, max(start, begin - _WIDEST), begin)
    if opening is None:
        return None
    closing = text.find(opening.group(1), begin + len(head), end)
    return (opening.start(1), closing) if closing >= 0 else None
