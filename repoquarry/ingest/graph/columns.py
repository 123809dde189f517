"""The columns of a graph's tables, each with a digest: what a revision is made of, and by what two states of a graph are told apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph

Kind = tuple[str, ...]
"""What a table holds: a label, or type and labels of relationships."""

KEYS: Mapping[int, tuple[str, ...]] = {1: ("id",), 3: ("^start", "^end")}
"""Columns that say which row is which, by the length of a kind; no property begins with a circumflex."""

Digests = Mapping[tuple[Kind, str], bytes]
"""Of columns, by their table's kind and their name."""

_ENCODER = msgspec.msgpack.Encoder()


def by_kind(graph: RepositoryGraph) -> list[tuple[Kind, NodeTable | RelationshipTable]]:
    """Tables by what they hold, each kind once."""
    nodes = [((table.label,), table) for table in graph.nodes]
    return [*nodes, *(((one.type, one.start_label, one.end_label), one) for one in graph.relationships)]


def columns_of(table: NodeTable | RelationshipTable) -> dict[str, list[Cell]]:
    """All columns, the ends of relationships among them."""
    if isinstance(table, NodeTable):
        return table.columns
    start, end = KEYS[3]
    return {start: table.start, end: table.end, **table.columns}  # type: ignore[dict-item]


def encoded(cells: Sequence[Cell]) -> bytes:
    """A column as bytes: equal bytes are equal values, kinds included."""
    return _ENCODER.encode(cells)


def digest_of(data: bytes) -> bytes:
    """Of an encoded column."""
    return hashlib.sha256(data).digest()


def digests_of(graph: RepositoryGraph) -> Digests:
    """Of all columns of a graph, in the order of its tables."""
    return dict(_digests(graph))


def joined(digests: Digests, content: bytes) -> str:
    """One digest of all, and of what the rest of a graph follows from: that of the graph."""
    whole = hashlib.sha256(content)
    for (kind, name), digest in digests.items():
        whole.update(_ENCODER.encode((kind, name, digest)))
    return whole.hexdigest()


def _digests(graph: RepositoryGraph) -> Iterator[tuple[tuple[Kind, str], bytes]]:
    for kind, table in by_kind(graph):
        for name, cells in columns_of(table).items():
            yield (kind, name), digest_of(encoded(cells))
