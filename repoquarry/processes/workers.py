"""Worker processes of our own modules: start, framed requests with deadline and cancellation, memory limit.

Each is a fresh interpreter and never a fork of a threaded server. Unlike a `FramedChild` it gets the whole environment, since what it runs
is our own code over files, and it may be written to at any length before it answers.
"""

from __future__ import annotations

import os
import queue
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO

READABLE, WRITABLE = select.POLLIN, select.POLLOUT


def wait_until_ready(descriptor: int, event: int, seconds: float) -> bool:
    """Whether there is something to read (or room to write) within this time; an end that was closed counts as both."""
    waiting = select.poll()
    waiting.register(descriptor, event)
    return bool(waiting.poll(1000 * seconds))


HEADER = struct.Struct("!Q")
_MAX_FRAME = 1 << 32
_LOOK_SECONDS = 0.2
_AT_ONCE = 256
"""Messages that are joined before they are sent."""


def write_frame(stream: IO[bytes], message: bytes) -> None:
    """Send one message and flush. Raises: OSError when the other side is gone."""
    stream.write(HEADER.pack(len(message)))
    stream.write(message)
    stream.flush()


def write_frames(stream: IO[bytes], messages: Iterable[bytes]) -> None:
    """Send many messages and flush: in few writes, each of which may wait for a busy interpreter. Raises: OSError as `write_frame`."""
    waiting = iter(messages)
    while some := list(islice(waiting, _AT_ONCE)):
        stream.write(b"".join(part for message in some for part in (HEADER.pack(len(message)), message)))
        stream.flush()


def read_frame(stream: IO[bytes], seconds: float = 0.0, look: Callable[[], None] | None = None) -> bytes | None:
    """One message of a stream that nothing else reads; None at its end.

    `look` is called several times a second while waiting and may raise. Raises: TimeoutError (`seconds` 0: never).
    """
    deadline = time.monotonic() + seconds if seconds else None
    head = _exactly(stream, HEADER.size, deadline, look)
    if head is None:
        return None
    length = HEADER.unpack(head)[0]
    return _exactly(stream, length, deadline, look) if length <= _MAX_FRAME else None


def _exactly(stream: IO[bytes], count: int, deadline: float | None, look: Callable[[], None] | None) -> bytes | None:
    descriptor, parts, missing = stream.fileno(), [], count
    while missing:
        if deadline is not None or look is not None:
            _wait(descriptor, deadline, look)
        part = os.read(descriptor, min(missing, 1 << 20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _wait(descriptor: int, deadline: float | None, look: Callable[[], None] | None) -> None:
    """Wait until there is something to read. Raises: TimeoutError."""
    while not wait_until_ready(descriptor, READABLE, _LOOK_SECONDS):
        if look is not None:
            look()
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError


def incoming(stream: IO[bytes]) -> queue.SimpleQueue[bytes]:
    """The messages that arrive on a child's input; the process ends at once when its parent is gone, whatever it does.

    A thread of its own reads, so that the end of the input is seen in the middle of work.
    """
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stream, messages), name="frames", daemon=True).start()
    return messages


def _read(stream: IO[bytes], messages: queue.SimpleQueue[bytes]) -> None:
    while True:
        header = stream.read(HEADER.size)
        if len(header) < HEADER.size:
            os._exit(0)
        messages.put(stream.read(HEADER.unpack(header)[0]))


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
        return wait_until_ready(descriptor, event, min(POLL_SECONDS, left))


_ALONE = {"OPENBLAS_NUM_THREADS": "1"}
"""numpy's threads, of which no worker has any use, take a quarter of its start."""


class WorkerProcess:
    """A running child process and its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None  # noqa: S101 - made with pipes
        assert process.stdout is not None  # noqa: S101
        self._process = process
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """Kill the process without waiting."""
        self._process.kill()

    def end(self) -> int:
        """Kill the process; its exit status."""
        self._process.kill()
        status = self._process.wait()
        for pipe in (self.stdin, self.stdout):
            with suppress(OSError):  # bytes that were still to be flushed to the dead process
                pipe.close()
        return status


def start(module: str, memory_bytes: int) -> WorkerProcess:
    """Start `module.serve(memory_bytes)` in a process of its own. Raises: OSError."""
    code = f"import sys; sys.path[:] = sys.argv[2:]; from {module} import serve; serve(int(sys.argv[1]))"
    search_path = [path for path in sys.path if path] + [os.getcwd()] * ("" in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", code, str(memory_bytes), *search_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | _ALONE,
        start_new_session=True,  # an interrupt from the keyboard is the parent's to deal with
    )
    return WorkerProcess(process)


def open_worker_pipes(memory_bytes: int) -> tuple[IO[bytes], IO[bytes]]:
    """The child's side: (incoming, outgoing) frames, under a memory limit; what libraries print goes nowhere."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # else it would end up between frames
    _limit_memory(memory_bytes)
    threading.Thread(target=_outlive_nobody, args=(os.getppid(),), daemon=True).start()
    return incoming, outgoing


def _outlive_nobody(parent: int) -> None:
    """End when the parent has died, however it died, even in the midst of long work."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _limit_memory(limit: int) -> None:
    if not limit:
        return
    import resource  # only where there are such limits, which is not Windows

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def describe_exit(status: int) -> str:
    """How a process ended."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"
