"""Values in query results (nodes, relationships, paths, scalars), and getters that read a property as a type with a default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Node:
    """Node of a result. `id` is the schema's string id, never an engine's internal number."""

    id: str
    labels: tuple[str, ...]
    properties: dict[str, Value]


@dataclass(frozen=True)
class Relationship:
    """Relationship between two nodes, named by their string ids and first labels."""

    type: str
    start_id: str
    start_label: str
    end_id: str
    end_label: str
    properties: dict[str, Value]


@dataclass(frozen=True)
class Path:
    """Path of n nodes and n - 1 relationships in traversal order."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | Node | Relationship | Path | None"


def get_str(value: Value) -> str:
    """Return the string, or an empty one."""
    return value if isinstance(value, str) else ""


def get_int(value: Value) -> int:
    """Return the integer, or 0."""
    return value if isinstance(value, int) else 0


def get_float(value: Value) -> float:
    """Return the number, or 0."""
    return float(value) if isinstance(value, int | float) else 0.0


def get_str_list(value: Value) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def get_int_list(value: Value) -> tuple[int, ...]:
    return tuple(item for item in value if isinstance(item, int)) if isinstance(value, list) else ()


def count_noun(number: int, noun: str) -> str:
    """Format a count with its noun: `1 file`, `2 files`, `no files`."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith(("s", "ch")) else "s")
    return f"{f'{number:,}' if number else 'no'} {noun if number == 1 else plural}"
