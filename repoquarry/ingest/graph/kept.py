"""The graph of an indexed revision kept beside its texts, so that the next revision is written by what differs from it.

An engine could be asked for it; reading its rows back costs several times as much as decoding them. Of relationships that follow from the
resolution, which is kept itself (`resolving.kept`), only the labels of its symbols are kept. The columns of all else are kept apart, each
with a digest: of two states of a graph nearly all columns are equal, and those are neither compressed, nor decoded, nor compared again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.graphstore.model.changes import GraphChanges, changes_between
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.ingest.files.cache import indexer_version
from repoquarry.ingest.graph.code_edges import edge_tables
from repoquarry.ingest.graph.columns import KEYS, Digests, Kind, by_kind, columns_of, digest_of, encoded
from repoquarry.ingest.graph.differing import differing
from repoquarry.ingest.graph.resolved import Resolved
from repoquarry.ingest.resolving.kept import KeptResolution
from repoquarry.ingest.stages.kept import read_kept

_NAME = "graph columns"


class _Column(msgspec.Struct, array_like=True, frozen=True):
    digest: bytes
    packed: bytes


class _Table(msgspec.Struct, array_like=True, frozen=True):
    kind: Kind
    columns: dict[str, _Column]


class KeptGraph(msgspec.Struct, array_like=True, frozen=True):
    """What is kept of a graph with its links."""

    tables: Sequence[_Table]
    """Of its frame."""
    labels: bytes
    """Of the symbols of its resolution, as in `Resolved`."""
    indexer: str
    """The version of the code that made relationships of that, which would tell another version nothing of them."""

    @classmethod
    def of(cls, frame: RepositoryGraph, digests: Digests, resolved: Resolved, before: KeptGraph | None) -> KeptGraph:
        """What is to be kept; columns that `before` has are taken from there. `digests` are those known of the frame."""
        known = {table.kind: table.columns for table in before.tables} if before is not None else {}
        kinds = [(kind, columns_of(table)) for kind, table in by_kind(frame)]
        tables = [_Table(kind, _packed(kind, columns, digests, known.get(kind, {}))) for kind, columns in kinds]
        return cls(tables, resolved.labels.tobytes(), indexer_version())

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
    kept: KeptGraph
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
        resolved = Resolved(repository, resolution, np.frombuffer(kept.labels, dtype=np.int8))
        _ = resolved.ends, resolved.rest  # made here, where the resolver is still waited for
        return cls(revision, kept, resolved)

    def changes_to(self, kept: KeptGraph, frame: RepositoryGraph, resolved: Resolved) -> GraphChanges:
        """The changes from here to another state, given by its frame with its links, of which is `kept`, and its resolution.

        Raises: StoreCorruptError.
        """
        old, new = _Part([], []), _Part([], [])
        mine, others = ({table.kind: table.columns for table in one.tables} for one in (self.kept, kept))
        given = dict(by_kind(frame))
        for kind in dict.fromkeys((*mine, *others)):
            one, two = mine.get(kind, {}), others.get(kind, {})
            names = _differing(kind, one, two)
            if names:
                old.add(kind, {name: _cells(one[name]) for name in names if name in one})
                columns = columns_of(given[kind]) if kind in given else {}
                new.add(kind, {name: columns[name] for name in names if name in columns})
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


def _differing(kind: Kind, one: Mapping[str, _Column], two: Mapping[str, _Column]) -> list[str]:
    """The columns to compare: keys and those that differ; all of them where rows came, went or moved; none where all are equal."""
    names = list(dict.fromkeys((*one, *two)))
    unequal = [name for name in names if name not in one or name not in two or one[name].digest != two[name].digest]
    keys = KEYS[len(kind)]
    if not unequal or not set(keys).isdisjoint(unequal):
        return names if unequal else []
    return [*keys, *unequal]


def _packed(
    kind: Kind, columns: Mapping[str, Sequence[Cell]], digests: Digests, known: Mapping[str, _Column]
) -> dict[str, _Column]:
    """One column at a time, so that the whole is not in memory once more."""
    out: dict[str, _Column] = {}
    for name, cells in columns.items():
        digest, before = digests.get((kind, name)), known.get(name)
        data = encoded(cells) if digest is None or before is None or before.digest != digest else b""
        digest = digest or digest_of(data)
        out[name] = before if before is not None and before.digest == digest else _Column(digest, compress(data))
    return out


def _cells(column: _Column) -> list[Cell]:
    try:
        return msgspec.msgpack.decode(decompress(column.packed), type=list)
    except msgspec.MsgspecError as exc:
        raise StoreCorruptError(f"a stored graph is damaged ({exc}); index the repository again") from exc
