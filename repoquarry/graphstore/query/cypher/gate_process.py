"""Admission of long untrusted queries (`gate`) in a subprocess, within the time limit of the query.

A short query is checked in milliseconds in this process, one query of a client at a time. A long one can take seconds and block other
threads of this process; it is checked in a child that is killed at the deadline.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping

from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    QueryCancelledError,
    QueryLimitError,
    QueryRefusedError,
)
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher import gate
from repoquarry.graphstore.query.cypher.dialect import load_dialect
from repoquarry.graphstore.query.cypher.gate import GatedQuery
from repoquarry.graphstore.query.cypher.semantics.schema_checks import check_parameters
from repoquarry.graphstore.query.cypher.syntax.tokenizer import check_length
from repoquarry.graphstore.query.query_scheduler import Lane, QueryScheduler, SchedulerSettings
from repoquarry.processes.workers import (
    ExitCause,
    FramedChild,
    StoppedError,
    open_worker_pipes,
    read_frame,
    write_frame,
)

SHORT_CHARACTERS = 2_000
"""Maximum length of queries that are checked in this process: the most expensive known one takes a tenth of a second."""

_MAX_SECONDS = 10.0
"""Maximum duration of a check, whatever the query's limit: several times that of the most expensive query of full length.

It excludes the child's start and the wait for a turn, which alone would be longer on a busy machine.
"""

_START_SECONDS = 60.0
_ENTRY = f"{__name__}:main"
_MEMORY_BYTES = 1 << 30
"""Private memory of the child: several times the need of the most expensive query of full length."""
_READY = b"ready"


class QueryGate:
    """Gate of one store. Thread-safe; long queries of one client are checked one after the other."""

    def __init__(self) -> None:
        # The callers' threads limit the queue, so that none is rejected here.
        turns = SchedulerSettings(slow_places=2, waiting=1_000)
        self._turns, self._child_turns = QueryScheduler(turns), QueryScheduler(turns)
        self._guard = threading.Lock()
        self._children: set[FramedChild] = set()
        self._idle: list[FramedChild] = []
        self._closed = False

    def check(
        self,
        query: str,
        parameters: Mapping[str, Value],
        engine: str,
        *,
        path_hops: int,
        seconds: float,
        cancelled: Callable[[], bool],
        client: str = "",
    ) -> GatedQuery:
        """Run `gate.admit` within `seconds` (0: no limit of its own). Raises: as `gate.admit`; QueryLimitError, QueryCancelledError."""
        check_length(query)
        if len(query) <= SHORT_CHARACTERS:
            with self._turns.turn(client, Lane.SLOW, cancelled):
                return gate.admit(query, parameters, engine, path_hops=path_hops)
        deadline = time.monotonic() + (seconds or float("inf"))
        with self._turns.turn(client, Lane.SLOW, cancelled):
            check_parameters(parameters, finite=load_dialect(engine).finite_only)
            request = pickle.dumps((query, gate.parameter_kinds(parameters), engine, path_hops))
        try:
            with self._child_turns.turn(client, Lane.SLOW, lambda: cancelled() or time.monotonic() > deadline):
                reply = self._ask(request, deadline, cancelled)
        except QueryCancelledError:
            if cancelled():
                raise
            raise _too_long() from None
        if isinstance(reply, QueryRefusedError):
            raise reply
        with self._turns.turn(client, Lane.SLOW, cancelled):
            return gate.bind_parameters(reply, parameters, query)

    def close(self) -> None:
        """Terminate the children."""
        with self._guard:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.end()

    def _ask(
        self, request: bytes, deadline: float, cancelled: Callable[[], bool]
    ) -> gate.PreparedQuery | QueryRefusedError:
        with self._guard:
            if self._closed:
                raise EngineUnavailableError("the store is closed")
            is_new = not self._idle
            child = FramedChild(_ENTRY, memory_bytes=_MEMORY_BYTES) if is_new else self._idle.pop()
            self._children.add(child)
        try:
            if is_new:
                child.receive(min(deadline, time.monotonic() + _START_SECONDS), cancelled)
            ends = min(deadline, time.monotonic() + _MAX_SECONDS)
            child.send(request, ends, cancelled)
            answer = child.receive(ends, cancelled)
        except BaseException as exc:
            with self._guard:
                self._children.discard(child)
            exited = child.await_exit() if isinstance(exc, EOFError | BrokenPipeError) else child.end()
            if isinstance(exc, TimeoutError):
                raise _too_long() from None
            if isinstance(exc, StoppedError):
                raise QueryCancelledError("the query was cancelled while it was checked") from None
            if not isinstance(exc, EOFError | OSError):
                raise
            if exited.cause is ExitCause.ALLOCATION:
                raise QueryLimitError(
                    f"checking the query needs more than {_MEMORY_BYTES // 2**20} MiB; shorten it",
                    limit="memory_bytes",
                ) from None
            raise EngineUnavailableError(f"the process that checks long queries {exited.describe()}") from exc
        with self._guard:
            self._idle.append(child)
        passed, found = pickle.loads(answer)  # noqa: S301 - written by our own child, below
        if passed:
            checked: gate.PreparedQuery = found
            return checked
        message, reason, line, column = found
        return QueryRefusedError(message, reason=reason, line=line, column=column)


def _too_long() -> QueryLimitError:
    return QueryLimitError("checking the query exceeded its time limit; shorten it", limit="seconds")


def main() -> None:
    """Check one query after another until the input ends. Called in the child."""
    requests, answers = open_worker_pipes()
    write_frame(answers, _READY)
    while (request := read_frame(requests)) is not None:
        query, kinds, engine, path_hops = pickle.loads(request)  # noqa: S301 - written by our parent, above
        try:
            reply: object = (True, gate.prepare(query, kinds, engine, path_hops))
        except QueryRefusedError as exc:
            reply = (False, (str(exc), exc.reason, exc.line, exc.column))
        write_frame(answers, pickle.dumps(reply))
