"""Tables of a graph in DuckDB: one per label (`n_Function`) and relationship type (`r_CALLS`), with a column per property.

`nid` and `rid` are the ids of `repoquarry.graphstore.query.sql.sql_types`; `s` and `t` are the ends of a relationship.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

import pyarrow as pa

from repoquarry.graphstore.model.graph_tables import Cell, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.graphstore.query.sql.sql_types import (
    KIND_BITS,
    LABEL_NUMBERS,
    REPOSITORY_BITS,
    TYPE_NUMBERS,
    property_type,
    quote,
    sql_name,
)

_SHARED: Final = "Package"
"""Label of the nodes that several repositories share; their ids are digests of their names."""

_ARROW: Final = {
    PropertyKind.STRING: pa.string(),
    PropertyKind.INTEGER: pa.int64(),
    PropertyKind.FLOAT: pa.float64(),
    PropertyKind.BOOLEAN: pa.bool_(),
    PropertyKind.STRINGS: pa.list_(pa.string()),
    PropertyKind.INTEGERS: pa.list_(pa.int64()),
}


def node_id(label: str, name: str, repository: int, row: int) -> int:
    """Return the id of a node: of its row, or of its name if the label is shared."""
    kind = LABEL_NUMBERS[label] << KIND_BITS
    if label == _SHARED:
        return kind | int.from_bytes(blake2b(name.encode(), digest_size=6).digest(), "big")
    return kind | repository << REPOSITORY_BITS | row


def create_tables(connection: Any) -> None:
    """Create the empty tables."""
    for name, label in NODE_LABELS.items():
        connection.execute(f'CREATE TABLE "n_{name}" ({_columns(("nid",), label.properties)})')
    for name, kind in RELATIONSHIP_TYPES.items():
        connection.execute(f'CREATE TABLE "r_{name}" ({_columns(("rid", "s", "t"), kind.properties)})')


def _columns(ids: Sequence[str], properties: Iterable[Property]) -> str:
    shown = [f"{name} BIGINT NOT NULL" for name in ids]
    return ", ".join([*shown, *(f"{quote(p.name)} {sql_name(property_type(p.kind))}" for p in properties)])


class GraphLoader:
    """Loader of whole graphs; a later graph may link to the nodes of an earlier one."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._ids: dict[tuple[str, str], int] = {}

    def load(self, graph: RepositoryGraph, repository: int) -> None:
        """Append the nodes and relationships of a graph, under the number of its repository."""
        self._nodes(graph, repository)
        self._relationships(graph, repository)

    def _nodes(self, graph: RepositoryGraph, repository: int) -> None:
        counts: dict[str, int] = {}
        for table in graph.nodes:
            kept, ids = [], []
            for row, name in enumerate(table.columns["id"]):
                if (table.label, name) in self._ids:
                    continue
                number = counts[table.label] = counts.get(table.label, -1) + 1
                found = self._ids[table.label, str(name)] = node_id(table.label, str(name), repository, number)
                kept.append(row)
                ids.append(found)
            self._append(f"n_{table.label}", {"nid": ids}, NODE_LABELS[table.label].properties, table.columns, kept)

    def _relationships(self, graph: RepositoryGraph, repository: int) -> None:
        counts: dict[str, int] = {}
        for table in graph.relationships:
            kept, ids, starts, ends = [], [], [], []
            base = TYPE_NUMBERS[table.type] << KIND_BITS | repository << REPOSITORY_BITS
            for row, (start, end) in enumerate(zip(table.start, table.end, strict=True)):
                first, last = self._ids.get((table.start_label, start)), self._ids.get((table.end_label, end))
                if first is None or last is None:
                    continue
                number = counts[table.type] = counts.get(table.type, -1) + 1
                kept.append(row)
                ids.append(base | number)
                starts.append(first)
                ends.append(last)
            columns = {"rid": ids, "s": starts, "t": ends}
            self._append(f"r_{table.type}", columns, RELATIONSHIP_TYPES[table.type].properties, table.columns, kept)

    def _append(
        self,
        name: str,
        ids: dict[str, list[int]],
        properties: Sequence[Property],
        cells: dict[str, list[Cell]],
        kept: list[int],
    ) -> None:
        if not kept:
            return
        columns: dict[str, Any] = {key: pa.array(values, pa.int64()) for key, values in ids.items()}
        for found in properties:
            given = cells.get(found.name)
            chosen = [None] * len(kept) if given is None else [given[row] for row in kept]
            columns[found.name] = pa.array(chosen, _ARROW[found.kind])
        self._connection.register("loaded", pa.table(columns))
        self._connection.execute(f'INSERT INTO "{name}" SELECT * FROM loaded')
        self._connection.unregister("loaded")
