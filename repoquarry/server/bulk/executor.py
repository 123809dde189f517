"""Executor of index orders (one repository each, into a separate folder) in local processes, and the main function of the processes.

A worker reads the target store to find unchanged and already parsed files, and never writes it: the process that holds the writer
lock of the store adopts the result.
"""

from __future__ import annotations

import gc
import pickle
import queue
import resource
import shutil
import threading
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import psutil

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.memory_tuning import trim_heap
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.run_monitor import Report
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import NetworkPolicy, RepositorySource
from repoquarry.processes.workers import FramedChild, StoppedError, open_worker_pipes, read_frame, write_frame
from repoquarry.server.errors import to_failure

RESULT = "store"
"""Name of the result folder inside the folder of an order."""


@dataclass(frozen=True)
class IndexOrder:
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
_ENTRY = "repoquarry.server.bulk.executor:main"
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


def work(order: IndexOrder, report: Report) -> OrderResult:
    """Index one repository into `order.folder`. Errors are part of the result."""
    shutil.rmtree(order.folder, ignore_errors=True)
    before = _cpu_seconds()
    try:
        return replace(_indexed(order, report), cpu_seconds=_cpu_seconds() - before)
    except Exception as exc:
        failure = to_failure(exc)
        detail = f" ({type(exc).__name__}: {exc})" if failure.reason == "INTERNAL" else ""
        return OrderResult(failure.reason, failure.message + detail)
    finally:
        gc.collect()  # The next order must not start with the memory that this order left.
        trim_heap()


def _cpu_seconds() -> float:
    """Return the CPU time of this process and its ended children."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _indexed(order: IndexOrder, report: Report) -> OrderResult:
    target = _reader(order.target)
    with (
        target or nullcontext(),
        Store.open(replace(order.target, folder=order.folder / RESULT, engine="kglite"), writable=True) as store,
    ):
        if target is not None:
            store.sources.set_fallback(target.sources)
        found = index_repository(
            order.source,
            store,
            replace(order.settings, scratch=order.folder),
            name=order.repository,
            reach=order.reach,
            report=report,
            already=lambda repository, inputs: target is not None and _is_current(target, repository, inputs),
        )
        holder = target if found.unchanged and target is not None else store
        lines = holder.repository(found.repository)["lines"]
    whole = int(lines) if isinstance(lines, int) else 0
    return OrderResult("", "", found.unchanged, found.files, whole, found.peak_memory_bytes)


def _reader(settings: StoreSettings) -> Store | None:
    """Open the target store; None while it is empty."""
    try:
        store = Store.open(settings)
    except NotFoundError:
        return None
    try:
        store.sources.repositories()
    except NotFoundError:
        store.close()
        return None
    return store


def _is_current(target: Store, repository: str, inputs: str) -> bool:
    """Return whether the store has the revision that these inputs give."""
    current = target.sources.published_snapshot(repository)
    if current is None or current.inputs != inputs:
        return False
    try:
        return target.repository(repository)["revision"] == current.revision
    except NotFoundError:
        return False


def main() -> None:
    """Run orders from standard input until it ends."""
    orders, answers = open_worker_pipes()
    guard = threading.Lock()

    def send(message: object) -> None:
        with guard:
            write_frame(answers, pickle.dumps(message))

    while (frame := read_frame(orders)) is not None:
        order: IndexOrder = pickle.loads(frame)  # noqa: S301 - from our parent
        send(work(order, lambda progress: send(OrderProgress(progress.stage))))
