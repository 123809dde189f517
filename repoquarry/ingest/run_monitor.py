"""Progress, cancellation, stage times and peak memory of a run; its report."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import psutil

from repoquarry.ingest.errors import IngestCancelledError
from repoquarry.ingest.memory_tuning import trim_heap

if TYPE_CHECKING:
    from repoquarry.ingest.files.hashing import HashedTree
    from repoquarry.ingest.graph.code_graph import GraphInputs
    from repoquarry.ingest.previous_state import IndexInputs
    from repoquarry.ingest.sources.source import SkippedPath

STAGES = ("acquire", "select", "parse", "describe", "resolve", "score", "assemble", "embed", "search-index", "write")
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


@dataclass(frozen=True)
class IndexReport:
    repository: str
    source: str
    commit: str | None
    revision: str
    unchanged: bool
    """True if the stored graph was equal already."""
    files: int
    """Number of indexed source files."""
    reused: int
    """Number of source files that were not parsed again."""
    left_out: tuple[SkippedPath, ...]
    left_out_count: int
    counts: dict[str, int]
    """Nodes by label and relationships by type; empty if no graph was built."""
    parse_errors: tuple[str, ...]
    unresolved: dict[str, int]
    history_missing: str
    """Unread parts of the git history with the reason; empty if all was read."""
    costs: tuple[StageCost, ...] = ()

    @property
    def seconds(self) -> float:
        return sum(cost.seconds for cost in self.costs)

    @property
    def peak_memory_bytes(self) -> int:
        return max((cost.peak_memory_bytes for cost in self.costs), default=0)

    @classmethod
    def of_nothing_new(cls, inputs: IndexInputs, hashed: HashedTree, revision: str) -> IndexReport:
        """Report a run that found no change."""
        files = sum(file.kind == "source" for file in hashed.files)
        return cls(
            repository=inputs.repository,
            source=inputs.checkout.source,
            commit=inputs.checkout.commit,
            revision=revision,
            unchanged=True,
            files=files,
            reused=files,
            left_out=tuple(hashed.left_out.told()),
            left_out_count=hashed.left_out.count,
            counts={},
            parse_errors=(),
            unresolved={},
            history_missing="",
        )

    @classmethod
    def of_graph(cls, parts: GraphInputs, counts: dict[str, int], revision: str, reused: int) -> IndexReport:
        """Report a run that built a graph; `counts` and `reused` as the fields."""
        unresolved: Counter[str] = Counter()
        for call in parts.resolution.unresolved:
            unresolved[call.reason] += call.count
        return cls(
            repository=parts.repository,
            source=parts.checkout.source,
            commit=parts.checkout.commit,
            revision=revision,
            unchanged=False,
            files=len(parts.files),
            reused=reused,
            left_out=tuple(parts.left_out.told()),
            left_out_count=parts.left_out.count,
            counts=counts,
            parse_errors=tuple(facts.path for facts in parts.files if facts.parse_errors),
            unresolved=dict(unresolved),
            history_missing=parts.history.missing,
        )
