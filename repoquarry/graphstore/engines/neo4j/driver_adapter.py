"""Adapter of the Neo4j driver: translates its exceptions into store errors, and its values into those of the graph model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
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

from repoquarry.graphstore.engines.neo4j.supervised_query import GraphReplacedError, MemoryPoolExhaustedError, over_time
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
)
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.cypher.rewrites.cost_limits import TOO_LONG

_POSITION = re.compile(r"\(line \d+, column \d+")
"""Line and column in the server's notation `(line 1, column 8 (offset: 7))`."""
_EVALUATION_FAILED = "Neo.DatabaseError.Statement.ExecutionFailed"
"""Code of errors that expressions raise, such as `left('a', -1)`."""

_TIMEOUTS = ("TransactionTimedOut", "LockAcquisitionTimeout", "TransactionTerminated", "Transaction.Terminated")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate every error of the driver into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except (ServiceUnavailable, SessionExpired) as exc:
        raise EngineUnavailableError(f"Neo4j does not respond: {exc}") from exc
    except AuthError as exc:
        raise EngineUnavailableError("Neo4j rejects this user or password") from exc
    except Neo4jError as exc:
        raise _translated(exc) from exc
    except DriverError as exc:
        raise EngineUnavailableError(f"the Neo4j driver failed: {exc}") from exc
    except RecursionError as exc:  # The driver reads a plan recursively.
        raise QueryRefusedError(
            "Neo4j's plan of this query is nested too deeply: use fewer UNIONs or clauses", reason="too_deeply_nested",
            line=None, column=None,
        ) from exc  # fmt: skip
    except (OverflowError, UnicodeEncodeError) as exc:
        raise QueryFailedError(f"a value cannot be sent to Neo4j: {exc}") from exc


def is_timeout(exc: Neo4jError) -> bool:
    """Return whether the server ended the transaction because of its time limit."""
    return any(word in (exc.code or "") for word in _TIMEOUTS)


def _translated(exc: Neo4jError) -> GraphStoreError:
    code, message = exc.code or "", exc.message or str(exc)
    if is_timeout(exc):
        return over_time()
    if "MemoryPoolOutOfMemory" in code:
        return MemoryPoolExhaustedError(f"Neo4j's transaction memory is used up: {message}", limit="memory_bytes")
    if "TransactionOutOfMemory" in code:
        return QueryLimitError(f"the transaction exceeds Neo4j's memory limit: {message}", limit="memory_bytes")
    if "DeadlockDetected" in code:  # The server's message is its complete lock graph.
        return EngineUnavailableError("Neo4j ended the transaction repeatedly because of deadlocks; retry later")
    if "DatabaseNotFound" in code or "system database" in message:
        return EngineUnavailableError(
            f"Neo4j cannot use this database: {message}; set store.neo4j_database, empty for the default of the server"
        )
    if "AccessMode" in code:
        return QueryRefusedError("only read-only queries are allowed", reason="writes")
    if TOO_LONG in message:
        return QueryLimitError(f"{TOO_LONG}: shorten it, or UNWIND it", limit="memory_bytes")
    if isinstance(exc, CypherSyntaxError):
        # Its position and excerpt are those of the rewritten text, which the user does not know.
        said = _POSITION.split(message, maxsplit=1)[0].rstrip(" .(")
        return QueryRefusedError(f"Neo4j refuses the query as RepoQuarry writes it: {said}", reason="syntax")
    if "OutOfMemory" in code or "heap space" in message or "array size exceeds" in message:
        return QueryLimitError(f"the query needs more memory than Neo4j has for it: {message}", limit="memory_bytes")
    if isinstance(exc, ClientError) or code == _EVALUATION_FAILED:
        return QueryFailedError(message)
    return EngineUnavailableError(f"Neo4j is temporarily unavailable: {message}")


Endpoints = Mapping[str, tuple[str, str]]
"""String id and label by the server's element id."""


def endpoints_of(transaction: neo4j.Transaction, rows: Iterable[Any]) -> Endpoints:
    """Return the ends of relationships, since the server sends only the element ids of the ends of a bare relationship.

    Raises: GraphReplacedError if another transaction removed an end after the query had returned it.
    """
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
    endpoints = {row[0]: (str(row[1]), str(row[2])) for row in found}
    if len(endpoints) < len(wanted):
        raise GraphReplacedError("the graph was replaced while the query read it; retry")
    return endpoints


def value_of(raw: Any, endpoints: Endpoints) -> Value:
    """Convert a value of the driver to the form of `repoquarry.graphstore.model.values`."""
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
    raise QueryFailedError(f"the query returns an unsupported type: {type(raw).__name__}")


def _relationship(raw: DriverRelationship, endpoints: Endpoints) -> Relationship:
    (start, start_label), (end, end_label) = (
        endpoints[node.element_id] if node is not None else ("", "") for node in raw.nodes
    )
    return Relationship(raw.type, start, start_label, end, end_label, _properties(raw))


def _properties(raw: DriverNode | DriverRelationship) -> dict[str, Value]:
    """Return the properties without vectors and what is recorded of them, which no other engine has."""
    return {name: value_of(item, {}) for name, item in raw.items() if not name.startswith("embedding")}
