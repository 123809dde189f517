"""Pool of extraction workers: batches, timeouts, replacement of lost workers.

Parsing reads untrusted input with native code. It runs in fresh interpreters (never forks of a threaded server) with
a memory limit, so that a crash, exhausted memory or an endless loop costs one file. A worker processes several files
per batch, which is faster; if the batch kills the worker, each file is read alone. Pipe frames are length-prefixed
msgpack.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from repoquarry.graphstore.search.text_analysis import load_tokenizer
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.files.documents import DocumentFacts
from repoquarry.ingest.memory_tuning import start
from repoquarry.ingest.settings import IngestSettings
from repoquarry.processes.workers import FramedChild

_MAX_DEATHS = 20
_WORTH_ONE = 16
"""Files per additional worker."""
_TOGETHER = 16
"""Maximum files per batch; more gain nothing."""
_TOGETHER_BYTES = 1 << 18
"""Maximum bytes of contents and cached facts per batch."""
_SHARES = 4
"""Minimum number of batches per worker, so that no worker waits long for the last one."""
_QUEUED = 2
"""Queued batches per worker: enough to keep it busy, few enough to limit memory."""


class ParseJob(msgspec.Struct, array_like=True, frozen=True):
    path: str
    content: bytes
    facts: bytes = b""
    """Cached facts of a source file."""
    counted: bool = False
    """True if the terms are cached."""


class ParseResult(msgspec.Struct, array_like=True, frozen=True):
    path: str
    facts: bytes
    """Facts encoded by `encode_facts`; empty for prose, and if they were cached."""
    encoding: str
    failure: str
    """Reason for which the file could not be read; all other fields are then empty."""
    texts: bytes = b""
    """Encoded `FileTerms`; empty if they were cached."""
    vectors: bytes = b""
    """Vectors of the file's places, float16; empty without an embedder."""
    document: DocumentFacts | None = None
    """Properties of a prose file."""


class WorkerPool:
    """Pool of workers: `with WorkerPool(settings, embedding) as pool: pool.expect(files); for result in
    pool.run(jobs)`."""

    def __init__(self, settings: IngestSettings, embedding: EmbeddingSettings | None) -> None:
        """Initialize; `embedding` is the first frame that a worker receives, None for workers that do not embed."""
        self._settings = settings
        self._embedding = embedding
        self._together = 1
        self._jobs: queue.Queue[list[ParseJob] | None] = queue.Queue(maxsize=settings.worker_count * _QUEUED)
        self._done: queue.Queue[list[ParseResult] | BaseException] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._workers: dict[int, FramedChild] = {}
        self._deaths = 0
        self._guard = threading.Lock()
        self._closing = threading.Event()

    @property
    def size(self) -> int:
        """Number of workers that were requested."""
        return len(self._threads)

    def expect(self, files: int) -> None:
        """Start as many workers as this number of files justifies; starting takes as long as reading many files."""
        self._together = min(_TOGETHER, max(self._together, files // (self._settings.worker_count * _SHARES)))
        for number in range(self.size, min(self._settings.worker_count, (files + _WORTH_ONE - 1) // _WORTH_ONE)):
            thread = threading.Thread(target=self._serve, args=(number,), name=f"extract-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def __enter__(self) -> WorkerPool:
        # Without the tokenizer every file would fail with the same message.
        load_tokenizer()
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        for _ in self._threads:
            # Wake the threads; those of a full queue wake by themselves.
            with suppress(queue.Full):
                self._jobs.put_nowait(None)
        with self._guard:
            running = list(self._workers.values())
        for worker in running:
            worker.kill()
        for thread in self._threads:
            thread.join()

    def process_ids(self) -> list[int]:
        """Return the ids of the running workers, for memory measurement."""
        with self._guard:
            return [worker.pid for worker in self._workers.values()]

    def run(self, jobs: Iterable[ParseJob]) -> Iterator[ParseResult]:
        """Yield one result per job in completion order. May be called again after all results were consumed.

        Raises: WorkerLostError if workers keep dying or cannot be started.
        """
        given = waiting = 0
        for portion in batch_files(jobs, lambda: self._together):
            given += len(portion)
            self.expect(given)
            while not self._put(portion):
                yield from self._take()
                waiting -= 1
            waiting += 1
            while not self._done.empty():
                yield from self._take()
                waiting -= 1
        for _ in range(waiting):
            yield from self._take()

    def _put(self, portion: list[ParseJob]) -> bool:
        """Queue a batch; return whether there was room."""
        with suppress(queue.Full):
            self._jobs.put(portion, timeout=0.05)
            return True
        return False

    def _take(self) -> list[ParseResult]:
        result = self._done.get()
        if isinstance(result, BaseException):
            raise result
        return result

    def _serve(self, number: int) -> None:
        """Serve one worker in a thread: send batches, and replace the worker when it dies."""
        try:
            # The lost file is reported, and another worker is tried.
            with suppress(EOFError, OSError):
                self._worker(number)
            while not self._closing.is_set():
                jobs = self._jobs.get()
                if jobs is not None:
                    self._done.put(self._read(number, jobs))
        # Pass the error to the thread that waits in `run`.
        except BaseException as exc:
            self._done.put(exc)
        finally:
            with self._guard:
                worker = self._workers.pop(number, None)
            if worker is not None:
                worker.end()

    def _read(self, number: int, jobs: list[ParseJob]) -> list[ParseResult]:
        """Read a batch; read each file alone if the batch times out or kills the worker."""
        tries = 2
        if len(jobs) > 1:
            try:
                answers = self._ask(number, jobs)
                if answers is not None:
                    return answers
                # In addition to the time of the batch.
                tries = 1
            except TimeoutError:
                pass
            if not self._closing.is_set():
                self._bury(number).end()
        return [self._parse(number, job, tries) for job in jobs if not self._closing.is_set()]

    def _parse(self, number: int, job: ParseJob, tries: int = 2) -> ParseResult:
        """Read one file; retry once with a new worker, as not every death is the file's fault."""
        reason = ""
        for _ in range(tries):
            try:
                answers = self._ask(number, [job])
            except TimeoutError:
                self._bury(number).end()
                return failed_result(
                    job, f"parsing took more than {self._settings.file_seconds:g} seconds (file_seconds)"
                )
            if answers is not None:
                return answers[0]
            if self._closing.is_set():
                break
            reason = f"its parser {self._bury(number).await_exit().describe('ingest.worker_memory_bytes')}"
            if self._deaths > _MAX_DEATHS:
                raise WorkerLostError(
                    f"workers keep dying, the last one while reading {job.path}: {reason}", path=job.path
                )
        return failed_result(job, reason)

    def _ask(self, number: int, jobs: Sequence[ParseJob]) -> list[ParseResult] | None:
        """Return the answer of a worker; None if it died. Raises: TimeoutError."""
        seconds = self._settings.file_seconds or float("inf")
        try:
            worker = self._worker(number)
            worker.send(msgspec.msgpack.encode(jobs))
            answer = worker.receive(time.monotonic() + seconds)
        except TimeoutError:  # An OSError, too.
            raise
        except (EOFError, OSError):
            return None
        return msgspec.msgpack.decode(answer, type=list[ParseResult])

    def _worker(self, number: int) -> FramedChild:
        with self._guard:
            if number in self._workers:
                return self._workers[number]
            started = start("repoquarry.ingest.files.worker_main:serve", self._settings.worker_memory_bytes)
            self._workers[number] = started
        started.send(msgspec.msgpack.encode(self._embedding))
        # Start-up time is not counted as time of a file.
        started.receive()
        return started

    def _bury(self, number: int) -> FramedChild:
        with self._guard:
            self._deaths += 1
            return self._workers.pop(number)


def failed_result(job: ParseJob, reason: str) -> ParseResult:
    return ParseResult(job.path, b"", "", reason or "cancelled")


def batch_files(jobs: Iterable[ParseJob], most: Callable[[], int]) -> Iterator[list[ParseJob]]:
    """Split files into batches by number and size, in order."""
    portion: list[ParseJob] = []
    size = 0
    for job in jobs:
        portion.append(job)
        size += len(job.content) + len(job.facts)
        if len(portion) >= most() or size >= _TOGETHER_BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
