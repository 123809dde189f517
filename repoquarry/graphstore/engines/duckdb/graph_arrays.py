"""Columns of a session's graph in memory, read at their first use: nodes by id and name, neighbors, and properties.

They answer what DuckDB would have to plan for milliseconds. A session's files never change, so nothing is ever invalidated.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.syntax.ast import Direction
from repoquarry.graphstore.query.sql.dynamic_values import EntityId
from repoquarry.graphstore.query.sql.path_search import Adjacency
from repoquarry.graphstore.query.sql.sql_types import KIND_BITS, LABELS, TYPES, quote

_MAX_SINGLE_READS: Final = 4
"""Reads of whole rows of one table by SQL, after which all of its columns are loaded."""

_MAX_CACHED_ROWS: Final = 4_000
"""Rows that stay as Python values, about 2 KB each: consecutive lookups name the same nodes."""

_COLUMNS: Final = {
    **{f"n_{name}": [p.name for p in label.properties] for name, label in NODE_LABELS.items()},
    **{f"r_{name}": ["s", "t", *(p.name for p in kind.properties)] for name, kind in RELATIONSHIP_TYPES.items()},
}


class _Table:
    """Loaded columns of one table, in the order of its ids."""

    def __init__(self, ids: npt.NDArray[np.int64]) -> None:
        self.order = None if bool(np.all(ids[1:] > ids[:-1])) else np.argsort(ids)
        self.ids = ids if self.order is None else ids[self.order]
        self.columns: dict[str, Any] = {}

    def add(self, name: str, column: Any) -> None:
        found = column.combine_chunks()
        self.columns[name] = found if self.order is None else found.take(self.order)

    def places(self, ids: Iterable[int]) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.ids, np.fromiter(ids, np.int64))


class GraphArrays:
    """Arrays of one connection. Thread-safe. Of a graph that is not small only single rows are read, by SQL."""

    def __init__(self, connection: Any, *, is_small: bool) -> None:
        self._connection, self.is_small = connection, is_small
        self._guard = threading.RLock()
        self._tables: dict[str, _Table] = {}
        self._indexes: dict[tuple[str, str], dict[str, list[int]]] = {}
        self._neighbors: dict[str, Adjacency] = {}
        self._reads = Counter[str]()
        self._rows: dict[tuple[str, int], dict[str, Any]] = {}

    def find(self, label: str, key: str, value: Any) -> Sequence[int]:
        """Return the ids of the nodes of a label whose property `key`, a string, has a value."""
        index = self._indexes.get((label, key))
        if index is None:
            with self._guard:
                index = self._indexes[label, key] = self._build_index(label, key)
        return index.get(value, ()) if isinstance(value, str) else ()

    def neighbors(self, types: Iterable[str], direction: Direction, node: int) -> Iterator[tuple[int, int]]:
        """Yield the id and the other end of each relationship of a node; a loop comes once."""
        for name in types:
            graph = self._neighbors.get(name)
            if graph is None:
                with self._guard:
                    graph = self._neighbors[name] = self._build_neighbors(name)
            place = int(graph.number(np.array([node]))[0])
            if place < 0:
                continue
            if direction is not Direction.IN:
                yield from _edges(graph, place)
            if direction is not Direction.OUT:
                is_out = direction is Direction.IN
                yield from (edge for edge in _edges(graph.reversed, place) if is_out or edge[1] != node)

    def cell(self, entity: EntityId, key: str) -> Any:
        """Return a property; None if the entity has none of the name."""
        names = LABELS if entity.tag == "n" else TYPES
        name = f"{entity.tag}_{names[entity.id >> KIND_BITS]}"
        if key not in _COLUMNS[name] or key in ("s", "t"):
            return None
        table = self._loaded(name, [key])
        return table.columns[key][int(table.places([entity.id])[0])].as_py()

    def rows(self, name: str, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return the rows of a table with these ids, which exist, in their order; nulls are left out."""
        cached = [self._rows.get((name, number)) for number in ids]
        missing = [number for number, row in zip(ids, cached, strict=True) if row is None]
        read = dict(zip(missing, self._read(name, missing), strict=True)) if missing else {}
        with self._guard:
            for number, row in read.items():
                if len(self._rows) >= _MAX_CACHED_ROWS:
                    self._rows.pop(next(iter(self._rows)))
                self._rows[name, number] = row
        return [dict(read[number] if row is None else row) for number, row in zip(ids, cached, strict=True)]

    def _read(self, name: str, ids: Sequence[int]) -> list[dict[str, Any]]:
        self._reads[name] += 1
        if self._reads[name] <= _MAX_SINGLE_READS or not self.is_small:
            return self._selected(name, ids)
        table = self._loaded(name, _COLUMNS[name])
        places = table.places(ids)
        columns = [(key, table.columns[key].take(places).to_pylist()) for key in _COLUMNS[name]]
        return [{key: cells[row] for key, cells in columns if cells[row] is not None} for row in range(len(ids))]

    def _selected(self, name: str, ids: Sequence[int]) -> list[dict[str, Any]]:
        key = _key(name)
        listed = ", ".join(str(int(number)) for number in ids)
        found = self._connection.cursor().execute(f'SELECT * FROM "{name}" WHERE {key} IN ({listed})')
        columns = [column[0] for column in found.description]
        by_id = {}
        for row in found.fetchall():
            cells = {column: cell for column, cell in zip(columns, row, strict=True) if cell is not None}
            by_id[cells.pop(key)] = cells
        return [by_id[number] for number in ids]

    def _loaded(self, name: str, keys: Sequence[str]) -> _Table:
        """Return a table that has the columns."""
        table = self._tables.get(name)
        if table is not None and all(key in table.columns for key in keys):
            return table
        with self._guard:
            table = self._tables.get(name)
            missing = [key for key in keys if table is None or key not in table.columns]
            shown = ", ".join([_key(name), *map(quote, missing)])
            found = self._connection.cursor().sql(f'SELECT {shown} FROM "{name}"').to_arrow_table()
            if table is None:
                table = _Table(found[_key(name)].to_numpy())
            for key in missing:
                table.add(key, found[key])
            self._tables[name] = table
            return table

    def _build_index(self, label: str, key: str) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        if key in _COLUMNS[f"n_{label}"]:
            table = self._loaded(f"n_{label}", [key])
            for number, value in zip(table.ids.tolist(), table.columns[key].to_pylist(), strict=True):
                index.setdefault(value, []).append(number)
        return index

    def _build_neighbors(self, name: str) -> Adjacency:
        table = self._loaded(f"r_{name}", ["s", "t"])
        return Adjacency.build(table.ids, table.columns["s"].to_numpy(), table.columns["t"].to_numpy())


def _key(table: str) -> str:
    return "nid" if table.startswith("n_") else "rid"


def _edges(graph: Adjacency, place: int) -> Iterator[tuple[int, int]]:
    low, high = int(graph.bounds[place]), int(graph.bounds[place + 1])
    ends = graph.nodes[graph.targets[low:high]]
    return zip(graph.relationships[low:high].tolist(), ends.tolist(), strict=True)
