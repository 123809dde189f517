"""Monitor of an indexing run: reports progress, checks for cancellation, and measures times and peak memory of stages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar

import psutil

from repoquarry.ingest.errors import IngestCancelledError
from repoquarry.ingest.memory_tuning import trim_heap

STAGES = (
    "acquire",
    "select",
    "extract",
    "describe",
    "resolve",
    "scip",
    "score",
    "assemble",
    "embed",
    "search-index",
    "write",
)
_SAMPLE_SECONDS = 0.05
_REPORT_SECONDS = 0.2


@dataclass(frozen=True)
class IndexProgress:
    stage: str
    """One of `STAGES`."""
    done: int
    total: int
    """Total work of the stage; 0 while unknown."""
    rate: float
    """Units of `done` per second since the stage began."""
    message: str


@dataclass(frozen=True)
class StageCost:
    stage: str
    seconds: float
    cpu_seconds: float
    """CPU time of this process."""
    peak_memory_bytes: int
    """Peak of the summed resident memory of this process and its workers, sampled every 50 ms."""


Report = Callable[[IndexProgress], None]
T = TypeVar("T")


def cancelled_error() -> IngestCancelledError:
    return IngestCancelledError("indexing was cancelled; what was indexed before is unchanged")


@dataclass
class _Stage:
    name: str
    started: float
    cpu: float
    peak: int = 0
    reported: float = 0.0


@dataclass
class RunMonitor:
    """Monitor of a run: stage times, memory samples, progress and cancellation. Use as a context manager."""

    report: Report
    cancelled: Callable[[], bool]
    costs: list[StageCost] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stage: _Stage | None = None
        self._watched: list[Callable[[], Sequence[int]]] = []
        self._guard = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="index-memory", daemon=True)

    def __enter__(self) -> RunMonitor:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()

    @contextmanager
    def stage(self, name: str, message: str = "", total: int = 0) -> Iterator[None]:
        """Measure a stage; memory that it freed returns to the system. Raises: IngestCancelledError."""
        self.check()
        stage = _Stage(name, time.perf_counter(), time.process_time())
        self._stage = stage
        self.report(IndexProgress(name, 0, total, 0.0, message))
        try:
            yield
        finally:
            stage.peak = max(stage.peak, self._memory())
            seconds, cpu = time.perf_counter() - stage.started, time.process_time() - stage.cpu
            self.costs.append(StageCost(name, seconds, cpu, stage.peak))
            self._stage = None
            trim_heap()

    def step(self, done: int, total: int, message: str = "") -> None:
        """Report progress, at most five times a second and at completion.

        Raises: IngestCancelledError.
        """
        stage, now = self._stage, time.perf_counter()
        if stage is None or (done != total and now - stage.reported < _REPORT_SECONDS):
            return
        self.check()
        stage.reported = now
        self.report(IndexProgress(stage.name, done, total, done / max(now - stage.started, 1e-6), message))

    @contextmanager
    def watch_processes(self, process_ids: Callable[[], Sequence[int]]) -> Iterator[None]:
        """Count the memory of these processes inside the block. Threads may nest it."""
        with self._guard:
            self._watched.append(process_ids)
        try:
            yield
        finally:
            with self._guard:
                self._watched.remove(process_ids)

    def watched(self) -> list[int]:
        with self._guard:
            watched = list(self._watched)
        return [process for process_ids in watched for process in process_ids()]

    @contextmanager
    def run_in_background(self, name: str, work: Callable[[Callable[[], bool]], T]) -> Iterator[Future[T]]:
        """Run `work` in a thread while the block runs.

        Its argument is a predicate to poll: whether to stop, as the run is cancelled or the block has exited.
        """
        ended = threading.Event()
        with ThreadPoolExecutor(1, thread_name_prefix=name) as executor:
            try:
                yield executor.submit(work, lambda: ended.is_set() or self.cancelled())
            finally:
                ended.set()

    def check(self) -> None:
        """Raise IngestCancelledError if the run is cancelled."""
        if self.cancelled():
            raise cancelled_error()

    def _sample(self) -> None:
        while not self._ended.wait(_SAMPLE_SECONDS):
            stage = self._stage
            if stage is not None:
                stage.peak = max(stage.peak, self._memory())

    def _memory(self) -> int:
        total = int(psutil.Process().memory_info().rss)
        for process in self.watched():
            with suppress(psutil.Error):
                total += int(psutil.Process(process).memory_info().rss)
        return total
