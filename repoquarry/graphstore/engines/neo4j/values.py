"""Values of the Neo4j driver in the form of `repoquarry.graphstore.model.values`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import neo4j
from neo4j.graph import Node as DriverNode
from neo4j.graph import Path as DriverPath
from neo4j.graph import Relationship as DriverRelationship

from repoquarry.graphstore.errors import QueryFailedError
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value

Endpoints = Mapping[str, tuple[str, str]]
"""String id and label by the server's element id."""


def endpoints_of(transaction: neo4j.Transaction, rows: Iterable[Any]) -> Endpoints:
    """The server sends a bare relationship with the element ids of its ends only."""
    wanted: set[str] = set()
    waiting = list(rows)
    while waiting:
        item = waiting.pop()
        if isinstance(item, DriverRelationship):
            wanted.update(node.element_id for node in item.nodes if node is not None)
        elif isinstance(item, DriverPath):
            waiting.extend(item.relationships)
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
    if not wanted:
        return {}
    found = transaction.run(
        "MATCH (n) WHERE elementId(n) IN $ids RETURN elementId(n), n.id, labels(n)[0]", {"ids": sorted(wanted)}
    )
    return {row[0]: (str(row[1]), str(row[2])) for row in found}


def value_of(raw: Any, endpoints: Endpoints) -> Value:
    """A value as the driver returns it in the form of `repoquarry.graphstore.model.values`."""
    if raw is None or isinstance(raw, bool | int | float | str):
        return raw
    if isinstance(raw, list):
        return [value_of(item, endpoints) for item in raw]
    if isinstance(raw, dict):
        return {key: value_of(item, endpoints) for key, item in raw.items()}
    if isinstance(raw, DriverNode):
        return Node(str(raw.get("id", "")), tuple(sorted(raw.labels)), _properties(raw))
    if isinstance(raw, DriverRelationship):
        return _relationship(raw, endpoints)
    if isinstance(raw, DriverPath):
        nodes = [value_of(node, endpoints) for node in raw.nodes]
        steps = tuple(_relationship(step, endpoints) for step in raw.relationships)
        return Path(tuple(node for node in nodes if isinstance(node, Node)), steps)
    if hasattr(raw, "iso_format"):
        return str(raw.iso_format())
    raise QueryFailedError(f"the query returns a {type(raw).__name__}, for which there is no value")


def _relationship(raw: DriverRelationship, endpoints: Endpoints) -> Relationship:
    (start, start_label), (end, end_label) = (
        endpoints[node.element_id] if node is not None else ("", "") for node in raw.nodes
    )
    return Relationship(raw.type, start, start_label, end, end_label, _properties(raw))


def _properties(raw: DriverNode | DriverRelationship) -> dict[str, Value]:
    return {name: value_of(item, {}) for name, item in raw.items()}
