"""Execution of index orders in local processes."""

from __future__ import annotations

import pickle
import queue
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import NetworkPolicy, RepositorySource
from repoquarry.processes.workers import FramedChild, StoppedError

RESULT = "store"
"""Name of the result folder inside the folder of an order."""


@dataclass(frozen=True)
class IndexOrder:
    """Order to index one repository."""

    source: RepositorySource
    repository: str
    target: StoreSettings
    """Store that the repository is for; it is only read."""
    folder: Path
    """Folder of the result, a separate store that is rebuilt."""
    settings: IngestSettings
    reach: NetworkPolicy


@dataclass(frozen=True)
class OrderProgress:
    """Progress of an order."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class OrderResult:
    """Result of an order; `reason` is empty unless the order failed."""

    reason: str = ""
    message: str = ""
    unchanged: bool = False
    files: int = 0
    lines: int = 0
    peak_memory_bytes: int = 0
    cpu_seconds: float = 0.0
    """CPU time of the process and its ended children."""


OrderEvent = tuple[int, OrderProgress | OrderResult]
"""Event of an order with the ticket of the order."""
_ENTRY = "repoquarry.server.bulk.worker_main:main"
_MAX_ORDERS = 50
"""Number of repositories after which a worker is terminated, because libraries keep memory."""
_MAX_IDLE_BYTES = 600 * 1024 * 1024
"""Resident memory in bytes beyond which an idle worker is terminated."""
_MEMORY_SECONDS = 1.0
_FOR_EVER = float("inf")


class Executor(Protocol):
    """Executor of orders; each order is identified by its ticket."""

    def start(self, ticket: int, order: IndexOrder) -> None:
        """Start an order; its result appears in its folder on this machine."""
        ...

    def events(self, seconds: float) -> list[OrderEvent]:
        """Return the events since the last call; wait at most `seconds` for the first event."""
        ...

    def memory(self) -> dict[int, int]:
        """Return resident bytes by ticket of the orders that run on this machine."""
        ...

    def end(self, ticket: int) -> None:
        """Stop an order; it emits no further events."""
        ...

    def close(self) -> None:
        """Stop everything."""
        ...


class ProcessExecutor:
    """Executor with local worker processes that are reused between orders."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[OrderEvent] = queue.SimpleQueue()
        self._busy: dict[int, _Worker] = {}
        self._idle: list[_Worker] = []

    def start(self, ticket: int, order: IndexOrder) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy[ticket] = worker
        worker.work(ticket, order, self._events)

    def events(self, seconds: float) -> list[OrderEvent]:
        found: list[OrderEvent] = []
        with suppress(queue.Empty):
            found.append(self._events.get(timeout=seconds))
            while True:
                found.append(self._events.get_nowait())
        for ticket, told in found:
            if isinstance(told, OrderResult) and ticket in self._busy:
                self._put_back(self._busy.pop(ticket))
        return found

    def memory(self) -> dict[int, int]:
        return {ticket: worker.memory() for ticket, worker in self._busy.items()}

    def end(self, ticket: int) -> None:
        self._busy.pop(ticket).close()

    def close(self) -> None:
        for worker in (*self._busy.values(), *self._idle):
            worker.close()
        self._busy.clear()
        self._idle.clear()

    def _put_back(self, worker: _Worker) -> None:
        if worker.usable():
            self._idle.append(worker)
        else:
            worker.close()


class _Worker:
    """Worker process."""

    def __init__(self) -> None:
        self._child = FramedChild(_ENTRY, inherit=True)
        self._orders = 0
        self._memory, self._looked = 0, 0.0
        self._closed = threading.Event()
        self._lost = False

    def work(self, ticket: int, order: IndexOrder, events: queue.SimpleQueue[OrderEvent]) -> None:
        """Run an order in the process; a thread forwards its events."""
        self._orders += 1
        threading.Thread(target=self._follow, args=(ticket, order, events), name="bulk-worker", daemon=True).start()

    def memory(self) -> int:
        """Return the resident bytes of the process and its children, measured once a second."""
        if time.monotonic() - self._looked < _MEMORY_SECONDS:
            return self._memory
        total = 0
        with suppress(psutil.Error):
            process = psutil.Process(self._child.pid)
            for one in (process, *process.children(recursive=True)):
                with suppress(psutil.Error):
                    total += one.memory_info().rss
        self._memory, self._looked = total, time.monotonic()
        return total

    def usable(self) -> bool:
        """Return whether the worker can run another order."""
        return not self._lost and self._child.alive() and self._orders < _MAX_ORDERS and self.memory() < _MAX_IDLE_BYTES

    def close(self) -> None:
        """Terminate the process and its children."""
        self._closed.set()
        children: list[psutil.Process] = []
        with suppress(psutil.Error):
            children = psutil.Process(self._child.pid).children(recursive=True)
        self._child.end()
        for child in children:
            with suppress(psutil.Error):
                child.kill()

    def _follow(self, ticket: int, order: IndexOrder, events: queue.SimpleQueue[OrderEvent]) -> None:
        try:
            self._child.send(pickle.dumps(order), time.monotonic() + 60, self._closed.is_set)
            while True:
                told = pickle.loads(self._child.receive(_FOR_EVER, self._closed.is_set))  # noqa: S301 - from our child
                events.put((ticket, told))
                if isinstance(told, OrderResult):
                    return
        except StoppedError:
            return
        except Exception as exc:  # Any kind: the ticket must end.
            # The pipe may break before the process has exited: the worker must not get another order in between.
            self._lost = True
            if not self._closed.is_set():
                if isinstance(exc, EOFError | BrokenPipeError):
                    lost = f"its process {self._child.await_exit().describe()}"
                else:
                    lost = f"its process sent a message that cannot be read ({type(exc).__name__})"
                events.put((ticket, OrderResult("WORKER_LOST", lost)))
