"""Cuts the lines out of a file that show why it was found, and marks what fits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from repoquarry.graphstore.search.index.terms.compounds import index_terms
from repoquarry.graphstore.search.requests import Highlight, Snippet

_AROUND: Final = 2
"""Lines shown before and after the line that fits best."""
_WIDEST: Final = 240
"""Characters of a line that are shown: minified code has lines of a megabyte."""
_WORD: Final = re.compile(r"\w+")


def best_lines(lines: Sequence[str], first: int, last: int, weights: Mapping[str, float]) -> Snippet | None:
    """Return the lines between `first` and `last` (1-based, inclusive) that hold most of the weighted terms."""
    best, best_score = first, -1.0
    for number in range(first, min(last, len(lines)) + 1):
        found = {term for word in _WORD.findall(lines[number - 1][:_WIDEST]) for term in index_terms(word)}
        score = sum(weights.get(term, 0.0) for term in found)
        if score > best_score + 1e-9:
            best, best_score = number, score
    if best > len(lines):
        return None
    return cut(lines, max(first, best - _AROUND), min(last, best + _AROUND), weights.keys())


def cut(lines: Sequence[str], first: int, last: int, marked: Collection[str]) -> Snippet:
    """Return lines `first` to `last` (1-based, inclusive) with the words of the marked terms highlighted."""
    text = "\n".join(line[:_WIDEST] for line in lines[first - 1 : last])
    highlights = tuple(
        Highlight(word.start(), word.end())
        for word in _WORD.finditer(text)
        if any(term in marked for term in index_terms(word.group()))
    )
    return Snippet(text, first, highlights)


def around_matches(lines: Sequence[str], line: int, spans: Sequence[tuple[int, int]]) -> Snippet:
    """Return one line with its neighbours; `spans` are columns of the matches in that line."""
    first, last = max(1, line - _AROUND), min(len(lines), line + _AROUND)
    before = sum(len(text[:_WIDEST]) + 1 for text in lines[first - 1 : line - 1])
    shown = len(lines[line - 1][:_WIDEST])
    highlights = tuple(
        Highlight(before + min(start, shown), before + min(end, shown)) for start, end in spans if start < shown
    )
    return Snippet("\n".join(text[:_WIDEST] for text in lines[first - 1 : last]), first, highlights)
