"""Tables of a graph in DuckDB: one per label (`n_Function`) and relationship type (`r_CALLS`), with a column per property.

`nid` and `rid` are the ids of `repoquarry.graphstore.query.sql.sql_types`; `s` and `t` are the ends of a relationship. `links` holds
the relationships to other repositories by the string ids of their ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import pyarrow as pa

from repoquarry.graphstore.engines.graph_catalog import Link
from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph
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

SHARED: Final = "Package"
"""Label of the nodes that several repositories share; their ids are digests of their names."""

LINKS: Final = "links"
LINK_COLUMNS: Final = ("start_label", "start_id", "end_label", "end_id")

_ARROW: Final = {
    PropertyKind.STRING: pa.string(),
    PropertyKind.INTEGER: pa.int64(),
    PropertyKind.FLOAT: pa.float64(),
    PropertyKind.BOOLEAN: pa.bool_(),
    PropertyKind.STRINGS: pa.list_(pa.string()),
    PropertyKind.INTEGERS: pa.list_(pa.int64()),
}


def first_id(number: int, repository: int) -> int:
    """Return the id of the first row of a label or type in a repository."""
    return number << KIND_BITS | repository << REPOSITORY_BITS


def node_id(label: str, name: str, repository: int, row: int) -> int:
    """Return the id of a node: of its row, or of its name if the label is shared."""
    if label == SHARED:
        digest = blake2b(name.encode(), digest_size=6).digest()
        return LABEL_NUMBERS[label] << KIND_BITS | int.from_bytes(digest, "big")
    return first_id(LABEL_NUMBERS[label], repository) + row


def create_tables(connection: Any) -> None:
    """Create the empty tables."""
    for name, label in NODE_LABELS.items():
        connection.execute(f'CREATE TABLE "n_{name}" ({_columns(("nid",), label.properties)})')
    for name, kind in RELATIONSHIP_TYPES.items():
        connection.execute(f'CREATE TABLE "r_{name}" ({_columns(("rid", "s", "t"), kind.properties)})')
    connection.execute(f"CREATE TABLE {LINKS} ({', '.join(f'{name} VARCHAR' for name in LINK_COLUMNS)})")


def _columns(ids: Sequence[str], properties: Iterable[Property]) -> str:
    shown = [f"{name} BIGINT NOT NULL" for name in ids]
    return ", ".join([*shown, *(f"{quote(p.name)} {sql_name(property_type(p.kind))}" for p in properties)])


def arrow_column(found: Property, cells: Sequence[Any]) -> Any:
    """Return cells of a property as Arrow's column; a float property may have integers."""
    if found.kind is PropertyKind.FLOAT:
        cells = [None if cell is None else float(cell) for cell in cells]
    return pa.array(cells, _ARROW[found.kind])


def append_rows(
    connection: Any,
    name: str,
    ids: Mapping[str, Sequence[int]],
    properties: Sequence[Property],
    cells: Mapping[str, Any],
) -> None:
    """Append rows with their ids; a property without cells is null."""
    count = len(next(iter(ids.values())))
    if not count:
        return
    columns: dict[str, Any] = {key: pa.array(values, pa.int64()) for key, values in ids.items()}
    for found in properties:
        columns[found.name] = arrow_column(found, cells.get(found.name) or [None] * count)
    with_arrow(connection, pa.table(columns), f'INSERT INTO "{name}" SELECT * FROM given')


def with_arrow(connection: Any, table: Any, sql: str) -> int:
    """Run a statement over an Arrow table, `given`; return the number of affected rows."""
    connection.register("given", table)
    try:
        rows = connection.execute(sql).fetchall()
    finally:
        connection.unregister("given")
    return int(rows[0][0]) if rows else 0


def write_links(connection: Any, links: Sequence[Link]) -> None:
    """Replace the links to other repositories."""
    connection.execute(f"DELETE FROM {LINKS}")
    columns = [pa.array([link[place] for link in links], pa.string()) for place in range(len(LINK_COLUMNS))]
    with_arrow(connection, pa.table(columns, names=list(LINK_COLUMNS)), f"INSERT INTO {LINKS} SELECT * FROM given")


class GraphLoader:
    """Loader of whole graphs into one database; a later graph may link to the nodes of an earlier one."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._ids: dict[tuple[str, str], int] = {}

    def load(self, graph: RepositoryGraph, repository: int, count: Callable[[int], None] = lambda rows: None) -> None:
        """Append the nodes and relationships of a graph, under the number of its repository; `count` receives the rows."""
        counts: dict[str, int] = {}
        for table in graph.nodes:
            self._nodes(table, repository, counts)
            count(len(table))
        for joined in graph.relationships:
            self._relationships(joined, repository, counts)
            count(len(joined))

    def _nodes(self, table: NodeTable, repository: int, counts: dict[str, int]) -> None:
        kept, ids = [], []
        for row, name in enumerate(map(str, table.columns["id"])):
            if (table.label, name) in self._ids:
                continue
            number = counts[table.label] = counts.get(table.label, -1) + 1
            self._ids[table.label, name] = node_id(table.label, name, repository, number)
            kept.append(row)
            ids.append(self._ids[table.label, name])
        cells = {name: [column[row] for row in kept] for name, column in table.columns.items()}
        append_rows(self._connection, f"n_{table.label}", {"nid": ids}, NODE_LABELS[table.label].properties, cells)

    def _relationships(self, table: RelationshipTable, repository: int, counts: dict[str, int]) -> None:
        kept: list[int] = []
        ids: dict[str, list[int]] = {"rid": [], "s": [], "t": []}
        base = first_id(TYPE_NUMBERS[table.type], repository)
        for row, (start, end) in enumerate(zip(table.start, table.end, strict=True)):
            first, last = self._ids.get((table.start_label, start)), self._ids.get((table.end_label, end))
            if first is None or last is None:
                continue
            number = counts[table.type] = counts.get(table.type, -1) + 1
            kept.append(row)
            for name, value in (("rid", base + number), ("s", first), ("t", last)):
                ids[name].append(value)
        cells = {name: [column[row] for row in kept] for name, column in table.columns.items()}
        append_rows(self._connection, f"r_{table.type}", ids, RELATIONSHIP_TYPES[table.type].properties, cells)
