"""The columns of a graph's tables, digested and packed: what a revision is made of, what is kept, and what tells two states apart."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph

Kind = tuple[str, ...]
"""What a table holds: a label, or type and labels of relationships."""

KEYS: Mapping[int, tuple[str, ...]] = {1: ("id",), 3: ("^start", "^end")}
"""Columns that say which row is which, by the length of a kind; no property begins with a circumflex."""

_ENCODER = msgspec.msgpack.Encoder()


class Column(msgspec.Struct, array_like=True, frozen=True):
    """A column as it is kept."""

    digest: bytes
    """Equal digests are equal values, kinds included."""
    packed: bytes

    @classmethod
    def of(cls, cells: Sequence[Cell], before: Column | None) -> Column:
        """`before` where that is equal."""
        data = _ENCODER.encode(cells)
        digest = hashlib.sha256(data).digest()
        return before if before is not None and before.digest == digest else cls(digest, compress(data))

    def cells(self) -> list[Cell]:
        """Raises: StoreCorruptError."""
        try:
            return msgspec.msgpack.decode(decompress(self.packed), type=list)
        except msgspec.MsgspecError as exc:
            raise StoreCorruptError(f"a stored graph is damaged ({exc}); index the repository again") from exc


Columns = Mapping[tuple[Kind, str], Column]
"""By their table's kind and their name."""


def by_kind(graph: RepositoryGraph) -> list[tuple[Kind, NodeTable | RelationshipTable]]:
    """Tables by what they hold, each kind once."""
    nodes = [((table.label,), table) for table in graph.nodes]
    return [*nodes, *(((one.type, one.start_label, one.end_label), one) for one in graph.relationships)]


def cells_of(table: NodeTable | RelationshipTable) -> dict[str, list[Cell]]:
    """All columns, the ends of relationships among them."""
    if isinstance(table, NodeTable):
        return table.columns
    start, end = KEYS[3]
    return {start: table.start, end: table.end, **table.columns}  # type: ignore[dict-item]


def columns_of(graph: RepositoryGraph, known: Columns, before: Columns) -> Columns:
    """All columns of a graph, in the order of its tables, one at a time, so that the whole is not in memory once more.

    Those that are `known` are these; those of an earlier state are taken where they are equal.
    """
    return {
        (kind, name): known.get((kind, name)) or Column.of(cells, before.get((kind, name)))
        for kind, table in by_kind(graph)
        for name, cells in cells_of(table).items()
    }


def joined(columns: Columns, content: bytes) -> str:
    """One digest of all, and of what the rest of a graph follows from: that of the graph."""
    whole = hashlib.sha256(content)
    for (kind, name), column in columns.items():
        whole.update(_ENCODER.encode((kind, name, column.digest)))
    return whole.hexdigest()
