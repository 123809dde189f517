"""Columns as frames for engines that load them, with every column's kind taken from the schema.

Nothing is left to guess from the cells, because a guess would depend on what a repository happens to contain: a column of
numbers as text, of lists that are all missing, of integers with a gap. kglite asks a frame for no more than `Frame` has: pandas itself,
which would cost a third of a second and 80 MB, is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from repoquarry.graphstore.model.records import Cell
from repoquarry.graphstore.model.schema import Property, PropertyKind

ROWS_PER_FRAME = 50_000
"""Bounds the memory of one load: a frame and its conversion exist beside the graph."""

_COLUMN_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "integer",
    PropertyKind.FLOAT: "float",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "list",
    PropertyKind.INTEGERS: "list",
}


class Column:
    """Cells of one column, as a series of pandas has them."""

    dtype = "object"

    def __init__(self, cells: list[Any]) -> None:
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    def tolist(self) -> list[Any]:
        """The cells."""
        return self._cells

    def isna(self) -> Column:
        """Of each cell whether it is missing; a NaN, which pandas cannot tell from that, is not."""
        return Column([cell is None for cell in self._cells])


class Frame:
    """Columns of equal length by name, as a data frame of pandas has them."""

    def __init__(self, columns: Mapping[str, list[Cell]]) -> None:
        self._columns = columns
        self.columns = list(columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> Column:
        return Column(self._columns[name])

    def reset_index(self, *, drop: bool) -> Frame:
        """The same: rows have no labels."""
        assert drop  # noqa: S101 - else there would be a column more
        return self


def chunks(columns: Mapping[str, list[Cell]], length: int) -> Iterator[dict[str, list[Cell]]]:
    for start in range(0, length, ROWS_PER_FRAME):
        yield {name: cells[start : start + ROWS_PER_FRAME] for name, cells in columns.items()}


def frame_of(columns: Mapping[str, list[Cell]], properties: Mapping[str, Property]) -> tuple[Frame, dict[str, str]]:
    """A frame, and kglite's names of the kinds that the schema gives its columns."""
    kinds = {name: properties[name].kind if name in properties else PropertyKind.STRING for name in columns}
    return Frame(columns), {name: _COLUMN_TYPES[kind] for name, kind in kinds.items()}
