"""Python's built-ins, from a committed table of all versions since 3.11 and not from the interpreter that happens to run.

`scripts/generate_builtins.py` writes the table. A name counts as built in if any of these versions has it: which one an analysed
repository runs on is not known.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec


class _Type(msgspec.Struct, frozen=True):
    bases: list[str]
    attributes: dict[str, str]
    """Attribute of its own -> version in which it came."""


class _Table(msgspec.Struct, frozen=True):
    names: dict[str, str]
    """Name -> version in which it came."""
    types: dict[str, _Type]


@cache
def _table() -> _Table:
    return msgspec.json.decode(Path(__file__).with_name("builtins.json").read_bytes(), type=_Table)


def builtin_names() -> list[str]:
    """Names that Python itself defines."""
    return list(_table().names)


def builtin_types() -> list[str]:
    """Built-in types of which the attributes are known, also `generator` and `coroutine`."""
    return list(_table().types)


def is_builtin(name: str) -> bool:
    """Whether Python itself defines the name."""
    return name in _table().names


def is_type(name: str) -> bool:
    """Whether the built-in of this name is a class."""
    return name in _table().types and is_builtin(name)


@cache
def attributes_of(name: str) -> frozenset[str]:
    """What instances of a built-in type have, inherited attributes included; also of `generator` and `coroutine`. Empty for
    anything that is no such type."""
    found = _table().types.get(name)
    return frozenset(found.attributes).union(*map(attributes_of, found.bases)) if found else frozenset()
