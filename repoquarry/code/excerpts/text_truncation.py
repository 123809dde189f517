"""Truncation of a file or tool result to a token limit, by its structure; the parts that mention the subject of the request stay.

The limit is guaranteed: the real tokenizer counts it. A long body is split further at its indentation, at which its statements nest.
Source of the rules and their numbers: RepoMaster, section 3.3 (8,000 tokens an interaction; chunks of 1,000, best 4).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from repoquarry.code.excerpts.code_blocks import CodeBlock, list_blocks, split_statements
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.search.text_analysis import score_texts, terms
from repoquarry.graphstore.settings import SelectionSettings

_GAP_TOKENS = 24
"""Tokens of a marker for omitted lines with its names, measured on real files."""
_PLAIN_GAP_TOKENS = 16
"""Tokens of a marker without names."""
_BODY_SHARE = 0.6
"""Share of the limit for complete bodies that the subject asks for, before signatures."""
_MIN_MATCH = 0.4
"""Share of the best score that a further body reaches which the subject asks for."""
_MIN_FILL = 0.97
"""Share of the limit from which on a cut file counts as full."""
_MAX_COUNTS = 5
"""Maximum number of times that a file is rendered to count what is left of the limit."""


def _cut_code(view: TextView, subject: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the bodies that the subject asks for, then signatures, then further bodies until the limit is reached."""
    lines = view.lines()
    blocks = list_blocks(view, lines)
    ranked = _rank_blocks(blocks, lines, subject)
    chosen = _Choice(view, lines, settings.view_tokens)
    chosen.add(blocks[0].own_lines()[:1])
    for block, is_asked in ranked:
        if is_asked and block.depth:
            _add_asked(chosen, block, lines, subject)
    for block in sorted((block for block, _ in ranked), key=lambda item: item.depth):
        chosen.add(block.header())
    for block, _ in ranked:
        chosen.add(block.own_lines())
    chosen.fill([block.own_lines() for block, _ in ranked])
    text = chosen.render()
    whole = sum(chosen.lines.issuperset(block.own_lines()) for block in blocks)
    kept = f"{len(chosen.lines)} of {len(lines)} lines: {whole} of {len(blocks)} parts whole, the others by signature"
    return text, kept


def _rank_blocks(blocks: Sequence[CodeBlock], lines: Sequence[str], subject: str) -> list[tuple[CodeBlock, bool]]:
    """Return the blocks, best first: those whose name the subject says, then those whose text fits it; and whether it asks for each."""
    texts = ["\n".join(lines[line] for line in block.own_lines()) for block in blocks]
    scores = score_texts(texts, subject)
    least = max(_MIN_MATCH * max(scores), sys.float_info.min)
    ranked = [
        (-_measure_name(block, subject), -score, block.end - block.start, block.start, block)
        for block, score in zip(blocks, scores, strict=True)
    ]
    ranked.sort(key=lambda item: item[:-1])
    return [(block, named < 0 or -score >= least) for named, score, _, _, block in ranked]


def _measure_name(block: CodeBlock, subject: str) -> float:
    """Return the share of the words of a subject that the name of a block has; 0 for a name with other words."""
    name, wanted = set(terms(block.name)), set(terms(subject))
    return len(name) / len(wanted) if name and name <= wanted else 0.0


def _add_asked(chosen: _Choice, block: CodeBlock, lines: Sequence[str], subject: str) -> None:
    """Add a block with all inside it; if it does not fit, its own lines, or else its statements that mention the subject, best first."""
    if chosen.add(block.lines(), _BODY_SHARE) or chosen.add(block.own_lines(), _BODY_SHARE):
        return
    wanted = set(terms(subject))
    statements = list(split_statements(block.own_lines(), lines))
    matches = [sum(term in wanted for number in part for term in terms(lines[number])) for part in statements]
    for index in sorted(range(len(statements)), key=lambda item: (-matches[item], item)):
        if matches[index]:
            chosen.add(statements[index], _BODY_SHARE)


class _Choice:
    """Lines chosen so far, never over the limit. `numbers` are the line offsets of pieces of lines."""

    def __init__(self, view: TextView, lines: Sequence[str], limit: int, numbers: Sequence[int] | None = None) -> None:
        self.lines: set[int] = set()
        self._added: list[list[int]] = []
        self._view = view
        self._source = lines
        self._limit = limit
        self._numbers = numbers
        # heading and the gaps at both ends; a numbered line costs its number, a space and its newline
        self._gap_tokens = _GAP_TOKENS if view.spans else _PLAIN_GAP_TOKENS
        self._used = token_counting.count_tokens(view.heading) + 3 * self._gap_tokens
        self._costs = [token_counting.count_tokens(line) + 3 for line in lines]

    def add(self, numbers: Iterable[int], share: float = 1.0) -> bool:
        """Add these lines if all of them fit into a share of the limit. Returns whether all of them are chosen now."""
        new = [number for number in numbers if number not in self.lines]
        if not new:
            return True
        touching = sum((number - 1 in self.lines) + (number + 1 in self.lines) for number in (new[0], new[-1]))
        cost = sum(self._costs[number] for number in new) + (self._gap_tokens if touching == 0 else 0)
        if self._used + cost > self._limit * share:
            return False
        self._used += cost
        self.lines.update(new)
        self._added.append(new)
        return True

    def fill(self, parts: Sequence[Sequence[int]]) -> None:
        """Add lines one by one, part by part, until the limit is reached by the true count, which replaces the estimate."""
        for _ in range(_MAX_COUNTS):
            if all(self.add([number]) for part in parts for number in part):
                return
            self._used = token_counting.count_tokens(self._render()) + self._gap_tokens
            if self._used > self._limit * _MIN_FILL:
                return

    def render(self) -> str:
        """Render the chosen lines; drop the newest ones while gaps cost more than estimated."""
        text = self._render()
        while token_counting.count_tokens(text) > self._limit and self._added:
            self.lines.difference_update(self._added.pop())
            text = self._render()
        return text

    def _render(self) -> str:
        return self._view.render_lines(self.lines, self._source, self._numbers)


def _choose(
    view: TextView, lines: Sequence[str], limit: int, *parts: tuple[Iterable[int], float]
) -> tuple[str, set[int]]:
    """Choose lines part by part, each until a share of the limit is used. Returns the text and the chosen lines."""
    chosen = _Choice(view, lines, limit)
    for candidates, share in parts:
        for number in candidates:
            if not chosen.add([number], share):
                break
    return chosen.render(), chosen.lines


TROUBLE = re.compile(
    r"\b(error|exception|traceback|fatal|panic(ked)?|failed|failure|abort(ed)?|denied|not found|segmentation fault)\b"
    r"|^E\s{2,}|\b\w+(Error|Exception)\b",
    re.IGNORECASE,
)
"""Pattern of the lines of a log that report a failure."""

_CONTEXT_LINES = 3
"""Lines that stay around a failure."""
_MAX_LINE_TOKENS = 400
"""Tokens of one line of a log or table; a line may have a megabyte."""
_LONG_LINE_CHARACTERS = 2_000
_FIRST_ROWS = 10
_LAST_ROWS = 3
_MATCHING_ROWS = 20


@dataclass(frozen=True)
class ViewSelection:
    """Truncated view. `method` is empty if nothing was omitted."""

    text: str
    tokens_before: int
    tokens_after: int
    method: str = ""
    kept: str = ""


def truncate_view(view: TextView, subject: str, settings: SelectionSettings) -> ViewSelection:
    """Cut a view to `settings.view_tokens`; the parts stay that mention the subject. 0 means no limit."""
    complete = view.render()
    before = token_counting.count_tokens(complete)
    limit = settings.view_tokens
    if limit == 0 or before <= limit:
        return ViewSelection(complete, before, before)
    if not settings.by_relevance:
        text = token_counting.truncate_end(complete, limit)
        return ViewSelection(text, before, token_counting.count_tokens(text), "beginning", f"{limit} tokens")
    method, cut = _CUTS[_cut_kind(view)]
    text, kept = cut(view, subject, settings)
    text = token_counting.truncate_end(text, limit)
    return ViewSelection(text, before, token_counting.count_tokens(text), method, kept)


def _cut_kind(view: TextView) -> ViewKind:
    """Kind of the cut: code without line breaks, such as minified code, is cut as a document."""
    long = sum(len(line) for line in view.lines() if len(line) > _LONG_LINE_CHARACTERS)
    return ViewKind.DOCUMENT if view.kind is ViewKind.CODE and 2 * long > len(view.text) else view.kind


def _cut_document(view: TextView, subject: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the chunks of a document that match the subject best, in their order in the document."""
    room = max(settings.view_tokens - token_counting.count_tokens(view.heading), 1)
    limit = max(min(settings.chunk_tokens, room // settings.chunks - _GAP_TOKENS), 16)
    numbers, pieces = _split_lines(view.lines(), limit - 4)
    chunks = _chunks(pieces, limit)
    scores = score_texts([" ".join(pieces[number] for number in chunk) for chunk in chunks], subject)
    ranked = sorted(range(len(chunks)), key=lambda number: (-scores[number], number))
    chosen = _Choice(view, pieces, settings.view_tokens, numbers)
    kept = sum(chosen.add(chunks[index]) for index in ranked[: settings.chunks])
    return chosen.render(), f"{kept} of {len(chunks)} chunks of at most {limit} tokens"


def _split_lines(lines: Sequence[str], limit: int) -> tuple[list[int], list[str]]:
    """Split long lines into pieces of at most `limit` tokens. Returns the line offset of each piece, and the pieces."""
    split = [
        (number, piece)
        for number, line in enumerate(lines)
        for piece in (token_counting.split_tokens(line, limit) if len(line) > limit else [line])
    ]
    return [number for number, _ in split], [piece for _, piece in split]


def _chunks(lines: Sequence[str], limit: int) -> list[list[int]]:
    """List runs of line offsets of at most `limit` tokens each, cut at empty lines where possible."""
    chunks: list[list[int]] = []
    current: list[int] = []
    used = 0
    for number, line in enumerate(lines):
        cost = token_counting.count_tokens(line) + 3
        near_end = used > limit * 3 // 4 and not line.strip()
        if current and (used + cost > limit or near_end):
            chunks.append(current)
            current, used = [], 0
        current.append(number)
        used += cost
    return [*chunks, current] if current else chunks


def _cut_log(view: TextView, subject: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the lines around failures, the tail and the head; the last failure ended the run and comes first."""
    lines = _shorten_lines(view)
    trouble = [number for number, line in enumerate(lines) if TROUBLE.search(line)]
    around = [
        near
        for number in reversed(trouble)
        for near in range(max(0, number - _CONTEXT_LINES), min(len(lines), number + _CONTEXT_LINES + 1))
    ]
    every = range(len(lines))
    text, kept = _choose(view, lines, settings.view_tokens, (around, 0.4), (reversed(every), 0.8), (every, 1.0))
    shown = len(kept.intersection(trouble))
    return text, f"{len(kept)} of {len(lines)} lines: head, tail and {shown} lines with errors"


def _cut_rows(view: TextView, subject: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the rows with the most weight, the first ones of those with the same."""
    lines = _shorten_lines(view)
    ranked = sorted(range(len(lines)), key=lambda line: -view.weights[line]) if view.weights else range(len(lines))
    text, kept = _choose(view, lines, settings.view_tokens, (ranked, 1.0))
    return text, f"the first {len(kept)} of {len(lines)} rows"


def _cut_table(view: TextView, subject: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the header, the first and last rows, rows that mention the subject, and an even sample."""
    lines = _shorten_lines(view)
    scores = score_texts(lines, subject)
    matching = [number for number in sorted(range(len(lines)), key=lambda at: -scores[at]) if scores[number] > 0]
    ends = [*range(min(_FIRST_ROWS, len(lines))), *reversed(range(max(len(lines) - _LAST_ROWS, 0), len(lines)))]
    costs = [token_counting.count_tokens(line) + _PLAIN_GAP_TOKENS for line in lines[:_MATCHING_ROWS]]
    count = max(settings.view_tokens * len(costs) // (2 * sum(costs)), 1)
    sample = range(0, len(lines), max(len(lines) // count, 1))
    parts = (ends, 0.3), (matching[:_MATCHING_ROWS], 0.6), (sample, 1.0)
    text, kept = _choose(view, lines, settings.view_tokens, *parts)
    return text, f"{len(kept)} of {len(lines)} lines: header, first, last and matching rows, and a sample"


def _shorten_lines(view: TextView) -> list[str]:
    return [
        token_counting.truncate_end(line, _MAX_LINE_TOKENS) if len(line) > _MAX_LINE_TOKENS else line
        for line in view.lines()
    ]


_Cut = Callable[[TextView, str, SelectionSettings], tuple[str, str]]
_CUTS: Mapping[ViewKind, tuple[str, _Cut]] = {
    ViewKind.CODE: ("subtrees", _cut_code),
    ViewKind.DOCUMENT: ("chunks", _cut_document),
    ViewKind.TABLE: ("sample", _cut_table),
    ViewKind.LOG: ("head_and_tail", _cut_log),
    ViewKind.ROWS: ("rows", _cut_rows),
}
