"""Conversion of Cypher values and reports to protobuf messages, of query parameters from them, and of messages to JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from importlib import import_module
from typing import Any, Final, TypeVar

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.client.values import from_message
from repoquarry.client.values import to_message as to_value
from repoquarry.graphstore.model.values import (
    Node,
    Path,
    Relationship,
    Value,
)
from repoquarry.server.errors import invalid_field
from repoquarry.v1 import values_pb2 as pb_of_values

_Message = TypeVar("_Message", bound=Message)
_REPORT_FILES: Final = frozenset(f"repoquarry/v1/{name}.proto" for name in ("entities", "code_service", "view_service"))


def to_proto(value: Any) -> pb_of_values.Value:
    """Convert a value of a result or a JSON value. Raises: RequestError for an integer beyond 64 bits."""
    try:
        return to_value(value, _graph_value)
    except ValueError as exc:
        raise invalid_field("value", str(exc)) from exc


def _graph_value(value: Any) -> pb_of_values.Value:
    match value:
        case Node():
            return pb_of_values.Value(node_value=_node(value))
        case Relationship():
            return pb_of_values.Value(relationship_value=_relationship(value))
        case Path():
            nodes = [_node(node) for node in value.nodes]
            relationships = [_relationship(item) for item in value.relationships]
            return pb_of_values.Value(path_value=pb_of_values.Path(nodes=nodes, relationships=relationships))
    raise TypeError(f"not a Cypher value: {type(value).__name__}")


def _properties(values: Mapping[str, Value]) -> dict[str, pb_of_values.Value]:
    return {key: to_proto(value) for key, value in values.items()}


def _node(node: Node) -> pb_of_values.Node:
    return pb_of_values.Node(id=node.id, labels=node.labels, properties=_properties(node.properties))


def _relationship(item: Relationship) -> pb_of_values.Relationship:
    return pb_of_values.Relationship(
        type=item.type,
        start_id=item.start_id,
        start_label=item.start_label,
        end_id=item.end_id,
        end_label=item.end_label,
        properties=_properties(item.properties),
    )


MAX_PARAMETER_VALUES = 100_000
"""Maximum number of values in all parameters of a query, including values inside lists and maps."""
_MAX_PARAMETERS = 1_000


def parameters_from_proto(parameters: Mapping[str, pb_of_values.Value]) -> dict[str, Value]:
    """Convert the parameters of a query. Raises: RequestError for too many values, and for graph values.

    The limits keep the conversion, which runs outside the time limit of the query, below a second. The protobuf parser limits the
    nesting to 100 messages.
    """
    if len(parameters) > _MAX_PARAMETERS:
        raise invalid_field(
            "parameters", f"{len(parameters):,} parameters; the limit is {_MAX_PARAMETERS:,}: put them into a list"
        )
    reader = _ParameterReader()
    reader.count(parameters)
    return {name: reader.read(value) for name, value in parameters.items()}


class _ParameterReader:
    """Converter of the parameters of one query, which counts values before their conversion."""

    def __init__(self) -> None:
        self._left = MAX_PARAMETER_VALUES

    def read(self, value: pb_of_values.Value) -> Value:
        """Convert a value. Raises: RequestError for graph values, which cannot be parameters, and beyond the limit."""
        kind = value.WhichOneof("kind")
        if kind is None or kind == "null_value":
            return None
        if kind == "list_value":
            values = value.list_value.values
            self.count(values)
            return [item.string_value or self.read(item) for item in values]  # most long lists are lists of strings
        if kind == "map_value":
            entries = value.map_value.entries
            self.count(entries)
            return {key: self.read(item) for key, item in entries.items()}
        if kind in ("node_value", "relationship_value", "path_value"):
            raise invalid_field("parameters", "nodes, relationships and paths cannot be parameters: give their ids")
        plain: bool | int | float | str = getattr(value, kind)
        return plain

    def count(self, values: Sized) -> None:
        """Count the values of the next conversion. Raises: RequestError beyond the limit."""
        self._left -= len(values)
        if self._left < 0:
            raise invalid_field(
                "parameters", f"more than {MAX_PARAMETER_VALUES:,} values: send them in several queries"
            )


def to_json(value: pb_of_values.Value) -> Any:
    """Convert a value to JSON. Floats that JSON lacks become the strings `NaN`, `Infinity` and `-Infinity`."""
    return from_message(value, _json_number)


def _json_number(number: float) -> float | str:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def to_message(kind: type[_Message], source: object, /, **fields: Any) -> _Message:
    """Convert a report to a message: each field has the name of an attribute, at every depth; `fields` replace attributes.

    None leaves a field unset. Raises: AttributeError where the source lacks a field.
    """
    if kind.DESCRIPTOR.file.name in _REPORT_FILES:
        # By name: lists of jobs load no code, and the fields of a report are converted by this function.
        source, replaced = import_module("repoquarry.server.report_fields").replace_fields(kind, source)
        fields = {**replaced, **fields}
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


def to_dict(message: Message) -> Any:
    """Convert a message to a dictionary by field name; unset message fields and absent optional fields are None.

    This is not protobuf's JSON form, which writes 64-bit integers as strings and omits zeros.
    """
    if isinstance(message, pb_of_values.Value):
        return to_json(message)
    if isinstance(message, Timestamp):
        return message.ToJsonString()
    if isinstance(message, Struct):
        return MessageToDict(message)
    return {
        field.name: _field_value(message, field) for field in message.DESCRIPTOR.fields if _is_present(message, field)
    }


def _is_present(message: Message, field: Any) -> bool:
    oneof = field.containing_oneof
    if oneof is None or len(oneof.fields) == 1:  # an `optional` field is a separate oneof
        return True
    return bool(message.WhichOneof(oneof.name) == field.name)


def _field_value(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return {str(key): _plain_value(field.message_type.fields_by_name["value"], value[key]) for key in sorted(value)}
    if field.is_repeated:
        return [_plain_value(field, item) for item in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _plain_value(field, value)


def _plain_value(field: Any, value: Any) -> Any:
    if isinstance(value, Message):
        return to_dict(value)
    if field.enum_type is not None:
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        return field.enum_type.values_by_number[value].name.removeprefix(prefix).lower()
    return value


def format_enum(message: Message, field: str) -> str:
    """Format the value of an enum field in lower case, without the prefix of its type."""
    return str(_plain_value(message.DESCRIPTOR.fields_by_name[field], getattr(message, field)))
