"""Main function of a batch worker.

The worker reads the target store to find unchanged and already parsed files, and never writes it: the process that holds the writer
lock of the store adopts the result.
"""

from __future__ import annotations

import gc
import pickle
import resource
import shutil
import threading
from contextlib import nullcontext
from dataclasses import replace

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.memory_tuning import trim_heap
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.run_monitor import Report
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame
from repoquarry.server.bulk.executor import RESULT, IndexOrder, OrderProgress, OrderResult
from repoquarry.server.errors import to_failure


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
    with target or nullcontext(), Store.open(_own(order), writable=True) as store:
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


def _own(order: IndexOrder) -> StoreSettings:
    """Return the settings of the store for the result."""
    return replace(order.target, folder=order.folder / RESULT, engine="kglite")


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
        send(work(order, lambda progress: send(OrderProgress(progress.stage, progress.done, progress.total))))
