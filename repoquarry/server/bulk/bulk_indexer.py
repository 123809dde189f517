"""Batch indexer of a repository list: parallel workers within a memory budget, retries, and adoption of results into the store.

Adoption keeps the order of a single indexing run: texts and search index wait in a `PendingRevision`, then the graph is replaced,
and from then on readers see the complete revision. `reconcile` finishes what a killed process left.

The result of a worker waits in a separate folder below the store until this process adopts it. A worker indexes several repositories,
because its start takes longer than indexing a small repository; it is terminated when its memory has grown.
"""

from __future__ import annotations

import logging
import re
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import psutil

from repoquarry.graphstore.graph_engine import AdoptingEngine, Capability
from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError
from repoquarry.ingest.graph.repository_links import write_linked
from repoquarry.ingest.pipeline import reconcile
from repoquarry.ingest.settings import IngestSettings, usable_cores
from repoquarry.ingest.sources import NetworkPolicy, RepositorySource, choose_repository_id, parse_source
from repoquarry.ingest.sources.source import PACKAGE, hide_credentials
from repoquarry.server.bulk import INCOMING, RepositoryLocks
from repoquarry.server.bulk.executor import RESULT, Executor, IndexOrder, OrderProgress, OrderResult
from repoquarry.server.bulk.repository_list import (
    BatchLedger,
    BulkProgress,
    BulkReport,
    ListEntry,
    RepositoryOutcome,
    key_of,
)
from repoquarry.server.errors import to_failure


def adopt_repository(store: Store, result: Path, repository: str) -> None:
    """Adopt a repository from the store in the folder `result`, which is unusable afterwards.

    Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError. The stored revision is then unchanged.
    """
    with Store.open(replace(store.settings, folder=result, engine="kglite")) as made:
        pending = PendingRevision.adopt_from(store, made, repository)

        def write(links: list[RelationshipTable]) -> None:
            if Capability.ADOPTION in store.engine.info.capabilities:
                cast(AdoptingEngine, store.engine).adopt_repository(result, repository, links)
            else:
                graph = made.graph(repository)
                store.engine.replace_repository(replace(graph, relationships=[*graph.relationships, *links]))

        with pending.publication():
            write_linked(pending, write)


_FIRST_GUESS = 400 * 1024 * 1024
"""Expected memory of a repository before the first measurement, in bytes."""


class MemoryBudget:
    """Memory budget of all workers. `most_bytes` 0 means three quarters of the free memory of the machine."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes or psutil.virtual_memory().available * 3 // 4
        self._largest = _FIRST_GUESS
        self.peak = 0
        """Highest resident memory of this process and all workers together."""

    def note(self, peak_memory_bytes: int) -> None:
        """Expect at least this peak memory of the next repositories."""
        self._largest = max(self._largest, peak_memory_bytes)

    def can_start_another(self, running: Collection[int], used: Mapping[int, int]) -> bool:
        """Return whether the budget is likely to allow one more repository; `used` is the current memory by place."""
        expected = sum(max(used.get(place, 0), self._largest) for place in running)
        return expected + self._largest <= self._most

    def is_exceeded(self, used: Mapping[int, int]) -> bool:
        taken = sum(used.values())
        self.peak = max(self.peak, psutil.Process().memory_info().rss + taken)
        return taken > self._most


WORKER_LOST = "WORKER_LOST"
_PASSING = re.compile(
    r"could not resolve host|timed? ?out|connection (?:reset|refused|closed)|early EOF|RPC failed|unexpected disconnect"
    r"|HTTP (?:429|5\d\d)|returned error: (?:429|5\d\d)|temporarily|remote end hung up",
    re.IGNORECASE,
)
"""Messages of git after which a retry may succeed."""
_LASTING = re.compile(r"possible repository corruption|unable to read [0-9a-f]{40}", re.IGNORECASE)
"""Messages of git where the remote lacks objects and closes the connection for that reason."""


@dataclass
class QueueEntry:
    """List entry that waits or is being indexed."""

    wanted: ListEntry
    place: int
    attempts: int = 0
    not_before: float = 0.0
    repository: str = ""
    source: RepositorySource | None = None
    began: float = 0.0
    stage: str = "queued"
    alone: bool = False
    """True if the entry is retried with no other entry in parallel, because memory ran out."""

    @property
    def host(self) -> str:
        """Host or registry that the source is fetched from; empty for a local source."""
        if self.source is not None and self.source.kind == PACKAGE:
            return self.source.location.partition(":")[0]
        address = self.source.address if self.source is not None else None
        return urlsplit(address.shown).hostname or "" if address is not None and address.transport != "file" else ""

    @property
    def shown(self) -> str:
        """Source without secrets."""
        return self.source.shown if self.source is not None else hide_credentials(self.wanted.location)


def is_retryable(reason: str, message: str) -> bool:
    broken = _PASSING.search(message) is not None and _LASTING.search(message) is None
    return reason == WORKER_LOST or broken


_LOOK_SECONDS = 0.1
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BulkSettings:
    """Limits and retries of a batch run."""

    jobs: int = 0
    """Number of repositories indexed in parallel; 0 means one for each core that this process may use."""
    memory_bytes: int = 0
    """Memory of all workers beyond which no further worker starts, in bytes; 0 means three quarters of the free memory."""
    attempts: int = 3
    """Maximum number of attempts after failures that a retry may fix: a lost connection, a lost process. At least 1."""
    retry_seconds: float = 10.0
    """Pause before the second attempt; doubled before each further attempt."""
    host_jobs: int = 2
    """Maximum number of repositories fetched from one host in parallel. At least 1."""


class BulkIndexer:
    """Indexer of a list of repositories into a store that is open for writing."""

    def __init__(
        self,
        store: Store,
        wanted: Sequence[ListEntry],
        settings: BulkSettings,
        ingest: IngestSettings,
        reach: NetworkPolicy,
        executor: Executor,
        *,
        record: BatchLedger | None = None,
        turn: threading.Lock | None = None,
        held: RepositoryLocks | None = None,
        holder: str = "batches/-",
        check: Callable[[RepositorySource], None] = lambda source: None,
        report: Callable[[BulkProgress], None] = lambda progress: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """`check` raises for a source that must not be indexed. Without a `record`, no run resumes. `turn` is the lock of other
        writers of the store; `held` locks each repository under the name `holder`."""
        self._store = store
        self._settings = settings
        self._jobs = settings.jobs or usable_cores()
        self._ingest = replace(ingest, workers=ingest.workers or max(1, usable_cores() // self._jobs))
        self._reach = reach
        self._executor = executor
        self._check = check
        self._report = report
        self._cancelled = cancelled
        self._wanted = wanted
        self._record = record
        self._turn = turn or threading.Lock()
        self._held, self._holder = held or RepositoryLocks(), holder
        self._resumed = 0
        self._outcomes: dict[int, RepositoryOutcome] = {}
        self._running: dict[int, QueueEntry] = {}
        self._waiting: deque[QueueEntry] = deque()
        self._made: deque[tuple[QueueEntry, OrderResult]] = deque()
        """Indexed entries that are not yet adopted."""
        self._room = MemoryBudget(settings.memory_bytes)

    def run(self) -> BulkReport:
        """Index the list; the run after a killed run resumes after the last outcome.

        Raises: IngestCancelledError when cancelled; StoreFullError, StoreUnwritableError. Stored repositories are kept, and the next
        run resumes after them.
        """
        self._started = time.monotonic()
        with self._turn:
            reconcile(self._store)
        incoming = self._store.folder / INCOMING
        shutil.rmtree(incoming, ignore_errors=True)
        try:
            self._resumed = self._queue()
            while self._waiting or self._running or self._made:
                if self._cancelled():
                    raise IngestCancelledError(
                        "cancelled; stored repositories are kept, and the same list resumes after them"
                    )
                self._start()
                self._collect()
                self._adopt()
                self._watch_memory()
                self._tell()
        finally:
            self._executor.close()
            for item in [*self._running.values(), *(item for item, _ in self._made)]:
                self._held.release(item.repository, self._holder)
            shutil.rmtree(incoming, ignore_errors=True)
        if self._record is not None:
            self._record.close()
        outcomes = tuple(self._outcomes[place] for place in sorted(self._outcomes))
        return BulkReport(outcomes, self._resumed, time.monotonic() - self._started, self._room.peak)

    def _queue(self) -> int:
        """Queue the entries that an earlier run did not store. Returns the number of stored entries."""
        stored = self._record.stored() if self._record is not None else {}
        repositories = set(self._store.repositories())
        for place, wanted in enumerate(self._wanted):
            before = stored.get(key_of(wanted))
            if before is not None and before.repository in repositories:
                self._outcomes[place] = before
            else:
                self._waiting.append(QueueEntry(wanted, place))
        return len(self._outcomes)

    def _start(self) -> None:
        """Start entries while limits allow, in the order of the list; entries that must wait are skipped."""
        for _ in range(len(self._waiting)):
            if len(self._running) + len(self._made) >= self._jobs or not self._has_memory():
                return
            item = self._waiting.popleft()
            try:
                ready = self._is_ready(item)
            except Exception as exc:  # Any kind: the failure of one entry must not end the others.
                failure = to_failure(exc)
                self._fail(item, failure.reason, failure.message)
                continue
            if not ready:
                self._waiting.append(item)
                continue
            assert item.source is not None  # noqa: S101 - ready means read
            settings, folder = self._store.settings, self._folder(item)
            order = IndexOrder(item.source, item.repository, settings, folder, self._ingest, self._reach)
            item.attempts += 1
            item.began = time.monotonic()
            item.stage = "starting"
            self._running[item.place] = item
            self._executor.start(item.place, order)

    def _is_ready(self, item: QueueEntry) -> bool:
        """Return whether an item may start now; parses its source first. Raises: IngestError for an invalid source."""
        if item.source is None:
            source = parse_source(item.wanted.location, item.wanted.ref)
            self._check(source)
            item.repository = choose_repository_id(self._store, source, item.wanted.name or None)
            item.source = source
        beside = [*self._running.values(), *(other for other, _ in self._made)]
        if any(other.repository == item.repository for other in beside):
            return False
        if item.alone and self._running:
            return False
        busy = Counter(other.host for other in self._running.values())
        if time.monotonic() < item.not_before or (item.host and busy[item.host] >= self._settings.host_jobs):
            return False
        return self._held.acquire(item.repository, self._holder) is None

    def _has_memory(self) -> bool:
        """Return whether memory is likely to allow one more repository; the first is always allowed."""
        if not self._running:
            return True
        if any(item.alone for item in self._running.values()):
            return False
        return self._room.can_start_another(self._running, self._executor.memory())

    def _collect(self) -> None:
        for place, told in self._executor.events(_LOOK_SECONDS):
            item = self._running.get(place)
            if item is None:  # terminated meanwhile
                continue
            if isinstance(told, OrderProgress):
                item.stage = told.stage
                continue
            del self._running[place]
            self._end(item, told)

    def _end(self, item: QueueEntry, ended: OrderResult) -> None:
        self._room.note(ended.peak_memory_bytes)
        if not ended.reason and not ended.unchanged:
            item.stage = "adopting"
            self._made.append((item, ended))
            return
        if ended.reason:
            self._fail(item, ended.reason, ended.message)
        else:
            self._succeed(item, ended)
        shutil.rmtree(self._folder(item), ignore_errors=True)

    def _adopt(self) -> None:
        """Adopt indexed entries while this run can hold the write lock."""
        while self._made and self._turn.acquire(timeout=_LOOK_SECONDS):
            item, ended = self._made.popleft()
            before = time.thread_time()
            try:
                adopt_repository(self._store, self._folder(item) / RESULT, item.repository)
            finally:
                self._turn.release()
            used = ended.cpu_seconds + time.thread_time() - before
            self._succeed(item, replace(ended, cpu_seconds=used))
            shutil.rmtree(self._folder(item), ignore_errors=True)

    def _folder(self, item: QueueEntry) -> Path:
        return self._store.folder / INCOMING / str(item.place)

    def _succeed(self, item: QueueEntry, ended: OrderResult) -> None:
        outcome = RepositoryOutcome(
            location=item.shown, ref=item.wanted.ref, repository=item.repository, unchanged=ended.unchanged,
            files=ended.files, lines=ended.lines, seconds=round(time.monotonic() - item.began, 3),
            peak_memory_bytes=ended.peak_memory_bytes, cpu_seconds=round(ended.cpu_seconds, 3), attempts=item.attempts,
        )  # fmt: skip
        self._put(item, outcome)
        self._held.release(item.repository, self._holder)

    def _fail(self, item: QueueEntry, reason: str, message: str) -> None:
        """Queue the entry again if a retry may succeed; otherwise record the failure."""
        self._held.release(item.repository, self._holder)
        if is_retryable(reason, message) and item.attempts < self._settings.attempts:
            wait = self._settings.retry_seconds * 2 ** max(0, item.attempts - 1) if reason != WORKER_LOST else 0.0
            item.not_before = time.monotonic() + wait
            item.stage = "queued"
            self._waiting.append(item)
            _log.info("retry repository=%s attempt=%d reason=%s", item.repository, item.attempts, reason)
            return
        outcome = RepositoryOutcome(
            location=item.shown, ref=item.wanted.ref, repository=item.repository, reason=reason, message=message,
            attempts=max(1, item.attempts),
        )  # fmt: skip
        self._put(item, outcome)

    def _put(self, item: QueueEntry, outcome: RepositoryOutcome) -> None:
        if self._record is not None:
            self._record.add(item.wanted, outcome)
        self._outcomes[item.place] = outcome

    def _watch_memory(self) -> None:
        """Terminate the latest worker when the budget is exceeded; its entry is retried with no other entry in parallel."""
        if not self._room.is_exceeded(self._executor.memory()) or len(self._running) < 2:
            return
        place = max(self._running, key=lambda place: self._running[place].began)
        item = self._running.pop(place)
        self._executor.end(place)
        self._held.release(item.repository, self._holder)
        item.alone, item.stage, item.attempts = True, "queued", item.attempts - 1
        self._waiting.append(item)
        _log.info("over memory, waits for the others: repository=%s", item.repository)

    def _tell(self) -> None:
        fresh = [outcome for outcome in self._outcomes.values() if outcome.stored]
        working = [*self._running.values(), *(item for item, _ in self._made)]
        running = tuple((item.repository, item.stage) for item in working)
        seconds, done = time.monotonic() - self._started, len(self._outcomes)
        here = done - self._resumed
        progress = BulkProgress(
            total=len(self._wanted),
            stored=len(fresh),
            failed=len(self._outcomes) - len(fresh),
            lines=sum(outcome.lines for outcome in fresh),
            seconds=seconds,
            running=running,
            seconds_left=seconds / here * (len(self._wanted) - done) if here else None,
        )
        self._report(progress)
