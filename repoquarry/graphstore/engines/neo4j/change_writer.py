"""Writer of graph rows and changes to Neo4j in batched Cypher statements; also removes the data of writers that were killed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeVar

import msgspec
import neo4j

from repoquarry.graphstore.engines.change_plan import new_endpoints, require_base, require_endpoints
from repoquarry.graphstore.engines.neo4j.claims import Claims, Transactions
from repoquarry.graphstore.errors import ChangesRefusedError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import Cell, GraphChanges, NodeTable, RelationshipTable
from repoquarry.graphstore.model.schema import NODE_LABELS

_Row = TypeVar("_Row")
_ENCODER = msgspec.msgpack.Encoder()


@dataclass(frozen=True)
class BatchLimits:
    """Limits of one statement; a row larger than `bytes` is sent by itself."""

    bytes: int = 2 * 1024 * 1024
    rows: int = 5_000

    def split(self, rows: Iterable[_Row]) -> Iterator[list[_Row]]:
        """Split rows in order, with at most one batch in memory."""
        batch: list[_Row] = []
        held = 0
        for row in rows:
            size = size_of(row)
            if batch and (held + size > self.bytes or len(batch) == self.rows):
                yield batch
                batch, held = [], 0
            batch.append(row)
            held += size
        if batch:
            yield batch


def size_of(value: object) -> int:
    """Return the size of a value in MessagePack, which the driver's wire format resembles."""
    return len(_ENCODER.encode(value))


SHARED = "PROVIDES"
"""Type of relationships that the repositories of both ends may write or remove."""


class StatementRunner(Protocol):
    """Interface of a transaction, or of a session that commits each statement by itself."""

    def run(self, query: Any, parameters: Any = None) -> Any: ...


def apply_changes(
    tx: StatementRunner, changes: GraphChanges, limits: BatchLimits, report: Callable[[int], None]
) -> None:
    """Apply changes. `report` receives the number of rows that each statement wrote.

    Raises: ChangesRefusedError if the stored graph is not the base of the changes; InvalidGraphError. The transaction must then be rolled
    back.
    """
    require_base(changes, stored_revision(tx, changes.repository))
    _remove(tx, changes, limits)
    for table in changes.changed_nodes:
        _set(tx, f"MATCH (n:{table.label} {{id: row.id}})", table.columns, _node_rows(table), limits, report)
    for table in changes.added_nodes:
        _create_nodes(tx, table, limits, report)
    ends = new_endpoints(changes)
    require_endpoints(ends, {label: stored_ids(tx, label, ids) for label, ids in ends.items()})
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


def stored_ids(to: StatementRunner, label: str, ids: Sequence[str]) -> set[str]:
    found = to.run(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id", {"ids": list(ids)})
    return {row[0] for row in found}


def drop_unused_packages(to: StatementRunner) -> None:
    to.run("MATCH (p:Package) WHERE NOT EXISTS { (p)--() } DELETE p").consume()


def _remove(tx: StatementRunner, changes: GraphChanges, limits: BatchLimits) -> None:
    """Remove relationships, then nodes with their remaining relationships, so that each is removed once."""
    for (kind, start, end), pairs in changes.removed_relationships.items():
        match = f"MATCH (a:{start} {{id: row[0]}})-[r:{kind}]->(b:{end} {{id: row[1]}})"
        for batch in limits.split(pairs):
            done = tx.run(f"UNWIND $rows AS row {match} DELETE r", {"rows": [list(pair) for pair in batch]}).consume()
            if kind != SHARED:
                _expect(done.counters.relationships_deleted, batch, match)
    for label, ids in changes.removed_nodes.items():
        for some in limits.split(ids):
            match = f"MATCH (n:{label} {{id: row}})"
            done = tx.run(f"UNWIND $rows AS row {match} DETACH DELETE n", {"rows": some}).consume()
            _expect(done.counters.nodes_deleted, some, match)


def _create_nodes(tx: StatementRunner, table: NodeTable, limits: BatchLimits, report: Callable[[int], None]) -> None:
    rows = _node_rows(table)
    if table.label == "Package":
        _send(tx, "MERGE (n:Package {id: row.id}) SET n = row.given", rows, limits, report)
        return
    there = stored_ids(tx, table.label, [str(node) for node in table.columns["id"]])
    if there:
        raise ChangesRefusedError(f"{table.label}: {len(there)} of the added nodes are stored already, {min(there)!r}")
    _send(tx, f"CREATE (n:{table.label}) SET n = row.given", rows, limits, report)


def _set(
    tx: StatementRunner,
    match: str,
    names: Mapping[str, object],
    rows: Sequence[Mapping[str, Any]],
    limits: BatchLimits,
    report: Callable[[int], None],
) -> None:
    """Set the properties `names`, clearing them first: Neo4j treats 0.0 and -0.0 as equal and would keep the old sign."""
    empty = {name: None for name in names if name != "id"}
    for batch in limits.split(rows):
        text = f"UNWIND $rows AS row {match} SET n += $empty SET n += row.given RETURN count(n)"
        _expect(tx.run(text, {"rows": batch, "empty": empty}).single()[0], batch, match)
        report(len(batch))


def _send(
    tx: StatementRunner,
    action: str,
    rows: Iterable[Any],
    limits: BatchLimits,
    report: Callable[[int], None],
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
    """Convert rows to maps without missing values."""
    if not columns:
        return [{} for _ in range(length)]
    cells = zip(*columns.values(), strict=True)
    return [{name: cell for name, cell in zip(columns, row, strict=True) if cell is not None} for row in cells]


OLD = "_Old"
STAGED = "_Staged"
_DELETED_ROWS = 2_000
"""Nodes deleted in one transaction."""

_CONNECTIONS = 2
"""Connections that create nodes in parallel."""

OWN = "|".join(label for label in NODE_LABELS if label != "Package")
_BESIDE = "|".join([OLD, *(f"{STAGED}{label}" for label in NODE_LABELS)])
"""Pattern of the labels of nodes of one repository, and of the nodes of an unfinished or finished exchange."""


def remove_abandoned_writes(session: neo4j.Session, claims: Claims, transactions: Transactions) -> None:
    """Remove data of writers that have exited; complete repositories and staged data of live writers stay."""
    for repository, owner in claims.left(session):
        with claims.inherit(session, repository, owner) as claim:
            if claim is not None:
                remove_partial_write(session, transactions, repository)
                claims.drop(session, claim)


def consume(to: StatementRunner, text: str, **parameters: Any) -> None:
    to.run(text, parameters).consume()


def stored_revision(to: StatementRunner, repository: str) -> str | None:
    """Return the stored revision of a repository; None if it is not completely stored."""
    found = to.run("MATCH (r:Repository {id: $id}) RETURN r.revision", {"id": repository}).single()
    return None if found is None else str(found[0])


def stored_sizes(session: neo4j.Session, repository: str) -> tuple[int, int]:
    """Return the number of nodes of a repository and of relationships that start in it."""
    match = f"MATCH (n:{OWN}) WHERE n.repository = $id"
    nodes = session.run(f"{match} RETURN count(n)", {"id": repository}).single(strict=True)[0]
    return nodes, session.run(f"{match} MATCH (n)-[r]->() RETURN count(r)", {"id": repository}).single(strict=True)[0]


def remove_partial_write(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    """Remove the data of an unfinished write of a repository that this writer has claimed."""
    remove_side_copies(session, transactions, repository)
    if stored_revision(session, repository) is None:
        remove_nodes(session, transactions, repository)


def remove_nodes(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    """Delete the stored part of an incomplete repository in batches."""
    for label in NODE_LABELS:
        if label != "Package":
            _delete(session, transactions, label, repository)


def remove_side_copies(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    _delete(session, transactions, _BESIDE, repository)


def _delete(session: neo4j.Session, transactions: Transactions, labels: str, repository: str) -> None:
    text = f"MATCH (n:{labels}) WHERE n.repository = $id WITH n LIMIT $rows DETACH DELETE n RETURN count(*)"

    def some(tx: neo4j.ManagedTransaction) -> int:
        return int(tx.run(text, {"id": repository, "rows": _DELETED_ROWS}).single(strict=True)[0])

    while transactions.write(session, some) == _DELETED_ROWS:
        pass


def _properties(names: Iterable[str], first: int) -> str:
    """Return a map of properties from the items of a row; the server omits those that are null."""
    return "{" + ", ".join(f"{name}: row[{place}]" for place, name in enumerate(names, first)) + "}"


class RowSender:
    """Sender of the rows of one write, over several connections where rows do not share locks.

    Rows are lists in the order of the columns, and relationships name the numbers of their ends: property names are sent and ends are
    looked up once. `id()`, which Cypher 5 has, costs the server a fifth less than `elementId()`. `limits` limits one statement;
    `progress` receives the rows written and the total.
    """

    def __init__(
        self,
        connect: Callable[[], neo4j.Session],
        transactions: Transactions,
        limits: BatchLimits,
        progress: Progress | None,
    ) -> None:
        self._connect = connect
        self._transactions = transactions
        self._limits = limits
        self._progress = progress
        self._done = 0
        self._numbers: dict[str, dict[str, int]] = {}
        self.total = 0

    def create_nodes(self, tables: Iterable[NodeTable], prefix: str) -> None:
        """Create nodes whose labels start with `prefix`, in transactions that run in parallel."""
        with ThreadPoolExecutor(_CONNECTIONS) as pool:
            for table in tables:
                numbers = self._numbers.setdefault(table.label, {})
                create = f"CREATE (n:{prefix}{table.label} {_properties(table.columns, 0)}) RETURN collect(id(n))"
                rows = self._limits.split(map(list, zip(*table.columns.values(), strict=True)))
                names = iter(table.columns["id"])
                for batch, created in self._create(pool, create, rows):
                    numbers.update(zip(map(str, islice(names, len(batch))), created, strict=True))

    def create_relationships(self, tables: Iterable[RelationshipTable]) -> None:
        """Create relationships between nodes of `create_nodes`, one transaction at a time: others would wait for its locks."""
        with ThreadPoolExecutor(1) as pool:  # The next batch is prepared while the server works.
            for table in tables:
                ends = "MATCH (a) WHERE id(a) = row[0] MATCH (b) WHERE id(b) = row[1]"
                create = f"{ends} CREATE (a)-[:{table.type} {_properties(table.columns, 2)}]->(b) RETURN count(*)"
                starts = map(self._numbers[table.start_label].__getitem__, table.start)
                rows = zip(
                    starts,
                    map(self._numbers[table.end_label].__getitem__, table.end),
                    *table.columns.values(),
                    strict=True,
                )
                # Relationships of one node, sent together, cost the server a quarter less.
                near = sorted(map(list, rows), key=lambda row: sorted(row[:2]))
                for batch, created in self._create(pool, create, self._limits.split(near)):
                    _expect(created, batch, table.type)

    def _create(
        self, pool: ThreadPoolExecutor, action: str, batches: Iterable[list[Any]]
    ) -> Iterator[tuple[list[Any], Any]]:
        """Send batches and yield each with its answer, in order; two for each connection are in memory."""
        sent: deque[tuple[list[Any], Future[Any]]] = deque()
        for batch in batches:
            sent.append((batch, pool.submit(self._answer, action, batch)))
            if len(sent) > 2 * _CONNECTIONS:
                yield self._received(*sent.popleft())
        while sent:
            yield self._received(*sent.popleft())

    def _received(self, batch: list[Any], answer: Future[Any]) -> tuple[list[Any], Any]:
        created = answer.result()
        self.report(len(batch))
        return batch, created

    def _answer(self, action: str, batch: list[Any]) -> Any:
        text = f"CYPHER 5 UNWIND $rows AS row {action}"
        with self._connect() as session:
            return self._transactions.write(session, lambda tx: tx.run(text, {"rows": batch}).single(strict=True)[0])

    def write_last(
        self, tx: StatementRunner, nodes: Iterable[NodeTable], relationships: Iterable[RelationshipTable]
    ) -> None:
        """Merge nodes that other repositories may have too, and create relationships that leave the own nodes, in the last transaction."""
        for table in nodes:
            merge = f"MERGE (n:{table.label} {{id: row.id}}) SET n = row.given"
            _send(tx, merge, _node_rows(table), self._limits, self.report)
        for joined in relationships:
            match = f"MATCH (a:{joined.start_label} {{id: row.start}}) MATCH (b:{joined.end_label} {{id: row.end}})"
            create = f"{match} CREATE (a)-[r:{joined.type}]->(b) SET r = row.given"
            _send(tx, create, _relationship_rows(joined), self._limits, self.report)

    def report(self, rows: int) -> None:
        """Count rows as written, up to the total."""
        self._done = min(self.total, self._done + rows)
        if self._progress is not None and rows:
            self._progress(self._done, self.total)

    def finish(self) -> None:
        """Count the remaining rows, such as unchanged ones, as written."""
        self.report(self.total - self._done)
