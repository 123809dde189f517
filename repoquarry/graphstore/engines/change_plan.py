"""Validation of a graph, or of its changes, before an engine writes it: schema, value types, duplicate ids, endpoints, base revision.

Every engine validates here first, so that all engines reject the same graphs with the same messages, and none has to handle a missing
endpoint, a duplicate id or a value of another type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from repoquarry.graphstore.errors import ChangesRefusedError, InvalidGraphError, MissingEndpointsError
from repoquarry.graphstore.model.graph_tables import Cell, GraphChanges, NodeTable, RelationshipTable, RepositoryGraph
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


def require_base(changes: GraphChanges, revision: object) -> None:
    """Check that the changes start from the stored revision. Raises: ChangesRefusedError."""
    if revision != changes.base:
        raise ChangesRefusedError(
            f"{changes.repository} is stored at revision {revision}, but the changes start from {changes.base}"
        )


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
