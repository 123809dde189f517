"""Graph of one repository as column tables of nodes and relationships, and the diff of two such graphs.

Tables have columns instead of one record per node, because both engines load columns an order of magnitude faster and a hundred
thousand small objects would need more memory than the graph itself.

The cost of applying changes depends on the changes, not on the repository. Changes name their base revision, so that they are never
applied to another one. Unchanged properties may be omitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

Scalar = str | int | float | bool | None
Cell = Scalar | list[str] | list[int]


@dataclass(frozen=True)
class NodeTable:
    """Nodes of one label. `columns` maps property names to lists of equal length, and contains `id`, `repository` and `name`."""

    label: str
    columns: dict[str, list[Cell]]

    def __len__(self) -> int:
        return len(self.columns["id"])


@dataclass(frozen=True)
class RelationshipTable:
    """Relationships of one type between two labels: `start` and `end` contain node ids, `columns` the properties, all of equal length.

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
    """Complete graph of one repository. The Repository node itself is in `nodes`; ids are unique within a label.

    Package nodes are shared between repositories (their `repository` is empty): an engine merges them and never deletes one that another
    repository refers to.
    """

    repository: str
    nodes: Sequence[NodeTable]
    relationships: Sequence[RelationshipTable]

    def counts(self) -> dict[str, int]:
        """Count nodes by label and relationships by type."""
        found: dict[str, int] = {}
        for nodes in self.nodes:
            found[nodes.label] = found.get(nodes.label, 0) + len(nodes)
        for relationships in self.relationships:
            found[relationships.type] = found.get(relationships.type, 0) + len(relationships)
        return found


Joined = tuple[str, str, str]
"""Type, start label and end label of relationships."""

Pair = tuple[str, str]
"""Start and end id of a relationship."""

_encode = msgspec.msgpack.Encoder().encode
"""Bytes of a cell, which distinguish 1, 1.0 and True as well as 0.0 and -0.0."""


@dataclass(frozen=True)
class GraphChanges:
    """Changes of one repository's nodes and relationships, applied atomically.

    A node whose label changes is removed under the old label and added under the new one. Relationships of removed nodes are removed
    implicitly. Packages are shared between repositories: they are added (and merged if they exist), never removed; an engine drops unused
    ones.
    """

    repository: str
    base: str
    """Stored revision before the changes."""
    removed_nodes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids by label."""
    added_nodes: Sequence[NodeTable] = ()
    """Complete rows."""
    changed_nodes: Sequence[NodeTable] = ()
    """`id` and the properties to set; None removes a property, properties without a column stay unchanged."""
    removed_relationships: Mapping[Joined, Sequence[Pair]] = field(default_factory=dict)
    added_relationships: Sequence[RelationshipTable] = ()
    changed_relationships: Sequence[RelationshipTable] = ()
    """Properties to set, as in `changed_nodes`."""

    def __len__(self) -> int:
        """Return the number of written or removed rows."""
        removed = (*self.removed_nodes.values(), *self.removed_relationships.values())
        return sum(map(len, removed)) + self.count_written()

    def count_written(self) -> int:
        relationships = (*self.added_relationships, *self.changed_relationships)
        return sum(map(len, (*self.added_nodes, *self.changed_nodes))) + sum(map(len, relationships))


def diff_graphs(old: RepositoryGraph, new: RepositoryGraph, base: str) -> GraphChanges:
    """Compute the changes from `old` to `new`, two states of one repository or of the same part of it."""
    removed_nodes: dict[str, Sequence[str]] = {}
    nodes: tuple[list[NodeTable], list[NodeTable]] = [], []
    for label in dict.fromkeys(table.label for table in (*old.nodes, *new.nodes)):
        found = _Difference(_Rows.of_nodes(old.nodes, label), _Rows.of_nodes(new.nodes, label))
        if found.removed and label != "Package":
            removed_nodes[label] = found.removed
        for kind, (_, columns) in zip(nodes, (found.added(), found.changed("id")), strict=True):
            if columns:
                kind.append(NodeTable(label, columns))
    removed_edges: dict[Joined, Sequence[Pair]] = {}
    edges: tuple[list[RelationshipTable], list[RelationshipTable]] = [], []
    for joined in dict.fromkeys(map(relationship_key, (*old.relationships, *new.relationships))):
        found = _Difference(
            _Rows.of_relationships(old.relationships, joined), _Rows.of_relationships(new.relationships, joined)
        )
        if found.removed:
            removed_edges[joined] = found.removed
        for side, (keys, columns) in zip(edges, (found.added(), found.changed()), strict=True):
            if keys:
                ends = [start for start, _ in keys], [end for _, end in keys]
                side.append(RelationshipTable(*joined, *ends, columns))
    return GraphChanges(new.repository, base, removed_nodes, *nodes, removed_edges, *edges)


def relationship_key(table: RelationshipTable) -> Joined:
    return table.type, table.start_label, table.end_label


@dataclass(frozen=True)
class _Rows:
    """Rows of one kind: their keys and cells."""

    keys: Sequence[Any]
    columns: Mapping[str, Sequence[Cell]]

    @classmethod
    def of_nodes(cls, tables: Iterable[NodeTable], label: str) -> _Rows:
        chosen = [(table.columns["id"], table.columns) for table in tables if table.label == label]
        return cls._joined(chosen)

    @classmethod
    def of_relationships(cls, tables: Iterable[RelationshipTable], joined: Joined) -> _Rows:
        chosen = [
            (list(zip(table.start, table.end, strict=True)), table.columns)
            for table in tables
            if relationship_key(table) == joined
        ]
        return cls._joined(chosen)

    @classmethod
    def _joined(cls, parts: Sequence[tuple[Sequence[Any], Mapping[str, Sequence[Cell]]]]) -> _Rows:
        if len(parts) == 1:
            return cls(*parts[0])
        names = dict.fromkeys(name for _, columns in parts for name in columns)
        columns = {
            name: [cell for keys, found in parts for cell in found.get(name) or [None] * len(keys)] for name in names
        }
        return cls([key for keys, _ in parts for key in keys], columns)

    def column(self, name: str) -> Sequence[Cell]:
        """Return the cells of a property; missing ones are None."""
        return self.columns.get(name) or [None] * len(self.keys)


class _Difference:
    """Difference of rows of one kind in two states, compared by column, since most columns are equal."""

    def __init__(self, old: _Rows, new: _Rows) -> None:
        self._old, self._new = old, new
        place = {key: row for row, key in enumerate(old.keys)}
        before = [place.pop(key, -1) for key in new.keys]
        self.removed: list[Any] = list(place)
        self._added = [row for row, found in enumerate(before) if found < 0]
        self._kept = [(found, row) for row, found in enumerate(before) if found >= 0]

    def added(self) -> tuple[list[Any], dict[str, list[Cell]]]:
        """Return keys and complete rows that are new."""
        return self._taken(self._added, self._new.columns) if self._added else ([], {})

    def changed(self, *always: str) -> tuple[list[Any], dict[str, list[Cell]]]:
        """Return keys of rows that differ, with every column in which one of them differs, and the columns `always`."""
        names, rows = dict.fromkeys(always), dict[int, None]()
        for name in dict.fromkeys((*self._new.columns, *self._old.columns)):
            old, new = self._old.column(name), self._new.column(name)
            differing = [
                row for at, row in self._kept if old[at] is not new[row] and _encode(old[at]) != _encode(new[row])
            ]
            if differing:
                names[name] = None
                rows.update(dict.fromkeys(differing))
        return self._taken(sorted(rows), names) if rows else ([], {})

    def _taken(self, rows: Sequence[int], names: Iterable[str]) -> tuple[list[Any], dict[str, list[Cell]]]:
        columns = {name: self._new.column(name) for name in names}
        taken = {name: [cells[row] for row in rows] for name, cells in columns.items()}
        return [self._new.keys[row] for row in rows], taken
