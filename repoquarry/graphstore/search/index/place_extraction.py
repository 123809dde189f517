"""Extraction of searchable places (files, classes, functions) and their edges from a graph; finds the lines of their documentation.

Documentation is located by the summary with which it starts, without a parser. Inside a definition it starts after a quote at the start
of a line, and ends at the next such quote; above a definition it is the comment that ends on the preceding line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.graph_tables import NodeTable, RepositoryGraph
from repoquarry.graphstore.search.index.places import (
    CLASS,
    DOCUMENT,
    EDGES,
    FUNCTION,
    LABELS,
    MODULE,
    DefinitionSpans,
    PlaceColumns,
    Places,
    line_starts,
)
from repoquarry.graphstore.search.index.postings import Integers, Reals
from repoquarry.languages.language import CommentSyntax
from repoquarry.languages.registry import is_source, language_for

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.places import Mask

_HEAD_WORDS: Final = 3
"""Number of words of the summary to find: a longer sentence may continue in the next line."""
_OPENING: Final = re.compile(r"^[ \t]*[A-Za-z]{0,2}(\"{3}|'{3}|`{3}|[\"'`])\\?\s*\Z", re.MULTILINE)
_WIDEST: Final = 400
"""Maximum characters between the summary and its quote."""
_MAX_COMMENT_LINES: Final = 400
"""Maximum lines of a comment."""
_WORDS: Final = re.compile(r"\S+")


def mark_documentation_lines(standing: DefinitionSpans, text: str) -> Mask:
    """Return (lines,) a mask of the documentation lines of a file's definitions, from quote to quote."""
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


def find_leading_comments(standing: DefinitionSpans, text: str) -> list[tuple[int, int, int]]:
    """Return (place, first, last line) of each comment above a definition that is its documentation; lines are 0-based."""
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


def _comment_begins(lines: Sequence[str], last: int, comments: CommentSyntax) -> int:
    """Return the first line of the comment that ends on a line; the following line if none does."""
    text = lines[last].strip()
    for opening, closing in comments.block:
        if text.endswith(closing):
            for number in range(last, max(-1, last - _MAX_COMMENT_LINES), -1):
                if lines[number].lstrip().startswith(opening):
                    return number
    first = last + 1
    while (
        first > max(0, last - _MAX_COMMENT_LINES)
        and comments.line
        and lines[first - 1].lstrip().startswith(comments.line)
    ):
        first -= 1
    return first


def _documentation(text: str, head: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the offsets of the opening and closing quote of the documentation between `start` and `end`; None without any."""
    begin = text.find(head, start, end)
    if begin < 0:
        return None
    opening = _OPENING.search(text, max(start, begin - _WIDEST), begin)
    if opening is None:
        return None
    closing = text.find(opening.group(1), begin + len(head), end)
    return (opening.start(1), closing) if closing >= 0 else None


@dataclass(frozen=True)
class EdgeArrays:
    """Edges between nodes as arrays, which are read faster than tables of ids."""

    ids: Sequence[str]
    by_type: Mapping[str, tuple[Integers, Integers, NDArray[Any]]]
    """Relationship type -> starts and ends as positions in `ids`, and number of sites."""


@dataclass(frozen=True)
class OrderedPlaces:
    """Places in their order with all data that depends on texts only, not on resolution."""

    ids: list[str]
    """Ids of all nodes, table by table."""
    rows: list[int]
    """Position of each place's node in `ids`."""
    columns: PlaceColumns
    """Columns without module names."""
    label: NDArray[np.int8]
    file: Integers
    start_line: Integers
    end_line: Integers

    @classmethod
    def of(cls, repository: str, tables: Sequence[NodeTable]) -> OrderedPlaces:
        """Sort places by path, then by position, outer definitions first."""
        tables = _of_places(tables)
        labels = [LABELS.index(table.label) for table in tables for _ in range(len(table))]
        ids, paths = _gathered(tables, "id"), _gathered(tables, "path")
        starts, ends = _numbers(tables, "start_line"), _numbers(tables, "end_line")
        keys = list(zip(paths, starts.tolist(), (-ends).tolist(), ids, strict=True))
        order = sorted(range(len(ids)), key=keys.__getitem__)
        files = [row for row in order if labels[row] in (MODULE, DOCUMENT)]
        file_of = {paths[row]: number for number, row in enumerate(files)}
        rows = files + [row for row in order if labels[row] in (CLASS, FUNCTION) and paths[row] in file_of]
        columns = PlaceColumns(
            repository=repository,
            paths=[paths[row] for row in files],
            languages=_texts(tables, files, "language"),
            dotted=[],
            keys=[ids[row].partition("::")[2] if labels[row] in (CLASS, FUNCTION) else "" for row in rows],
            kinds=[kind or "module" for kind in _texts(tables, rows, "kind", "format")],
            summaries=[
                text.strip().split("\n", 1)[0][:200]
                for text in _texts(tables, rows, "purpose", "summary", "docstring", "heading")
            ],
            signatures=_texts(tables, rows, "signature"),
        )
        return cls(
            ids,
            rows,
            columns,
            label=np.array(labels, dtype=np.int8)[rows],
            file=np.array([file_of[paths[row]] for row in rows], dtype=np.int32),
            start_line=starts[rows].astype(np.int32),
            end_line=ends[rows].astype(np.int32),
        )

    def fits(self, graph: RepositoryGraph) -> bool:
        return self.ids == _gathered(_of_places(graph.nodes), "id")


def extract_places(
    graph: RepositoryGraph, edges: EdgeArrays | None = None, arranged: OrderedPlaces | None = None
) -> Places:
    """Extract the searchable places and the edges between them from a repository's graph; `edges` are additional ones.

    `arranged` are the places of the same nodes, sorted in advance.
    """
    if arranged is None or not arranged.fits(graph):
        arranged = OrderedPlaces.of(graph.repository, graph.nodes)
    tables, rows, files = _of_places(graph.nodes), arranged.rows, len(arranged.columns.paths)
    place_of = {arranged.ids[row]: place for place, row in enumerate(rows)}
    start, end, kind, weight = _edges(graph, edges, place_of)
    parent = np.full(len(rows), -1, dtype=np.int32)
    defines = kind == EDGES.index("DEFINES")
    parent[end[defines]] = start[defines]
    names = [
        str(cell)
        for table in tables
        for cell in (table.columns["name"] if table.label == "Module" else [""] * len(table))
    ]
    return Places(
        msgspec.structs.replace(arranged.columns, dotted=[names[row] for row in rows[:files]]),
        label=arranged.label,
        file=arranged.file,
        start_line=arranged.start_line,
        end_line=arranged.end_line,
        parent=parent,
        is_test=_numbers(tables, "is_test")[rows].astype(np.bool_),
        is_generated=_numbers(tables, "is_generated")[rows].astype(np.bool_),
        is_core=_numbers(tables, "is_core")[rows].astype(np.bool_),
        importance=_numbers(tables, "importance")[rows].astype(np.float32),
        calls_in=_numbers(tables, "calls_in")[rows].astype(np.float32),
        edge_start=start,
        edge_end=end,
        edge_kind=kind,
        edge_weight=weight,
    )


def _of_places(tables: Sequence[NodeTable]) -> list[NodeTable]:
    """Return the tables of searchable nodes, in the order of their labels."""
    return sorted((table for table in tables if table.label in LABELS), key=lambda table: LABELS.index(table.label))


def _gathered(tables: Sequence[NodeTable], name: str) -> list[Any]:
    return [cell for table in tables for cell in table.columns.get(name) or [None] * len(table)]


def _numbers(tables: Sequence[NodeTable], name: str) -> NDArray[np.float64]:
    """Return a column of all tables as numbers, 0 if unknown."""
    return np.array([cell or 0 for cell in _gathered(tables, name)], dtype=np.float64)


def _texts(tables: Sequence[NodeTable], rows: Sequence[int], *names: str) -> list[str]:
    """Return for each row the first non-empty cell of these columns, otherwise an empty string."""
    found: list[str] = [""] * len(rows)
    for name in names:
        cells = _gathered(tables, name)
        found = [text or cells[row] or "" for text, row in zip(found, rows, strict=True)]
    return found


def _edges(
    graph: RepositoryGraph, numbered: EdgeArrays | None, place_of: Mapping[str, int]
) -> tuple[Integers, Integers, NDArray[np.int8], Reals]:
    """Return starts, ends, kinds and weights, sorted; `place_of` maps ids to places."""
    parts: list[tuple[Integers, Integers, NDArray[np.int8], Reals]] = []

    def add(name: str, start: Integers, end: Integers, weight: NDArray[Any]) -> None:
        known = (start >= 0) & (end >= 0)
        kind = np.full(int(known.sum()), EDGES.index(name), dtype=np.int8)
        parts.append((start[known], end[known], kind, weight[known].astype(np.float32)))

    for table in graph.relationships:
        if table.type in EDGES and table.start_label in LABELS and table.end_label in LABELS:
            counts = table.columns.get("count") or [1] * len(table)
            weight = np.array([1 if count is None else count for count in counts], dtype=np.float32)
            add(table.type, _places(table.start, place_of), _places(table.end, place_of), weight)
    if numbered is not None:
        places = _places(numbered.ids, place_of)
        for name, (first, second, sites) in numbered.by_type.items():
            add(name, places[first], places[second], sites)
    columns = list(zip(*parts, strict=True)) or [()] * 4
    dtypes = np.int32, np.int32, np.int8, np.float32
    starts, ends, kinds, weights = (
        np.concatenate([np.zeros(0, dtype=dtype), *found]) for found, dtype in zip(columns, dtypes, strict=True)
    )
    order = np.lexsort((ends, starts, kinds))
    return starts[order], ends[order], kinds[order], weights[order]


def _places(ids: Sequence[str], known: Mapping[str, int]) -> Integers:
    """Return the place of each id, -1 if there is none."""
    return np.fromiter(map(known.get, ids, repeat(-1)), dtype=np.int32, count=len(ids))
