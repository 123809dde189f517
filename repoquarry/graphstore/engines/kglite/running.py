"""Reading queries on a loaded graph."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any

from repoquarry.graphstore.engine import QueryLimits, QueryResult
from repoquarry.graphstore.engines.kglite.errors import translated_errors
from repoquarry.graphstore.engines.kglite.values import View, value_of
from repoquarry.graphstore.engines.plain_parameters import with_plain_parameters
from repoquarry.graphstore.model.values import Value

DISABLED_PASSES = [
    "extract_pushable_rel_predicates",
    "fold_aliasing_with",
    "fuse_optional_match_aggregate",
    "fuse_order_by_top_k",
]
"""Optimiser passes of kglite 0.21 that give wrong rows; see docs/architecture.md."""

_ROWS_AT_ONCE = 1_000


def run(view: View, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
    """Run one reading query in this process."""
    started = time.perf_counter()
    columns, found = answer(view, text, parameters, limits)
    rows = list(found)
    truncated = None
    if limits.rows and len(rows) > limits.rows:
        del rows[limits.rows :]
        truncated = "rows"
    return QueryResult(columns, rows, truncated, time.perf_counter() - started)


def answer(
    view: View, text: str, parameters: Mapping[str, Value], limits: QueryLimits
) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
    """The columns and rows of a reading query; rows become values as they are taken."""
    text, given = with_plain_parameters(text, parameters)
    with translated_errors():
        found = view.graph.cypher(
            text,
            params=given,
            timeout_ms=math.ceil(limits.seconds * 1000) if limits.seconds else None,
            row_limit=limits.rows + 1 if limits.rows else None,
            disabled_passes=DISABLED_PASSES,
            hide_structural_keys=True,
        )
        return tuple(found.columns), _rows(found, view)


def _rows(found: Any, view: View) -> Iterator[tuple[Value, ...]]:
    """The rows as values, a run of them at a time, so that one result never stands in memory as objects."""
    for start in range(0, len(found), _ROWS_AT_ONCE):
        with translated_errors():
            part = found[start : start + _ROWS_AT_ONCE]
            raw = [part.column(column) for column in found.columns]
        for cells in zip(*raw, strict=True):
            yield tuple(value_of(cell, view) for cell in cells)
