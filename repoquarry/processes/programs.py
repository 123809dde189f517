"""Runner of external programs in a process group, with a deadline and bounded output.

The program that the command names makes its own preparations: code between fork and exec can deadlock a process with threads. Unlike
worker modules, a program exchanges plain bytes and no frames.
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
    """Exit code (negative for a signal) and output of a program."""

    code: int
    output: bytes
    errors: bytes


class OutputTooLargeError(Exception):
    """A program printed more than its caller takes."""


def limit_memory(process: int, memory_bytes: int) -> None:
    """Limit the private memory of a program that was just started; one that has exited needs no limit."""
    import resource  # Not available on Windows.

    with contextlib.suppress(ProcessLookupError, PermissionError):
        resource.prlimit(process, resource.RLIMIT_DATA, (memory_bytes, memory_bytes))


class ProgramProcess:
    """Running program; used by one thread."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        given: bytes | None = None,
        joined: bool = False,
        descriptors: Sequence[int] = (),
        memory_bytes: int = 0,
        max_output: int = 0,
    ) -> None:
        """Start the program with `environment` (None inherits this process's) and with `given` as its input.

        `joined` redirects its standard error to its standard output. `descriptors` are inherited. `memory_bytes` limits its private
        memory and `max_output` the bytes that `finish` takes; 0 means no limit. Raises: OSError.
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
        self._max_output = max_output
        if memory_bytes:
            limit_memory(self._process.pid, memory_bytes)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> int:
        """Return the descriptor of the output, for callers that read while the program runs and do not call `finish`."""
        assert self._process.stdout is not None  # noqa: S101  opened with a pipe
        return self._process.stdout.fileno()

    def finish(self, seconds: float, look: Callable[[], None] | None = None) -> ProgramResult:
        """Wait for the exit; any exception kills the process group first.

        `look` is called twice a second and may raise. Raises: TimeoutError after `seconds` (0: never); OutputTooLargeError.
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
                output, errors = self._process.communicate(given, timeout=max(left, 0))
                self._check_output(output)
                return output, errors
            except subprocess.TimeoutExpired as waiting:
                self._check_output(waiting.output or b"")
                given = None  # The input is already being written.
                if look is not None:
                    look()
                if deadline is not None and time.monotonic() >= deadline:
                    raise TimeoutError(f"{self._name} took more than {seconds:g} seconds") from None

    def _check_output(self, output: bytes) -> None:
        if self._max_output and len(output) > self._max_output:
            raise OutputTooLargeError(f"{self._name} printed more than {self._max_output // 2**20} MiB")

    def ended(self, seconds: float = 0.0) -> bool:
        """Return whether the program has exited, or exits within this time."""
        if seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        return self._process.poll() is not None

    def suspend(self) -> None:
        """Stop the program. It still adopts orphans and cannot exit before them."""
        with contextlib.suppress(ProcessLookupError):
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGSTOP)

    def end(self) -> int:
        """Kill the process group and close its pipes; return the exit code."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # Unflushed bytes for the dead process.
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
    """Run a program until it exits. Raises: OSError if it cannot be started, TimeoutError (an OSError) after `seconds`."""
    return ProgramProcess(command, cwd=cwd, environment=environment, given=given).finish(seconds)


_POLL_SECONDS = 0.1
_READ_BYTES = 65_536


class BoundedOutput:
    """Buffer for the first and the last bytes of a stream; 0 keeps all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._head = bytearray()
        self._tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        half = self._limit // 2
        if not self._limit:
            self._head += data
            return
        room = half - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail += data[max(room, 0) :]
        # Cut in large steps: a cut at every read would copy the tail each time.
        if (over := len(self._tail) - half) > half:
            del self._tail[:over]
            self.dropped += over

    def text(self) -> str:
        """Return head and tail, with the number of omitted bytes between them."""
        half = self._limit // 2
        if self._limit and (over := len(self._tail) - half) > 0:
            del self._tail[:over]
            self.dropped += over
        gap = f"\n[… {self.dropped} bytes of output omitted]\n" if self.dropped else ""
        return self._head.decode("utf-8", "replace") + gap + self._tail.decode("utf-8", "replace")


def collect_output(
    program: ProgramProcess, output: BoundedOutput, deadline: float | None, reason_to_stop: Callable[[], str]
) -> str:
    """Collect output until the program exits; return the reason to stop it, or an empty string if it exited."""
    while True:
        if reason := reason_to_stop():
            return reason
        if deadline is not None and time.monotonic() > deadline:
            return "over its time limit"
        ended = program.ended()
        readable = wait_until_ready(program.output, READABLE, 0 if ended else _POLL_SECONDS)
        data = os.read(program.output, _READ_BYTES) if readable else b""
        output.add(data)
        # A background child may keep the pipe open, so the exit of the program decides.
        if (ended and not data) or (readable and not data and program.ended(_POLL_SECONDS)):
            return ""
