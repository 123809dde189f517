"""Main function of a sandbox process.

Before each query the process gives up what a query must not have: memory beyond its limit, processor time, and new file
descriptors (so that nothing can open a file or an address, whatever the engine's Cypher offers).
"""

from __future__ import annotations

import ctypes
import importlib
import math
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, Protocol

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
from repoquarry.graphstore.query.sandbox import MESSAGE, ROWS, memory_error
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

_CPU_GRACE_SECONDS = 5
_STANDARD_STREAMS = 3
_SPARE_BYTES = 256 * 1024 * 1024
"""Memory that a child may keep beyond what it had with the graph loaded; with more it says that it is to be ended."""

_SLACK_BYTES = 32 * 1024 * 1024
"""Memory that a query gets at least, where what was mapped for earlier ones fills its limit: the engine reuses that, Python cannot."""


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
    requests, answers = open_worker_pipes()
    graph: SandboxTarget = importlib.import_module(sys.argv[1]).open_sandboxed(sys.argv[2])
    with suppress(GraphStoreError):  # reported to the first query, which tries again
        graph.refresh(decode_scope(msgspec.json.decode(sys.argv[3])))

    def send(message: Any) -> None:
        write_frame(answers, MESSAGE + msgspec.msgpack.encode(message))

    resting = _memory().resident

    def loaded(anew: bool) -> int:
        nonlocal resting
        resting = _memory().resident if anew else resting
        send("loaded")
        return resting

    while (request := read_frame(requests)) is not None:
        text, parameters, limits, scope = msgspec.msgpack.decode(request)
        batches = RowBatcher(QueryLimits(*limits), lambda batch: write_frame(answers, ROWS + batch))
        reply = _answer(graph, decode_scope(scope), text, parameters, QueryLimits(*limits), loaded, batches)
        most = max(resting, _SPARE_BYTES) + _SPARE_BYTES
        send([_memory().resident > most and _trimmed() > most, reply])


def _answer(
    graph: SandboxTarget,
    scope: QueryScope,
    text: str,
    parameters: dict[str, Value],
    limits: QueryLimits,
    loaded: Callable[[bool], int],
    batches: RowBatcher,
) -> list[Any]:
    try:
        resting = loaded(graph.refresh(scope))
        started = time.perf_counter()
        with _confined(limits, resting):
            columns, rows = graph.answer(text, parameters, limits)
            batches.take(rows)
    except MemoryError:
        return _error(memory_error(limits))
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
def _confined(limits: QueryLimits, resting: int) -> Iterator[None]:
    """Lower the soft limits of this process for one query; the hard ones stay, so that they can be raised again.

    `resting` is its memory with the graph loaded. RLIMIT_DATA counts what is mapped and not what is touched, so that memory which the
    engine's allocator has reserved or left from an earlier query counts against the query that may come to use it.
    """
    lowered = {resource.RLIMIT_NOFILE: _STANDARD_STREAMS, resource.RLIMIT_FSIZE: 0}
    if limits.memory_bytes:
        lowered[resource.RLIMIT_DATA] = max(resting + limits.memory_bytes, _memory().mapped + _SLACK_BYTES)
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
    return _memory().resident


class _Memory(NamedTuple):
    """Bytes of this process alone: files that are mapped to be read are not among them."""

    resident: int
    mapped: int


def _memory() -> _Memory:
    with open("/proc/self/statm", encoding="ascii") as counts:
        _, resident, shared, _, _, mapped, _ = map(int, counts.read().split())
    return _Memory((resident - shared) * resource.getpagesize(), mapped * resource.getpagesize())
