"""Running queries watched for time, transaction memory and cancellation.

Neo4j bounds the memory of all transactions together (`dbms.memory.transaction.total.max`). One client whose queries fill it would make
the queries and writes of all others fail, and even the question who holds it. So a watch asks several times a second what each
query from outside holds: none may hold half of it, and when all of them hold three quarters, the largest of the client that holds the
most is ended. A query that failed because others had taken the memory is run again after a pause, within its own time.

Neo4j looks at the clock between rows only, so a query that must stop is terminated by its token, again and again until it has gone.
What memory it may hold is decided in `repoquarry.graphstore.engines.neo4j.supervised_query`.
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
"""How often the server is asked what running queries hold."""

_ALONE, _TOGETHER, _GREEDY = 1 / 2, 3 / 4, 1 / 16
"""Shares of the common memory: what one query may hold, what all from outside may, and from when one that fails is itself the reason."""

_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.25, 4.0
_PATIENT_SECONDS = 60.0
_POLL_SECONDS = 0.05
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


class MemoryPoolExhaustedError(QueryLimitError):
    """All transactions together hold what the server gives them; this one may not be the reason."""


class MemoryStatsServer(Protocol):
    """What the watch asks of the engine."""

    def heap_bytes(self) -> dict[str, int]:
        """Heap that the server has counted for each running query from outside, by token."""
        ...

    def pool_bytes(self) -> int:
        """What all transactions together may hold; 0 where the server does not say."""
        ...


@dataclass(frozen=True)
class _Watched:
    client: str
    limit: int
    number: int


def over_time() -> QueryLimitError:
    """The error of a query that was stopped by the clock."""
    return QueryLimitError("the query ran over its time limit", limit="seconds")


def in_bytes(text: str) -> int:
    """A size as the server writes it in its settings, such as `358.40MiB`; 0 for what is none."""
    found = re.fullmatch(r"([\d.]+)\s*([KMGT]iB|B)", text.strip())
    return int(float(found[1]) * _UNITS[found[2]]) if found else 0


class TransactionMemoryMonitor:
    """Asks the server, while queries run, what each of them holds. One thread, which ends with the last query."""

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
        """Begin to watch a client's query that may hold so much; 0 means no limit of its own."""
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
        """Why the query must end, for its caller; empty while it need not."""
        with self._guard:
            return self._over.get(token, "")

    def is_greedy(self, token: str) -> bool:
        """Whether the query was seen to hold so much that its failing for want of memory is its own doing."""
        with self._guard:
            return token in self._over or self._held.get(token, 0) > _GREEDY * (self._pool or 0)

    def look(self) -> None:
        """Ask once, and mark what must end."""
        try:
            if self._pool is None:
                self._pool = self._server.pool_bytes()
            held = self._server.heap_bytes()
        except QueryLimitError:  # nothing is left to answer with, so the last look must do
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
        """Mark a query that holds more than one alone may. The caller holds the guard."""
        limit = self._watched[token].limit
        if limit and size > limit:
            self._over[token] = f"the query holds more than {limit // 2**20} MiB of Neo4j's memory"
        elif self._pool and size > _ALONE * self._pool:
            self._over[token] = f"the query holds over half of the {self._pool // 2**20} MiB that Neo4j has for all"

    def _end_largest(self) -> None:
        """Mark the largest query of the client that holds the most, where none is being ended. The caller holds the guard."""
        if not self._watched or any(token in self._over for token in self._watched):
            return
        by_client: Counter[str] = Counter()
        for token, watched in self._watched.items():
            by_client[watched.client] += self._held.get(token, 0) + 1

        def rank(token: str) -> tuple[int, int, int]:
            watched = self._watched[token]
            return by_client[watched.client], self._held.get(token, 0), -watched.number

        self._over[max(self._watched, key=rank)] = "the queries together hold what Neo4j has for all, this one the most"

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._guard:
                if not self._watched:
                    self._thread = None
                    return
            try:
                self.look()
            except GraphStoreError as exc:  # the queries themselves report a server that is gone
                _log.warning("query_memory_not_known reason=%r", str(exc))


def again_when_taken(once: Callable[[], _T], stopped: Callable[[], bool], seconds: float, *, is_own: bool) -> _T:
    """What `once` gives; when others hold the server's memory, it is repeated after a pause, within so many seconds (0: a minute).

    `is_own`: whether these are all the seconds that the query has; if not, being late is told as that, so that it may come again.
    Raises: as `once`; QueryCancelledError.
    """
    deadline = time.monotonic() + (seconds or _PATIENT_SECONDS)
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            return once()
        except MemoryPoolExhaustedError:
            if time.monotonic() + pause > deadline:
                if is_own:
                    raise
                raise over_time() from None
        ends = time.monotonic() + pause
        while time.monotonic() < ends:
            if stopped():
                raise QueryCancelledError("the query was cancelled")
            time.sleep(min(_POLL_SECONDS, pause))
        pause = min(2 * pause, _MAX_PAUSE_SECONDS)


_GRACE_SECONDS = 2.0
"""What a query may overrun its time by, for the server to say so itself, before its transaction is ended."""

_AGAIN_SECONDS = 0.5
"""Pause before a server without memory is told once more to end a query."""

_ENDING_SECONDS = 10.0
"""How long a caller waits for the server to end a query: it looks at the clock between rows, not inside one expression."""


class QueryServer(Protocol):
    """What the engine offers to those who supervise its queries."""

    def read_checked(
        self, query: UntrustedQuery, add: Callable[[bytes], None], metadata: dict[str, Any]
    ) -> QueryOutcome: ...

    def terminate(self, token: str) -> None: ...


class SupervisedQuery:
    """A query in a thread of its own, so that the caller's thread can watch the clock, the memory and the caller's wish."""

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

    def result(self) -> QueryOutcome:
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
