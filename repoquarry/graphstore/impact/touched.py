"""The definitions that changed lines lie in: the innermost one of each line, the file itself where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition
from repoquarry.graphstore.impact.patches import FileChange, Span


def touched_by(reader: CodeReader, repository: str, changes: Iterable[FileChange]) -> list[Definition]:
    """Definitions and files that some changes touch, by path and line; files that are not indexed are left out."""
    found: dict[str, Definition] = {}
    for change in changes:
        module = reader.module(repository, change.path)
        if module is None:
            continue
        inside = reader.inside(repository, change.path)
        for span in change.spans:
            found.update({item.id: item for item in _in_span(module, inside, span)})
    return sorted(found.values(), key=lambda item: (item.path, item.start_line, item.id))


def _in_span(module: Definition, inside: Sequence[Definition], span: Span) -> list[Definition]:
    first, last = span
    if last < first:  # put in between two lines: only what holds both is touched
        around = [item for item in inside if item.start_line < first <= item.end_line]
        return [min(around, key=_length)] if around else [module]
    near = [item for item in inside if item.start_line <= last and first <= item.end_line]
    chosen: dict[str, Definition] = {}
    for line in range(first, last + 1):
        around = [item for item in near if item.start_line <= line <= item.end_line]
        item = min(around, key=_length) if around else module
        chosen[item.id] = item
    return list(chosen.values())


def _length(item: Definition) -> int:
    return item.end_line - item.start_line
