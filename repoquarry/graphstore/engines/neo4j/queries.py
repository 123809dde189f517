"""Queries from outside while they run on a Neo4j server: watched for time, memory and their caller's wish, and ended there.

Neo4j looks at the clock between rows only, so a query that must stop is terminated by its token, again and again until it has gone.
What memory it may hold is decided in `repoquarry.graphstore.engines.neo4j.heap`.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from repoquarry.graphstore.engine import Ended, OutsideQuery, RowSink
from repoquarry.graphstore.engines.neo4j.heap import HeapWatch, over_time
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryCancelledError,
    QueryLimitError,
)

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.05
_GRACE_SECONDS = 2.0
"""What a query may overrun its time by, for the server to say so itself, before its transaction is ended."""

_AGAIN_SECONDS = 0.5
"""Pause before a server without memory is told once more to end a query."""

_ENDING_SECONDS = 10.0
"""How long a caller waits for the server to end a query: it looks at the clock between rows, not inside one expression."""


class QueryServer(Protocol):
    """What the engine offers to those who supervise its queries."""

    def read_checked(self, query: OutsideQuery, add: Callable[[bytes], None], metadata: dict[str, Any]) -> Ended: ...

    def terminate(self, token: str) -> None: ...


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
        self.is_greedy = False
        """Whether it was seen to hold much of what all queries share."""
        self._thread = threading.Thread(target=self._run, name="neo4j-query", daemon=True)
        self._thread.start()

    def wait(self, stopped: Callable[[], bool]) -> None:
        """Until the query has ended, by itself or because it had to; a server that does not end it soon is left to do so."""
        limits = self._query.limits
        deadline = time.monotonic() + limits.seconds + _GRACE_SECONDS if limits.seconds else float("inf")
        self._heap.watch(self._token, self._query.client, limits.memory_bytes)
        try:
            while self._thread.is_alive() and self._stopped is None:
                if stopped():
                    self._stop(QueryCancelledError("the query was cancelled"))
                elif time.monotonic() > deadline:
                    self._stop(over_time())
                elif why := self._heap.why_over(self._token):
                    self._stop(QueryLimitError(why, limit="memory_bytes"))
                self._thread.join(_POLL_SECONDS)
        finally:
            self.is_greedy = self._heap.is_greedy(self._token)
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
            except (
                QueryLimitError
            ):  # no memory is left to find it by: once more, as it is what holds it, or it fails by itself
                self._thread.join(_AGAIN_SECONDS)
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
