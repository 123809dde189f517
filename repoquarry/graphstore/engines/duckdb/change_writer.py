"""Writer of changes into the tables of one repository, in one transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from repoquarry.graphstore.engines.change_plan import new_endpoints, require_base, require_endpoints
from repoquarry.graphstore.engines.duckdb.graph_tables import (
    SHARED,
    append_rows,
    arrow_column,
    first_id,
    node_id,
    with_arrow,
)
from repoquarry.graphstore.errors import ChangesRefusedError
from repoquarry.graphstore.model.graph_tables import GraphChanges, Joined, NodeTable, Pair, RelationshipTable
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.query.sql.sql_types import LABEL_NUMBERS, TYPE_NUMBERS, quote


class ChangeWriter:
    """Writer of changes without links to other repositories. Raises: ChangesRefusedError if a row is missing or exists."""

    def __init__(self, connection: Any, repository: int) -> None:
        self._connection = connection
        self._repository = repository

    def apply(self, changes: GraphChanges) -> None:
        rows = self._connection.execute('SELECT revision FROM "n_Repository"').fetchall()
        require_base(changes, rows[0][0] if rows else None)
        for joined, pairs in changes.removed_relationships.items():
            self._remove_relationships(joined, pairs)
        for label, ids in changes.removed_nodes.items():
            self._remove_nodes(label, ids)
        for nodes in changes.added_nodes:
            self._add_nodes(nodes)
        for nodes in changes.changed_nodes:
            self._change_nodes(nodes)
        ends = new_endpoints(changes)
        require_endpoints(ends, {label: set(self._ids(label, ids)) for label, ids in ends.items()})
        for relationships in changes.added_relationships:
            self._add_relationships(relationships)
        for relationships in changes.changed_relationships:
            self._change_relationships(relationships)
        self.drop_unused_packages()

    def drop_unused_packages(self) -> None:
        used = " UNION ALL ".join(
            f'SELECT {side} FROM "r_{name}"'
            for name, kind in RELATIONSHIP_TYPES.items()
            for side, labels in (("s", kind.start), ("t", kind.end))
            if SHARED in labels
        )
        self._connection.execute(f'DELETE FROM "n_{SHARED}" WHERE nid NOT IN ({used})')

    def _ids(self, label: str, names: Sequence[str]) -> dict[str, int]:
        """Return the ids of stored nodes by name."""
        sql = f'SELECT id, nid FROM "n_{label}" WHERE id IN (SELECT unnest($names::VARCHAR[]))'
        return dict(self._connection.execute(sql, {"names": list(names)}).fetchall())

    def _expect(self, done: int, wanted: int, what: str) -> None:
        if done != wanted:
            raise ChangesRefusedError(f"{what}: {done} where {wanted} were expected")

    def _pairs(self, joined: Joined, starts: Sequence[str], ends: Sequence[str], **cells: Any) -> Any:
        """Return the stored ends of relationships as an Arrow table, with further columns."""
        first, last = self._ids(joined[1], starts), self._ids(joined[2], ends)
        columns = {"s": [first.get(start, -1) for start in starts], "t": [last.get(end, -1) for end in ends]}
        return pa.table({name: pa.array(ids, pa.int64()) for name, ids in columns.items()} | cells)

    def _remove_relationships(self, joined: Joined, pairs: Sequence[Pair]) -> None:
        table = self._pairs(joined, [start for start, _ in pairs], [end for _, end in pairs])
        name = f"r_{joined[0]}"
        sql = f'DELETE FROM "{name}" USING given WHERE "{name}".s = given.s AND "{name}".t = given.t'
        self._expect(with_arrow(self._connection, table, sql), len(pairs), f"removed {joined[0]}")

    def _remove_nodes(self, label: str, names: Sequence[str]) -> None:
        ids = list(self._ids(label, names).values())
        self._expect(len(ids), len(names), f"removed {label}")
        for name, kind in RELATIONSHIP_TYPES.items():
            for side, labels in (("s", kind.start), ("t", kind.end)):
                if label in labels:
                    sql = f'DELETE FROM "r_{name}" WHERE {side} IN (SELECT unnest($ids::BIGINT[]))'
                    self._connection.execute(sql, {"ids": ids})
        sql = f'DELETE FROM "n_{label}" WHERE nid IN (SELECT unnest($ids::BIGINT[]))'
        self._connection.execute(sql, {"ids": ids})

    def _next(self, table: str, key: str, number: int) -> int:
        """Return the first free id of a table."""
        first = first_id(number, self._repository)
        rows = self._connection.execute(f'SELECT coalesce(max({key}), {first - 1}) + 1 FROM "{table}"').fetchall()
        return int(rows[0][0])

    def _add_nodes(self, table: NodeTable) -> None:
        names = [str(name) for name in table.columns["id"]]
        stored = self._ids(table.label, names)
        if stored and table.label != SHARED:
            raise ChangesRefusedError(
                f"{table.label}: {len(stored)} of the added nodes are stored already, {min(stored)!r}"
            )
        kept = [row for row, name in enumerate(names) if name not in stored]
        base = self._next(f"n_{table.label}", "nid", LABEL_NUMBERS[table.label])
        ids = [base + place for place in range(len(kept))]
        if table.label == SHARED:
            ids = [node_id(SHARED, names[row], 0, 0) for row in kept]
        cells = {name: [column[row] for row in kept] for name, column in table.columns.items()}
        append_rows(self._connection, f"n_{table.label}", {"nid": ids}, NODE_LABELS[table.label].properties, cells)

    def _change_nodes(self, table: NodeTable) -> None:
        by_name = NODE_LABELS[table.label].by_name
        given = pa.table({name: arrow_column(by_name[name], cells) for name, cells in table.columns.items()})
        name = f"n_{table.label}"
        columns = [column for column in table.columns if column != "id"]
        if columns:
            self._update(name, columns, given, f'"{name}".id = given.id', len(table))

    def _add_relationships(self, table: RelationshipTable) -> None:
        joined = (table.type, table.start_label, table.end_label)
        pairs = self._pairs(joined, table.start, table.end)
        name = f"r_{table.type}"
        stored = f'SELECT count(*) FROM "{name}" r JOIN given g ON r.s = g.s AND r.t = g.t'
        self._expect(with_arrow(self._connection, pairs, stored), 0, f"added {table.type} that are stored already")
        base = self._next(name, "rid", TYPE_NUMBERS[table.type])
        ids = {"rid": range(base, base + len(table)), "s": pairs["s"].to_pylist(), "t": pairs["t"].to_pylist()}
        append_rows(self._connection, name, ids, RELATIONSHIP_TYPES[table.type].properties, table.columns)

    def _change_relationships(self, table: RelationshipTable) -> None:
        by_name: Mapping[str, Property] = RELATIONSHIP_TYPES[table.type].by_name
        cells = {name: arrow_column(by_name[name], column) for name, column in table.columns.items()}
        given = self._pairs((table.type, table.start_label, table.end_label), table.start, table.end, **cells)
        name = f"r_{table.type}"
        self._update(name, list(table.columns), given, f'"{name}".s = given.s AND "{name}".t = given.t', len(table))

    def _update(self, name: str, columns: Sequence[str], given: Any, condition: str, wanted: int) -> None:
        if columns:
            settings = ", ".join(f"{quote(column)} = given.{quote(column)}" for column in columns)
            done = with_arrow(self._connection, given, f'UPDATE "{name}" SET {settings} FROM given WHERE {condition}')
            self._expect(done, wanted, f"changed {name[2:]}")
