"""Errors of the Neo4j driver and its server as those of `repoquarry.graphstore.errors`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    ClientError,
    CypherSyntaxError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from repoquarry.graphstore.cypher.dialects.neo4j import TOO_LONG
from repoquarry.graphstore.engines.neo4j.heap import MemoryTakenError, over_time
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
)

_POSITION = re.compile(r"\(line (\d+), column (\d+)")
_EVALUATION_FAILED = "Neo.DatabaseError.Statement.ExecutionFailed"
"""How the server reports what an expression throws, such as `left('a', -1)`."""

_TIMEOUTS = ("TransactionTimedOut", "LockAcquisitionTimeout", "TransactionTerminated", "Transaction.Terminated")


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


def is_timeout(exc: Neo4jError) -> bool:
    """Whether the server ended the transaction by the clock."""
    return any(word in (exc.code or "") for word in _TIMEOUTS)


def _translated(exc: Neo4jError) -> GraphStoreError:
    code, message = exc.code or "", exc.message or str(exc)
    if is_timeout(exc):
        return over_time()
    if "MemoryPoolOutOfMemory" in code:
        return MemoryTakenError(f"Neo4j's transaction memory is used up: {message}", limit="memory_bytes")
    if "TransactionOutOfMemory" in code:
        return QueryLimitError(f"the transaction holds what Neo4j gives to one: {message}", limit="memory_bytes")
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
