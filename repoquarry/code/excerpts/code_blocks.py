"""Blocks of a text view: its definitions as a tree with the lines of their heads, and the statements of a body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from repoquarry.code.excerpts.text_view import TextView
from repoquarry.languages.registry import is_source, language_for

_HEADER_LINES = 12
"""Maximum number of lines of a signature that are shown as such."""
_DOC_LINES = 6
_OPENING, _CLOSING = "([{", ")]}"


@dataclass
class CodeBlock:
    """Block of lines (0-based offsets, inclusive) that is chosen or omitted as a unit, and the blocks inside it."""

    start: int
    end: int
    header_end: int
    name: str = ""
    depth: int = 0
    children: list[CodeBlock] = field(default_factory=list)

    def walk(self) -> Iterator[CodeBlock]:
        yield self
        for child in self.children:
            yield from child.walk()

    def lines(self) -> range:
        return range(self.start, self.end + 1)

    def header(self) -> range:
        return range(self.start, self.header_end + 1)

    def own_lines(self) -> list[int]:
        inside = {line for child in self.children for line in child.lines()}
        return [line for line in self.lines() if line not in inside]


def list_blocks(view: TextView, lines: Sequence[str]) -> list[CodeBlock]:
    """List the blocks of a file in source order; the first block is the file itself."""
    first_line = view.first_line or 1
    opening = language_for(view.path).comments.inside if is_source(view.path) else None
    root = CodeBlock(0, len(lines) - 1, -1)
    stack = [root]
    for span in sorted(view.spans, key=lambda item: (item.start_line, -item.end_line)):
        start, end = span.start_line - first_line, span.end_line - first_line
        if start < 0 or start >= len(lines):
            continue
        while len(stack) > 1 and start > stack[-1].end:
            stack.pop()
        header_end = find_header_end(lines, start, end, opening)
        name = span.qualname.rpartition(".")[2]
        block = CodeBlock(start, min(end, stack[-1].end), header_end, name, len(stack))
        stack[-1].children.append(block)
        stack.append(block)
    return list(root.walk())


def find_header_end(lines: Sequence[str], start: int, end: int, opening: re.Pattern[str] | None = None) -> int:
    """Find the last line of decorators and signature; with `opening`, also of the documentation's first paragraph that it begins."""
    balance, closed = 0, -1
    end = min(end, len(lines) - 1)
    for number in range(start, min(end, start + _HEADER_LINES - 1) + 1):
        line = lines[number].strip()
        balance += sum(line.count(mark) for mark in _OPENING) - sum(line.count(mark) for mark in _CLOSING)
        if not line or line.startswith(("@", "#")) or balance > line.endswith("{"):
            continue
        if line.endswith((":", "{")):
            return _find_documentation_end(lines, number, end, opening)
        if closed < 0:  # A language without such marks, or a body in the line.
            closed = number
    return _find_documentation_end(lines, max(closed, start), end, opening)


def _find_documentation_end(lines: Sequence[str], header: int, end: int, opening: re.Pattern[str] | None) -> int:
    if opening is None or header + 1 > end or not (quote := opening.match(lines[header + 1])):
        return header
    mark = quote.group(1)
    for number in range(header + 1, min(end, header + _DOC_LINES) + 1):
        text = lines[number].strip()
        closed = text.count(mark) >= 2 if number == header + 1 else mark in text
        if closed or (number > header + 1 and not text):
            return number
    return min(end, header + _DOC_LINES)


def split_statements(own: Sequence[int], lines: Sequence[str]) -> Iterator[list[int]]:
    """Split lines at the indentation of the outermost statement inside: each part is one statement with its body."""
    filled = [number for number in own if lines[number].strip()]
    if not filled:
        return
    base = min(_indentation(lines[number]) for number in filled[1:]) if len(filled) > 1 else 0
    starts = [number for number in filled if _indentation(lines[number]) <= base]
    for start, after in pairwise([*starts, own[-1] + 1]):
        yield [number for number in own if start <= number < after]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
