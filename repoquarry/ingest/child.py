"""Child processes that read or work on what a repository holds: started apart, limited in memory, spoken to in frames.

Each is a fresh interpreter and never a fork of a threaded server. Frames on its pipes are length-prefixed.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from repoquarry.ingest.errors import WorkerLostError

_LENGTH = struct.Struct("<Q")
_MAX_FRAME = 1 << 32
_LOOK_SECONDS = 0.2


class Child:
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


def start(module: str, memory_bytes: int) -> Child:
    """Start `module.serve(memory_bytes)` in a process of its own. Raises: WorkerLostError."""
    code = f"import sys; sys.path[:] = sys.argv[2:]; from {module} import serve; serve(int(sys.argv[1]))"
    search_path = [path for path in sys.path if path] + [os.getcwd()] * ("" in sys.path)
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", code, str(memory_bytes), *search_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt from the keyboard is the parent's to deal with
        )
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
    return Child(process)


def own_pipes(memory_bytes: int) -> tuple[IO[bytes], IO[bytes]]:
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


def write_frame(pipe: IO[bytes], frame: bytes) -> None:
    """Write one frame. Raises: OSError when the other side is gone."""
    pipe.write(_LENGTH.pack(len(frame)))
    pipe.write(frame)
    pipe.flush()


def read_frame(pipe: IO[bytes], seconds: float = 0.0, look: Callable[[], None] | None = None) -> bytes | None:
    """One frame; None at the end of the stream.

    `look` is called several times a second while waiting and may raise. Raises: TimeoutError (`seconds` 0: never).
    """
    deadline = time.monotonic() + seconds if seconds else None
    head = _exactly(pipe, _LENGTH.size, deadline, look)
    if head is None:
        return None
    length = _LENGTH.unpack(head)[0]
    return _exactly(pipe, length, deadline, look) if length <= _MAX_FRAME else None


def _exactly(pipe: IO[bytes], count: int, deadline: float | None, look: Callable[[], None] | None) -> bytes | None:
    descriptor, parts, missing = pipe.fileno(), [], count
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
    poller = select.poll()  # not select(): a busy server has descriptors above its limit of 1,024
    poller.register(descriptor, select.POLLIN)
    while not poller.poll(_LOOK_SECONDS * 1000):
        if look is not None:
            look()
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError


def describe(status: int) -> str:
    """How a process ended."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"
