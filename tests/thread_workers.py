"""Workers as threads of the test's process: for tests of stored results, as a process for each index takes longer than all the rest of it.

Effects of workers (the cost of a crash, a limit or a signal) are tested with processes, in `test_workers`, `test_resolving` and others.
"""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from types import SimpleNamespace
from typing import IO
from unittest import mock

from repoquarry.processes.workers import ChildExit, ExitCause, FramedChild

_SERVING = (
    "repoquarry.ingest.files.worker_main",
    "repoquarry.ingest.files.manifest_reader",
    "repoquarry.ingest.resolver_main",
)


class ThreadWorker(FramedChild):
    """Serves the same frames as a worker's process."""

    def __init__(self, entry: str, *, memory_bytes: int = 0, inherit: bool = False) -> None:
        """As for a process; a thread has no memory limit of its own."""
        self._memory_bytes, self._printed = 0, b""
        own, self._served = socket.socketpair()
        with own:
            self._input: IO[bytes] = os.fdopen(os.dup(own.fileno()), "wb", buffering=0)
            self._output: IO[bytes] = os.fdopen(own.detach(), "rb", buffering=0)
        self._thread = threading.Thread(target=self._serve, args=entry.split(":"), daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        return os.getpid()

    def kill(self) -> None:
        """It ends as soon as it reads or writes."""
        with suppress(OSError):  # it has ended before
            self._served.shutdown(socket.SHUT_RDWR)

    def end(self) -> ChildExit:
        self.kill()
        self._thread.join()
        self._input.close()
        self._output.close()
        self._served.close()
        return ChildExit(-9, ExitCause.KILLED)

    def await_exit(self) -> ChildExit:
        return self.end()

    def _drain(self) -> None:
        """A thread prints where the test does."""

    def _serve(self, module: str, function: str) -> None:
        incoming, outgoing = (os.fdopen(os.dup(self._served.fileno()), mode) for mode in ("rb", "wb"))
        _pipes.own = incoming, outgoing
        with suppress(OSError), incoming, outgoing:  # the caller may have exited
            getattr(import_module(module), function)()
        self.kill()


_pipes = threading.local()


@contextmanager
def thread_workers() -> Iterator[None]:
    """No worker that is started inside has a process of its own, nor changes how this one collects garbage."""
    collector = SimpleNamespace(disable=lambda: None, collect=lambda: None, freeze=lambda: None)
    with ExitStack() as patched:
        patched.enter_context(mock.patch("repoquarry.ingest.memory_tuning.FramedChild", ThreadWorker))
        for module in _SERVING:
            patched.enter_context(
                mock.patch.multiple(module, create=True, open_worker_pipes=lambda: _pipes.own, gc=collector)
            )
        yield
