"""Dialects by engine, loaded lazily."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from repoquarry.graphstore.query.cypher.dialect import Dialect

_MODULES = {
    "kglite": "repoquarry.graphstore.query.cypher.dialects.kglite",
    "neo4j": "repoquarry.graphstore.query.cypher.dialects.neo4j",
}


@cache
def load(name: str) -> Dialect:
    """Load the dialect of an engine. Raises: ValueError for an unknown name, with the known ones."""
    if name not in _MODULES:
        raise ValueError(f"unknown dialect {name!r}; known: {', '.join(sorted(_MODULES))}")
    dialect = import_module(_MODULES[name]).DIALECT
    if not isinstance(dialect, Dialect):
        raise TypeError(f"{_MODULES[name]}.DIALECT is not a dialect")
    return dialect


def names() -> tuple[str, ...]:
    return tuple(sorted(_MODULES))
