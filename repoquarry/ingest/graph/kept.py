"""The graph of an indexed revision kept beside its texts, so that the next revision is written by what differs from it.

An engine could be asked for it; reading 300,000 relationships back costs several times as much as decoding them.
"""

from __future__ import annotations

import msgspec

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.folder.sources import SourceStore, compress, decompress
from repoquarry.graphstore.model.records import NodeTable, RelationshipTable, RepositoryGraph

_NAME = "graph"


class _Kept(msgspec.Struct, array_like=True):
    nodes: list[bytes]
    relationships: list[bytes]


def keep_graph(graph: RepositoryGraph, sources: SourceStore, snapshot: int) -> None:
    """Keep a graph as it is written, with its links to other repositories."""
    tables = _Kept([_encode(table) for table in graph.nodes], [_encode(table) for table in graph.relationships])
    sources.put_artifact(snapshot, _NAME, msgspec.msgpack.encode(tables))


def keep_as_before(sources: SourceStore, repository: str, revision: str, snapshot: int) -> None:
    """Keep for a snapshot what is kept for the stored revision, which it equals."""
    data = _kept(sources, repository, revision)
    if data is not None:
        sources.put_artifact(snapshot, _NAME, data)


def kept_graph(sources: SourceStore, repository: str, revision: str) -> RepositoryGraph | None:
    """The graph of a revision; None when none was kept. Raises: StoreCorruptError."""
    data = _kept(sources, repository, revision)
    if data is None:
        return None
    tables = msgspec.msgpack.decode(data, type=_Kept)
    nodes = [NodeTable(**msgspec.msgpack.decode(decompress(table))) for table in tables.nodes]
    relationships = [RelationshipTable(**msgspec.msgpack.decode(decompress(table))) for table in tables.relationships]
    return RepositoryGraph(repository, nodes, relationships)


def _encode(table: NodeTable | RelationshipTable) -> bytes:
    """One table at a time, so that the whole is not in memory once more."""
    return compress(msgspec.msgpack.encode(table))


def _kept(sources: SourceStore, repository: str, revision: str) -> bytes | None:
    try:
        return sources.artifact(repository, _NAME, revision)
    except NotFoundError:  # its texts were lost, and are being stored anew
        return None
