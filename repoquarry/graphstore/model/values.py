"""The one form in which values come back from every engine: scalars, lists, maps, nodes, relationships and paths."""

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
