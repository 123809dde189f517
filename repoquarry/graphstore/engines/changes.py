"""What must change in a stored graph so that it equals a given one: the plan of a write, as places in the given tables.

For engines where writing is dear and reading is cheap. Rows stay in their columns until they are sent, and stored rows are
compared as they stream in, so that neither graph exists a second time in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from repoquarry.graphstore.model.changes import GraphChanges, Joined, Pair, joined_of, same
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES

Row = tuple[int, int]
"""A place: which table of its kind, and which row in it."""


@dataclass
class NodeChanges:
    """Changes of one label: rows to create, rows to overwrite, ids to delete."""

    create: list[Row] = field(default_factory=list)
    update: list[Row] = field(default_factory=list)
    delete: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.create) + len(self.update) + len(self.delete)


@dataclass
class RelationshipChanges:
    """Changes of one kind of relationship; `delete` holds the pairs of ids."""

    create: list[Row] = field(default_factory=list)
    update: list[Row] = field(default_factory=list)
    delete: list[Pair] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.create) + len(self.update) + len(self.delete)


class Tables:
    """The tables of a graph by label and by kind of relationship, with rows as maps without what is missing."""

    def __init__(self, graph: RepositoryGraph) -> None:
        self.repository = graph.repository
        self.nodes: dict[str, list[NodeTable]] = {}
        for table in graph.nodes:
            self.nodes.setdefault(table.label, []).append(table)
        self.relationships: dict[Joined, list[RelationshipTable]] = {}
        for joined in graph.relationships:
            self.relationships.setdefault(joined_of(joined), []).append(joined)

    def node(self, label: str, row: Row) -> dict[str, Cell]:
        return _cells(self.nodes[label][row[0]].columns, row[1])

    def relationship(self, joined: Joined, row: Row) -> tuple[str, str, dict[str, Cell]]:
        table = self.relationships[joined][row[0]]
        return table.start[row[1]], table.end[row[1]], _cells(table.columns, row[1])

    def node_rows(self, label: str) -> list[Row]:
        return [(number, row) for number, table in enumerate(self.nodes.get(label, ())) for row in range(len(table))]

    def relationship_rows(self, joined: Joined) -> list[Row]:
        tables = self.relationships.get(joined, ())
        return [(number, row) for number, table in enumerate(tables) for row in range(len(table))]

    def counts(self) -> tuple[int, int]:
        """Nodes and relationships."""
        nodes = sum(len(table) for tables in self.nodes.values() for table in tables)
        return nodes, sum(len(table) for tables in self.relationships.values() for table in tables)


def node_changes(tables: Tables, label: str, stored: Iterable[tuple[str, Mapping[str, Any]]]) -> NodeChanges:
    """Compare with the stored nodes of the label, given as (id, properties)."""
    found = NodeChanges()
    waiting = {
        str(table.columns["id"][row]): (number, row)
        for number, table in enumerate(tables.nodes.get(label, ()))
        for row in range(len(table))
    }
    for node, properties in stored:
        place = waiting.pop(node, None)
        if place is None:
            found.delete.append(node)
        elif not same(tables.node(label, place), properties):
            found.update.append(place)
    found.create.extend(waiting.values())
    return found


def relationship_changes(
    tables: Tables, start_label: str, stored: Iterable[Sequence[Any]]
) -> dict[Joined, RelationshipChanges]:
    """Compare with all stored relationships that start at nodes of a label, given as (type, end label, start, end, properties)."""
    found: dict[Joined, RelationshipChanges] = {}
    waiting: dict[Joined, dict[Pair, Row]] = {}
    for joined, given in tables.relationships.items():
        if joined[1] == start_label:
            waiting[joined] = {
                (table.start[row], table.end[row]): (number, row)
                for number, table in enumerate(given)
                for row in range(len(table))
            }
    for kind, end_label, start, end, properties in stored:
        joined = (kind, start_label, end_label)
        place = waiting.get(joined, {}).pop((start, end), None)
        if place is None:
            found.setdefault(joined, RelationshipChanges()).delete.append((start, end))
        elif not same(tables.relationship(joined, place)[2], properties):
            found.setdefault(joined, RelationshipChanges()).update.append(place)
    for joined, places in waiting.items():
        if places:
            found.setdefault(joined, RelationshipChanges()).create.extend(places.values())
    return found


def planned(
    tables: Tables, base: str, nodes: Mapping[str, NodeChanges], relationships: Mapping[Joined, RelationshipChanges]
) -> GraphChanges:
    """The changes that a plan of a write stands for; every property of the schema is set in rows that change."""

    def node_table(label: str, rows: Sequence[Row], names: Iterable[str]) -> NodeTable:
        cells = [tables.node(label, row) for row in rows]
        return NodeTable(label, {name: [row.get(name) for row in cells] for name in names})

    def relationship_table(joined: Joined, rows: Sequence[Row], names: Iterable[str]) -> RelationshipTable:
        cells = [tables.relationship(joined, row) for row in rows]
        columns = {name: [row.get(name) for _, _, row in cells] for name in names}
        return RelationshipTable(*joined, [start for start, _, _ in cells], [end for _, end, _ in cells], columns)

    packages = tables.node_rows("Package")
    created = {label: found.create for label, found in nodes.items()} | {"Package": packages}
    return GraphChanges(
        tables.repository,
        base,
        {label: found.delete for label, found in nodes.items() if found.delete},
        [node_table(label, rows, NODE_LABELS[label].by_name) for label, rows in created.items() if rows],
        [node_table(label, found.update, NODE_LABELS[label].by_name) for label, found in nodes.items() if found.update],
        {joined: found.delete for joined, found in relationships.items() if found.delete},
        [
            relationship_table(joined, found.create, RELATIONSHIP_TYPES[joined[0]].by_name)
            for joined, found in relationships.items()
            if found.create
        ],
        [
            relationship_table(joined, found.update, RELATIONSHIP_TYPES[joined[0]].by_name)
            for joined, found in relationships.items()
            if found.update
        ],
    )


def _cells(columns: Mapping[str, Sequence[Cell]], row: int) -> dict[str, Cell]:
    return {name: cells[row] for name, cells in columns.items() if cells[row] is not None}
