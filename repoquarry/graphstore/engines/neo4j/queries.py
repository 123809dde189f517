"""Queries from outside while they run on a Neo4j server: watched for time, memory and their caller's wish, and ended there.

Neo4j limits the memory of a transaction for the whole server only, and looks at the clock between rows only; so a watch asks it what
each query holds, and a query that must stop is terminated by its token, again and again until it has gone.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from repoquarry.graphstore.engine import Ended, OutsideQuery, RowSink
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryCancelledError,
    QueryLimitError,
)

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.05
_HEAP_SECONDS = 0.5
"""How often the server is asked what running queries hold."""

_GRACE_SECONDS = 2.0
"""What a query may overrun its time by, for the server to say so itself, before its transaction is ended."""

_ENDING_SECONDS = 10.0
"""How long a caller waits for the server to end a query: it looks at the clock between rows, not inside one expression."""


class QueryServer(Protocol):
    """What the engine offers to those who supervise its queries."""

    def read_checked(self, query: OutsideQuery, add: Callable[[bytes], None], metadata: dict[str, Any]) -> Ended: ...

    def terminate(self, token: str) -> None: ...

    def heap_bytes(self) -> dict[str, int]: ...


def over_time() -> QueryLimitError:
    """The error of a query that was stopped by the clock."""
    return QueryLimitError("the query ran over its time limit", limit="seconds")


class HeapWatch:
    """Asks the server, while queries run, what each of them holds. One thread, which ends with the last query."""

    def __init__(self, server: QueryServer) -> None:
        self._server = server
        self._guard = threading.Lock()
        self._limits: dict[str, int] = {}
        self._over: set[str] = set()
        self._thread: threading.Thread | None = None

    def watch(self, token: str, memory_bytes: int) -> None:
        """Begin to watch a query that may hold so much; 0 means no limit."""
        if not memory_bytes:
            return
        with self._guard:
            self._limits[token] = memory_bytes
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="neo4j-heap", daemon=True)
                self._thread.start()

    def forget(self, token: str) -> None:
        with self._guard:
            self._limits.pop(token, None)
            self._over.discard(token)

    def is_over(self, token: str) -> bool:
        """Whether the query was seen to hold more than it may."""
        with self._guard:
            return token in self._over

    def _run(self) -> None:
        while True:
            time.sleep(_HEAP_SECONDS)
            with self._guard:
                if not self._limits:
                    self._thread = None
                    return
            try:
                held = self._server.heap_bytes()
            except GraphStoreError as exc:  # the queries themselves report a server that is gone
                _log.warning("query_memory_not_known reason=%r", str(exc))
                continue
            with self._guard:
                self._over.update(t for t, size in held.items() if t in self._limits and size > self._limits[t])


class Supervised:
    """A query in a thread of its own, so that the caller's thread can watch the clock, the memory and the caller's wish."""

    def __init__(self, server: QueryServer, query: OutsideQuery, rows: RowSink, heap: HeapWatch) -> None:
        self._server = server
        self._query = query
        self._rows = rows
        self._heap = heap
        self._token = uuid.uuid4().hex
        self._guard = threading.Lock()
        self._stopped: GraphStoreError | None = None
        self._ended: Ended | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="neo4j-query", daemon=True)
        self._thread.start()

    def wait(self, stopped: Callable[[], bool]) -> None:
        """Until the query has ended, by itself or because it had to; a server that does not end it soon is left to do so."""
        limits = self._query.limits
        deadline = time.monotonic() + limits.seconds + _GRACE_SECONDS if limits.seconds else float("inf")
        self._heap.watch(self._token, limits.memory_bytes)
        try:
            while self._thread.is_alive() and self._stopped is None:
                if stopped():
                    self._stop(QueryCancelledError("the query was cancelled"))
                elif time.monotonic() > deadline:
                    self._stop(over_time())
                elif self._heap.is_over(self._token):
                    held = f"the query holds more than {limits.memory_bytes // 2**20} MiB of Neo4j's memory"
                    self._stop(QueryLimitError(held, limit="memory_bytes"))
                self._thread.join(_POLL_SECONDS)
        finally:
            self._heap.forget(self._token)
        if self._stopped is not None:
            threading.Thread(target=self._end, name="neo4j-query-end", daemon=True).start()
            self._thread.join(_ENDING_SECONDS)

    def result(self) -> Ended:
        """How it ended, or what went wrong."""
        if self._stopped is not None:
            raise self._stopped
        if self._error is not None:
            raise self._error
        if self._ended is None:
            raise EngineUnavailableError("the query ended without an answer")
        return self._ended

    def _stop(self, error: GraphStoreError) -> None:
        with self._guard:  # from here on its rows are nobody's
            self._stopped = error

    def _end(self) -> None:
        """Tell the server, again and again, since the query may not have begun when it is first told."""
        while self._thread.is_alive():
            try:
                self._server.terminate(self._token)
            except EngineUnavailableError as exc:  # the caller has been told already
                _log.warning("query_not_ended reason=%r", str(exc))
                return
            self._thread.join(_POLL_SECONDS)

    def _add(self, batch: bytes) -> None:
        with self._guard:
            if self._stopped is not None:
                raise self._stopped
            self._rows.add(batch)

    def _run(self) -> None:
        try:
            self._ended = self._server.read_checked(self._query, self._add, {"repoquarry_query": self._token})
        except BaseException as exc:  # handed to the caller's thread by result()
            self._error = exc
