"""Graph engine on a Neo4j server: writes repositories, runs trusted and untrusted Cypher queries, stores and searches vectors.

The server, not an inspection of the text, makes untrusted queries safe: a read-only session, EXPLAIN first (the query type must be `r`,
and the plan is checked, since `r` includes loading files and inspecting the server), a time limit that the server enforces, and
termination on the server when the caller cancels. Vectors are written after the graph, in separate transactions. The last one
records on the Repository node the index that they come from, so an interrupted write is repeated. Nodes that lack a vector, because
they were created again, get theirs in the next write. `repoquarry.graphstore.engines.neo4j.repository_writer` describes atomic writes.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import neo4j
from neo4j.exceptions import Neo4jError, ServiceUnavailable

from repoquarry.graphstore.engines.neo4j.change_writer import BatchLimits, consume, remove_abandoned_writes
from repoquarry.graphstore.engines.neo4j.claims import Claims, Transactions
from repoquarry.graphstore.engines.neo4j.connection_failure import explain_connection_failure
from repoquarry.graphstore.engines.neo4j.driver_adapter import endpoints_of, is_timeout, translated_errors, value_of
from repoquarry.graphstore.engines.neo4j.migrations import migrate, require_known
from repoquarry.graphstore.engines.neo4j.repository_writer import RepositoryWriter
from repoquarry.graphstore.engines.neo4j.supervised_query import (
    MemoryPoolExhaustedError,
    SupervisedQuery,
    TransactionMemoryMonitor,
    again_when_taken,
    in_bytes,
)
from repoquarry.graphstore.errors import (
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreBusyError,
    StoreReadOnlyError,
)
from repoquarry.graphstore.graph_engine import (
    Capability,
    DeletionSummary,
    EmbeddingState,
    EngineInfo,
    NodeEmbeddings,
    Progress,
    QueryLimits,
    QueryOutcome,
    QueryResult,
    QueryScope,
    RowSink,
    UntrustedQuery,
    read_repository_graph,
)
from repoquarry.graphstore.model.graph_tables import GraphChanges, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import SEARCH_INDEXES
from repoquarry.graphstore.model.values import Value, get_float
from repoquarry.graphstore.query.query_scheduler import QueryLoad, QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.result_buffer import RowBatcher, collect_rows
from repoquarry.graphstore.settings import StoreSettings

ALLOWED_PROCEDURES = frozenset({"db.labels", "db.relationshiptypes", "db.propertykeys", "db.schema.visualization"})
"""Procedures that an untrusted query may call, in lower case: only those that describe the graph."""

_REFUSED_OPERATORS = ("LoadCSV", "Show", "Terminate")
_ROWS_PER_FETCH = 1_000
_RECORD_DATA_FOLDER = "MATCH (r:Repository {id: $id}) WHERE r.revision = $revision SET r.data_folder = $folder"
_POOLS = ["dbms.memory.transaction.total.max", "db.memory.transaction.total.max"]
_VECTOR_SEARCH = (  # More candidates than nodes: the approximate search of few misses a fifth of them.
    "CALL db.index.vector.queryNodes($index, 4 * $count + 100, $query) YIELD node, score "
    "RETURN node.id, score ORDER BY score DESC, node.id LIMIT $count"
)
_TEXT_SEARCH = (
    "CALL db.index.fulltext.queryNodes($index, $query, {limit: $count}) YIELD node, score RETURN node.id, score"
)
_LABELS = [labels[0] for labels in SEARCH_INDEXES.values() if len(labels) == 1]
_SET_VECTOR = "MATCH (n:%s {id: row[0]}) CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])"
_EMBEDDING_STATE = "MATCH (r:Repository {id: $id}) RETURN r.embedding_version, r.embedding_index"
_RECORD_EMBEDDING = (
    "MATCH (r:Repository {id: $id}) SET r.embedding_model = $model, r.embedding_version = $version, "
    "r.embedding_dimension = $dimension, r.embedding_index = $index"
)
_log = logging.getLogger(__name__)


class Neo4jEngine:
    """Engine on one Neo4j database, which several processes may write concurrently."""

    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        self._settings = settings
        self._writable = writable
        self._claims = Claims(partial(self._session, neo4j.WRITE_ACCESS), settings.neo4j_wait_seconds)
        self._transactions = Transactions(settings.neo4j_wait_seconds)
        self._lanes = QueryScheduler(
            SchedulerSettings(
                settings.neo4j_quick_queries,
                settings.neo4j_queries,
                settings.quick_seconds,
                settings.max_queued_queries,
            )
        )
        self._heap = TransactionMemoryMonitor(self)
        auth = (settings.neo4j_user, settings.neo4j_password) if settings.neo4j_user else None
        with translated_errors():
            self._driver = neo4j.GraphDatabase.driver(
                settings.neo4j_uri,
                auth=auth,
                connection_timeout=settings.neo4j_connect_seconds,
                connection_acquisition_timeout=settings.neo4j_connect_seconds,
                max_transaction_retry_time=settings.neo4j_connect_seconds,
                notifications_min_severity="OFF",  # The gate issues warnings in terms of the schema.
            )
            try:
                version = str(self._driver.get_server_info().agent).removeprefix("Neo4j/")
                # Versions after 5 may have another default language; the gate checks for this one.
                self._language = "" if version.startswith("5.") else "CYPHER 5 "
                self._prepare()
            except ServiceUnavailable as exc:
                self._driver.close()
                raise explain_connection_failure(exc, settings) from exc
            except BaseException:
                self._driver.close()
                raise

    @property
    def info(self) -> EngineInfo:
        searches = {Capability.VECTOR_SEARCH} if self._settings.neo4j_embeddings else set()
        return EngineInfo("neo4j", frozenset({Capability.CONCURRENT_WRITERS} | searches))

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> None:
        with self._writing() as session:
            self._write(session, progress).replace(graph)

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> None:
        with self._writing() as session:
            self._write(session, progress).change(changes)

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        """Implement `GraphEngine.prefetch`: nothing to do, since a change reads nothing."""
        return nullcontext()

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        with self._writing() as session:
            self._write(session).exchange_links(removed, added)

    def delete_repository(self, repository: str) -> DeletionSummary:
        with self._writing() as session:
            return self._write(session).delete(repository)

    def record_data_folder(self, repository: str, revision: str, folder: str) -> None:
        given = {"id": repository, "revision": revision, "folder": folder}
        with self._writing() as session:
            self._transactions.write(session, lambda tx: tx.run(_RECORD_DATA_FOLDER, given).consume())

    def embedding_state(self, repository: str) -> EmbeddingState:
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            found = session.run(_EMBEDDING_STATE, {"id": repository}).single()
            missing: set[str] = set()
            for label in _LABELS:
                text = f"MATCH (n:{label}) WHERE n.repository = $id AND n.embedding IS NULL RETURN n.id"
                missing.update(session.run(text, {"id": repository}).value())
            version, index = found or (None, None)
            return EmbeddingState(version, index, frozenset(missing))

    def write_embeddings(self, given: NodeEmbeddings) -> None:
        write, limits = self._transactions.write, BatchLimits(self._settings.neo4j_batch_bytes)
        with self._writing() as session:
            for label in _LABELS:
                _require_index(session, label, given.dimension)
                text = f"CYPHER 5 UNWIND $rows AS row {_SET_VECTOR % label}"
                for batch in limits.split(_vector_rows(given, label)):
                    write(session, lambda tx, text=text, batch=batch: consume(tx, text, rows=batch))  # type: ignore[misc]
            origin = {
                "model": given.model,
                "version": given.version,
                "index": given.index,
                "dimension": given.dimension,
            }
            write(session, lambda tx: consume(tx, _RECORD_EMBEDDING, id=given.repository, **origin))

    def search_nodes(
        self, index: str, query: Value, count: int, seconds: float, *, by_vector: bool
    ) -> list[tuple[float, str]]:
        text = _VECTOR_SEARCH if by_vector else _TEXT_SEARCH
        if not by_vector:  # Lucene's operators are dropped: its wildcards and expressions have no time limit.
            query = " ".join(re.findall(r"\w+", str(query).lower())) or '""'
        given: dict[str, Value] = {"index": index, "query": query, "count": count}
        rows = self.run(text, given, QueryLimits(seconds, 0, 0, 0)).rows
        return [(get_float(score), str(node)) for node, score in rows]

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        started = time.perf_counter()

        def once() -> tuple[tuple[str, ...], tuple[list[tuple[Value, ...]], str | None]]:
            with (
                translated_errors(),
                self._session(neo4j.READ_ACCESS) as session,
                _reading(session, text, parameters, limits, {}) as (columns, found),
            ):
                return columns, collect_rows(found, limits)

        columns, (rows, truncated) = again_when_taken(once, lambda: False, limits.seconds, is_own=True)
        return QueryResult(columns, rows, truncated, time.perf_counter() - started)

    def run_untrusted(self, query: UntrustedQuery, rows: RowSink) -> QueryOutcome:
        """Check the query plan, run the query when its client's turn comes, and terminate it on the server when it must stop."""

        def attempt(seconds: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> QueryOutcome:
            limited = replace(query, limits=replace(query.limits, seconds=seconds))

            def once() -> QueryOutcome:
                rows.clear()
                supervised = SupervisedQuery(self, limited, rows, self._heap)
                begun()
                supervised.wait(stopped)
                try:
                    return supervised.result()
                except MemoryPoolExhaustedError as exc:
                    if not supervised.is_greedy:
                        raise
                    raise QueryLimitError(str(exc), limit=exc.limit) from exc

            return again_when_taken(once, stopped, seconds, is_own=seconds == query.limits.seconds)

        return self._lanes.run(query.client, query.text, query.limits.seconds, query.cancelled, attempt)

    def query_load(self) -> QueryLoad:
        return self._lanes.query_load()

    def repositories(self) -> Sequence[str]:
        found = self.run("MATCH (r:Repository) RETURN r.id AS id ORDER BY id", {}, QueryLimits(0, 0, 0, 0))
        return [str(row[0]) for row in found.rows]

    def is_damaged(self, repository: str) -> bool:
        return False  # The server repairs its own files.

    def close(self) -> None:
        self._driver.close()

    def read_checked(
        self, query: UntrustedQuery, add: Callable[[bytes], None], metadata: dict[str, Any]
    ) -> QueryOutcome:
        """Run an untrusted query after EXPLAIN has shown that it only reads the graph; `add` receives its rows in batches."""
        limits = query.limits
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            text = self._language + query.text
            check_plan(session, text, query.parameters, limits)
            started = time.perf_counter()
            with _reading(session, text, query.parameters, limits, metadata) as (columns, rows):
                batches = RowBatcher(limits, add)
                batches.take(rows)
        return QueryOutcome(columns, batches.rows, batches.truncated, time.perf_counter() - started)

    def heap_bytes(self) -> dict[str, int]:
        """Return the heap that the server attributes to each running query of this process, by the token in its metadata."""
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            found = session.run(
                "SHOW TRANSACTIONS YIELD metaData, estimatedUsedHeapMemory WHERE metaData.repoquarry_query IS NOT NULL "
                "RETURN metaData.repoquarry_query, estimatedUsedHeapMemory"
            )
            return {str(row[0]): int(row[1] or 0) for row in found}

    def pool_bytes(self) -> int:
        """Return the server's memory limit for all transactions of the database; 0 if unknown or unlimited."""
        try:
            with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
                found = session.run(
                    "SHOW SETTINGS YIELD name, value WHERE name IN $names RETURN value", {"names": _POOLS}
                )
                return min((size for row in found if (size := in_bytes(str(row[0])))), default=0)
        except (QueryRefusedError, QueryFailedError) as exc:
            _log.info("transaction_memory_not_known reason=%r", str(exc))
            return 0

    def terminate(self, token: str) -> None:
        """Terminate the transaction with this token in its metadata, if it still runs."""
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            found = session.run(
                "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.repoquarry_query = $token "
                "RETURN transactionId",
                {"token": token},
            )
            for transaction in [row[0] for row in found]:
                session.run("TERMINATE TRANSACTION $id", {"id": transaction}).consume()

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(
            database=self._settings.neo4j_database or None, default_access_mode=access, fetch_size=_ROWS_PER_FETCH
        )

    def _prepare(self) -> None:
        if not self._writable:
            with self._session(neo4j.READ_ACCESS) as session:
                require_known(session)
            return
        with self._session(neo4j.WRITE_ACCESS) as session:
            require_known(session)
            migrate(session, self._claims)
            remove_abandoned_writes(session, self._claims, self._transactions)

    def _write(self, session: neo4j.Session, progress: Progress | None = None) -> RepositoryWriter:
        rows, limits = self._settings.neo4j_transaction_rows, BatchLimits(self._settings.neo4j_batch_bytes)
        connect = partial(self._session, neo4j.WRITE_ACCESS)
        read = partial(read_repository_graph, self)
        return RepositoryWriter(session, connect, read, self._claims, self._transactions, rows, limits, progress)

    @contextmanager
    def _writing(self) -> Iterator[neo4j.Session]:
        if not self._writable:
            raise StoreReadOnlyError(f"the store at {self._settings.neo4j_uri} was opened for reading")
        with translated_errors(), self._session(neo4j.WRITE_ACCESS) as session:
            try:
                yield session
            except Neo4jError as exc:
                if not is_timeout(exc):
                    raise
                raise StoreBusyError(
                    f"a transaction of this write did not end in {self._settings.neo4j_wait_seconds:g} seconds "
                    "(neo4j_wait_seconds): other writers publish, or it holds too much"
                ) from exc


def check_plan(session: neo4j.Session, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> None:
    """Check that the server's plan only reads the graph. Raises: QueryRefusedError."""
    with session.begin_transaction(timeout=limits.seconds or None) as transaction:
        summary = transaction.run("EXPLAIN " + text, dict(parameters)).consume()
    if summary.query_type != "r":
        raise QueryRefusedError("only read-only queries are allowed", reason="writes")
    for operator in _operators(summary.plan or {}):
        kind = str(operator.get("operatorType", "")).partition("@")[0]
        if kind.startswith(_REFUSED_OPERATORS):
            raise QueryRefusedError(f"queries may only read the graph; this one needs {kind}", reason="reaches_outside")
        if kind == "ProcedureCall":
            procedure = str(operator.get("args", {}).get("Details", "")).partition("(")[0].strip()
            if procedure.lower() not in ALLOWED_PROCEDURES:
                raise QueryRefusedError(f"the procedure {procedure} is not allowed", reason="procedure")


def _operators(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting = [plan]
    while waiting:
        operator = waiting.pop()
        yield operator
        waiting.extend(operator.get("children", ()))


@contextmanager
def _reading(
    session: neo4j.Session, text: str, parameters: Mapping[str, Value], limits: QueryLimits, metadata: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]]:
    """Provide the columns and rows of a query in a separate transaction."""
    with session.begin_transaction(timeout=limits.seconds or None, metadata=metadata or None) as transaction:
        found = transaction.run(text, dict(parameters))
        yield tuple(found.keys()), _rows(transaction, found)


def _rows(transaction: neo4j.Transaction, found: neo4j.Result) -> Iterator[tuple[Value, ...]]:
    """Yield converted rows as they arrive; the endpoints of bare relationships are requested per batch."""
    records = iter(found)
    while batch := [list(record.values()) for record in islice(records, _ROWS_PER_FETCH)]:
        endpoints = endpoints_of(transaction, batch)
        for row in batch:
            yield tuple(value_of(item, endpoints) for item in row)


def _vector_rows(embeddings: NodeEmbeddings, label: str) -> Iterator[list[Any]]:
    ids: Sequence[str] = embeddings.ids_by_label.get(label, ())
    for start in range(0, len(ids), limit := 1_000):
        some = ids[start : start + limit]
        yield from map(list, zip(some, embeddings.read(some), strict=True))


def _require_index(session: neo4j.Session, label: str, dimension: int) -> None:
    """Create the vector index of a label; one of another dimension is replaced, since it ignores these vectors."""
    name = f"{label}_embedding"
    shown = session.run("SHOW VECTOR INDEXES YIELD name, options WHERE name = $name RETURN options", {"name": name})
    stored = [row[0]["indexConfig"].get("vector.dimensions") for row in shown]
    if stored and stored != [dimension]:
        session.run(f"DROP INDEX {name} IF EXISTS").consume()
    session.run(
        f"CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.embedding) OPTIONS {{indexConfig: "
        f"{{`vector.dimensions`: {dimension}, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}}}"
    ).consume()
