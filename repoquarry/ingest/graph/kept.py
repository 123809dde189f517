"""The graph of an indexed revision kept beside its texts, so that the next revision is written by what differs from it.

An engine could be asked for it; reading its rows back costs several times as much as decoding them. Of relationships that follow from the
resolution, which is kept itself (`resolving.kept`), only the labels of its symbols are kept. The columns of all else are kept apart, each
with a digest: of two states of a graph nearly all columns are equal, and those are neither compressed, nor decoded, nor compared again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.graphstore.model.changes import GraphChanges, changes_between
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.ingest.files.cache import indexer_version
from repoquarry.ingest.graph.code_edges import edge_tables
from repoquarry.ingest.graph.columns import KEYS, Column, Columns, Kind, by_kind, cells_of
from repoquarry.ingest.graph.differing import differing
from repoquarry.ingest.graph.resolved import Resolved
from repoquarry.ingest.resolving.kept import KeptResolution
from repoquarry.ingest.stages.kept import read_kept

_NAME = "graph columns"


class _Table(msgspec.Struct, array_like=True, frozen=True):
    kind: Kind
    columns: dict[str, Column]


class KeptGraph(msgspec.Struct, array_like=True, frozen=True):
    """What is kept of a graph with its links."""

    tables: Sequence[_Table]
    """Of its frame."""
    labels: bytes
    """Of the symbols of its resolution, as in `Resolved`."""
    indexer: str
    """The version of the code that made relationships of that, which would tell another version nothing of them."""

    @classmethod
    def of(cls, columns: Columns, resolved: Resolved) -> KeptGraph:
        """What is to be kept; `columns` are those of its frame with its links."""
        tables: dict[Kind, dict[str, Column]] = {}
        for (kind, name), column in columns.items():
            tables.setdefault(kind, {})[name] = column
        return cls([_Table(*table) for table in tables.items()], resolved.labels.tobytes(), indexer_version())

    @classmethod
    def stored(cls, sources: SourceStore, repository: str, revision: str) -> KeptGraph | None:
        """That of a revision; None when none was kept that can be read."""
        return read_kept(sources, repository, _NAME, cls, revision)

    def save(self, sources: SourceStore, snapshot: int) -> None:
        """Keep it beside the texts of a snapshot."""
        sources.put_artifact(snapshot, _NAME, msgspec.msgpack.encode(self))


@dataclass(frozen=True)
class StoredGraph:
    """The graph that a store has of a repository, as far as another state of it is compared with it."""

    revision: str
    columns: Columns
    resolved: Resolved

    @classmethod
    def read(cls, sources: SourceStore, repository: str, revision: str | None) -> StoredGraph | None:
        """That of a stored revision; None when there is none, or nothing was kept of it that can be read by this version."""
        if revision is None:
            return None
        kept = KeptGraph.stored(sources, repository, revision)
        if kept is None or kept.indexer != indexer_version():
            return None
        resolution = KeptResolution.stored(sources, repository, revision).united()
        if resolution is None or len(resolution.symbols) != len(kept.labels):
            return None
        columns = {(table.kind, name): column for table in kept.tables for name, column in table.columns.items()}
        resolved = Resolved(repository, resolution, np.frombuffer(kept.labels, dtype=np.int8))
        _ = resolved.ends, resolved.rest  # made here, while the resolver is waited for
        return cls(revision, columns, resolved)

    def changes_to(self, columns: Columns, frame: RepositoryGraph, resolved: Resolved) -> GraphChanges:
        """The changes from here to another state, given by its frame with its links and that one's columns, and its resolution.

        Raises: StoreCorruptError.
        """
        old, new = _Part([], []), _Part([], [])
        given = {kind: cells_of(table) for kind, table in by_kind(frame)}
        for kind, names in _differing(self.columns, columns).items():
            old.add(kind, {name: self.columns[kind, name].cells() for name in names if (kind, name) in self.columns})
            new.add(kind, {name: given[kind][name] for name in names if (kind, name) in columns})
        for part, side, symbols in zip(
            (old, new), (self.resolved, resolved), differing(self.resolved, resolved), strict=True
        ):
            part.relationships.extend(edge_tables(side.chosen(symbols)))
        return changes_between(old.graph(frame.repository), new.graph(frame.repository), self.revision)


@dataclass(frozen=True)
class _Part:
    """Those tables and columns of a graph that are compared."""

    nodes: list[NodeTable]
    relationships: list[RelationshipTable]

    def add(self, kind: Kind, columns: dict[str, list[Cell]]) -> None:
        if not columns:
            return  # there is no such table on this side
        if len(kind) == 1:
            self.nodes.append(NodeTable(kind[0], columns))
            return
        (label, start_label, end_label), (start, end) = kind, (columns.pop(name) for name in KEYS[3])
        ends = [str(one) for one in start], [str(one) for one in end]
        self.relationships.append(RelationshipTable(label, start_label, end_label, *ends, columns))

    def graph(self, repository: str) -> RepositoryGraph:
        return RepositoryGraph(repository, self.nodes, self.relationships)


def keep_as_before(sources: SourceStore, repository: str, revision: str, snapshot: int) -> None:
    """Keep for a snapshot what is kept for the stored revision, which it equals."""
    kept = KeptGraph.stored(sources, repository, revision)
    if kept is not None:
        kept.save(sources, snapshot)


def _differing(one: Columns, two: Columns) -> dict[Kind, list[str]]:
    """By kind the columns to compare: keys and those that differ; all of them where rows came, went or moved; none where all are equal."""
    names: dict[Kind, list[str]] = {}
    for kind, name in dict.fromkeys((*one, *two)):
        names.setdefault(kind, []).append(name)
    found: dict[Kind, list[str]] = {}
    for kind, known in names.items():
        unequal = [name for name in known if _digest(one, kind, name) != _digest(two, kind, name)]
        keys = KEYS[len(kind)]
        if unequal:
            found[kind] = [*keys, *unequal] if set(keys).isdisjoint(unequal) else known
    return found


def _digest(columns: Columns, kind: Kind, name: str) -> bytes | None:
    column = columns.get((kind, name))
    return column.digest if column is not None else None
