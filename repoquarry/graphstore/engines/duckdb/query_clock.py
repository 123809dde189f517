"""Interrupts of cursors whose time is over, by one thread, since a thread for each query costs as much as a small query."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class QueryClock:
    """Clock of all cursors of a process; its thread starts with the first limit. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._deadlines: list[tuple[float, int, Any]] = []
        self._running: set[int] = set()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    @contextmanager
    def limit(self, cursor: Any, seconds: float) -> Iterator[None]:
        """Interrupt a cursor if the block is still running after `seconds`; 0 means never."""
        if not seconds:
            yield
            return
        number = next(self._numbers)
        with self._changed:
            self._running.add(number)
            heapq.heappush(self._deadlines, (time.monotonic() + seconds, number, cursor))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="duckdb-clock", daemon=True)
                self._thread.start()
            elif self._deadlines[0][1] == number:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:  # An interrupt after this point would hit the cursor's next query.
                self._running.discard(number)
                while self._deadlines and self._deadlines[0][1] not in self._running:
                    heapq.heappop(self._deadlines)

    def _watch(self) -> None:
        with self._changed:
            while True:
                wait = self._deadlines[0][0] - time.monotonic() if self._deadlines else None
                if wait is None or wait > 0:
                    self._changed.wait(wait)
                    continue
                _, number, cursor = heapq.heappop(self._deadlines)
                if number in self._running:
                    cursor.interrupt()


CLOCK = QueryClock()
