"""Supervision of running Neo4j queries: terminates them on cancellation, or when they exceed their time or memory limit.

Neo4j limits the memory of all transactions together (`dbms.memory.transaction.total.max`). A client whose queries fill it would make all
other queries and writes fail, including the request for memory statistics. A monitor therefore reads the memory of each untrusted query
several times a second: none may use more than half of the limit, and when all together use three quarters, the largest query of the
client with the highest total is terminated. A query that failed because others used the memory pauses and is retried in its time limit.

Neo4j checks the clock between rows only, so a query that must stop is terminated by its token repeatedly until it has ended.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from repoquarry.graphstore.errors import EngineUnavailableError, GraphStoreError, QueryCancelledError, QueryLimitError
from repoquarry.graphstore.graph_engine import QueryOutcome, RowSink, UntrustedQuery

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_LOOK_SECONDS = 0.2
"""Interval at which the server is asked for the memory of running queries."""

_ALONE, _TOGETHER, _GREEDY = 1 / 2, 3 / 4, 1 / 16
"""Shares of the common memory: limit of one query, limit of all untrusted ones, and the share above which a failing query is its own cause."""

_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.25, 4.0
_PATIENT_SECONDS = 60.0
_POLL_SECONDS = 0.05
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


class MemoryPoolExhaustedError(QueryLimitError):
    """Memory of all transactions together is exhausted; this query may not be the cause."""


class GraphReplacedError(EngineUnavailableError):
    """Nodes that a query returned were replaced before their ids were read: the query sees the new graph when it runs again."""


class MemoryStatsServer(Protocol):
    """Interface of the engine for the monitor; its methods are documented there."""

    def heap_bytes(self) -> dict[str, int]: ...
    def pool_bytes(self) -> int: ...


class QueryServer(Protocol):
    """Interface of the engine for supervised queries; its methods are documented there."""

    def read_checked(
        self, query: UntrustedQuery, add: Callable[[bytes], None], metadata: dict[str, Any]
    ) -> QueryOutcome: ...
    def terminate(self, token: str) -> None: ...


@dataclass(frozen=True)
class _Watched:
    client: str
    limit: int
    number: int


def over_time() -> QueryLimitError:
    return QueryLimitError("the query exceeded its time limit", limit="seconds")


def in_bytes(text: str) -> int:
    """Parse a size in the server's notation, such as `358.40MiB`; 0 for anything else."""
    found = re.fullmatch(r"([\d.]+)\s*([KMGT]iB|B)", text.strip())
    return int(float(found[1]) * _UNITS[found[2]]) if found else 0


class TransactionMemoryMonitor:
    """Monitor of the memory of running queries. Its thread exits with the last query."""

    def __init__(self, server: MemoryStatsServer) -> None:
        self._server = server
        self._guard = threading.Lock()
        self._watched: dict[str, _Watched] = {}
        self._held: dict[str, int] = {}
        self._over: dict[str, str] = {}
        self._pool: int | None = None
        self._number = 0
        self._thread: threading.Thread | None = None

    def watch(self, token: str, client: str, memory_bytes: int) -> None:
        """Start to watch a client's query with this memory limit; 0 means no limit of its own."""
        with self._guard:
            self._number += 1
            self._watched[token] = _Watched(client, memory_bytes, self._number)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="neo4j-heap", daemon=True)
                self._thread.start()

    def forget(self, token: str) -> None:
        with self._guard:
            for table in (self._watched, self._held, self._over):
                table.pop(token, None)

    def why_over(self, token: str) -> str:
        """Return why the query must end, for its caller; empty if it may continue."""
        with self._guard:
            return self._over.get(token, "")

    def is_greedy(self, token: str) -> bool:
        """Return whether the query used so much memory that it caused its own failure."""
        with self._guard:
            return token in self._over or self._held.get(token, 0) > _GREEDY * (self._pool or 0)

    def look(self) -> None:
        """Read the statistics once, and mark queries that must end."""
        try:
            if self._pool is None:
                self._pool = self._server.pool_bytes()
            held = self._server.heap_bytes()
        except QueryLimitError:  # The server has no memory left for the answer, so the last statistics apply.
            with self._guard:
                self._end_largest()
            return
        with self._guard:
            self._held = {token: size for token, size in held.items() if token in self._watched}
            for token, size in self._held.items():
                self._judge(token, size)
            if self._pool and sum(self._held.values()) > _TOGETHER * self._pool:
                self._end_largest()

    def _judge(self, token: str, size: int) -> None:
        """Mark a query above its own limit. The caller holds the guard."""
        limit = self._watched[token].limit
        if limit and size > limit:
            self._over[token] = f"the query uses more than {limit // 2**20} MiB of Neo4j's memory"
        elif self._pool and size > _ALONE * self._pool:
            self._over[token] = (
                f"the query uses over half of the {self._pool // 2**20} MiB that Neo4j has for all queries"
            )

    def _end_largest(self) -> None:
        """Mark the largest query of the client with the highest total, unless one is being terminated. The caller holds the guard."""
        if not self._watched or any(token in self._over for token in self._watched):
            return
        by_client: Counter[str] = Counter()
        for token, watched in self._watched.items():
            by_client[watched.client] += self._held.get(token, 0) + 1

        def rank(token: str) -> tuple[int, int, int]:
            watched = self._watched[token]
            return by_client[watched.client], self._held.get(token, 0), -watched.number

        self._over[max(self._watched, key=rank)] = (
            "all queries together exhausted Neo4j's memory, and this one uses the most"
        )

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._guard:
                if not self._watched:
                    self._thread = None
                    return
            try:
                self.look()
            except GraphStoreError as exc:  # The queries themselves report a missing server.
                _log.warning("query_memory_not_known reason=%r", str(exc))


def again_when_taken(once: Callable[[], _T], stopped: Callable[[], bool], seconds: float, *, is_own: bool) -> _T:
    """Return the result of `once`, retried after a pause while others use the server's memory or replace what it reads.

    It is retried for this many seconds (0: a minute).

    `is_own`: whether these are all the seconds of the query; otherwise exhaustion is reported as such, so that the query may be retried.
    Raises: as `once`; QueryCancelledError.
    """
    deadline = time.monotonic() + (seconds or _PATIENT_SECONDS)
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            return once()
        except (MemoryPoolExhaustedError, GraphReplacedError) as exc:
            if time.monotonic() + pause > deadline:
                if is_own or isinstance(exc, GraphReplacedError):
                    raise
                raise over_time() from None
        ends = time.monotonic() + pause
        while time.monotonic() < ends:
            if stopped():
                raise QueryCancelledError("the query was cancelled")
            time.sleep(min(_POLL_SECONDS, pause))
        pause = min(2 * pause, _MAX_PAUSE_SECONDS)


_GRACE_SECONDS = 2.0
"""Time by which a query may exceed its limit, for the server to report it, before its transaction is terminated."""

_AGAIN_SECONDS = 0.5
"""Pause before a server without memory is asked again to terminate a query."""

_ENDING_SECONDS = 10.0
"""Maximum wait for the server to end a query: it checks the clock between rows, not inside one expression."""


class SupervisedQuery:
    """Query in a separate thread, so that the caller's thread can check clock, memory and cancellation."""

    def __init__(
        self, server: QueryServer, query: UntrustedQuery, rows: RowSink, heap: TransactionMemoryMonitor
    ) -> None:
        self._server = server
        self._query = query
        self._rows = rows
        self._heap = heap
        self._token = uuid.uuid4().hex
        self._guard = threading.Lock()
        self._stopped: GraphStoreError | None = None
        self._ended: QueryOutcome | None = None
        self._error: BaseException | None = None
        self.is_greedy = False
        """True if the query used much of the common memory."""
        self._thread = threading.Thread(target=self._run, name="neo4j-query", daemon=True)
        self._thread.start()

    def wait(self, stopped: Callable[[], bool]) -> None:
        """Wait until the query has ended or was terminated; a slow server finishes the termination later."""
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

    def result(self) -> QueryOutcome:
        if self._stopped is not None:
            raise self._stopped
        if self._error is not None:
            raise self._error
        if self._ended is None:
            raise EngineUnavailableError("the query ended without a result")
        return self._ended

    def _stop(self, error: GraphStoreError) -> None:
        with self._guard:  # From here on its rows are discarded.
            self._stopped = error

    def _end(self) -> None:
        """Terminate on the server repeatedly, since the query may not have started at the first attempt."""
        while self._thread.is_alive():
            try:
                self._server.terminate(self._token)
            except EngineUnavailableError as exc:  # The caller has been notified already.
                _log.warning("query_not_ended reason=%r", str(exc))
                return
            except (
                QueryLimitError
            ):  # No memory is left to find the query: retry, since it uses the memory, or it fails by itself.
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
        except BaseException as exc:  # handed to the caller's thread by `result`
            self._error = exc
