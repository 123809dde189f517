"""The types of literals and of the values of parameters."""

from __future__ import annotations

from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import ANY, Type

_BOOLEAN, _INTEGER, _STRING = types.of(types.BOOLEAN), types.of(types.INTEGER), types.of(types.STRING)
_FLOAT = types.of(types.FLOAT)


def type_of_value(value: object) -> Type:
    """The type of a literal or of a parameter's value."""
    if value is None:
        return types.NULL
    if isinstance(value, bool):
        return _BOOLEAN
    if isinstance(value, int):
        return _INTEGER
    if isinstance(value, float):
        return _FLOAT
    if isinstance(value, str):
        return _STRING
    if isinstance(value, dict):
        return types.of(types.MAP)
    if isinstance(value, list | tuple):
        return types.list_of(types.union(*(type_of_value(item) for item in value)))
    return ANY


_PLANNED = frozenset({types.BOOLEAN, types.INTEGER, types.STRING, types.MAP, types.LIST})


def seen_by_neo4j(found: Type) -> Type:
    """What Neo4j's check knows of a parameter: its kind, but for floats and null, and not what a list holds."""
    return Type(found.kinds) if found.kinds and found.kinds <= _PLANNED else ANY
