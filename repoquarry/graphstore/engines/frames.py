"""Columns as data frames for engines that load them, with every column's kind taken from the schema.

Nothing is left to guess from the cells, because a guess would depend on what a repository happens to contain: a column of
numbers as text, of lists that are all missing, of integers with a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas

from repoquarry.graphstore.model.records import Cell
from repoquarry.graphstore.model.schema import Property, PropertyKind

ROWS_PER_FRAME = 50_000
"""Bounds the memory of one load: a frame and its conversion exist beside the graph."""

_COLUMN_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "integer",
    PropertyKind.FLOAT: "float",
    PropertyKind.STRINGS: "list",
    PropertyKind.INTEGERS: "list",
}


def chunks(columns: Mapping[str, list[Cell]], length: int) -> Iterator[dict[str, list[Cell]]]:
    for start in range(0, length, ROWS_PER_FRAME):
        yield {name: cells[start : start + ROWS_PER_FRAME] for name, cells in columns.items()}


def frame_of(
    columns: Mapping[str, list[Cell]], properties: Mapping[str, Property]
) -> tuple[pandas.DataFrame, dict[str, str]]:
    """A data frame whose columns have the kinds of the schema, and kglite's names of these kinds."""
    kinds = {name: properties[name].kind if name in properties else PropertyKind.STRING for name in columns}
    frame = pandas.DataFrame({name: _series(cells, kinds[name]) for name, cells in columns.items()}, copy=False)
    return frame, {name: _COLUMN_TYPES[kind] for name, kind in kinds.items() if kind in _COLUMN_TYPES}


def _series(cells: list[Cell], kind: PropertyKind) -> pandas.Series[Any]:
    if kind is PropertyKind.INTEGER:
        return pandas.Series(cells, dtype="Int64" if None in cells else "int64")
    if kind is PropertyKind.FLOAT:
        return pandas.Series(cells, dtype="float64")
    return pandas.Series(cells, dtype="object")
