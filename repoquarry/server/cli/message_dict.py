"""Messages of the contract as plain Python values for JSON.

Not protobuf's own JSON form, because that writes 64-bit integers as strings and leaves fields out that are zero.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.server.value_messages import to_json
from repoquarry.v1 import values_pb2


def to_dict(message: Message) -> Any:
    """A message as a dictionary by field name; a message field that is not set is None, and so is an absent optional."""
    if isinstance(message, values_pb2.Value):
        return to_json(message)
    if isinstance(message, Timestamp):
        return message.ToJsonString()
    if isinstance(message, Struct):
        return MessageToDict(message)
    return {field.name: _field(message, field) for field in message.DESCRIPTOR.fields if _shown(message, field)}


def _shown(message: Message, field: Any) -> bool:
    oneof = field.containing_oneof
    if oneof is None or len(oneof.fields) == 1:  # an `optional` field is a oneof of its own
        return True
    return bool(message.WhichOneof(oneof.name) == field.name)


def _field(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return {str(key): _scalar(field.message_type.fields_by_name["value"], value[key]) for key in sorted(value)}
    if field.is_repeated:
        return [_scalar(field, item) for item in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _scalar(field, value)


def _scalar(field: Any, value: Any) -> Any:
    if isinstance(value, Message):
        return to_dict(value)
    if field.enum_type is not None:
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        return field.enum_type.values_by_number[value].name.removeprefix(prefix).lower()
    return value
