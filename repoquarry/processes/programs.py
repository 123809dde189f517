"""Programs of others: process group, deadline, bounded output.

What has to be set before a program starts is set by the program that the command names: code between fork and exec can deadlock a
process with threads. Unlike our own modules (`child`, `worker`) a program speaks no frames; it is given bytes and says bytes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.processes.workers import READABLE, wait_until_ready

_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended: its exit code, negative for a signal, and what it said."""

    code: int
    output: bytes
    errors: bytes


class ProgramProcess:
    """A running program; used by one thread."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        given: bytes | None = None,
        joined: bool = False,
        descriptors: Sequence[int] = (),
    ) -> None:
        """Start it. `environment` is all that it gets, None: what this process has. `given` is its input, nothing by default.

        `joined`: its errors go where its output goes. `descriptors` are passed on to it. Raises: OSError.
        """
        self._name, self._given = command[0], given
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=None if environment is None else dict(environment),
            stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if joined else subprocess.PIPE,
            pass_fds=descriptors,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> int:
        """Descriptor of what it writes, for who reads while it runs and does not call `finish`."""
        assert self._process.stdout is not None  # noqa: S101  opened with a pipe
        return self._process.stdout.fileno()

    def finish(self, seconds: float, look: Callable[[], None] | None = None) -> ProgramResult:
        """Wait for its end; when anything is raised its group is gone first.

        `look` is called twice a second and may raise. Raises: TimeoutError after `seconds` (0: never).
        """
        try:
            output, errors = self._communicate(seconds, look)
        except BaseException:
            self.end()
            raise
        return ProgramResult(self._process.returncode, output, errors or b"")

    def _communicate(self, seconds: float, look: Callable[[], None] | None) -> tuple[bytes, bytes | None]:
        deadline = time.monotonic() + seconds if seconds else None
        given = self._given
        while True:
            left = _LOOK_SECONDS if deadline is None else min(_LOOK_SECONDS, deadline - time.monotonic())
            try:
                return self._process.communicate(given, timeout=max(left, 0))
            except subprocess.TimeoutExpired:
                given = None  # is being written already
                if look is not None:
                    look()
                if deadline is not None and time.monotonic() >= deadline:
                    raise TimeoutError(f"{self._name} took more than {seconds:g} seconds") from None

    def ended(self, seconds: float = 0.0) -> bool:
        """Whether it has ended, or does so within this time."""
        if seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        return self._process.poll() is not None

    def suspend(self) -> None:
        """Stop it where it is: it still takes in orphans, and does not end before them."""
        with contextlib.suppress(ProcessLookupError):
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGSTOP)

    def end(self) -> int:
        """Kill its group and close its pipes; its exit code."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # bytes that were still to be flushed to the dead process
                    stream.close()
        return code


def run_program(
    command: Sequence[str],
    *,
    seconds: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: bytes | None = None,
) -> ProgramResult:
    """Run a program to its end. Raises: OSError when it cannot be started, TimeoutError (which is one) after `seconds`."""
    return ProgramProcess(command, cwd=cwd, environment=environment, given=given).finish(seconds)


_POLL_SECONDS = 0.1
_READ_BYTES = 65_536


class BoundedOutput:
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


def collect_output(
    program: ProgramProcess, output: BoundedOutput, deadline: float | None, reason_to_stop: Callable[[], str]
) -> str:
    """Collect output until the program ends. Returns why it has to be stopped, empty when it ended."""
    while True:
        if reason := reason_to_stop():
            return reason
        if deadline is not None and time.monotonic() > deadline:
            return "over its time limit"
        ended = program.ended()
        readable = wait_until_ready(program.output, READABLE, 0 if ended else _POLL_SECONDS)
        data = os.read(program.output, _READ_BYTES) if readable else b""
        output.add(data)
        # a child left in the background may hold the pipe open: the end of the program is what counts
        if (ended and not data) or (readable and not data and program.ended(_POLL_SECONDS)):
            return ""
