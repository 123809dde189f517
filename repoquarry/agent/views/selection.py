"""Information selection: cuts what a tool shows to a number of tokens, by the structure that the text has.

Stands between every tool and the policy. The limit is a promise counted with the real tokenizer: what leaves here is never
longer. Source of the rules and their numbers: RepoMaster, section 3.3 (8,000 tokens an interaction; chunks of 1,000, best 4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from repoquarry.agent.settings import SelectionSettings
from repoquarry.agent.views.relevance import relevance
from repoquarry.agent.views.subtrees import cut_code
from repoquarry.agent.views.view import View, ViewKind
from repoquarry.graphstore import tokens

TROUBLE = re.compile(
    r"\b(error|exception|traceback|fatal|panic(ked)?|failed|failure|abort(ed)?|denied|not found|segmentation fault)\b"
    r"|^E\s{2,}|\b\w+(Error|Exception)\b",
    re.IGNORECASE,
)
"""What a line of a log says when something went wrong."""

_CONTEXT_LINES = 3  # lines kept around a line of trouble
_LONGEST_LINE = 400  # tokens; one line of a log may be a megabyte


@dataclass(frozen=True)
class Selection:
    """What is left of a view. `method` is empty when the whole view stayed."""

    text: str
    tokens_before: int
    tokens_after: int
    method: str = ""
    kept: str = ""


def select(view: View, task: str, settings: SelectionSettings) -> Selection:
    """Cut a view to `settings.view_tokens`, keeping what speaks of the task; a view within the limit is left alone."""
    whole = view.render()
    before = tokens.count(whole)
    limit = settings.view_tokens
    if limit == 0 or before <= limit:
        return Selection(whole, before, before)
    method, cut = _CUTS[view.kind]
    text, kept = cut(view, task, settings)
    text = tokens.head(text, limit)
    return Selection(text, before, tokens.count(text), method, kept)


def _cut_code(view: View, task: str, settings: SelectionSettings) -> tuple[str, str]:
    return cut_code(view, task, settings.view_tokens)


def _cut_document(view: View, task: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the chunks of a document that match the task best, in their order in the document."""
    lines = view.lines()
    chunks = _chunks(lines, settings.chunk_tokens)
    scores = relevance([" ".join(lines[number] for number in chunk) for chunk in chunks], task)
    ranked = sorted(range(len(chunks)), key=lambda number: (-scores[number], number))
    room = settings.view_tokens - tokens.count(view.heading)
    kept: list[int] = []
    for index in ranked[: settings.chunks]:
        trial = sorted([*kept, index])
        if tokens.count(view.render_lines([line for chunk in trial for line in chunks[chunk]], lines)) <= room:
            kept = trial
    text = view.render_lines([line for index in kept for line in chunks[index]], lines)
    return text, f"{len(kept)} of {len(chunks)} chunks of at most {settings.chunk_tokens} tokens"


def _chunks(lines: Sequence[str], limit: int) -> list[list[int]]:
    """Runs of line offsets of at most `limit` tokens each, cut at empty lines where there are some."""
    chunks: list[list[int]] = []
    current: list[int] = []
    used = 0
    for number, line in enumerate(lines):
        cost = tokens.count(line) + 3
        near_end = used > limit * 3 // 4 and not line.strip()
        if current and (used + cost > limit or near_end):
            chunks.append(current)
            current, used = [], 0
        current.append(number)
        used += cost
    return [*chunks, current] if current else chunks


def _cut_log(view: View, task: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the start, the end and, before both, the lines around errors; the last error first, for it ended the run."""
    lines = [tokens.head(line, _LONGEST_LINE) if len(line) > _LONGEST_LINE else line for line in view.lines()]
    costs = [tokens.count(line) + 1 for line in lines]
    room = settings.view_tokens - tokens.count(view.heading) - 64  # 64: the markers of the gaps
    kept: set[int] = set()
    trouble = [number for number, line in enumerate(lines) if TROUBLE.search(line)]
    around = [
        near
        for number in reversed(trouble)
        for near in range(max(0, number - _CONTEXT_LINES), min(len(lines), number + _CONTEXT_LINES + 1))
    ]
    _fill(kept, around, costs, room * 2 // 5)
    _fill(kept, list(reversed(range(len(lines)))), costs, room * 4 // 5)
    _fill(kept, list(range(len(lines))), costs, room)
    text = view.render_lines(kept, lines)
    while tokens.count(text) > settings.view_tokens and kept:
        kept.remove(max(kept - set(trouble), default=max(kept)))
        text = view.render_lines(kept, lines)
    return (
        text,
        f"{len(kept)} of {len(lines)} lines: head, tail and {len(kept.intersection(trouble))} lines with errors",
    )


def _fill(kept: set[int], candidates: Sequence[int], costs: Sequence[int], limit: int) -> None:
    """Add candidates in their order until the lines kept cost `limit` tokens."""
    used = sum(costs[number] for number in kept)
    for number in candidates:
        if number in kept:
            continue
        if used + costs[number] > limit:
            return
        kept.add(number)
        used += costs[number]


def _cut_rows(view: View, task: str, settings: SelectionSettings) -> tuple[str, str]:
    """Keep the first rows: whoever made them put the best first."""
    lines = view.lines()
    kept: set[int] = set()
    room = settings.view_tokens - tokens.count(view.heading) - 32  # 32: the marker at the end
    _fill(kept, list(range(len(lines))), [tokens.count(line) + 1 for line in lines], room)
    return view.render_lines(kept, lines), f"the first {len(kept)} of {len(lines)} rows"


_Cut = Callable[[View, str, SelectionSettings], tuple[str, str]]
_CUTS: Mapping[ViewKind, tuple[str, _Cut]] = {
    ViewKind.CODE: ("subtrees", _cut_code),
    ViewKind.DOCUMENT: ("chunks", _cut_document),
    ViewKind.LOG: ("head_and_tail", _cut_log),
    ViewKind.ROWS: ("rows", _cut_rows),
}
