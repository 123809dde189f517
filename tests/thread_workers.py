"""Workers as threads of the test's process: for tests of what is stored, as a process for each index takes longer than all the rest of it.

What workers are for (what a crash, a limit or a signal costs) is tested with processes, in `test_workers`, `test_resolving` and others.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import IO
from unittest import mock

_SERVING = ("repoquarry.ingest.files.worker_main", "repoquarry.ingest.resolver_process.worker_main")
_KILLED = -9


class ThreadWorker:
    """Serves the same frames as a worker's process; takes the place of `processes.worker.Worker`."""

    def __init__(self, module: str) -> None:
        own, self._served = socket.socketpair()
        with own:
            self.stdin: IO[bytes] = os.fdopen(os.dup(own.fileno()), "wb")
            self.stdout: IO[bytes] = os.fdopen(own.detach(), "rb")
        self._thread = threading.Thread(target=self._serve, args=(import_module(module),), daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        return os.getpid()

    def kill(self) -> None:
        """It ends as soon as it reads or writes."""
        with suppress(OSError):  # it has ended before
            self._served.shutdown(socket.SHUT_RDWR)

    def end(self) -> int:
        self.kill()
        self._thread.join()
        for stream in (self.stdin, self.stdout):
            with suppress(OSError):
                stream.close()
        self._served.close()
        return _KILLED

    def _serve(self, module: ModuleType) -> None:
        incoming, outgoing = (os.fdopen(os.dup(self._served.fileno()), mode) for mode in ("rb", "wb"))
        _pipes.own = incoming, outgoing
        with suppress(OSError), incoming, outgoing:  # whoever asked may be gone
            module.serve(0)
        self.kill()


_pipes = threading.local()


@contextmanager
def thread_workers() -> Iterator[None]:
    """No worker that is started inside has a process of its own, nor changes how this one collects garbage."""
    collector = SimpleNamespace(disable=lambda: None, collect=lambda: None, freeze=lambda: None)
    with ExitStack() as patched:
        patched.enter_context(mock.patch("repoquarry.processes.workers.start", _start))
        for module in _SERVING:
            patched.enter_context(mock.patch.multiple(module, open_worker_pipes=_own_pipes, gc=collector))
        yield


def _start(module: str, memory_bytes: int) -> ThreadWorker:
    """As `processes.worker.start`; a thread has no memory limit of its own."""
    return ThreadWorker(module)


def _own_pipes(memory_bytes: int) -> tuple[IO[bytes], IO[bytes]]:
    own: tuple[IO[bytes], IO[bytes]] = _pipes.own
    return own
