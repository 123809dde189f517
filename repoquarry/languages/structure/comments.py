"""Comments as documentation: which ones belong to a definition or to the file, and what they say without their marks."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

_MOST_LINES: Final = 400
"""Lines of comments in a row that are read as one documentation."""
_LICENCE: Final = re.compile(
    r"copyright|licen[cs]e|\bSPDX|all rights reserved|@flow|eslint|jshint|clang-format|vim?:|-\*-", re.I
)
_FIRST_BLOCKS: Final = 3
_RULE: Final = re.compile(r"[\W_]*")
_OPENING: Final = re.compile(r"^\s*(?:/\*[*!]?|//[/!]?|#!?|--)<?\s?")
_CLOSING: Final = re.compile(r"\s*\*+/\s*$")
_MARGIN: Final = re.compile(r"^\s*\*(?!/) ?|^\s*(?=\*/)")
_TAG: Final = re.compile(
    r"</?(?:summary|remarks|para|returns|value|example|param\s[^>]*|see\s[^>]*|c|code|p|br ?/?|b|i|pre)\s*/?>"
)


@dataclass(frozen=True)
class _Comment:
    start_row: int
    node: Node


class Comments:
    """The comments of a file that stand on lines of their own. Rows are 0-based."""

    def __init__(self, source: bytes, found: Iterable[Node]) -> None:
        self._by_end: dict[int, _Comment] = {}
        for node in found:
            start, end = node.start_point, node.end_point
            before = source[node.start_byte - start.column : node.start_byte]
            if not before.strip() or before == b"\xef\xbb\xbf":
                # a line comment of some grammars ends with its line break, at the beginning of the next row
                last = end.row - 1 if end.column == 0 and end.row > start.row else end.row
                self._by_end[last] = _Comment(start.row, node)

    def above(self, row: int) -> tuple[str, int]:
        """What the comments that end directly above a row say, and the row on which they begin."""
        parts: list[str] = []
        top = row
        while (comment := self._by_end.get(top - 1)) is not None and row - comment.start_row <= _MOST_LINES:
            parts.append((comment.node.text or b"").decode("utf-8", "replace"))
            top = comment.start_row
            if parts[-1].startswith("/*"):
                break  # a block comment is a documentation of its own: what is above it belongs to something else
        return _clean(reversed(parts)), top

    def of_file(self, taken: Container[int]) -> str:
        """What the first comments of a file say that are no licence; `taken` holds the rows on which documentation of definitions begins."""
        ends = sorted(self._by_end)
        starts = [*(self._by_end[end].start_row for end in ends[1:]), -1]
        blocks = [end for end, next_start in zip(ends, starts, strict=False) if end + 1 != next_start]
        for end in blocks[:_FIRST_BLOCKS]:
            said, top = self.above(end + 1)
            if said and top not in taken and not _LICENCE.search(said):
                return said
        return ""


def _clean(comments: Iterable[str]) -> str:
    """Texts of comments without their marks, rules and markup."""
    lines: list[str] = []
    for comment in comments:
        own = comment.rstrip("\r\n").split("\n")
        own[0] = _OPENING.sub("", own[0], count=1)
        own[-1] = _CLOSING.sub("", own[-1])
        own[1:] = [_MARGIN.sub("", line, count=1) for line in own[1:]]
        lines += [_TAG.sub("", line).rstrip() for line in own]
    kept = ["" if _RULE.fullmatch(line) else line for line in lines]
    return "\n".join(kept).strip()
