"""Pool of sandbox processes for untrusted queries, with time and memory limits.

The engine provides the module and the file. A child (`repoquarry.graphstore.query.sandbox_main`) loads the file, answers one query after
the other and stays warm. A query that overruns is terminated with its child, and a new child is started at once: only this stops an
engine in the middle of an expression, without the engine's help. Rows arrive in batches and go straight to the sink, so that the child is
free for the next query however slowly they are read.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
    UnreadQueryError,
)
from repoquarry.graphstore.graph_engine import QueryLimits, QueryOutcome, QueryScope, RowSink, UntrustedQuery
from repoquarry.graphstore.query.query_scheduler import Lane, QueryLoad, QueryScheduler
from repoquarry.graphstore.query.result_buffer import encode_parameters
from repoquarry.processes.workers import ChildExit, ExitCause, FramedChild, StoppedError

_ENTRY = "repoquarry.graphstore.query.sandbox_main:main"
LOAD_SECONDS = 300.0
"""Time limit for a child to load the graph."""

GRACE_SECONDS = 1.0
"""Time by which a query may exceed its limit, for the engine to report it, before its child is terminated."""

_SPARE_CHILDREN = 2
"""Idle children retained after a child was terminated: the next query finds one with a loaded graph."""

_SPARE_SECONDS = 0.05
"""Duration of a client's query after which a spare child is started if there is none."""

_QUICK_PARAMETER_BYTES = 64 * 1024
"""Size of parameters, that of a pipe's buffer, above which handing them to a child holds a place for quick queries too long."""

ROWS, MESSAGE = b"R", b"M"
"""First byte of a frame from a child: a batch of rows, or a MessagePack message."""


class QuerySandbox:
    """Child processes that answer queries, one per slot of `lanes`. `target`: module (`open_sandboxed(path)`) and path.

    A query prefers a child that answered one of the same scope, because that child has its graph.
    """

    def __init__(self, target: tuple[str, str], lanes: QueryScheduler) -> None:
        self._target = target
        self._lanes = lanes
        self._idle: list[tuple[FramedChild, QueryScope]] = []
        self._last = QueryScope(frozenset())
        self._children: set[FramedChild] = set()
        self._guard = threading.Lock()
        self._closed = False

    def run(self, query: UntrustedQuery, rows: RowSink) -> QueryOutcome:
        """Run one query when its turn comes.

        Raises: QueryRefusedError, QueryFailedError, QueryLimitError, QueryCancelledError, TooManyQueriesError, EngineUnavailableError.
        """
        parameters = msgspec.msgpack.encode(encode_parameters(query.parameters))
        lane = Lane.SLOW if len(parameters) > _QUICK_PARAMETER_BYTES else Lane.QUICK

        def attempt(seconds: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> QueryOutcome:
            limits = replace(query.limits, seconds=seconds)
            request = msgspec.msgpack.encode([query.text, msgspec.Raw(parameters), limits, query.scope])
            rows.clear()
            started: list[float] = []

            def is_stopped() -> bool:
                if query.client and started and time.monotonic() - started[0] > _SPARE_SECONDS:
                    self._start_spare(query.scope)
                    started.clear()
                return stopped()

            def notice_start() -> None:
                started.append(time.monotonic())
                begun()

            child, reusable = self._take(query.scope), False
            try:
                swollen, reply = _asked(child, request, limits, is_stopped, notice_start, rows)
                reusable = not swollen
            finally:
                self._put_back(child, query.scope, reusable=reusable)
            return _ended(reply)

        return self._lanes.run(query.client, query.text, query.limits.seconds, query.cancelled, attempt, lane)

    def query_load(self) -> QueryLoad:
        """Return the current load and the number of children."""
        with self._guard:
            children = len(self._children)
        return self._lanes.query_load(children)

    def close(self) -> None:
        """Terminate all children with their running queries."""
        with self._guard:
            self._closed = True
            children, self._children = list(self._children), set()
        for child in children:
            child.end()

    def _take(self, scope: QueryScope) -> FramedChild:
        while True:
            with self._guard:
                self._last = scope
                if not self._idle:
                    return self._started()
                near = [place for place, (_, last) in enumerate(self._idle) if last == scope]
                child, _ = self._idle.pop(near[-1] if near else -1)
            if child.alive():
                return child
            self._end(child)

    def _started(self) -> FramedChild:
        """Start a child, which loads the graph of the last query. The caller holds the guard."""
        if self._closed:
            raise EngineUnavailableError("the store is closed")
        child = FramedChild(_ENTRY, (*self._target, msgspec.json.encode(self._last).decode()))
        self._children.add(child)
        return child

    def _start_spare(self, scope: QueryScope) -> None:
        """Load the graph in a spare child while a query overruns, so that the next query finds one."""
        with self._guard:
            if not self._closed and not self._idle:
                self._idle.append((self._started(), scope))

    def _put_back(self, child: FramedChild, scope: QueryScope, *, reusable: bool) -> None:
        if reusable and child.alive():
            with self._guard:
                self._idle.append((child, scope))
            return
        self._end(child)
        # In a thread, because the caller must release its slot.
        threading.Thread(target=self._fill_spares, args=(scope,), name="sandbox", daemon=True).start()

    def _fill_spares(self, scope: QueryScope) -> None:
        with self._guard:
            while not self._closed and len(self._idle) < _SPARE_CHILDREN:
                self._idle.insert(0, (self._started(), scope))  # loads the graph while nobody waits for it

    def _end(self, child: FramedChild) -> None:
        with self._guard:
            self._children.discard(child)
        child.end()


def _asked(
    child: FramedChild,
    request: bytes,
    limits: QueryLimits,
    stopped: Callable[[], bool],
    begun: Callable[[], None],
    rows: RowSink,
) -> tuple[bool, Any]:
    """Return whether the child uses too much memory, and its last message. The sink gets its rows; after an error the child is unusable."""
    try:
        deadline, loading = time.monotonic() + LOAD_SECONDS, True
        child.send(request, deadline, stopped)
        while True:
            frame = child.receive(deadline, stopped)
            if frame[:1] == ROWS:
                rows.add(frame[1:])
                continue
            message = msgspec.msgpack.decode(memoryview(frame)[1:])
            if message != "loaded":
                return message[0], message[1]
            begun()
            loading = False
            deadline = time.monotonic() + limits.seconds + GRACE_SECONDS if limits.seconds else float("inf")
    except StoppedError:
        raise QueryCancelledError("the query was cancelled") from None
    except TimeoutError:
        if loading:
            raise EngineUnavailableError(
                f"loading the graph of the query took more than {LOAD_SECONDS:g} seconds; retry, since partial work is cached, "
                "or name the repositories of interest"
            ) from None
        raise QueryLimitError(f"the query exceeded its {limits.seconds:g} seconds", limit="seconds") from None
    except (BrokenPipeError, EOFError):
        raise _exit_error(child.await_exit(), limits, loading=loading) from None


def _exit_error(exited: ChildExit, limits: QueryLimits, *, loading: bool) -> Exception:
    """Return the error for a query whose child exited; no limit of the query applies while the graph is loaded."""
    if exited.status == -signal.SIGXCPU:
        return QueryLimitError(f"the query exceeded its {limits.seconds:g} seconds", limit="seconds")
    if exited.cause is ExitCause.ALLOCATION and limits.memory_bytes and not loading:
        return memory_error(limits)
    return EngineUnavailableError(f"the query process {exited.describe()}")


def memory_error(limits: QueryLimits) -> QueryLimitError:
    """Return the error for a query that reached its memory limit."""
    return QueryLimitError(
        f"the query needs more than the {limits.memory_bytes // 2**20} MiB that a query may use; "
        "collect or sort less at once, or raise store.limits.memory_bytes",
        limit="memory_bytes",
    )


ERRORS: dict[str, type[GraphStoreError]] = {
    error.__name__: error
    for error in (
        *(QueryRefusedError, UnreadQueryError, QueryFailedError, QueryLimitError),
        *(StoreCorruptError, EngineUnavailableError),
    )
}
"""Errors that a child reports, by name."""


def _ended(reply: Any) -> QueryOutcome:
    if reply[0] != "ended":
        raise ERRORS[reply[0]](reply[1], **reply[2])
    _, columns, count, truncated, seconds = reply
    return QueryOutcome(tuple(columns), count, truncated, seconds)
