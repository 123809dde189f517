"""Cuts code to the subtrees that matter for a task: signatures first, then the bodies that speak of it.

The definitions' lines come from the graph, so no parser is needed here and every indexed language is cut alike. A body that
is too long on its own is split further at its indentation, which is how its statements nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from repoquarry.agent.views.relevance import relevance
from repoquarry.agent.views.view import View
from repoquarry.graphstore import tokens
from repoquarry.graphstore.text import terms
from repoquarry.languages.registry import is_source, language_for

_HEADER_LINES = 12  # a signature longer than this is cut: the rest of it is in the graph
_DOC_LINES = 6
_GAP_TOKENS = 24  # measured on real files: what a marker for left-out lines costs, names included
_OPENING, _CLOSING = "([{", ")]}"


@dataclass
class Block:
    """A run of lines (0-based offsets, inclusive) that stands or falls together, and the blocks inside it."""

    start: int
    end: int
    header_end: int
    depth: int = 0
    children: list[Block] = field(default_factory=list)

    def walk(self) -> Iterator[Block]:
        yield self
        for child in self.children:
            yield from child.walk()

    def own_lines(self) -> list[int]:
        inside = {line for child in self.children for line in range(child.start, child.end + 1)}
        return [line for line in range(self.start, self.end + 1) if line not in inside]


def cut_code(view: View, task: str, limit: int) -> tuple[str, str]:
    """Cut a code view to at most `limit` tokens. Returns the rendered text and what was kept, in words."""
    lines = view.lines()
    blocks = _blocks(view, lines)
    chosen = _Choice(view, lines, limit)
    scores = _scores(blocks, lines, task)
    top = [number for block in blocks if block.depth == 0 for number in block.own_lines()[:1]]
    chosen.add(top)
    for block in sorted(blocks, key=lambda item: (-scores[id(item)], item.depth, item.start)):
        chosen.add(range(block.start, block.header_end + 1))
    ranked = sorted(blocks, key=lambda item: (-scores[id(item)], item.end - item.start, item.start))
    whole = sum(_keep_body(chosen, block, lines, task) for block in ranked)
    text = chosen.render()
    kept = f"{len(chosen.lines)} of {len(lines)} lines: {whole} of {len(blocks)} parts whole, the others by signature"
    return text, kept


class _Choice:
    """The lines chosen so far, never over the limit."""

    def __init__(self, view: View, lines: Sequence[str], limit: int) -> None:
        self.lines: set[int] = set()
        self._added: list[list[int]] = []
        self._view = view
        self._source = lines
        self._limit = limit
        # heading and the gaps at both ends; a numbered line costs its number, a space and its newline
        self._used = tokens.count(view.heading) + 3 * _GAP_TOKENS
        self._costs = [tokens.count(line) + 3 for line in lines]

    def add(self, numbers: Iterable[int]) -> bool:
        """Take these lines if they fit. Returns whether all of them are chosen now."""
        new = [number for number in numbers if number not in self.lines]
        if not new:
            return True
        touching = sum((number - 1 in self.lines) + (number + 1 in self.lines) for number in (new[0], new[-1]))
        cost = sum(self._costs[number] for number in new) + (_GAP_TOKENS if touching == 0 else 0)
        if self._used + cost > self._limit:
            return False
        self._used += cost
        self.lines.update(new)
        self._added.append(new)
        return True

    def render(self) -> str:
        """The chosen lines; gives back the last ones taken while gaps cost more than was reckoned."""
        text = self._view.render_lines(self.lines, self._source)
        while tokens.count(text) > self._limit and self._added:
            self.lines.difference_update(self._added.pop())
            text = self._view.render_lines(self.lines, self._source)
        return tokens.head(text, self._limit)


def _keep_body(chosen: _Choice, block: Block, lines: Sequence[str], task: str) -> bool:
    """Take a block's own lines, or if they do not fit its statements that speak of the task, best first."""
    own = block.own_lines()
    if chosen.add(own):
        return True
    wanted = set(terms(task))
    statements = list(_statements(own, lines))
    matches = [sum(term in wanted for number in part for term in terms(lines[number])) for part in statements]
    for index in sorted(range(len(statements)), key=lambda item: (-matches[item], item)):
        if matches[index]:
            chosen.add(statements[index])
    return False


def _statements(own: Sequence[int], lines: Sequence[str]) -> Iterator[list[int]]:
    """Split lines at the indentation of the outermost statement inside: each part is one statement with what it holds."""
    filled = [number for number in own if lines[number].strip()]
    if not filled:
        return
    base = min(_indentation(lines[number]) for number in filled[1:]) if len(filled) > 1 else 0
    starts = [number for number in filled if _indentation(lines[number]) <= base]
    for start, after in pairwise([*starts, own[-1] + 1]):
        yield [number for number in own if start <= number < after]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _blocks(view: View, lines: Sequence[str]) -> list[Block]:
    """The file as a tree of definitions, as a flat list in source order; the first block is the file itself."""
    first_line = view.first_line or 1
    opening = language_for(view.path).comments.inside if is_source(view.path) else None
    root = Block(0, len(lines) - 1, -1)
    stack = [root]
    for span in sorted(view.spans, key=lambda item: (item.start_line, -item.end_line)):
        start, end = span.start_line - first_line, span.end_line - first_line
        if start < 0 or start >= len(lines):
            continue
        while len(stack) > 1 and start > stack[-1].end:
            stack.pop()
        block = Block(start, min(end, stack[-1].end), _header_end(lines, start, end, opening), len(stack))
        stack[-1].children.append(block)
        stack.append(block)
    return list(root.walk())


def _header_end(lines: Sequence[str], start: int, end: int, opening: re.Pattern[str] | None) -> int:
    """Offset of the last line of decorators, signature and the first paragraph of the documentation."""
    balance, last = 0, start
    for number in range(start, min(end, start + _HEADER_LINES - 1, len(lines) - 1) + 1):
        line = lines[number].strip()
        balance += sum(line.count(mark) for mark in _OPENING) - sum(line.count(mark) for mark in _CLOSING)
        last = number
        if not line.startswith(("@", "#")) and line.endswith((":", "{")) and balance <= line.endswith("{"):
            break
    return _documentation_end(lines, last, min(end, len(lines) - 1), opening)


def _documentation_end(lines: Sequence[str], header: int, end: int, opening: re.Pattern[str] | None) -> int:
    """Where the documentation behind a head ends that stands inside of a definition, as `opening` begins it."""
    if opening is None or header + 1 > end or not (quote := opening.match(lines[header + 1])):
        return header
    mark = quote.group(1)
    for number in range(header + 1, min(end, header + _DOC_LINES) + 1):
        text = lines[number].strip()
        closed = text.count(mark) >= 2 if number == header + 1 else mark in text
        if closed or (number > header + 1 and not text):
            return number
    return min(end, header + _DOC_LINES)


def _scores(blocks: Sequence[Block], lines: Sequence[str], task: str) -> dict[int, float]:
    """How much each block's own lines speak of the task."""
    texts = ["\n".join(lines[line] for line in block.own_lines()) for block in blocks]
    return {id(block): score for block, score in zip(blocks, relevance(texts, task), strict=True)}
