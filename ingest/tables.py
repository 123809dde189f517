"""Growing columns: how nodes and relationships are collected before they become a `RepositoryGraph`.

Columns are made from the schema, so a property that the schema does not know cannot be written, and one that is never given is
left away rather than written as a column of nulls. Values go straight into their columns: a record for each of a quarter of a
million relationships would take longer to make than all the rest of assembly. Rows stay in the order in which they come, which
is fixed, because files are read in path order and resolution sorts what it finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphstore.records import Cell, NodeTable, RelationshipTable
from graphstore.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property

_Columns = dict[str, list[Cell]]


@dataclass(frozen=True, slots=True)
class Place:
    """A node as an endpoint."""

    label: str
    id: str


class Nodes:
    """Nodes of one repository, by label."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._columns = {label: _empty(known.properties) for label, known in NODE_LABELS.items()}
        self._ids: dict[str, set[str]] = {label: set() for label in NODE_LABELS}

    def add(self, label: str, node_id: str, name: str, /, **properties: Cell) -> Place:
        """Add a node; adding the same one again changes nothing."""
        if node_id not in self._ids[label]:
            self._ids[label].add(node_id)
            repository = "" if label == "Package" else self._repository
            _append(self._columns[label], {"id": node_id, "repository": repository, "name": name, **properties})
        return Place(label, node_id)

    def tables(self) -> list[NodeTable]:
        """One table for each label that has nodes."""
        return [NodeTable(label, _given(columns)) for label, columns in self._columns.items() if columns["id"]]


class Relationships:
    """Relationships of one repository, by type and labels. Each pair is added once; see `code_edges` for what is merged."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str, str], RelationshipTable] = {}

    def add(self, kind: str, start: Place, end: Place, /, **properties: Cell) -> None:
        """Add a relationship."""
        key = kind, start.label, end.label
        table = self._tables.get(key)
        if table is None:
            columns = _empty(RELATIONSHIP_TYPES[kind].properties)
            table = self._tables[key] = RelationshipTable(*key, [], [], columns)
        table.start.append(start.id)
        table.end.append(end.id)
        _append(table.columns, properties)

    def tables(self) -> list[RelationshipTable]:
        """One table for each type and pair of labels, in the schema's order."""
        order = list(RELATIONSHIP_TYPES)
        keys = sorted(self._tables, key=lambda key: (order.index(key[0]), key))
        found = [self._tables[key] for key in keys]
        return [
            RelationshipTable(
                table.type, table.start_label, table.end_label, table.start, table.end, _given(table.columns)
            )
            for table in found
        ]


def code_id(repository: str, path: str, key: str = "") -> str:
    """The id of a file's node, or of the definition in it that has this key."""
    return f"{repository}:{path}::{key}" if key else f"{repository}:{path}"


def known(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    """`properties` without those where nothing is known: null, empty text, empty list."""
    return {name: value for name, value in properties.items() if value is not None and value not in ("", [])}


def _empty(properties: Sequence[Property]) -> _Columns:
    return {prop.name: [] for prop in properties}


def _append(columns: _Columns, values: Mapping[str, Cell]) -> None:
    if not values.keys() <= columns.keys():
        raise KeyError(f"the schema has no properties {sorted(values.keys() - columns.keys())}")
    for name, column in columns.items():
        column.append(values.get(name))


def _given(columns: _Columns) -> _Columns:
    return {name: column for name, column in columns.items() if any(value is not None for value in column)}
