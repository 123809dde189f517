"""The child process of `repoquarry.graphstore.sandbox.pool`: loads a graph file read-only and answers queries from its standard input.

Before each query the process gives up what a query must not have: memory beyond its limit, processor time, and new file
descriptors (so that nothing can open a file or an address, whatever the engine's Cypher offers). A thread of its own watches
the input, so that the child ends at once when its parent is gone, even in the middle of a query.
"""

from __future__ import annotations

import importlib
import math
import os
import queue
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol

import msgspec

from repoquarry.graphstore.engine import QueryLimits, QueryResult
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
)
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.sandbox.pool import HEADER
from repoquarry.graphstore.sandbox.wire import cut

_CPU_GRACE_SECONDS = 5
_STANDARD_STREAMS = 3


class Sandboxed(Protocol):
    """What an engine's module gives for its file (`open_sandboxed(file)`)."""

    def refresh(self) -> None:
        """Load the file's present state."""
        ...

    def run(self, text: str, parameters: dict[str, Value], limits: QueryLimits) -> QueryResult: ...


def main() -> None:
    """Answer queries until the input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C at a terminal is for the parent, which ends us by closing the pipe
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_watch, args=(sys.stdin.buffer, requests), daemon=True).start()
    graph: Sandboxed = importlib.import_module(sys.argv[1]).open_sandboxed(sys.argv[2])
    answers = sys.stdout.buffer
    while True:
        text, parameters, limits = msgspec.msgpack.decode(requests.get())
        _send(answers, _answer(graph, text, parameters, QueryLimits(*limits), lambda: _send(answers, "loaded")))


def _watch(stream: BinaryIO, requests: queue.SimpleQueue[bytes]) -> None:
    while True:
        header = stream.read(HEADER.size)
        if len(header) < HEADER.size:
            os._exit(0)
        requests.put(stream.read(HEADER.unpack(header)[0]))


def _send(stream: BinaryIO, reply: Any) -> None:
    encoded = msgspec.msgpack.encode(reply)
    stream.write(HEADER.pack(len(encoded)))
    stream.write(encoded)
    stream.flush()


def _answer(
    graph: Sandboxed, text: str, parameters: dict[str, Value], limits: QueryLimits, loaded: Callable[[], None]
) -> list[Any]:
    try:
        graph.refresh()
        loaded()
        with _confined(limits):
            found = graph.run(text, parameters, limits)
            kept = cut(found.rows, limits)
    except MemoryError:
        return ["limit", "the query ran out of memory", {"limit": "memory_bytes"}]
    except GraphStoreError as exc:
        return _error(exc)
    return ["rows", found.columns, kept.encoded, kept.truncated or found.truncated, found.seconds]


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


def _address_space() -> int:
    """Bytes of address space that this process has now, the loaded graph included."""
    with open("/proc/self/statm", encoding="ascii") as counts:
        return int(counts.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
