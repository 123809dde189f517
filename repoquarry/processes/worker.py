"""Child processes that work on what a repository holds: started apart, limited in memory, spoken to in frames.

Each is a fresh interpreter and never a fork of a threaded server. Unlike a `FramedChild` it gets the whole environment, since what it runs
is our own code over files, and it may be written to at any length before it answers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO

_ALONE = {"OPENBLAS_NUM_THREADS": "1"}
"""numpy's threads, of which no worker has any use, take a quarter of its start."""


class Worker:
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


def start(module: str, memory_bytes: int) -> Worker:
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
    return Worker(process)


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


def describe(status: int) -> str:
    """How a process ended."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"
