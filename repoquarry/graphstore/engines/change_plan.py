"""Plan of a graph write: required changes, and schema validation.

Every engine validates here first, so that all engines reject the same graphs with the same messages, and none has to handle a missing
endpoint, a duplicate id or a value of another type.

Plans serve engines with expensive writes and cheap reads. Rows stay in their columns until they are sent, and stored rows are compared as
they arrive, so that neither graph is in memory twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from repoquarry.graphstore.errors import InvalidGraphError, MissingEndpointsError
from repoquarry.graphstore.model.graph_tables import (
    Cell,
    GraphChanges,
    Joined,
    NodeTable,
    Pair,
    RelationshipTable,
    RepositoryGraph,
    equal_properties,
    relationship_key,
)
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind

_TYPES: Mapping[PropertyKind, frozenset[type]] = {
    PropertyKind.STRING: frozenset({str}),
    PropertyKind.INTEGER: frozenset({int}),
    PropertyKind.FLOAT: frozenset({float, int}),
    PropertyKind.BOOLEAN: frozenset({bool}),
    PropertyKind.STRINGS: frozenset({list}),
    PropertyKind.INTEGERS: frozenset({list}),
}
_ELEMENT: Mapping[PropertyKind, type] = {PropertyKind.STRINGS: str, PropertyKind.INTEGERS: int}
_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**63 - 1

Endpoints = dict[str, list[str]]
"""Ids by label."""


def check_graph(graph: RepositoryGraph) -> Endpoints:
    """Check tables, columns, types and endpoints; return the endpoints that must already be stored.

    Raises: InvalidGraphError with the table, the column and the first invalid value.
    """
    known: dict[str, set[str]] = {}
    for table in graph.nodes:
        _check_nodes(graph.repository, table, known.setdefault(table.label, set()))
    if known.get("Repository") != {graph.repository}:
        raise InvalidGraphError(f"the graph of {graph.repository!r} must contain exactly its own Repository node")
    elsewhere: dict[str, set[str]] = {}
    pairs: dict[tuple[str, str, str], set[tuple[str, str]]] = {}
    for relationships in graph.relationships:
        joined = (relationships.type, relationships.start_label, relationships.end_label)
        _check_relationships(relationships, pairs.setdefault(joined, set()))
        for label, ids in (
            (relationships.start_label, relationships.start),
            (relationships.end_label, relationships.end),
        ):
            missing = set(ids) - known.get(label, set())
            if missing and relationships.type != "PROVIDES":
                raise InvalidGraphError(
                    f"{relationships.type}: {len(missing)} {label} nodes that the graph does not contain, first {min(missing)!r}"
                )
            elsewhere.setdefault(label, set()).update(missing)
    return {label: sorted(ids) for label, ids in elsewhere.items() if ids}


def check_changes(changes: GraphChanges) -> None:
    """Check tables, columns and types of changes as `check_graph` does; endpoints are for `new_endpoints`.

    Raises: InvalidGraphError with the table, the column and the first invalid value.
    """
    for table in changes.added_nodes:
        _check_nodes(changes.repository, table, set())
    for table in changes.changed_nodes:
        _check_columns(table.label, table.columns, NODE_LABELS[table.label].by_name, len(table), whole=False)
    for joined in changes.added_relationships:
        _check_relationships(joined, set())
    for joined in changes.changed_relationships:
        _check_relationships(joined, set(), whole=False)
    if "Package" in changes.removed_nodes:
        raise InvalidGraphError("packages are shared: an engine drops unused ones")


def new_endpoints(changes: GraphChanges) -> Endpoints:
    """Return the ends of added relationships, which must be stored when the changes are applied."""
    found: dict[str, set[str]] = {}
    for table in changes.added_relationships:
        found.setdefault(table.start_label, set()).update(table.start)
        found.setdefault(table.end_label, set()).update(table.end)
    return {label: sorted(ids) for label, ids in found.items()}


def require_endpoints(endpoints: Endpoints, stored: Mapping[str, set[str]]) -> None:
    """Check that each endpoint is in the graph or stored. Raises: MissingEndpointsError."""
    for label, ids in endpoints.items():
        if missing := [node for node in ids if node not in stored.get(label, set())]:
            message = f"relationships refer to {len(missing)} {label} nodes that do not exist, first {missing[0]!r}"
            raise MissingEndpointsError(message)


def _check_nodes(repository: str, table: NodeTable, seen: set[str]) -> None:
    label = NODE_LABELS.get(table.label)
    if label is None:
        raise InvalidGraphError(f"unknown label {table.label!r}; known: {', '.join(NODE_LABELS)}")
    _check_columns(table.label, table.columns, label.by_name, len(table))
    before = len(seen)
    seen.update(str(node) for node in table.columns["id"])
    if len(seen) != before + len(table):
        raise InvalidGraphError(f"{table.label}: an id occurs twice")
    allowed = {repository, ""} if table.label == "Package" else {repository}
    for value in set(map(str, table.columns["repository"])):
        if value not in allowed:
            raise InvalidGraphError(f"{table.label}: nodes of {value!r} in the graph of {repository!r}")


def _check_relationships(table: RelationshipTable, seen: set[tuple[str, str]], *, whole: bool = True) -> None:
    kind = RELATIONSHIP_TYPES.get(table.type)
    if kind is None:
        raise InvalidGraphError(f"unknown relationship type {table.type!r}; known: {', '.join(RELATIONSHIP_TYPES)}")
    if table.start_label not in kind.start or table.end_label not in kind.end:
        raise InvalidGraphError(f"{table.type} does not connect {table.start_label} to {table.end_label}")
    if len(table.start) != len(table.end):
        raise InvalidGraphError(f"{table.type}: {len(table.start)} starts and {len(table.end)} ends")
    _check_columns(table.type, table.columns, kind.by_name, len(table), whole=whole)
    before = len(seen)
    seen.update(zip(table.start, table.end, strict=True))
    if len(seen) != before + len(table):
        raise InvalidGraphError(f"{table.type}: a pair of nodes occurs twice")


def _check_columns(
    name: str, columns: Mapping[str, Sequence[Cell]], known: Mapping[str, Property], length: int, *, whole: bool = True
) -> None:
    for required in (prop.name for prop in known.values() if prop.required):
        if required not in columns and length and whole:
            raise InvalidGraphError(f"{name}: the required column {required!r} is missing")
    for column, cells in columns.items():
        prop = known.get(column)
        if prop is None:
            raise InvalidGraphError(f"{name}: unknown property {column!r}; known: {', '.join(known)}")
        if len(cells) != length:
            raise InvalidGraphError(f"{name}.{column}: {len(cells)} cells where {length} are expected")
        _check_cells(f"{name}.{column}", prop, cells)


def _check_cells(name: str, prop: Property, cells: Sequence[Cell]) -> None:
    found = set(map(type, cells))
    if type(None) in found and prop.required:
        raise InvalidGraphError(f"{name}: null in a required property")
    wrong = found - _TYPES[prop.kind] - {type(None)}
    if wrong:
        raise InvalidGraphError(
            f"{name}: {sorted(kind.__name__ for kind in wrong)} where {prop.kind.value} is expected"
        )
    if prop.kind is PropertyKind.INTEGER:
        _check_range(name, [cell for cell in cells if cell is not None])
    element = _ELEMENT.get(prop.kind)
    if element is not None:
        lists: Iterable[Any] = filter(None, cells)
        items = list(chain.from_iterable(lists))
        if not set(map(type, items)) <= {element}:
            raise InvalidGraphError(f"{name}: a list contains a value that is not of type {element.__name__}")
        if element is int:
            _check_range(name, items)


def _check_range(name: str, numbers: Sequence[Any]) -> None:
    if numbers and (min(numbers) < _MIN_INTEGER or max(numbers) > _MAX_INTEGER):
        raise InvalidGraphError(f"{name}: a number does not fit into 64 bits")


Row = tuple[int, int]
"""Table number within its kind, and row number."""


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
    """Changes of one kind of relationship; `delete` contains the pairs of ids."""

    create: list[Row] = field(default_factory=list)
    update: list[Row] = field(default_factory=list)
    delete: list[Pair] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.create) + len(self.update) + len(self.delete)


class GraphTables:
    """Tables of a graph by label and by kind of relationship, with rows as maps without missing values."""

    def __init__(self, graph: RepositoryGraph) -> None:
        self.repository = graph.repository
        self.nodes: dict[str, list[NodeTable]] = {}
        for table in graph.nodes:
            self.nodes.setdefault(table.label, []).append(table)
        self.relationships: dict[Joined, list[RelationshipTable]] = {}
        for joined in graph.relationships:
            self.relationships.setdefault(relationship_key(joined), []).append(joined)

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
        """Return the number of nodes and relationships."""
        nodes = sum(len(table) for tables in self.nodes.values() for table in tables)
        return nodes, sum(len(table) for tables in self.relationships.values() for table in tables)


def node_changes(tables: GraphTables, label: str, stored: Iterable[tuple[str, Mapping[str, Any]]]) -> NodeChanges:
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
        elif not equal_properties(tables.node(label, place), properties):
            found.update.append(place)
    found.create.extend(waiting.values())
    return found


def relationship_changes(
    tables: GraphTables, start_label: str, stored: Iterable[Sequence[Any]]
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
        elif not equal_properties(tables.relationship(joined, place)[2], properties):
            found.setdefault(joined, RelationshipChanges()).update.append(place)
    for joined, places in waiting.items():
        if places:
            found.setdefault(joined, RelationshipChanges()).create.extend(places.values())
    return found


def resolve_plan(
    tables: GraphTables,
    base: str,
    nodes: Mapping[str, NodeChanges],
    relationships: Mapping[Joined, RelationshipChanges],
) -> GraphChanges:
    """Return the changes of a write plan; every property of the schema is set in changed rows."""

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
