"""Child processes that run modules of RepoQuarry: start, framed messages with deadline, cancellation, memory limit, exit cause.

Each child is a fresh interpreter, never a fork of a threaded server. It ignores the current directory, PYTHONPATH and the user site
(`repoquarry.search_path`): the current directory may be a repository that contains an `email.py`.
"""

from __future__ import annotations

import enum
import os
import re
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO

from repoquarry.search_path import PRODUCT_FOLDER

READABLE, WRITABLE = select.POLLIN, select.POLLOUT
POLL_SECONDS = 0.02
"""Interval at which a waiting caller is asked whether it still needs the answer."""
_HEADER = struct.Struct("!Q")
_READ_BYTES = 1 << 20
_AT_ONCE = 256  # Number of messages joined into one write.
_PRINTED_BYTES = 1_000  # Size of the captured end of a child's output.
_EXIT_SECONDS = 5.0  # Grace period for a child that has closed its pipes.

_FAULTS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)
_ALLOCATION_FAILURE = re.compile(
    r"[Mm]emory allocation|bad_alloc|MemoryError|failed to (allocate|map)|[Cc](annot|an't) (allocate|start new thread)"
)
# Share of a memory limit beyond which a crash counts as reaching the limit: some libraries use memory that was refused.
_NEARLY_ALL = 0.75
_COUNTS = Path("/proc/vmstat")
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from repoquarry.search_path import restrict_search_path; restrict_search_path(); "
    "from repoquarry.processes.workers import run_entry; run_entry()"
)
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # numpy's threads, unused in children, take a quarter of the start time
    "MIMALLOC_ARENA_RESERVE": "65536",  # KiB; the default reserves a GiB of the memory limit for the graph engine's allocator
}


def wait_until_ready(descriptor: int, event: int, seconds: float) -> bool:
    """Return whether the descriptor becomes readable or writable in time; a closed end counts as ready."""
    waiting = select.poll()
    waiting.register(descriptor, event)
    return bool(waiting.poll(1000 * seconds))


class ExitCause(enum.Enum):
    """Cause of a child's exit: what happened, and the remedy."""

    ALLOCATION = "could not allocate memory", "free memory or run fewer processes at once"
    SYSTEM_MEMORY = "was killed as the system ran out of memory", "free memory or run fewer processes at once"
    KILLED = "was killed from outside", "try again"
    CRASH = "crashed", "report it as a bug of RepoQuarry"
    FAILURE = "failed", "report it as a bug of RepoQuarry"


@dataclass(frozen=True)
class ChildExit:
    """Exit of a child: status, cause and output."""

    status: int
    """Exit status; negative for the signal that terminated the child."""
    cause: ExitCause
    printed: str = ""
    """End of the child's output; may be empty."""
    memory_bytes: int = 0
    """Memory limit of the child; 0 means no limit."""

    def describe(self, memory_setting: str = "") -> str:
        """Return a predicate: what happened, the remedy and the output. `memory_setting` is the setting of the
        memory limit, if one raises it."""
        (happened, remedy), printed = self.cause.value, self.printed
        if self.cause is ExitCause.ALLOCATION:
            printed = printed.rpartition("\n")[2]
            if self.memory_bytes:
                happened = f"reached its memory limit of {self.memory_bytes // 2**20} MiB"
                remedy = f"raise {memory_setting}" if memory_setting else "no setting raises it"
        status = signal.Signals(-self.status).name if self.status < 0 else f"exit status {self.status}"
        return f"{happened} ({status}); {remedy}" + (f"; it printed: {printed}" if printed else "")


class StoppedError(Exception):
    """Raised when the caller's `stopped` returned true during a wait."""


class FramedChild:
    """Child that answers framed messages. Any thread may call `kill` and `end`."""

    def __init__(
        self, entry: str, arguments: Sequence[str] = (), *, memory_bytes: int = 0, inherit: bool = False
    ) -> None:
        """Start `module:function` with `arguments` as `sys.argv[1:]`. Raises: OSError.

        `memory_bytes` limits its private memory; 0 means no limit. `inherit` passes on the environment of this process.
        """
        # Otherwise pass only what Python needs: a query must not find secrets in the environment.
        needed = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ} | {"LANG": "C.UTF-8"}
        self._memory_bytes, self._oom_kills = memory_bytes, _count_oom_kills()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, PRODUCT_FOLDER, entry, str(memory_bytes), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=(os.environ if inherit else needed) | _ENVIRONMENT,
            bufsize=0,
            start_new_session=True,  # the parent handles interrupts from the keyboard
        )
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._input, self._output, self._errors = (pipe for pipe in pipes if pipe is not None)
        for pipe in (self._input, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._printed, self._peak_bytes = b"", 0

    @property
    def input(self) -> IO[bytes]:
        """Pipe to the child, for what is not a message."""
        return self._input

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> ChildExit:
        """Kill the process unless it has exited, and release its resources."""
        self._process.kill()
        status = self._process.wait()
        self._drain()
        for pipe in (self._input, self._output, self._errors):
            pipe.close()
        printed = self._printed.decode("utf-8", "replace").strip()
        return ChildExit(status, self._find_cause(status, printed), printed, self._memory_bytes)

    def await_exit(self) -> ChildExit:
        """Call `end` for a child that has closed its pipes and may still be exiting."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
        return self.end()

    def send(self, message: bytes, deadline: float = float("inf"), stopped: Callable[[], bool] = lambda: False) -> None:
        """Send one message. Raises: TimeoutError after the deadline (of time.monotonic()), StoppedError, BrokenPipeError after an exit."""
        self._printed, data = b"", memoryview(_HEADER.pack(len(message)) + message)
        while data:
            if self._is_ready(self._input, WRITABLE, deadline, stopped):
                data = data[os.write(self._input.fileno(), data[:_READ_BYTES]) :]

    def send_all(self, messages: Iterable[bytes]) -> None:
        """Send messages in few blocking writes, for a dedicated thread. Raises: OSError."""
        os.set_blocking(self._input.fileno(), True)
        waiting = iter(messages)
        while some := list(islice(waiting, _AT_ONCE)):
            data = memoryview(b"".join(part for message in some for part in (_HEADER.pack(len(message)), message)))
            while data:
                data = data[os.write(self._input.fileno(), data) :]

    def receive(self, deadline: float = float("inf"), stopped: Callable[[], bool] = lambda: False) -> bytes:
        """Return the next message. Raises: TimeoutError after the deadline, StoppedError, EOFError after an exit, and whatever `stopped` raises."""
        return self._read(_HEADER.unpack(self._read(_HEADER.size, deadline, stopped))[0], deadline, stopped)

    def _read(self, count: int, deadline: float, stopped: Callable[[], bool]) -> bytes:
        parts = []
        while count:
            if self._is_ready(self._output, READABLE, deadline, stopped):
                parts.append(os.read(self._output.fileno(), min(count, _READ_BYTES)))
                if not parts[-1]:
                    raise EOFError
                count -= len(parts[-1])
        return b"".join(parts)

    def _is_ready(self, pipe: IO[bytes], event: int, deadline: float, stopped: Callable[[], bool]) -> bool:
        if stopped():
            raise StoppedError
        if pipe.closed:  # Another thread called `end`.
            raise EOFError
        self._drain()
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        is_ready = wait_until_ready(pipe.fileno(), event, min(POLL_SECONDS, left))
        if self._memory_bytes and not is_ready:
            import psutil  # Lazy import: it would slow down the start of children.

            with suppress(psutil.Error):
                self._peak_bytes = max(self._peak_bytes, getattr(psutil.Process(self.pid).memory_info(), "data", 0))
        return is_ready

    def _drain(self) -> None:
        """Read the output of the child, which would otherwise block on a full pipe."""
        with suppress(BlockingIOError, ValueError):  # No data, or closed by another thread.
            while data := os.read(self._errors.fileno(), _READ_BYTES):
                self._printed = (self._printed + data)[-_PRINTED_BYTES:]

    def _find_cause(self, status: int, printed: str) -> ExitCause:
        if status == -signal.SIGKILL and _count_oom_kills() > self._oom_kills:
            return ExitCause.SYSTEM_MEMORY
        if status < 0 and -status not in _FAULTS:
            return ExitCause.KILLED
        is_full = self._peak_bytes > self._memory_bytes * _NEARLY_ALL
        if is_full or _ALLOCATION_FAILURE.search(printed if status < 0 else printed.rpartition("\n")[2]):
            return ExitCause.ALLOCATION
        return ExitCause.CRASH if status < 0 else ExitCause.FAILURE


def _count_oom_kills() -> int:
    """Return the number of processes that the kernel killed for lack of memory (system or control group); 0 if it does not count them."""
    with suppress(OSError, ValueError):
        return int(_COUNTS.read_text(encoding="ascii").partition("\noom_kill ")[2].partition("\n")[0])
    return 0


def run_entry() -> None:
    """Run the function that the command line names, under the memory limit. Called in the child."""
    entry, memory_bytes, *arguments = sys.argv[2:]
    sys.argv = [entry, *arguments]
    _limit_memory(int(memory_bytes))
    module, _, function = entry.partition(":")
    getattr(import_module(module), function)()


def _limit_memory(limit: int) -> None:
    """Limit the private memory of this process; libraries and mapped models do not count."""
    if not limit:
        return
    import resource  # Not available on Windows.

    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def open_worker_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return the child's (incoming, outgoing) frames. Output of libraries goes to standard error instead of between frames."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    threading.Thread(target=_outlive_nobody, args=(os.getppid(),), daemon=True).start()
    return incoming, outgoing


def _outlive_nobody(parent: int) -> None:
    """Exit when the parent has died, even during long work."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def write_frame(stream: IO[bytes], message: bytes) -> None:
    """Send one message and flush. Raises: OSError if the other side has exited."""
    stream.write(_HEADER.pack(len(message)))
    stream.write(message)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next message; None at the end, even in the middle of a message."""
    header = stream.read(_HEADER.size)
    count = _HEADER.unpack(header)[0] if len(header) == _HEADER.size else 0
    message = stream.read(count)
    return message if len(header) == _HEADER.size and len(message) == count else None
