"""A child process that is asked in frames, under a deadline and a caller's wish to stop."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from repoquarry.processes.frames import HEADER
from repoquarry.processes.waiting import READABLE, WRITABLE, ready

POLL_SECONDS = 0.05
"""How often a waiting caller is asked whether it still wants the answer."""

_READ_BYTES = 1 << 20
_ROOT = str(Path(__file__).resolve().parents[2])


class StoppedError(Exception):
    """The caller's `stopped` held while it waited."""


class FramedChild:
    """One child running a module of this project; used by one thread at a time, `kill` by any."""

    def __init__(self, module: str, arguments: Sequence[str] = (), *, inherit: bool = False) -> None:
        """`inherit`: whether it gets this process's environment, for work that needs proxies, credentials and tools."""
        # otherwise no more than Python needs: what a query might read there must not be worth reading
        environment = (dict(os.environ) if inherit else {}) | {
            "PYTHONPATH": _ROOT,
            "PATH": os.environ.get("PATH", ""),
            "LANG": "C.UTF-8",
            **{name: os.environ[name] for name in ("TMPDIR",) if name in os.environ},
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        self._buffer = bytearray()

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End it now, and free what it held."""
        self._process.kill()
        self._process.wait()
        self._input.close()
        self._output.close()

    def exit_code(self) -> int:
        """Wait for a child that has closed its end; negative for the signal that ended it."""
        return self._process.wait()

    def send(self, message: bytes, deadline: float, stopped: Callable[[], bool]) -> None:
        """Raises: TimeoutError after the deadline (of time.monotonic()), StoppedError, BrokenPipeError when it is gone."""
        data = memoryview(HEADER.pack(len(message)) + message)
        while data:
            if self._ready(self._input.fileno(), WRITABLE, deadline, stopped):
                data = data[os.write(self._input.fileno(), data[:_READ_BYTES]) :]

    def receive(self, deadline: float, stopped: Callable[[], bool]) -> bytes:
        """The next message. Raises: TimeoutError after the deadline, StoppedError, EOFError when it is gone."""
        while True:
            if len(self._buffer) >= HEADER.size:
                size = HEADER.unpack_from(self._buffer)[0] + HEADER.size
                if len(self._buffer) >= size:
                    message = bytes(self._buffer[HEADER.size : size])
                    del self._buffer[:size]
                    return message
            if self._ready(self._output.fileno(), READABLE, deadline, stopped):
                chunk = os.read(self._output.fileno(), _READ_BYTES)
                if not chunk:
                    raise EOFError
                self._buffer += chunk

    def _ready(self, descriptor: int, event: int, deadline: float, stopped: Callable[[], bool]) -> bool:
        if stopped():
            raise StoppedError
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return ready(descriptor, event, min(POLL_SECONDS, left))
