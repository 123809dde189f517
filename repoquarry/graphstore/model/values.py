"""Query values (nodes, relationships, scalars) and typed property getters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Node:
    """A node. `id` is the schema's string id, never an engine's internal number."""

    id: str
    labels: tuple[str, ...]
    properties: dict[str, Value]


@dataclass(frozen=True)
class Relationship:
    """A relationship between two nodes, named by their string ids and first labels."""

    type: str
    start_id: str
    start_label: str
    end_id: str
    end_label: str
    properties: dict[str, Value]


@dataclass(frozen=True)
class Path:
    """A path: n nodes and n - 1 relationships, in the order in which they were walked."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | Node | Relationship | Path | None"


def get_str(value: Value) -> str:
    """The string, or the empty one."""
    return value if isinstance(value, str) else ""


def get_int(value: Value) -> int:
    """The whole number, or 0."""
    return value if isinstance(value, int) else 0


def get_float(value: Value) -> float:
    """The number, or 0."""
    return float(value) if isinstance(value, int | float) else 0.0


def get_str_list(value: Value) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def get_int_list(value: Value) -> tuple[int, ...]:
    """The whole numbers of a list."""
    return tuple(item for item in value if isinstance(item, int)) if isinstance(value, list) else ()
