"""Child processes of our own modules: start, framed messages with deadline and cancellation, memory limit, and why one exited.

Each is a fresh interpreter and never a fork of a threaded server. It sees neither the current directory nor PYTHONPATH nor the user site
(`repoquarry.search_path`): a caller may stand in a repository that contains an `email.py`.
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
"""How often a waiting caller is asked whether it still wants the answer."""

_HEADER = struct.Struct("!Q")
_READ_BYTES = 1 << 20
_AT_ONCE = 256  # messages that are joined before they are sent
_PRINTED_BYTES = 1_000  # the end of what a child printed that is kept for the error
_EXIT_SECONDS = 5.0  # that a child has to exit by itself once it has closed its pipes

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
    "OPENBLAS_NUM_THREADS": "1",  # numpy's threads, of which no child has any use, take a quarter of its start
    "MIMALLOC_ARENA_RESERVE": "65536",  # KiB; by default the graph engine's allocator takes a whole GiB from a memory limit
}


def wait_until_ready(descriptor: int, event: int, seconds: float) -> bool:
    """Whether there is something to read (or room to write) within this time; an end that was closed counts as both."""
    waiting = select.poll()
    waiting.register(descriptor, event)
    return bool(waiting.poll(1000 * seconds))


class ExitCause(enum.Enum):
    """Why a child exited: what happened, and the remedy."""

    ALLOCATION = "could not allocate memory", "free memory or run fewer processes at once"
    SYSTEM_MEMORY = "was killed as the system ran out of memory", "free memory or run fewer processes at once"
    KILLED = "was killed from outside", "try again"
    CRASH = "crashed", "report it as a fault of RepoQuarry"
    FAILURE = "failed", "report it as a fault of RepoQuarry"


@dataclass(frozen=True)
class ChildExit:
    """How a child exited."""

    status: int
    """Exit status; negative for the signal that ended the child."""
    cause: ExitCause
    printed: str = ""
    """End of what the child printed; may be empty."""
    memory_bytes: int = 0
    """Limit that it was started with; 0 means no limit."""

    def describe(self, memory_setting: str = "") -> str:
        """Return what happened, the remedy and the output, to follow a subject. `memory_setting` is where the limit comes from."""
        (happened, remedy), printed = self.cause.value, self.printed
        if self.cause is ExitCause.ALLOCATION:
            printed = printed.rpartition("\n")[2]
            if self.memory_bytes:
                happened = f"reached its memory limit of {self.memory_bytes // 2**20} MiB"
                remedy = f"raise {memory_setting}"
        status = signal.Signals(-self.status).name if self.status < 0 else f"exit status {self.status}"
        return f"{happened} ({status}); {remedy}" + (f"; it printed: {printed}" if printed else "")


class StoppedError(Exception):
    """The caller's `stopped` held while it waited."""


class FramedChild:
    """A child that is sent messages and answers them; `kill` and `end` may be called by any thread."""

    def __init__(
        self, entry: str, arguments: Sequence[str] = (), *, memory_bytes: int = 0, inherit: bool = False
    ) -> None:
        """Start `module:function`, which finds `arguments` in `sys.argv[1:]`. Raises: OSError.

        `memory_bytes` limits its private memory; 0 means no limit. `inherit`: whether it gets this process's environment.
        """
        # otherwise no more than Python needs: what a query might read there must not be worth reading
        needed = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ} | {"LANG": "C.UTF-8"}
        self._memory_bytes, self._oom_kills = memory_bytes, _count_oom_kills()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, PRODUCT_FOLDER, entry, str(memory_bytes), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=(os.environ if inherit else needed) | _ENVIRONMENT,
            bufsize=0,
            start_new_session=True,  # an interrupt from the keyboard is the parent's to deal with
        )
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._input, self._output, self._errors = (pipe for pipe in pipes if pipe is not None)
        for pipe in (self._input, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._printed, self._peak_bytes = b"", 0

    @property
    def input(self) -> IO[bytes]:
        """Pipe to the child, for what is no message."""
        return self._input

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process without waiting."""
        self._process.kill()

    def end(self) -> ChildExit:
        """Kill the process, unless it has exited, and free what it held."""
        self._process.kill()
        status = self._process.wait()
        self._drain()
        for pipe in (self._input, self._output, self._errors):
            pipe.close()
        printed = self._printed.decode("utf-8", "replace").strip()
        return ChildExit(status, self._find_cause(status, printed), printed, self._memory_bytes)

    def await_exit(self) -> ChildExit:
        """`end` of a child that has closed its pipes, and may still be exiting."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
        return self.end()

    def send(self, message: bytes, deadline: float = float("inf"), stopped: Callable[[], bool] = lambda: False) -> None:
        """Raises: TimeoutError after the deadline (of time.monotonic()), StoppedError, BrokenPipeError when it is gone."""
        self._printed, data = b"", memoryview(_HEADER.pack(len(message)) + message)
        while data:
            if self._is_ready(self._input, WRITABLE, deadline, stopped):
                data = data[os.write(self._input.fileno(), data[:_READ_BYTES]) :]

    def send_all(self, messages: Iterable[bytes]) -> None:
        """Send in few writes, each of which may wait for a busy interpreter; for a thread that does nothing else. Raises: OSError."""
        os.set_blocking(self._input.fileno(), True)
        waiting = iter(messages)
        while some := list(islice(waiting, _AT_ONCE)):
            data = memoryview(b"".join(part for message in some for part in (_HEADER.pack(len(message)), message)))
            while data:
                data = data[os.write(self._input.fileno(), data) :]

    def receive(self, deadline: float = float("inf"), stopped: Callable[[], bool] = lambda: False) -> bytes:
        """The next message. Raises: TimeoutError after the deadline, StoppedError, EOFError when it is gone. `stopped` may raise, too."""
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
        if pipe.closed:  # `end` in another thread
            raise EOFError
        self._drain()
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        is_ready = wait_until_ready(pipe.fileno(), event, min(POLL_SECONDS, left))
        if self._memory_bytes and not is_ready:
            import psutil  # not in a child, of which it would slow the start

            with suppress(psutil.Error):
                self._peak_bytes = max(self._peak_bytes, getattr(psutil.Process(self.pid).memory_info(), "data", 0))
        return is_ready

    def _drain(self) -> None:
        """Take in what the child has printed, which would block it once the pipe is full."""
        with suppress(BlockingIOError, ValueError):  # nothing there; closed by another thread
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
    """Return how many processes the kernel has killed for lack of memory, of the system or of a control group; 0 where it does not count."""
    with suppress(OSError, ValueError):
        return int(_COUNTS.read_text(encoding="ascii").partition("\noom_kill ")[2].partition("\n")[0])
    return 0


def run_entry() -> None:
    """The child's side of the start: run the function that the command line names, under the memory limit."""
    entry, memory_bytes, *arguments = sys.argv[2:]
    sys.argv = [entry, *arguments]
    _limit_memory(int(memory_bytes))
    module, _, function = entry.partition(":")
    getattr(import_module(module), function)()


def _limit_memory(limit: int) -> None:
    """Limit the memory that this process shares with no other: libraries and mapped models do not count."""
    if not limit:
        return
    import resource  # only where there are such limits, which is not Windows

    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def open_worker_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The child's (incoming, outgoing) frames; what libraries print goes to the errors, and not between frames."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    threading.Thread(target=_outlive_nobody, args=(os.getppid(),), daemon=True).start()
    return incoming, outgoing


def _outlive_nobody(parent: int) -> None:
    """End when the parent has died, however it died, even in the midst of long work."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def write_frame(stream: IO[bytes], message: bytes) -> None:
    """Send one message and flush. Raises: OSError when the other side is gone."""
    stream.write(_HEADER.pack(len(message)))
    stream.write(message)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end, also in the middle of a message."""
    header = stream.read(_HEADER.size)
    count = _HEADER.unpack(header)[0] if len(header) == _HEADER.size else 0
    message = stream.read(count)
    return message if len(header) == _HEADER.size and len(message) == count else None
