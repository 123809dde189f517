"""How a repository is written into Neo4j so that what was stored before stays whole until the new state is.

Three ways, by how much changes. Nothing stored: batches, and the Repository node, whose presence says that a repository is whole,
in the last one. Little changes: the differences, in one transaction. Much changes, more than the server's transaction memory
takes: the whole graph is written in batches beside the old one under staging labels, and one transaction exchanges the labels.
What a killed write leaves behind is marked and removed when the store is next opened for writing.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from repoquarry.graphstore.engine import Progress, WriteSummary
from repoquarry.graphstore.engines.changes import (
    NodeChanges,
    RelationshipChanges,
    Row,
    Tables,
    batches,
    node_changes,
    planned,
    relationship_changes,
)
from repoquarry.graphstore.engines.checks import check_changes, check_graph, refuse_missing
from repoquarry.graphstore.engines.neo4j_changes import BATCH_ROWS, Runner, apply, drop_unused_packages, stored_ids
from repoquarry.graphstore.errors import ChangesRefusedError, EngineUnavailableError, NotFoundError
from repoquarry.graphstore.model.changes import GraphChanges, Joined
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES

MARKER = "_Writing"
OLD = "_Old"
_STAGED = "_Staged"
_LAST = ("Repository", "Package")
"""Labels of the nodes that a first write leaves for its last transaction."""

_INDEXES = [
    *((label, "repository") for label in NODE_LABELS if label not in _LAST),
    *((label, "name") for label in ("Module", "Class", "Function", "External", "Name")),
]
_STARTS = sorted({label for kind in RELATIONSHIP_TYPES.values() for label in kind.start})
_OWN = "|".join(label for label in NODE_LABELS if label != "Package")
_BESIDE = "|".join([OLD, *(f"{_STAGED}{label}" for label in NODE_LABELS)])
"""Labels of nodes that belong to one repository, and of the nodes of an unfinished or finished exchange, as a pattern names them."""


class Session(Runner, Protocol):
    """What is needed of the driver's session."""

    def execute_write(self, work: Callable[[Any], Any]) -> Any: ...


def prepare(session: Session) -> None:
    """Create the constraints and indexes that are missing, and remove what killed writes left."""
    names = {row[0] for row in session.run("SHOW INDEXES YIELD name")}
    wanted = {
        **{
            f"{label}_id": f"CREATE CONSTRAINT {label}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE"
            for label in NODE_LABELS
        },
        **{
            f"{label}_{key}": f"CREATE INDEX {label}_{key} IF NOT EXISTS FOR (n:{label}) ON (n.{key})"
            for label, key in _INDEXES
        },
    }
    missing = [statement for name, statement in wanted.items() if name not in names]
    for statement in missing:
        _consume(session, statement)
    if missing:
        _consume(session, "CALL db.awaitIndexes(300)")
    clean(session)


def clean(session: Session) -> None:
    """Remove the nodes of unfinished writes; whole repositories are not touched."""
    for repository in [row[0] for row in session.run(f"MATCH (m:{MARKER}) RETURN m.id").values()]:
        _remove_side_copies(session)
        if not _is_whole(session, repository):
            _remove_nodes(session, repository)
        _consume(session, f"MATCH (m:{MARKER} {{id: $id}}) DELETE m", id=repository)


class Write:
    """One write of one repository. `transaction_rows` bounds what is changed in one transaction."""

    def __init__(self, session: Session, transaction_rows: int, progress: Progress | None = None) -> None:
        self._session = session
        self._transaction_rows = transaction_rows
        self._progress = progress
        self._done = 0
        self._total = 0

    def replace(self, graph: RepositoryGraph) -> WriteSummary:
        """Make the stored graph of the repository equal to `graph`."""
        started = time.perf_counter()
        elsewhere = check_graph(graph)
        refuse_missing(elsewhere, {label: stored_ids(self._session, label, ids) for label, ids in elsewhere.items()})
        tables = Tables(graph)
        counts = tables.counts()
        self._total = sum(counts)
        clean(self._session)
        if not _is_whole(self._session, graph.repository):
            with self._marked(graph.repository):
                self._write_first(tables)
            return WriteSummary(*counts, 0, 0, time.perf_counter() - started)
        nodes, relationships = self._compare(tables)
        changed = sum(map(len, nodes.values())) + sum(map(len, relationships.values()))
        if changed <= self._transaction_rows:
            base = _revision(self._session, graph.repository)
            planned_changes = planned(tables, base, nodes, relationships)
            self._session.execute_write(lambda tx: apply(tx, planned_changes, self._report))
            self._report(self._total - self._done)
            return _summary(nodes, relationships, started)
        before = _sizes(self._session, graph.repository)
        with self._marked(graph.repository):
            self._exchange(tables)
        return WriteSummary(*counts, *before, time.perf_counter() - started)

    def change(self, changes: GraphChanges) -> WriteSummary:
        """Apply changes in one transaction. Raises: ChangesRefusedError when they are more than it holds; as `apply`."""
        started = time.perf_counter()
        check_changes(changes)
        if len(changes) > self._transaction_rows:
            raise ChangesRefusedError(
                f"{len(changes):,} rows change, and a transaction holds {self._transaction_rows:,} (neo4j_transaction_rows)"
            )
        clean(self._session)
        self._total = len(changes)
        gone, cut = self._session.execute_write(lambda tx: apply(tx, changes, self._report))
        self._report(self._total - self._done)
        nodes = sum(map(len, (*changes.added_nodes, *changes.changed_nodes)))
        relationships = sum(map(len, (*changes.added_relationships, *changes.changed_relationships)))
        return WriteSummary(nodes, relationships, gone, cut, time.perf_counter() - started)

    def delete(self, repository: str) -> WriteSummary:
        """Delete a repository; at once when it is small, else its Repository node first. Raises: NotFoundError."""
        started = time.perf_counter()
        if not _is_whole(self._session, repository):
            raise NotFoundError(f"no repository {repository!r} is stored", kind="repository", value=repository)
        sizes = _sizes(self._session, repository)
        labels = _OWN if sum(sizes) <= self._transaction_rows else "Repository"

        def remove(tx: Runner) -> None:
            _consume(tx, f"MATCH (n:{labels}) WHERE n.repository = $id DETACH DELETE n", id=repository)
            drop_unused_packages(tx)

        with self._marked(repository):
            self._session.execute_write(remove)
            _remove_nodes(self._session, repository)
        return WriteSummary(0, 0, *sizes, time.perf_counter() - started)

    def _write_first(self, tables: Tables) -> None:
        own = [label for label in tables.nodes if label not in _LAST]
        for label in own:
            self._create_nodes(self._session, tables, label, tables.node_rows(label), "")
        inner, outer = _inner_and_outer(tables)
        for joined in inner:
            self._create_relationships(self._session, tables, joined, tables.relationship_rows(joined), "")

        def finish(tx: Runner) -> None:
            self._merge_packages(tx, tables)
            self._create_nodes(tx, tables, "Repository", tables.node_rows("Repository"), "")
            for joined in outer:
                self._create_relationships(tx, tables, joined, tables.relationship_rows(joined), "")
            _drop_marker(tx, tables.repository)

        self._session.execute_write(finish)

    def _exchange(self, tables: Tables) -> None:
        """Write a complete copy under staging labels and exchange the labels in one transaction."""
        inner, outer = _inner_and_outer(tables)
        own = [label for label in tables.nodes if label != "Package"]
        for label in own:
            _consume(self._session, f"CREATE INDEX {label}_staged IF NOT EXISTS FOR (n:{_STAGED}{label}) ON (n.id)")
        _consume(self._session, "CALL db.awaitIndexes(300)")
        for label in own:
            self._create_nodes(self._session, tables, label, tables.node_rows(label), _STAGED)
        for joined in inner:
            self._create_relationships(self._session, tables, joined, tables.relationship_rows(joined), _STAGED)
        links = _links_into(self._session, tables.repository)

        def exchange(tx: Runner) -> None:
            for label in NODE_LABELS:
                match = f"MATCH (n:{label}) WHERE n.repository = $id"
                _consume(tx, f"{match} REMOVE n:{label} SET n:{OLD}", id=tables.repository)
            for label in own:
                expected = len(tables.node_rows(label))
                found = tx.run(f"MATCH (n:{_STAGED}{label}) REMOVE n:{_STAGED}{label} SET n:{label} RETURN count(n)")
                if found.single()[0] != expected:
                    raise EngineUnavailableError(f"the prepared copy lacks {label} nodes: does another process write?")
            _consume(tx, f"MATCH (:Package)-[r]-(:{OLD}) DELETE r")
            _consume(tx, f"MATCH (:{OLD})-[r:PROVIDES]-() DELETE r")
            self._merge_packages(tx, tables)
            for joined in outer:
                self._create_relationships(tx, tables, joined, tables.relationship_rows(joined), "")
            for start_label, start, end_label, end in links:
                match = f"MATCH (a:{start_label} {{id: $start}}) MATCH (b:{end_label} {{id: $end}})"
                _consume(tx, f"{match} CREATE (a)-[:PROVIDES]->(b)", start=start, end=end)
            drop_unused_packages(tx)

        self._session.execute_write(exchange)
        _remove_side_copies(self._session)

    def _compare(self, tables: Tables) -> tuple[dict[str, NodeChanges], dict[Joined, RelationshipChanges]]:
        nodes: dict[str, NodeChanges] = {}
        relationships: dict[Joined, RelationshipChanges] = {}
        for label in NODE_LABELS:
            if label == "Package":
                continue  # shared: merged, never compared
            found = self._session.run(
                f"MATCH (n:{label}) WHERE n.repository = $id RETURN n.id, properties(n)", {"id": tables.repository}
            )
            nodes[label] = node_changes(tables, label, found)
        for start in _STARTS:
            text = (
                f"MATCH (a:{start}) WHERE a.repository = $id MATCH (a)-[r]->(b) "
                "RETURN type(r), labels(b)[0], a.id, b.id, properties(r)"
            )
            found = self._session.run(text, {"id": tables.repository})
            relationships |= relationship_changes(tables, start, found)
        return nodes, relationships

    def _create_nodes(self, to: Runner, tables: Tables, label: str, rows: Sequence[Row], prefix: str) -> None:
        self._send_nodes(to, tables, label, rows, f"CREATE (n:{prefix}{label}) SET n = row")

    def _merge_packages(self, tx: Runner, tables: Tables) -> None:
        rows = tables.node_rows("Package")
        self._send_nodes(tx, tables, "Package", rows, "MERGE (n:Package {id: row.id}) SET n = row")

    def _send_nodes(self, to: Runner, tables: Tables, label: str, rows: Sequence[Row], action: str) -> None:
        for batch in batches(rows, BATCH_ROWS):
            _consume(to, f"UNWIND $rows AS row {action}", rows=[tables.node(label, row) for row in batch])
            self._report(len(batch))

    def _create_relationships(
        self, to: Runner, tables: Tables, joined: Joined, rows: Sequence[Row], prefix: str
    ) -> None:
        kind, start, end = joined
        match = f"MATCH (a:{prefix}{start} {{id: row[0]}}) MATCH (b:{prefix}{end} {{id: row[1]}})"
        self._send_relationships(to, tables, joined, rows, f"{match} CREATE (a)-[r:{kind}]->(b) SET r = row[2]")

    def _send_relationships(self, to: Runner, tables: Tables, joined: Joined, rows: Sequence[Row], action: str) -> None:
        for batch in batches(rows, BATCH_ROWS):
            sent = [list(tables.relationship(joined, row)) for row in batch]
            _consume(to, f"UNWIND $rows AS row {action}", rows=sent)
            self._report(len(batch))

    def _report(self, rows: int) -> None:
        self._done = min(self._total, self._done + rows)
        if self._progress is not None and rows:
            self._progress(self._done, self._total)

    @contextlib.contextmanager
    def _marked(self, repository: str) -> Iterator[None]:
        """Mark the repository as being written; what fails in between is cleaned at once, or else when next opened."""
        _consume(self._session, f"MERGE (:{MARKER} {{id: $id}})", id=repository)
        try:
            yield
        except BaseException:
            with contextlib.suppress(
                Exception
            ):  # the first error is the one to tell; the marker stays for the next open
                clean(self._session)
            raise
        _drop_marker(self._session, repository)


def _inner_and_outer(tables: Tables) -> tuple[list[Joined], list[Joined]]:
    """Kinds whose relationships lie wholly inside the copy, and those that touch Repository, Package or other repositories."""
    inner: list[Joined] = []
    outer: list[Joined] = []
    for joined, found in tables.relationships.items():
        outside = joined[1] in _LAST or joined[2] in _LAST or joined[0] == "PROVIDES" or not found
        (outer if outside else inner).append(joined)
    return inner, outer


def _summary(
    nodes: Mapping[str, NodeChanges], relationships: Mapping[Joined, RelationshipChanges], started: float
) -> WriteSummary:
    return WriteSummary(
        sum(len(found.create) + len(found.update) for found in nodes.values()),
        sum(len(found.create) + len(found.update) for found in relationships.values()),
        sum(len(found.delete) for found in nodes.values()),
        sum(len(found.delete) for found in relationships.values()),
        time.perf_counter() - started,
    )


def _consume(to: Runner, text: str, **parameters: Any) -> None:
    to.run(text, parameters).consume()


def _is_whole(session: Session, repository: str) -> bool:
    return bool(session.run("MATCH (r:Repository {id: $id}) RETURN count(r)", {"id": repository}).single()[0])


def _revision(session: Session, repository: str) -> str:
    """The stored revision of a repository that is whole."""
    return str(session.run("MATCH (r:Repository {id: $id}) RETURN r.revision", {"id": repository}).single()[0])


def _sizes(session: Session, repository: str) -> tuple[int, int]:
    """Nodes of a repository and relationships that start in it."""
    match = f"MATCH (n:{_OWN}) WHERE n.repository = $id"
    nodes = session.run(f"{match} RETURN count(n)", {"id": repository}).single()[0]
    return nodes, session.run(f"{match} MATCH (n)-[r]->() RETURN count(r)", {"id": repository}).single()[0]


def _links_into(session: Session, repository: str) -> list[tuple[str, str, str, str]]:
    found = session.run(
        "MATCH (a)-[:PROVIDES]->(b) WHERE b.repository = $id AND a.repository <> $id "
        "RETURN labels(a)[0], a.id, labels(b)[0], b.id",
        {"id": repository},
    )
    return [(row[0], row[1], row[2], row[3]) for row in found]


def _drop_marker(to: Runner, repository: str) -> None:
    _consume(to, f"MATCH (m:{MARKER} {{id: $id}}) DELETE m", id=repository)


def _remove_nodes(session: Session, repository: str) -> None:
    """Delete in batches what is stored of a repository that is not whole."""
    _delete(session, f"MATCH (n:{_OWN}) WHERE n.repository = $id", id=repository)


def _remove_side_copies(session: Session) -> None:
    _delete(session, f"MATCH (n:{_BESIDE})")


def _delete(session: Session, match: str, **parameters: Any) -> None:
    _consume(session, f"{match} CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 2000 ROWS", **parameters)
