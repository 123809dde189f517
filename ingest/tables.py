"""Growing columns: how nodes and relationships are collected before they become a `RepositoryGraph`.

Columns are made from the schema, so a property that the schema does not know cannot be written, and one that is never given is
left away rather than written as a column of nulls. Tables are sorted when they are finished: equal content is equal bytes,
whatever the order in which files were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphstore.records import Cell, NodeTable, RelationshipTable
from graphstore.schema import NODE_LABELS, RELATIONSHIP_TYPES


@dataclass(frozen=True)
class Place:
    """A node as an endpoint."""

    label: str
    id: str


class Nodes:
    """Nodes of one repository, by label and id."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._rows: dict[str, dict[str, dict[str, Cell]]] = {label: {} for label in NODE_LABELS}

    def add(self, label: str, node_id: str, name: str, /, **properties: Cell) -> Place:
        """Add a node; adding the same one again changes nothing."""
        repository = "" if label == "Package" else self._repository
        self._rows[label].setdefault(node_id, {"id": node_id, "repository": repository, "name": name, **properties})
        return Place(label, node_id)

    def tables(self) -> list[NodeTable]:
        """One table for each label that has nodes, rows by id."""
        tables = []
        for label, rows in self._rows.items():
            if rows:
                ordered = [rows[node_id] for node_id in sorted(rows)]
                tables.append(NodeTable(label, _columns(ordered, [p.name for p in NODE_LABELS[label].properties])))
        return tables


class Relationships:
    """Relationships of one repository, by type, labels and pair."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], dict[tuple[str, str], dict[str, Cell]]] = {}

    def add(self, kind: str, start: Place, end: Place, /, **properties: Cell) -> None:
        """Add a relationship; adding a pair again changes nothing (merge its properties first)."""
        rows = self._rows.setdefault((kind, start.label, end.label), {})
        rows.setdefault((start.id, end.id), properties)

    def tables(self) -> list[RelationshipTable]:
        """One table for each type and pair of labels, in the schema's order, rows by pair."""
        order = list(RELATIONSHIP_TYPES)
        tables = []
        for key in sorted(self._rows, key=lambda key: (order.index(key[0]), key)):
            rows = self._rows[key]
            pairs = sorted(rows)
            names = [prop.name for prop in RELATIONSHIP_TYPES[key[0]].properties]
            columns = _columns([rows[pair] for pair in pairs], names)
            tables.append(RelationshipTable(*key, [pair[0] for pair in pairs], [pair[1] for pair in pairs], columns))
        return tables


def _columns(rows: list[dict[str, Cell]], names: list[str]) -> dict[str, list[Cell]]:
    unknown = {name for row in rows for name in row} - set(names)
    if unknown:
        raise KeyError(f"the schema has no properties {sorted(unknown)}")
    given = {name for row in rows for name, value in row.items() if value is not None}
    return {name: [row.get(name) for row in rows] for name in names if name in given}


def known(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    """`properties` without those where nothing is known: null, empty text, empty list."""
    return {name: value for name, value in properties.items() if value is not None and value not in ("", [])}
