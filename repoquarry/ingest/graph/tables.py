"""Growing columns: how nodes and relationships are collected before they become a `RepositoryGraph`.

Columns are made from the schema, so a property that the schema does not know cannot be written, and one that is never given is
left away rather than written as a column of nulls. Values go straight into their columns: a record for each of a quarter of a
million relationships would take longer to make than all the rest of assembly. Rows stay in the order in which they come, which
is fixed, because files are read in path order and resolution sorts what it finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property

_ROWS = 4_096
"""Rows that wait to be turned into columns; a few at a time are an append for each cell, all at once twice the memory."""


@dataclass(frozen=True, slots=True)
class Place:
    """A node as an endpoint."""

    label: str
    id: str


class _Columns:
    """Growing columns of one table."""

    def __init__(self, properties: Sequence[Property]) -> None:
        self._names = tuple(prop.name for prop in properties)
        self._known = frozenset(self._names)
        self._columns: dict[str, list[Cell]] = {name: [] for name in self._names}
        self._waiting: list[tuple[Cell, ...]] = []

    def append(self, values: Mapping[str, Cell]) -> None:
        """Add a row; what is not given is null. Raises: KeyError for a property that the schema does not know."""
        self._refuse_unknown(values)
        self._waiting.append(tuple(map(values.get, self._names)))
        if len(self._waiting) >= _ROWS:
            self._flush()

    def extend(self, columns: Mapping[str, Sequence[Cell]], length: int) -> None:
        """Add so many rows, given as columns. Raises: as `append`."""
        self._refuse_unknown(columns)
        self._flush()
        for name, column in self._columns.items():
            column.extend(columns[name] if name in columns else [None] * length)

    def given(self) -> dict[str, list[Cell]]:
        """The columns in which anything is given."""
        self._flush()
        return {name: column for name, column in self._columns.items() if any(value is not None for value in column)}

    def _flush(self) -> None:
        for column, cells in zip(self._columns.values(), zip(*self._waiting, strict=True), strict=False):
            column.extend(cells)
        self._waiting.clear()

    def _refuse_unknown(self, given: Mapping[str, object]) -> None:
        if not given.keys() <= self._known:
            raise KeyError(f"the schema has no properties {sorted(given.keys() - self._known)}")


class Nodes:
    """Nodes of one repository, by label."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._columns = {label: _Columns(known.properties) for label, known in NODE_LABELS.items()}
        self._ids: dict[str, set[str]] = {label: set() for label in NODE_LABELS}

    def add(self, label: str, node_id: str, name: str, /, **properties: Cell) -> Place:
        """Add a node; adding the same one again changes nothing."""
        if node_id not in self._ids[label]:
            self._ids[label].add(node_id)
            properties["id"] = node_id
            properties["repository"] = "" if label == "Package" else self._repository
            properties["name"] = name
            self._columns[label].append(properties)
        return Place(label, node_id)

    def add_all(self, label: str, columns: Mapping[str, Sequence[Cell]]) -> None:
        """Add nodes that are not there yet, column by column; `id` and `name` are among the columns."""
        ids = [str(one) for one in columns["id"]]
        self._ids[label].update(ids)
        self._columns[label].extend({**columns, "repository": [self._repository] * len(ids)}, len(ids))

    def tables(self) -> list[NodeTable]:
        """One table for each label that has nodes."""
        return [NodeTable(label, columns.given()) for label, columns in self._columns.items() if self._ids[label]]


class Relationships:
    """Relationships of one repository, by type and labels. Each pair is added once; see `code_edges` for what is merged."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, str, str], tuple[list[str], list[str]]] = {}
        self._columns: dict[tuple[str, str, str], _Columns] = {}

    def add(self, kind: str, start: Place, end: Place, /, **properties: Cell) -> None:
        """Add a relationship."""
        (starts, ends), columns = self._table(kind, start.label, end.label)
        starts.append(start.id)
        ends.append(end.id)
        columns.append(properties)

    def add_all(
        self, kind: str, labels: tuple[str, str], starts: list[str], ends: list[str], /, **columns: Sequence[Cell]
    ) -> None:
        """Add relationships between nodes of two labels, column by column: the quick way for very many."""
        (all_starts, all_ends), table = self._table(kind, *labels)
        all_starts.extend(starts)
        all_ends.extend(ends)
        table.extend(columns, len(starts))

    def tables(self) -> list[RelationshipTable]:
        """One table for each type and pair of labels, in the schema's order."""
        order = list(RELATIONSHIP_TYPES)
        keys = sorted(self._ends, key=lambda key: (order.index(key[0]), key))
        return [RelationshipTable(*key, *self._ends[key], self._columns[key].given()) for key in keys]

    def _table(self, kind: str, start_label: str, end_label: str) -> tuple[tuple[list[str], list[str]], _Columns]:
        key = kind, start_label, end_label
        if key not in self._ends:
            self._ends[key] = [], []
            self._columns[key] = _Columns(RELATIONSHIP_TYPES[kind].properties)
        return self._ends[key], self._columns[key]


class Batch:
    """Relationships of one type that are found one by one, and added by columns."""

    def __init__(self, kind: str, *names: str) -> None:
        """`names` are the properties that each of them is given."""
        self._kind = kind
        self._names = names
        self._rows: dict[tuple[str, str], list[tuple[Any, ...]]] = {}

    def add(self, start: Place, end: Place, /, *cells: Cell) -> None:
        """Take a relationship with its properties, in the order of the names."""
        self._rows.setdefault((start.label, end.label), []).append((start.id, end.id, *cells))

    def put(self, relationships: Relationships) -> None:
        """Add all of them."""
        for labels, rows in self._rows.items():
            starts, ends, *columns = zip(*rows, strict=True)
            given = dict(zip(self._names, columns, strict=True))
            relationships.add_all(self._kind, labels, list(starts), list(ends), **given)


def known(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    """`properties` without those where nothing is known: null, empty text, empty list."""
    return {name: value for name, value in properties.items() if value is not None and value not in ("", [])}
