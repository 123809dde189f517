"""The production engine: a Neo4j server through its official driver.

Reading from outside is made safe by the server and not by looking at the text: a session for reading, EXPLAIN first (the query
type must be `r`, and the plan is walked, since `r` includes loading files and looking at the server), a time limit that the
server enforces, and an end of the transaction on the server when the caller cancels. How writes stay whole is in
`repoquarry.graphstore.engines.neo4j_writer`.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

import neo4j
from neo4j.exceptions import (
    AuthError,
    ClientError,
    CypherSyntaxError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)
from neo4j.graph import Node as DriverNode
from neo4j.graph import Path as DriverPath
from neo4j.graph import Relationship as DriverRelationship

from repoquarry.graphstore.cypher.dialects.neo4j import TOO_LONG
from repoquarry.graphstore.engine import (
    Capability,
    Ended,
    EngineInfo,
    OutsideQuery,
    Progress,
    QueryLimits,
    QueryResult,
    RowSink,
    WriteSummary,
)
from repoquarry.graphstore.engines.neo4j_queries import HeapWatch, Supervised, over_time
from repoquarry.graphstore.engines.neo4j_writer import Write, prepare
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreReadOnlyError,
)
from repoquarry.graphstore.lanes import Lanes, LaneSettings, QueryLoad
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.sandbox.wire import Batches, collected
from repoquarry.graphstore.settings import StoreSettings

ALLOWED_PROCEDURES = frozenset({"db.labels", "db.relationshiptypes", "db.propertykeys", "db.schema.visualization"})
"""Procedures that a query from outside may call, in lower case: those that describe the graph and nothing else."""

_REFUSED_OPERATORS = ("LoadCSV", "Show", "Terminate")
_ROWS_PER_FETCH = 1_000
_POSITION = re.compile(r"\(line (\d+), column (\d+)")
_EVALUATION_FAILED = "Neo.DatabaseError.Statement.ExecutionFailed"
"""How the server reports what an expression throws, such as `left('a', -1)`."""

_TIMEOUTS = ("TransactionTimedOut", "LockAcquisitionTimeout", "TransactionTerminated", "Transaction.Terminated")


def open_engine(settings: StoreSettings, *, writable: bool) -> Neo4jEngine:
    """Connect; when `writable`, also create constraints and remove what killed writes left.

    Raises: EngineUnavailableError when the server does not answer or refuses the user.
    """
    return Neo4jEngine(settings, writable=writable)


class Neo4jEngine:
    """`repoquarry.graphstore.engine.GraphEngine` on one Neo4j database, which one service at a time may write."""

    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        self._settings = settings
        self._writable = writable
        self._write_guard = threading.Lock()
        self._lanes = Lanes(
            LaneSettings(
                settings.neo4j_quick_queries, settings.neo4j_queries, settings.quick_seconds, settings.queries_waiting
            )
        )
        self._heap = HeapWatch(self)
        auth = (settings.neo4j_user, settings.neo4j_password) if settings.neo4j_user else None
        with translated_errors():
            self._driver = neo4j.GraphDatabase.driver(
                settings.neo4j_uri,
                auth=auth,
                connection_timeout=settings.neo4j_connect_seconds,
                connection_acquisition_timeout=settings.neo4j_connect_seconds,
                max_transaction_retry_time=settings.neo4j_connect_seconds,
                notifications_min_severity="OFF",  # the gate warns, in the words of the schema
            )
            try:
                self._version = str(self._driver.get_server_info().agent).removeprefix("Neo4j/")
                if writable:
                    with self._session(neo4j.WRITE_ACCESS) as session:
                        prepare(session)
            except BaseException:
                self._driver.close()
                raise

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("neo4j", self._version, "neo4j", frozenset({Capability.LIVE_READS}))

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> WriteSummary:
        """As `GraphEngine.replace_repository`; relationships that reach into it from other repositories are kept."""
        with self._writing() as session:
            return Write(session, self._settings.neo4j_transaction_rows, progress).replace(graph)

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> WriteSummary:
        """As `GraphEngine.change_repository`: one transaction."""
        with self._writing() as session:
            return Write(session, self._settings.neo4j_transaction_rows, progress).change(changes)

    def delete_repository(self, repository: str) -> WriteSummary:
        with self._writing() as session:
            return Write(session, self._settings.neo4j_transaction_rows).delete(repository)

    def run(self, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
        started = time.perf_counter()
        with (
            translated_errors(),
            self._session(neo4j.READ_ACCESS) as session,
            _reading(session, text, parameters, limits, {}) as (columns, found),
        ):
            rows, truncated = collected(found, limits)
        return QueryResult(columns, rows, truncated, time.perf_counter() - started)

    def run_untrusted(self, query: OutsideQuery, rows: RowSink) -> Ended:
        """Ask the server what the query does, run it when its client's turn comes, and end it on the server when it must stop."""

        def attempt(seconds: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> Ended:
            rows.clear()
            supervised = Supervised(
                self, replace(query, limits=replace(query.limits, seconds=seconds)), rows, self._heap
            )
            begun()
            supervised.wait(stopped)
            return supervised.result()

        return self._lanes.run(query.client, query.text, query.limits.seconds, query.cancelled, attempt)

    def load(self) -> QueryLoad:
        return self._lanes.load()

    def repositories(self) -> Sequence[str]:
        found = self.run("MATCH (r:Repository) RETURN r.id AS id ORDER BY id", {}, QueryLimits(0, 0, 0, 0))
        return [str(row[0]) for row in found.rows]

    def close(self) -> None:
        self._driver.close()

    def read_checked(self, query: OutsideQuery, add: Callable[[bytes], None], metadata: dict[str, Any]) -> Ended:
        """Run a query from outside after EXPLAIN has shown that it only reads the graph; its rows go to `add` in batches."""
        limits = query.limits
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            check_plan(session, query.text, query.parameters, limits)
            started = time.perf_counter()
            with _reading(session, query.text, query.parameters, limits, metadata) as (columns, rows):
                batches = Batches(limits, add)
                batches.take(rows)
        return Ended(columns, batches.rows, batches.truncated, time.perf_counter() - started)

    def heap_bytes(self) -> dict[str, int]:
        """Heap that the server has counted for each running query of ours, by the token in its metadata."""
        with translated_errors(), self._session(neo4j.READ_ACCESS) as session:
            found = session.run(
                "SHOW TRANSACTIONS YIELD metaData, estimatedUsedHeapMemory WHERE metaData.repoquarry_query IS NOT NULL "
                "RETURN metaData.repoquarry_query, estimatedUsedHeapMemory"
            )
            return {str(row[0]): int(row[1] or 0) for row in found}

    def terminate(self, token: str) -> None:
        """End the transaction that carries the token in its metadata, if it still runs."""
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

    @contextmanager
    def _writing(self) -> Iterator[neo4j.Session]:
        if not self._writable:
            raise StoreReadOnlyError(f"the store at {self._settings.neo4j_uri} was opened for reading")
        with self._write_guard, translated_errors(), self._session(neo4j.WRITE_ACCESS) as session:
            yield session


def check_plan(session: neo4j.Session, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> None:
    """Raises: QueryRefusedError when the server's own plan does more than read the graph."""
    with session.begin_transaction(timeout=limits.seconds or None) as transaction:
        summary = transaction.run("EXPLAIN " + text, dict(parameters)).consume()
    if summary.query_type != "r":
        raise QueryRefusedError("only reading queries are allowed", reason="writes")
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
    """The columns and rows of a query in a transaction of its own."""
    with session.begin_transaction(timeout=limits.seconds or None, metadata=metadata or None) as transaction:
        found = transaction.run(text, dict(parameters))
        yield tuple(found.keys()), _rows(transaction, found)


def _rows(transaction: neo4j.Transaction, found: neo4j.Result) -> Iterator[tuple[Value, ...]]:
    """Rows as values, as they arrive; asks for the endpoints of bare relationships a batch at a time."""
    records = iter(found)
    while batch := [list(record.values()) for record in islice(records, _ROWS_PER_FETCH)]:
        endpoints = _endpoints(transaction, batch)
        for row in batch:
            yield tuple(value_of(item, endpoints) for item in row)


Endpoints = Mapping[str, tuple[str, str]]
"""String id and label by the server's element id."""


def _endpoints(transaction: neo4j.Transaction, rows: Iterable[Any]) -> Endpoints:
    """The server sends a bare relationship with the element ids of its ends only."""
    wanted: set[str] = set()
    waiting = list(rows)
    while waiting:
        item = waiting.pop()
        if isinstance(item, DriverRelationship):
            wanted.update(node.element_id for node in item.nodes if node is not None)
        elif isinstance(item, DriverPath):
            waiting.extend(item.relationships)
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
    if not wanted:
        return {}
    found = transaction.run(
        "MATCH (n) WHERE elementId(n) IN $ids RETURN elementId(n), n.id, labels(n)[0]", {"ids": sorted(wanted)}
    )
    return {row[0]: (str(row[1]), str(row[2])) for row in found}


def value_of(raw: Any, endpoints: Endpoints) -> Value:
    """A value as the driver returns it in the form of `repoquarry.graphstore.model.values`."""
    if raw is None or isinstance(raw, bool | int | float | str):
        return raw
    if isinstance(raw, list):
        return [value_of(item, endpoints) for item in raw]
    if isinstance(raw, dict):
        return {key: value_of(item, endpoints) for key, item in raw.items()}
    if isinstance(raw, DriverNode):
        return Node(str(raw.get("id", "")), tuple(sorted(raw.labels)), _properties(raw))
    if isinstance(raw, DriverRelationship):
        return _relationship(raw, endpoints)
    if isinstance(raw, DriverPath):
        nodes = [value_of(node, endpoints) for node in raw.nodes]
        steps = tuple(_relationship(step, endpoints) for step in raw.relationships)
        return Path(tuple(node for node in nodes if isinstance(node, Node)), steps)
    if hasattr(raw, "iso_format"):
        return str(raw.iso_format())
    raise QueryFailedError(f"the query returns a {type(raw).__name__}, for which there is no value")


def _relationship(raw: DriverRelationship, endpoints: Endpoints) -> Relationship:
    (start, start_label), (end, end_label) = (
        endpoints[node.element_id] if node is not None else ("", "") for node in raw.nodes
    )
    return Relationship(raw.type, start, start_label, end, end_label, _properties(raw))


def _properties(raw: DriverNode | DriverRelationship) -> dict[str, Value]:
    return {name: value_of(item, {}) for name, item in raw.items()}


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn every error of the driver into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except (ServiceUnavailable, SessionExpired) as exc:
        raise EngineUnavailableError(f"Neo4j does not answer: {exc}") from exc
    except AuthError as exc:
        raise EngineUnavailableError("Neo4j refuses this user or password") from exc
    except Neo4jError as exc:
        raise _translated(exc) from exc
    except DriverError as exc:
        raise EngineUnavailableError(f"the Neo4j driver failed: {exc}") from exc
    except RecursionError as exc:  # the driver reads a plan by recursion
        raise QueryRefusedError(
            "Neo4j's plan of this query nests too deep: use fewer UNIONs or clauses", reason="too_deeply_nested",
            line=None, column=None,
        ) from exc  # fmt: skip
    except (OverflowError, UnicodeEncodeError) as exc:
        raise QueryFailedError(f"a value cannot be sent to Neo4j: {exc}") from exc


def _translated(exc: Neo4jError) -> GraphStoreError:
    code, message = exc.code or "", exc.message or str(exc)
    if any(word in code for word in _TIMEOUTS):
        return over_time()
    if "MemoryPoolOutOfMemory" in code or "TransactionOutOfMemory" in code:
        return QueryLimitError(f"Neo4j's transaction memory is used up: {message}", limit="memory_bytes")
    if "AccessMode" in code:
        return QueryRefusedError("only reading queries are allowed", reason="writes")
    if TOO_LONG in message:
        return QueryLimitError(f"{TOO_LONG}: shorten it, or UNWIND it", limit="memory_bytes")
    if isinstance(exc, CypherSyntaxError):
        line, column = _position(message)
        return QueryRefusedError(message, reason="syntax", line=line, column=column)
    if "OutOfMemory" in code or "heap space" in message or "array size exceeds" in message:
        return QueryLimitError(f"the query needs more memory than Neo4j has for it: {message}", limit="memory_bytes")
    if isinstance(exc, ClientError) or code == _EVALUATION_FAILED:
        return QueryFailedError(message)
    return EngineUnavailableError(f"Neo4j cannot answer now: {message}")


def _position(message: str) -> tuple[int | None, int | None]:
    """Line and column, as the server writes them: `(line 1, column 8 (offset: 7))`."""
    found = _POSITION.search(message)
    return (int(found[1]), int(found[2])) if found else (None, None)
