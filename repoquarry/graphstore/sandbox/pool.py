"""Queries from outside, run in child processes that may run out of time or memory without harm to anyone else.

The engine hands over the module and the file; a child (`repoquarry.graphstore.sandbox.worker`) loads the file, answers one query after
another and is kept warm. A query that overruns is ended with its child, and the next query starts a new one: that is the only
way to stop an engine in the middle of an expression, and it needs no help from the engine.
"""

from __future__ import annotations

import os
import queue
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import msgspec

from repoquarry.graphstore.engine import QueryLimits, QueryResult
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
)
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.sandbox.wire import decode_row, encode_parameters

POLL_SECONDS = 0.05
LOAD_SECONDS = 300.0
"""How long a child may take to load the graph before it counts as gone."""

GRACE_SECONDS = 1.0
"""What a query may overrun its time by, for the engine to say so itself, before its child is ended."""

HEADER = struct.Struct("!Q")


class Sandbox:
    """A pool of children. `target` is the module that runs queries (`open_sandboxed(file)`) and its file."""

    def __init__(self, target: tuple[str, str], workers: int) -> None:
        self._target = target
        self._idle: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        for _ in range(workers):
            self._idle.put(None)  # a place for a child that is started when it is first needed
        self._children: set[_Child] = set()
        self._guard = threading.Lock()
        self._closed = False

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, cancelled: Callable[[], bool]
    ) -> QueryResult:
        """Run one query. Raises: QueryRefusedError, QueryFailedError, QueryLimitError, QueryCancelledError, EngineUnavailableError."""
        request = msgspec.msgpack.encode([text, encode_parameters(parameters), astuple(limits)])
        child = self._take(cancelled)
        try:
            return child.ask(request, limits, cancelled)
        finally:
            alive = child.alive()
            if not alive:
                self._end(child)
            self._idle.put(child if alive else None)

    def close(self) -> None:
        """End all children; queries that run are ended with them."""
        with self._guard:
            self._closed = True
            children = list(self._children)
        for child in children:
            self._end(child)

    def _take(self, cancelled: Callable[[], bool]) -> _Child:
        while True:
            if cancelled():
                raise QueryCancelledError("the query was cancelled before it started")
            try:
                child = self._idle.get(timeout=POLL_SECONDS)
                break
            except queue.Empty:
                continue
        if child is not None and child.alive():
            return child
        try:
            return self._start()
        except BaseException:
            self._idle.put(None)
            raise

    def _start(self) -> _Child:
        with self._guard:
            if self._closed:
                raise EngineUnavailableError("the store is closed")
            child = _Child(self._target)
            self._children.add(child)
        return child

    def _end(self, child: _Child) -> None:
        child.kill()
        with self._guard:
            self._children.discard(child)


class _Child:
    """One child process and the pipes to it."""

    def __init__(self, target: Sequence[str]) -> None:
        root = str(Path(__file__).resolve().parents[3])
        # no more of the environment than Python needs: what a query might read there must not be worth reading
        environment = {"PYTHONPATH": root, "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "repoquarry.graphstore.sandbox.worker", *target],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self._buffer = b""

    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def ask(self, request: bytes, limits: QueryLimits, cancelled: Callable[[], bool]) -> QueryResult:
        """Send the request and wait for the answer; the child is dead afterwards when it had to be stopped."""
        started = time.monotonic()
        try:
            self._send(request)
            reply = self._receive(started + LOAD_SECONDS, cancelled)
            if reply == "loaded":
                started = time.monotonic()
                allowed = limits.seconds + GRACE_SECONDS if limits.seconds else float("inf")
                reply = self._receive(started + allowed, cancelled)
        except TimeoutError:
            self.kill()
            raise QueryLimitError(f"the query ran over its {limits.seconds:g} seconds", limit="seconds") from None
        except (BrokenPipeError, EOFError):
            raise self._epitaph(limits) from None
        except BaseException:
            self.kill()
            raise
        return _result(reply)

    def _send(self, request: bytes) -> None:
        stream = self._process.stdin
        if stream is None:
            raise EOFError
        data = memoryview(HEADER.pack(len(request)) + request)
        while data:  # a raw pipe takes as much as it likes
            data = data[stream.write(data) or 0 :]

    def _receive(self, deadline: float, cancelled: Callable[[], bool]) -> Any:
        """The next frame. Raises: TimeoutError after the deadline, EOFError when the child is gone, QueryCancelledError."""
        size = None
        while True:
            if size is None and len(self._buffer) >= HEADER.size:
                size = HEADER.unpack_from(self._buffer)[0] + HEADER.size
            if size is not None and len(self._buffer) >= size:
                frame, self._buffer = self._buffer[HEADER.size : size], self._buffer[size:]
                return msgspec.msgpack.decode(frame)
            self._fill(deadline, cancelled)

    def _fill(self, deadline: float, cancelled: Callable[[], bool]) -> None:
        stream = self._process.stdout
        if stream is None:
            raise EOFError
        if cancelled():
            raise QueryCancelledError("the query was cancelled")
        if time.monotonic() > deadline:
            raise TimeoutError
        if select.select([stream], [], [], POLL_SECONDS)[0]:
            chunk = os.read(stream.fileno(), 1 << 20)
            if not chunk:
                raise EOFError
            self._buffer += chunk

    def _epitaph(self, limits: QueryLimits) -> Exception:
        """What the way in which the child died says about the query."""
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            return QueryLimitError(f"the query ran over its {limits.seconds:g} seconds", limit="seconds")
        if code in (-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGBUS, -signal.SIGILL):
            return QueryLimitError(
                f"the query needs more than the {limits.memory_bytes // 2**20} MiB that a query may use",
                limit="memory_bytes",
            )
        return EngineUnavailableError(f"the process that ran the query ended with code {code}")


_ERRORS: Mapping[str, Callable[..., Exception]] = {
    "refused": QueryRefusedError,
    "failed": QueryFailedError,
    "limit": QueryLimitError,
    "corrupt": StoreCorruptError,
    "unavailable": EngineUnavailableError,
}


def _result(reply: Any) -> QueryResult:
    if reply[0] != "rows":
        raise _ERRORS[reply[0]](reply[1], **reply[2])
    _, columns, rows, truncated, seconds = reply
    return QueryResult(tuple(columns), [decode_row(row) for row in rows], truncated, seconds)
