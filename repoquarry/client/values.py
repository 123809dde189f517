"""Conversion of Cypher values between protobuf messages and plain Python values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.struct_pb2 import NULL_VALUE

from repoquarry.v1 import values_pb2 as pb

Number = Callable[[float], Any]
_INT64 = range(-(2**63), 2**63)


def _same(number: float) -> float:
    return number


def _refuse(value: Any) -> pb.Value:
    raise TypeError(f"not a Cypher value: {type(value).__name__}")


def to_message(value: Any, other: Callable[[Any], pb.Value] = _refuse) -> pb.Value:
    """Convert a query parameter: None, booleans, 64-bit integers, floats, strings, lists and mappings of these.

    `other` converts values of further types. Raises: ValueError for an integer beyond 64 bits, TypeError for any other type.
    """
    match value:
        case None:
            return pb.Value(null_value=NULL_VALUE)
        case bool():
            return pb.Value(boolean_value=value)
        case int():
            if value not in _INT64:
                raise ValueError(f"{value} does not fit 64 bits")
            return pb.Value(integer_value=value)
        case float():
            return pb.Value(float_value=value)
        case str():
            return pb.Value(string_value=value)
        case list() | tuple():
            return pb.Value(list_value=pb.ListValue(values=[to_message(item, other) for item in value]))
        case Mapping():
            entries = {key: to_message(item, other) for key, item in value.items()}
            return pb.Value(map_value=pb.MapValue(entries=entries))
    return other(value)


def from_message(value: pb.Value, number: Number = _same) -> Any:
    """Convert a value of a result; `number` converts floats.

    A node becomes `{"id", "labels", "properties"}`, a relationship `{"type", "start", "end", "properties"}` with the `id` and `label` of
    both ends, a path `{"nodes", "relationships"}`.
    """
    kind = value.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    if kind == "list_value":
        return [from_message(item, number) for item in value.list_value.values]
    if kind == "map_value":
        return _entries(value.map_value.entries, number)
    if kind == "node_value":
        return _node(value.node_value, number)
    if kind == "relationship_value":
        return _relationship(value.relationship_value, number)
    if kind == "path_value":
        return {
            "nodes": [_node(node, number) for node in value.path_value.nodes],
            "relationships": [_relationship(item, number) for item in value.path_value.relationships],
        }
    return number(value.float_value) if kind == "float_value" else getattr(value, kind)


def _entries(entries: Mapping[str, pb.Value], number: Number) -> dict[str, Any]:
    """Return the entries sorted by key, because protobuf maps are unordered."""
    return {key: from_message(entries[key], number) for key in sorted(entries)}


def _node(node: pb.Node, number: Number) -> dict[str, Any]:
    return {"id": node.id, "labels": list(node.labels), "properties": _entries(node.properties, number)}


def _relationship(item: pb.Relationship, number: Number) -> dict[str, Any]:
    return {
        "type": item.type,
        "start": {"id": item.start_id, "label": item.start_label},
        "end": {"id": item.end_id, "label": item.end_label},
        "properties": _entries(item.properties, number),
    }
