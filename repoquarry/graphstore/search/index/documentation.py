"""Which lines inside definitions are documentation: they say what a definition is for, and seldom where it goes wrong.

Known from the outline alone, so that every language has it whose definitions hold their documentation as a string: it begins
with the summary, right behind a quote that begins its line, and ends with the next such quote.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.filters import Mask
from repoquarry.graphstore.search.index.places import Places

_HEAD_WORDS: Final = 3
"""Of the summary that are looked for: a longer sentence may go on in the next line."""
_OPENING: Final = re.compile(r"^[ \t]*[A-Za-z]{0,2}(\"{3}|'{3}|`{3}|[\"'`])\\?\s*\Z", re.MULTILINE)
_WIDEST: Final = 400
"""Characters before the summary in which its quote is looked for."""


def documented_lines(places: Places, file: int, text: str) -> Mask:
    """Return (lines,) which lines of a file are documentation of its definitions, from quote to quote."""
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    found = np.zeros(len(starts) - 1, dtype=np.bool_)
    for place in places.definitions.get(file, ()):
        head = " ".join(places.columns.summaries[place].rstrip("…").split()[:_HEAD_WORDS])
        if not head:
            continue
        first, last = int(places.start_line[place]) - 1, min(int(places.end_line[place]), len(found))
        lines = _documentation(text, head, starts[min(first, last)], starts[last])
        if lines is not None:
            found[bisect_right(starts, lines[0]) - 1 : bisect_right(starts, lines[1])] = True
    return found


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
