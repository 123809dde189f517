"""Values as kglite returns them, in the form of `repoquarry.graphstore.model.values`."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from repoquarry.graphstore.errors import QueryFailedError
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value

_MINTED = frozenset({"title", "type"})
"""Keys that kglite adds to every node it returns; the schema has no property of these names."""


@dataclass
class View:
    """A loaded graph that is only read. `endpoints` is built when a relationship is first returned."""

    graph: Any
    endpoints: list[tuple[str, str]] | None = None

    def endpoint(self, number: int) -> tuple[str, str]:
        """The string id and label of an internal node number."""
        if self.endpoints is None:
            rows = self.graph.cypher("MATCH (n) RETURN elementId(n) AS e, n.id AS i, labels(n)[0] AS l").to_list()
            table = [("", "")] * (1 + max((int(row["e"]) for row in rows), default=-1))
            for row in rows:
                table[int(row["e"])] = (row["i"], row["l"])
            self.endpoints = table
        return self.endpoints[number]


def value_of(raw: Any, view: View) -> Value:
    """A value as kglite returns it in the form of `repoquarry.graphstore.model.values`."""
    if raw is None or isinstance(raw, bool | int | float | str):
        return raw
    if isinstance(raw, list | tuple):
        return [value_of(item, view) for item in raw]
    if isinstance(raw, dict):
        return _structure_of(raw, view)
    if isinstance(raw, datetime.date | datetime.time):
        return raw.isoformat()
    raise QueryFailedError(f"the query returns a {type(raw).__name__}, for which there is no value")


def _structure_of(raw: dict[str, Any], view: View) -> Value:
    """A map, node, relationship or path; kglite returns all of them as maps."""
    if _is_node(raw):
        return _node_of(raw, view)
    if _is_relationship(raw):
        return _relationship_of(raw, view)
    if raw.keys() == {"nodes", "relationships"} and raw["nodes"] and all(map(_is_node, raw["nodes"])):
        nodes = tuple(_node_of(node, view) for node in raw["nodes"])
        return Path(nodes, tuple(_relationship_of(step, view) for step in raw["relationships"]))
    return {key: value_of(item, view) for key, item in raw.items()}


def _is_node(raw: Any) -> bool:
    return (
        isinstance(raw, dict)
        and raw.keys() == {"id", "labels", "properties"}
        and isinstance(raw["properties"], dict)
        and raw["properties"].keys() >= _MINTED
    )


def _is_relationship(raw: dict[str, Any]) -> bool:
    return (
        raw.keys() == {"id", "start", "end", "type", "properties"}
        and isinstance(raw["properties"], dict)
        and isinstance(raw["start"], int)
        and isinstance(raw["end"], int)
    )


def _node_of(raw: dict[str, Any], view: View) -> Node:
    kept = {
        name: value_of(item, view)
        for name, item in raw["properties"].items()
        if name not in _MINTED and item is not None
    }
    return Node(str(kept.get("id", "")), tuple(raw["labels"]), kept)


def _relationship_of(raw: dict[str, Any], view: View) -> Relationship:
    start_id, start_label = view.endpoint(raw["start"])
    end_id, end_label = view.endpoint(raw["end"])
    kept = {name: value_of(item, view) for name, item in raw["properties"].items() if item is not None}
    return Relationship(raw["type"], start_id, start_label, end_id, end_label, kept)
