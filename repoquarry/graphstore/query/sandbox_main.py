"""Main function of a sandbox process.

Before each query the process gives up what a query must not have: memory beyond its limit, processor time, and new file
descriptors (so that nothing can open a file or an address, whatever the engine's Cypher offers). A thread of its own watches
the input, so that the child ends at once when its parent is gone, even in the middle of a query.
"""

from __future__ import annotations

import ctypes
import importlib
import math
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import msgspec

from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
)
from repoquarry.graphstore.graph_engine import QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import RowBatcher, decode_scope
from repoquarry.graphstore.query.sandbox import MESSAGE, ROWS
from repoquarry.processes.workers import incoming, write_frame

_CPU_GRACE_SECONDS = 5
_STANDARD_STREAMS = 3


_SPARE_BYTES = 256 * 1024 * 1024
"""Memory that a child may keep beyond what it had with the graph loaded; with more it says that it is to be ended."""


class SandboxTarget(Protocol):
    """What an engine's module gives for its file (`open_sandboxed(path)`)."""

    def refresh(self, scope: QueryScope) -> bool:
        """Load the present state of what the scope says; whether it is another graph than the last query's."""
        ...

    def answer(self, text: str, parameters: dict[str, Value], limits: QueryLimits) -> tuple[tuple[str, ...], Rows]:
        """The columns and the rows, which are made as they are taken; at most one row more than the limit."""
        ...


Rows = Iterator[tuple[Value, ...]]


def main() -> None:
    """Answer queries until the input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C at a terminal is for the parent, which ends us by closing the pipe
    requests = incoming(sys.stdin.buffer)
    graph: SandboxTarget = importlib.import_module(sys.argv[1]).open_sandboxed(sys.argv[2])
    with suppress(GraphStoreError):  # reported to the first query, which tries again
        graph.refresh(decode_scope(msgspec.json.decode(sys.argv[3])))
    answers = sys.stdout.buffer

    def send(message: Any) -> None:
        write_frame(answers, MESSAGE + msgspec.msgpack.encode(message))

    resting = _resident()

    def loaded(anew: bool) -> None:
        nonlocal resting
        resting = _resident() if anew else resting
        send("loaded")

    while True:
        text, parameters, limits, scope = msgspec.msgpack.decode(requests.get())
        batches = RowBatcher(QueryLimits(*limits), lambda batch: write_frame(answers, ROWS + batch))
        reply = _answer(graph, decode_scope(scope), text, parameters, QueryLimits(*limits), loaded, batches)
        most = max(resting, _SPARE_BYTES) + _SPARE_BYTES
        send([_resident() > most and _trimmed() > most, reply])


def _answer(
    graph: SandboxTarget,
    scope: QueryScope,
    text: str,
    parameters: dict[str, Value],
    limits: QueryLimits,
    loaded: Callable[[bool], None],
    batches: RowBatcher,
) -> list[Any]:
    try:
        loaded(graph.refresh(scope))
        started = time.perf_counter()
        with _confined(limits):
            columns, rows = graph.answer(text, parameters, limits)
            batches.take(rows)
    except MemoryError:
        return ["limit", "the query ran out of memory", {"limit": "memory_bytes"}]
    except GraphStoreError as exc:
        return _error(exc)
    return ["ended", columns, batches.rows, batches.truncated, time.perf_counter() - started]


def _error(exc: GraphStoreError) -> list[Any]:
    if isinstance(exc, QueryRefusedError):
        return ["refused", str(exc), {"reason": exc.reason, "line": exc.line, "column": exc.column}]
    if isinstance(exc, QueryLimitError):
        return ["limit", str(exc), {"limit": exc.limit}]
    kinds = {QueryFailedError: "failed", StoreCorruptError: "corrupt", EngineUnavailableError: "unavailable"}
    return [kinds.get(type(exc), "failed"), str(exc), {}]


@contextmanager
def _confined(limits: QueryLimits) -> Iterator[None]:
    """Lower the soft limits of this process for one query; the hard ones stay, so that they can be raised again."""
    lowered = {resource.RLIMIT_NOFILE: _STANDARD_STREAMS, resource.RLIMIT_FSIZE: 0}
    if limits.memory_bytes:
        lowered[resource.RLIMIT_AS] = _address_space() + limits.memory_bytes
    if limits.seconds:
        used = resource.getrusage(resource.RUSAGE_SELF)
        lowered[resource.RLIMIT_CPU] = math.ceil(used.ru_utime + used.ru_stime + limits.seconds) + _CPU_GRACE_SECONDS
    before = {kind: resource.getrlimit(kind) for kind in lowered}
    try:
        for kind, value in lowered.items():
            hard = before[kind][1]
            resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
        yield
    finally:
        for kind, (soft, hard) in before.items():
            resource.setrlimit(kind, (soft, hard))


def _trimmed() -> int:
    """Resident memory after what the allocator keeps for later has been given back, where the C library can."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return _resident()


def _resident() -> int:
    """Bytes of memory that this process holds now."""
    with open("/proc/self/statm", encoding="ascii") as counts:
        return int(counts.read().split()[1]) * resource.getpagesize()


def _address_space() -> int:
    """Bytes of address space that this process has now, the loaded graph included."""
    with open("/proc/self/statm", encoding="ascii") as counts:
        return int(counts.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
