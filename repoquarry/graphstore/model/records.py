"""The graph of one repository as columns: what ingestion hands to an engine.

Columns rather than a record a node, because both engines load columns an order of magnitude faster and because a hundred
thousand small objects would cost more memory than the graph itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Scalar = str | int | float | bool | None
Cell = Scalar | list[str] | list[int]


@dataclass(frozen=True)
class NodeTable:
    """Nodes of one label. `columns` maps property names to lists of equal length; `id`, `repository` and `name` are there."""

    label: str
    columns: dict[str, list[Cell]]

    def __len__(self) -> int:
        return len(self.columns["id"])


@dataclass(frozen=True)
class RelationshipTable:
    """Relationships of one type between two labels: `start` and `end` hold node ids, `columns` the properties, all of equal length.

    A pair occurs at most once in the tables of one type: parallel calls are one relationship with a count.
    """

    type: str
    start_label: str
    end_label: str
    start: list[str]
    end: list[str]
    columns: dict[str, list[Cell]]

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True)
class RepositoryGraph:
    """All that the graph says of one repository. The Repository node itself is in `nodes`; ids are unique within a label.

    Package nodes are shared between repositories (their `repository` is empty): an engine merges them and never deletes one
    that another repository still points at.
    """

    repository: str
    nodes: Sequence[NodeTable]
    relationships: Sequence[RelationshipTable]

    def counts(self) -> dict[str, int]:
        """Nodes by label and relationships by type."""
        found: dict[str, int] = {}
        for nodes in self.nodes:
            found[nodes.label] = found.get(nodes.label, 0) + len(nodes)
        for relationships in self.relationships:
            found[relationships.type] = found.get(relationships.type, 0) + len(relationships)
        return found
