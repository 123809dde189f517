"""Changes of a repository as statements of one Neo4j transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from repoquarry.graphstore.engines.checks import new_endpoints, refuse_missing
from repoquarry.graphstore.engines.neo4j.batches import BatchLimits
from repoquarry.graphstore.errors import ChangesRefusedError
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable

SHARED = "PROVIDES"
"""Type of the relationships that both repositories at their ends may have written, and either may have removed."""


class Runner(Protocol):
    """A transaction, or a session that commits each statement by itself."""

    def run(self, query: Any, parameters: Any = None) -> Any: ...


def apply(tx: Runner, changes: GraphChanges, limits: BatchLimits, report: Callable[[int], None]) -> tuple[int, int]:
    """Apply changes; nodes and relationships deleted. `report` is called with the rows that each statement wrote.

    Raises: ChangesRefusedError when what is stored is not what they start from; InvalidGraphError. The transaction is then to be
    rolled back.
    """
    _require_base(tx, changes)
    nodes, relationships = _remove(tx, changes, limits)
    for table in changes.changed_nodes:
        _set(tx, f"MATCH (n:{table.label} {{id: row.id}})", table.columns, _node_rows(table), limits, report)
    for table in changes.added_nodes:
        _create_nodes(tx, table, limits, report)
    ends = new_endpoints(changes)
    refuse_missing(ends, {label: stored_ids(tx, label, ids) for label, ids in ends.items()})
    for joined in changes.added_relationships:
        match = f"MATCH (a:{joined.start_label} {{id: row.start}}) MATCH (b:{joined.end_label} {{id: row.end}})"
        create = "MERGE" if joined.type == SHARED else "CREATE"
        _send(
            tx,
            f"{match} {create} (a)-[r:{joined.type}]->(b) SET r = row.given",
            _relationship_rows(joined),
            limits,
            report,
        )
    for joined in changes.changed_relationships:
        match = (
            f"MATCH (:{joined.start_label} {{id: row.start}})-[n:{joined.type}]->(:{joined.end_label} {{id: row.end}})"
        )
        _set(tx, match, joined.columns, _relationship_rows(joined), limits, report)
    drop_unused_packages(tx)
    return nodes, relationships


def stored_ids(to: Runner, label: str, ids: Sequence[str]) -> set[str]:
    """Those of the ids that nodes of the label have."""
    found = to.run(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id", {"ids": list(ids)})
    return {row[0] for row in found}


def drop_unused_packages(to: Runner) -> None:
    """Delete the packages that nothing points at."""
    to.run("MATCH (p:Package) WHERE NOT EXISTS { (p)--() } DELETE p").consume()


def _require_base(tx: Runner, changes: GraphChanges) -> None:
    found = tx.run("MATCH (r:Repository {id: $id}) RETURN r.revision", {"id": changes.repository}).single()
    revision = found[0] if found is not None else None
    if revision != changes.base:
        raise ChangesRefusedError(
            f"{changes.repository} is stored at revision {revision}, and the changes start from {changes.base}"
        )


def _remove(tx: Runner, changes: GraphChanges, limits: BatchLimits) -> tuple[int, int]:
    """Remove relationships, then nodes with what is left of theirs, so that each is removed once."""
    nodes = relationships = 0
    for (kind, start, end), pairs in changes.removed_relationships.items():
        match = f"MATCH (a:{start} {{id: row[0]}})-[r:{kind}]->(b:{end} {{id: row[1]}})"
        for batch in limits.split(pairs):
            done = tx.run(f"UNWIND $rows AS row {match} DELETE r", {"rows": [list(pair) for pair in batch]}).consume()
            if kind != SHARED:
                _expect(done.counters.relationships_deleted, batch, match)
            relationships += done.counters.relationships_deleted
    for label, ids in changes.removed_nodes.items():
        for some in limits.split(ids):
            match = f"MATCH (n:{label} {{id: row}})"
            done = tx.run(f"UNWIND $rows AS row {match} DETACH DELETE n", {"rows": some}).consume()
            _expect(done.counters.nodes_deleted, some, match)
            nodes += len(some)
            relationships += done.counters.relationships_deleted
    return nodes, relationships


def _create_nodes(tx: Runner, table: NodeTable, limits: BatchLimits, report: Callable[[int], None]) -> None:
    rows = _node_rows(table)
    if table.label == "Package":
        _send(tx, "MERGE (n:Package {id: row.id}) SET n = row.given", rows, limits, report)
        return
    there = stored_ids(tx, table.label, [str(node) for node in table.columns["id"]])
    if there:
        raise ChangesRefusedError(f"{table.label}: {len(there)} of the added nodes are stored already, {min(there)!r}")
    _send(tx, f"CREATE (n:{table.label}) SET n = row.given", rows, limits, report)


def _set(
    tx: Runner,
    match: str,
    names: Mapping[str, object],
    rows: Sequence[Mapping[str, Any]],
    limits: BatchLimits,
    report: Callable[[int], None],
) -> None:
    """Set the properties `names`. They are emptied first: Neo4j takes 0.0 for -0.0 and would keep the old sign."""
    empty = {name: None for name in names if name != "id"}
    for batch in limits.split(rows):
        text = f"UNWIND $rows AS row {match} SET n += $empty SET n += row.given RETURN count(n)"
        _expect(tx.run(text, {"rows": batch, "empty": empty}).single()[0], batch, match)
        report(len(batch))


def _send(
    tx: Runner, action: str, rows: Sequence[Mapping[str, Any]], limits: BatchLimits, report: Callable[[int], None]
) -> None:
    for batch in limits.split(rows):
        tx.run(f"UNWIND $rows AS row {action}", {"rows": batch}).consume()
        report(len(batch))


def _expect(done: int, rows: Sequence[object], match: str) -> None:
    if done != len(rows):
        raise ChangesRefusedError(f"{len(rows)} rows change, and {done} are stored ({match})")


def _node_rows(table: NodeTable) -> list[dict[str, Any]]:
    return [{"id": row["id"], "given": row} for row in _rows(table.columns, len(table))]


def _relationship_rows(table: RelationshipTable) -> list[dict[str, Any]]:
    rows = _rows(table.columns, len(table))
    return [
        {"start": start, "end": end, "given": row} for start, end, row in zip(table.start, table.end, rows, strict=True)
    ]


def _rows(columns: Mapping[str, Sequence[Cell]], length: int) -> list[dict[str, Cell]]:
    """Rows as maps without what is missing."""
    if not columns:
        return [{} for _ in range(length)]
    cells = zip(*columns.values(), strict=True)
    return [{name: cell for name, cell in zip(columns, row, strict=True) if cell is not None} for row in cells]
