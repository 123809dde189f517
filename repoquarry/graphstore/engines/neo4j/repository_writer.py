"""Atomic replacement, change and deletion of one repository's graph in Neo4j.

The size of the change selects one of three methods. If nothing is stored: batches, and in the last one the Repository node, whose
presence marks a complete repository. Few changes: the differences, in one transaction. More changes than the server's transaction memory
allows: the complete graph is written in batches next to the old one under staging labels, and one transaction exchanges the labels.

Several writers may write concurrently. A writer that needs several transactions claims the repository (`claims`), and the next writer
removes the data that a killed one left under a claim. Nodes that do not belong to the claimed repository only (packages, links) are
written in the last transaction, and last transactions run one at a time: none waits for a lock while it holds one that another needs.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence

import neo4j

from repoquarry.graphstore.engines.change_plan import check_changes, check_graph, require_endpoints
from repoquarry.graphstore.engines.neo4j.change_writer import (
    OLD,
    OWN,
    SHARED,
    STAGED,
    BatchLimits,
    RowSender,
    StatementRunner,
    apply_changes,
    consume,
    drop_unused_packages,
    remove_abandoned_writes,
    remove_nodes,
    remove_partial_write,
    remove_side_copies,
    stored_ids,
    stored_revision,
    stored_sizes,
)
from repoquarry.graphstore.engines.neo4j.claims import Claim, Claims, Transactions
from repoquarry.graphstore.errors import ChangesRefusedError, EngineUnavailableError, NotFoundError, StoreBusyError
from repoquarry.graphstore.graph_engine import DeletionSummary, Progress
from repoquarry.graphstore.model.graph_tables import GraphChanges, RelationshipTable, RepositoryGraph, diff_graphs
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES

_log = logging.getLogger(__name__)
_LAST = ("Repository", "Package")
"""Labels of the nodes that a first write creates in its last transaction."""

_ATTEMPTS = 5
"""Maximum comparisons while other writers change the repository."""


_LINKED = "|".join(
    sorted(
        {label for end in (RELATIONSHIP_TYPES["PROVIDES"].start, RELATIONSHIP_TYPES["PROVIDES"].end) for label in end}
        - {"Package"}
    )
)


class RepositoryWriter:
    """Writer of one repository. `transaction_rows` limits the changes of one transaction, `limits` one statement."""

    def __init__(
        self,
        session: neo4j.Session,
        connect: Callable[[], neo4j.Session],
        read: Callable[[str], RepositoryGraph],
        claims: Claims,
        transactions: Transactions,
        transaction_rows: int,
        limits: BatchLimits,
        progress: Progress | None = None,
    ) -> None:
        self._session = session
        self._read = read
        self._claims = claims
        self._transactions = transactions
        self._transaction_rows = transaction_rows
        self._limits = limits
        self._sending = RowSender(connect, transactions, limits, progress)

    def replace(self, graph: RepositoryGraph) -> None:
        """Make the stored graph of the repository equal to `graph`. Raises: StoreBusyError if others keep changing it."""
        elsewhere = check_graph(graph)
        require_endpoints(elsewhere, {label: stored_ids(self._session, label, ids) for label, ids in elsewhere.items()})
        self._sending.total = sum(graph.counts().values())
        remove_abandoned_writes(self._session, self._claims, self._transactions)
        for _ in range(_ATTEMPTS):
            try:
                return self._replace(graph)
            except ChangesRefusedError as exc:
                _log.info("write_overtaken repository=%s reason=%s", graph.repository, exc)
        raise StoreBusyError(f"other processes changed {graph.repository!r} {_ATTEMPTS} times while it was compared")

    def change(self, changes: GraphChanges) -> None:
        """Apply changes in one transaction. Raises: ChangesRefusedError if they exceed it; as `apply_changes`."""
        check_changes(changes)
        if len(changes) > self._transaction_rows:
            raise ChangesRefusedError(
                f"{len(changes):,} rows change, but a transaction allows {self._transaction_rows:,} (neo4j_transaction_rows)"
            )
        remove_abandoned_writes(self._session, self._claims, self._transactions)
        self._sending.total = len(changes)
        self._apply(changes)

    def _apply(self, changes: GraphChanges) -> None:
        self._transactions.publish(
            self._session, lambda tx: apply_changes(tx, changes, self._limits, self._sending.report)
        )
        self._sending.finish()

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        """Remove existing links and add missing ones in one transaction."""

        def exchange(tx: neo4j.ManagedTransaction) -> None:
            for tables, action in (
                (removed, f"MATCH (a)-[r:{SHARED}]->(b) DELETE r"),
                (added, f"MERGE (a)-[:{SHARED}]->(b)"),
            ):
                for table in tables:
                    ends = f"MATCH (a:{table.start_label} {{id: row[0]}}) MATCH (b:{table.end_label} {{id: row[1]}})"
                    for rows in self._limits.split([list(pair) for pair in zip(table.start, table.end, strict=True)]):
                        consume(tx, f"UNWIND $rows AS row {ends} {action}", rows=rows)

        self._transactions.publish(self._session, exchange)

    def delete(self, repository: str) -> DeletionSummary:
        """Delete a repository: a small one in one transaction, otherwise its Repository node first. Raises: NotFoundError."""
        remove_abandoned_writes(self._session, self._claims, self._transactions)
        with self._claimed(repository) as claim:
            if stored_revision(self._session, repository) is None:
                raise NotFoundError(f"no repository {repository!r} is indexed", kind="repository", value=repository)
            sizes = stored_sizes(self._session, repository)
            labels = OWN if sum(sizes) <= self._transaction_rows else "Repository"

            def remove(tx: neo4j.ManagedTransaction) -> None:
                claim.confirm(tx)
                consume(tx, f"MATCH (n:{_LINKED})-[r:PROVIDES]-() WHERE n.repository = $id DELETE r", id=repository)
                consume(tx, f"MATCH (n:{labels}) WHERE n.repository = $id DETACH DELETE n", id=repository)
                drop_unused_packages(tx)

            self._transactions.publish(self._session, remove)
            remove_nodes(self._session, self._transactions, repository)
        return DeletionSummary(*sizes)

    def _replace(self, graph: RepositoryGraph) -> None:
        """Write the difference. Raises: ChangesRefusedError if another writer changed the repository since the comparison."""
        base = stored_revision(self._session, graph.repository)
        if base is not None:
            changes = diff_graphs(self._read(graph.repository), graph, base)
            if len(changes) <= self._transaction_rows:
                self._apply(changes)
                return
        with self._claimed(graph.repository) as claim:
            now = stored_revision(self._session, graph.repository)
            if (now is None) != (base is None):
                raise ChangesRefusedError(f"{graph.repository} was at revision {base} and is at {now}")
            (self._write_first if now is None else self._exchange)(graph, claim)

    def _write_first(self, graph: RepositoryGraph, claim: Claim) -> None:
        outer = self._write_own(graph, "", _LAST)

        def finish(tx: neo4j.ManagedTransaction) -> None:
            claim.confirm(tx)
            self._sending.write_last(tx, [table for table in graph.nodes if table.label in _LAST], outer)

        self._transactions.publish(self._session, finish)

    def _write_own(self, graph: RepositoryGraph, prefix: str, others: Sequence[str]) -> list[RelationshipTable]:
        """Write the nodes of all labels but `others` and the relationships among them; return all other relationships."""
        self._sending.create_nodes((table for table in graph.nodes if table.label not in others), prefix)
        inner: list[RelationshipTable] = []
        outer: list[RelationshipTable] = []
        for table in graph.relationships:
            is_outer = table.type == SHARED or table.start_label in _LAST or table.end_label in _LAST
            (outer if is_outer else inner).append(table)
        self._sending.create_relationships(inner)
        return outer

    def _exchange(self, graph: RepositoryGraph, claim: Claim) -> None:
        """Write a complete copy under staging labels and exchange the labels in one transaction."""
        outer = self._write_own(graph, STAGED, ["Package"])

        def exchange(tx: neo4j.ManagedTransaction) -> None:
            claim.confirm(tx)
            links = _links_into(tx, graph.repository)
            _exchange_labels(tx, graph)
            self._sending.write_last(tx, [table for table in graph.nodes if table.label == "Package"], outer)
            for start_label, start, end_label, end in links:
                match = f"MATCH (a:{start_label} {{id: $start}}) MATCH (b:{end_label} {{id: $end}})"
                consume(tx, f"{match} CREATE (a)-[:PROVIDES]->(b)", start=start, end=end)
            drop_unused_packages(tx)

        self._transactions.publish(self._session, exchange)
        remove_side_copies(self._session, self._transactions, graph.repository)

    @contextlib.contextmanager
    def _claimed(self, repository: str) -> Iterator[Claim]:
        """Claim the repository; a failure is cleaned up immediately, or by the next writer."""
        with self._claims.hold(self._session, repository) as claim:
            if claim.inherited:
                remove_partial_write(self._session, self._transactions, repository)
            try:
                yield claim
            except BaseException:
                with contextlib.suppress(Exception):  # Report the first error; the claim stays for the next writer.
                    remove_partial_write(self._session, self._transactions, repository)
                    self._claims.drop(self._session, claim)
                raise
            self._claims.drop(self._session, claim)


def _links_into(tx: StatementRunner, repository: str) -> list[tuple[str, str, str, str]]:
    found = tx.run(
        "MATCH (a)-[:PROVIDES]->(b) WHERE b.repository = $id AND a.repository <> $id "
        "RETURN labels(a)[0], a.id, labels(b)[0], b.id",
        {"id": repository},
    )
    return [(row[0], row[1], row[2], row[3]) for row in found]


def _exchange_labels(tx: StatementRunner, graph: RepositoryGraph) -> None:
    """Relabel stored nodes as old and staged nodes as stored; old nodes lose their relationships to other repositories."""
    counts = graph.counts()
    for label in NODE_LABELS:
        match = f"MATCH (n:{label}) WHERE n.repository = $id"
        consume(tx, f"{match} REMOVE n:{label} SET n:{OLD}", id=graph.repository)
        match = f"MATCH (n:{STAGED}{label}) WHERE n.repository = $id"
        found = tx.run(f"{match} REMOVE n:{STAGED}{label} SET n:{label} RETURN count(n)", {"id": graph.repository})
        if label != "Package" and found.single()[0] != counts.get(label, 0):
            raise EngineUnavailableError(f"the prepared copy lacks {label} nodes, or contains those of another writer")
    consume(tx, f"MATCH (:Package)-[r]-(n:{OLD}) WHERE n.repository = $id DELETE r", id=graph.repository)
    consume(tx, f"MATCH (n:{OLD})-[r:PROVIDES]-() WHERE n.repository = $id DELETE r", id=graph.repository)
