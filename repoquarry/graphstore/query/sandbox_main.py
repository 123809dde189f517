"""Main loop of a sandbox process: runs queries that arrive over a pipe, one at a time, under limits of the operating system.

Before each query the process limits memory and CPU time, and forbids new file descriptors, so that the query can open neither files nor
network connections, even where the engine's Cypher has functions for them.
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

from repoquarry.graphstore.errors import GraphStoreError, QueryFailedError
from repoquarry.graphstore.graph_engine import QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import RowBatcher
from repoquarry.graphstore.query.sandbox import ERRORS, MESSAGE, ROWS, memory_error
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

_CPU_GRACE_SECONDS = 5
_STANDARD_STREAMS = 3
_SPARE_BYTES = 256 * 1024 * 1024
"""Memory growth after loading the graph above which a child asks to be replaced."""

_SLACK_BYTES = 32 * 1024 * 1024
"""Minimum memory of a query when mappings of earlier ones fill its limit: the engine reuses them, Python cannot."""


class SandboxTarget(Protocol):
    """Interface that an engine's module provides for its file (`open_sandboxed(path)`)."""

    def refresh(self, scope: QueryScope) -> bool:
        """Load the current state of the scope; return whether the graph differs from the last query's."""

    def answer(self, text: str, parameters: dict[str, Value], limits: QueryLimits) -> tuple[tuple[str, ...], Rows]:
        """Return the columns and lazy rows, at most one row more than the limit."""


Rows = Iterator[tuple[Value, ...]]


def main() -> None:
    """Answer queries until the input ends."""
    requests, answers = open_worker_pipes()
    graph: SandboxTarget = importlib.import_module(sys.argv[1]).open_sandboxed(sys.argv[2])
    with suppress(GraphStoreError):  # Reported to the first query, which loads again.
        graph.refresh(msgspec.json.decode(sys.argv[3], type=QueryScope))

    def send(message: Any) -> None:
        write_frame(answers, MESSAGE + msgspec.msgpack.encode(message))

    resting = _memory().resident
    decoder = msgspec.msgpack.Decoder(tuple[str, dict[str, Any], QueryLimits, QueryScope])

    def loaded(anew: bool) -> int:
        nonlocal resting
        resting = _memory().resident if anew else resting
        send("loaded")
        return resting

    while (request := read_frame(requests)) is not None:
        text, parameters, limits, scope = decoder.decode(request)
        batches = RowBatcher(limits, lambda batch: write_frame(answers, ROWS + batch))
        reply = _answer(graph, scope, text, parameters, limits, loaded, batches)
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
    name = type(exc).__name__
    return [name, str(exc), vars(exc)] if name in ERRORS else [QueryFailedError.__name__, str(exc), {}]


@contextmanager
def _confined(limits: QueryLimits, resting: int) -> Iterator[None]:
    """Lower the soft limits of this process for one query; hard limits stay, so that the soft ones can be raised again.

    `resting` is its memory with the graph loaded. RLIMIT_DATA counts mapped memory, not touched memory, so memory that the engine's
    allocator reserved or retained from an earlier query counts for the query that may use it.
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
    """Return the resident memory after releasing cached allocator memory, if the C library supports it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return _memory().resident


class _Memory(NamedTuple):
    """Private memory of this process in bytes, without files mapped for reading."""

    resident: int
    mapped: int


def _memory() -> _Memory:
    with open("/proc/self/statm", encoding="ascii") as counts:
        _, resident, shared, _, _, mapped, _ = map(int, counts.read().split())
    return _Memory((resident - shared) * resource.getpagesize(), mapped * resource.getpagesize())
