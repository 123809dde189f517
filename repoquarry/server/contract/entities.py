"""Nodes of the graph as the entities that answers name."""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.model.properties import text, whole, wholes
from repoquarry.graphstore.model.values import Node, Value
from repoquarry.server.contract.names import repository_name
from repoquarry.v1 import entities_pb2 as pb


def entity(node: Node) -> pb.Entity:
    """A node as an entity."""
    return entity_of(node.id, node.labels[0] if node.labels else "", node.properties)


def entity_of(id_: str, label: str, properties: Mapping[str, Value]) -> pb.Entity:
    """An entity from a node's id, label and properties; what is not set stays empty."""
    found = pb.Entity(
        id=id_,
        label=label,
        name=text(properties.get("name")),
        qualname=text(properties.get("qualname")),
        repository=repository_name(id_ if label == "Repository" else text(properties.get("repository"))),
        path=text(properties.get("path")),
        start_line=whole(properties.get("start_line")),
        end_line=whole(properties.get("end_line")),
        kind=text(properties.get("kind")),
        signature=text(properties.get("signature")),
        summary=text(properties.get("summary")),
        is_test=properties.get("is_test") is True,
    )
    importance = properties.get("importance")
    if isinstance(importance, int | float):
        found.importance = float(importance)
    return found


def site(properties: Mapping[str, Value]) -> pb.Site:
    """How a relationship was found, from its properties."""
    found = pb.Site(
        count=whole(properties.get("count")) or 1,
        lines=wholes(properties.get("lines")),
        how=text(properties.get("how")),
        reason=text(properties.get("reason")),
    )
    confidence = properties.get("confidence")
    if isinstance(confidence, int | float):
        found.confidence = float(confidence)
    return found
