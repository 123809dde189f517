"""Numbers of enumerations that the contract does not have: a request with one is refused before anything reads it.

Protobuf keeps such numbers, so that a newer server can add values; here nobody knows what they ask for. Decided in one place for
every method, since a lookup that misses one would be a fault of the server.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

_NOT_LOOKED_INTO = frozenset({"repoquarry.v1.Value", "google.protobuf.Struct", "google.protobuf.Any"})
"""Values of queries and tools: no choices of the contract, and a request may hold a million of them."""


def unknown_choice(message: Message) -> tuple[str, str] | None:
    """Name of the first field that holds a number which its enumeration lacks, and what is wrong with it; None where none does."""
    for field in _telling(message.DESCRIPTOR):
        values = _values(message, field)
        for value in values:
            if field.enum_type is not None:
                if value not in field.enum_type.values_by_number:
                    known = ", ".join(one.name for one in field.enum_type.values)
                    return field.name, f"{value} is no value of {field.enum_type.name}; the values are {known}"
            elif (found := unknown_choice(value)) is not None:
                return f"{field.name}.{found[0]}", found[1]
    return None


def _values(message: Message, field: FieldDescriptor) -> Any:
    """What the field holds, as a sequence."""
    if field.is_repeated:
        value = getattr(message, field.name)
        return value.values() if _is_map(field) else value
    if field.has_presence and not message.HasField(field.name):
        return ()
    return (getattr(message, field.name),)


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


@cache
def _telling(kind: Descriptor) -> tuple[FieldDescriptor, ...]:
    """The fields that are an enumeration, or a message that has one somewhere."""
    return tuple(field for field in kind.fields if field.enum_type is not None or _leads_to_one(field, frozenset()))


def _leads_to_one(field: FieldDescriptor, passed: frozenset[str]) -> bool:
    inner = field.message_type
    if inner is None or inner.full_name in passed | _NOT_LOOKED_INTO:
        return False
    if _is_map(field):
        value = inner.fields_by_name["value"]
        return value.enum_type is None and _leads_to_one(value, passed)
    passed |= {inner.full_name}
    return any(one.enum_type is not None or _leads_to_one(one, passed) for one in inner.fields)
