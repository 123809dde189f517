"""What a program writes while it runs, kept within a bound."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from repoquarry.processes.program import Program
from repoquarry.processes.waiting import READABLE, ready

_POLL_SECONDS = 0.1
_READ_BYTES = 65_536


class HeadAndTail:
    """Keeps the first and the last bytes of a stream; 0 keeps all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._head = bytearray()
        self._tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Take in what comes next."""
        half = self._limit // 2
        if not self._limit:
            self._head += data
            return
        room = half - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail += data[max(room, 0) :]
        if (over := len(self._tail) - half) > half:  # cut in large steps: cutting at every read would copy for ever
            del self._tail[:over]
            self.dropped += over

    def text(self) -> str:
        """Head and tail; between them how many bytes are missing."""
        half = self._limit // 2
        if self._limit and (over := len(self._tail) - half) > 0:
            del self._tail[:over]
            self.dropped += over
        gap = f"\n[… {self.dropped} bytes of output left out]\n" if self.dropped else ""
        return self._head.decode("utf-8", "replace") + gap + self._tail.decode("utf-8", "replace")


def follow(program: Program, output: HeadAndTail, deadline: float | None, reason_to_stop: Callable[[], str]) -> str:
    """Collect output until the program ends. Returns why it has to be stopped, empty when it ended."""
    while True:
        if reason := reason_to_stop():
            return reason
        if deadline is not None and time.monotonic() > deadline:
            return "over its time limit"
        ended = program.ended()
        readable = ready(program.output, READABLE, 0 if ended else _POLL_SECONDS)
        data = os.read(program.output, _READ_BYTES) if readable else b""
        output.add(data)
        # a child left in the background may hold the pipe open: the end of the program is what counts
        if (ended and not data) or (readable and not data and program.ended(_POLL_SECONDS)):
            return ""
