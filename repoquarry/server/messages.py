"""Conversion of reports to messages of the contract: one recursive function, and a table of the fields whose names differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from repoquarry.code.reader import to_definition
from repoquarry.code.records import shown_name
from repoquarry.graphstore.model.values import Node
from repoquarry.server.resource_names import repository_name
from repoquarry.v1 import entities_pb2 as pb

_Message = TypeVar("_Message", bound=Message)


def entity(node: Node) -> pb.Entity:
    return to_message(pb.Entity, to_definition(node))


def to_message(kind: type[_Message], source: object, /, **fields: Any) -> _Message:
    """Convert a report to a message: each field has the name of an attribute, at every depth; `fields` replace attributes.

    None leaves a field unset. Raises: AttributeError where the source lacks a field.
    """
    if (find_replacements := _REPLACEMENTS.get(kind)) is not None:
        fields = {**find_replacements(source), **fields}
    converted = {}
    for field in kind.DESCRIPTOR.fields:
        value = fields[field.name] if field.name in fields else getattr(source, field.name)
        if value is not None:
            converted[field.name] = _field_message(field, value)
    return kind(**converted)


def _field_message(field: Any, value: Any) -> Any:
    if field.message_type is None or isinstance(value, Mapping):
        return value
    kind = GetMessageClass(field.message_type)
    if field.is_repeated:
        return [item if isinstance(item, Message) else to_message(kind, item) for item in value]
    return value if isinstance(value, Message) else to_message(kind, value)


def _entity_fields(source: Any) -> dict[str, object]:
    """Return the fields of an entity that a record names otherwise, or lacks as a hit of a search does."""
    is_ranked = source.label in ("Module", "Class")
    return {
        "name": shown_name(source.name, getattr(source, "entry_points", ())),
        "repository": repository_name(source.repository),
        "kind": "" if source.label == "Module" else source.kind,
        "importance": getattr(source, "importance", None) if is_ranked else getattr(source, "importance", None) or None,
    }


_REPLACEMENTS: Mapping[type[Message], Callable[[Any], dict[str, object]]] = {
    pb.Entity: _entity_fields,
}
"""Fields of a message whose values are not the attributes of that name."""
