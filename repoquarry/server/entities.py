"""Nodes of the graph as the entities that answers name."""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.model.values import Node, Value
from repoquarry.server.names import repository_name
from repoquarry.v1 import entities_pb2 as pb


def entity(node: Node) -> pb.Entity:
    """A node as an entity."""
    return entity_of(node.id, node.labels[0] if node.labels else "", node.properties)


def entity_of(id_: str, label: str, properties: Mapping[str, Value]) -> pb.Entity:
    """An entity from a node's id, label and properties; what is not set stays empty."""
    found = pb.Entity(
        id=id_,
        label=label,
        name=_text(properties, "name"),
        qualname=_text(properties, "qualname"),
        repository=repository_name(id_ if label == "Repository" else _text(properties, "repository")),
        path=_text(properties, "path"),
        start_line=_whole(properties, "start_line"),
        end_line=_whole(properties, "end_line"),
        kind=_text(properties, "kind"),
        signature=_text(properties, "signature"),
        summary=_text(properties, "summary"),
        is_test=properties.get("is_test") is True,
    )
    importance = properties.get("importance")
    if isinstance(importance, int | float):
        found.importance = float(importance)
    return found


def site(properties: Mapping[str, Value]) -> pb.Site:
    """How a relationship was found, from its properties."""
    lines = properties.get("lines")
    found = pb.Site(
        count=_whole(properties, "count") or 1,
        lines=[line for line in lines if isinstance(line, int)] if isinstance(lines, list) else [],
        how=_text(properties, "how"),
        reason=_text(properties, "reason"),
    )
    confidence = properties.get("confidence")
    if isinstance(confidence, int | float):
        found.confidence = float(confidence)
    return found


def _text(properties: Mapping[str, Value], name: str) -> str:
    value = properties.get(name)
    return value if isinstance(value, str) else ""


def _whole(properties: Mapping[str, Value], name: str) -> int:
    value = properties.get(name)
    return value if isinstance(value, int) else 0
