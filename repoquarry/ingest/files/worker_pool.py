"""Pool of extraction workers: batches, timeouts, replacement of lost workers.

Parsing is the one stage that reads hostile input with native code, so it runs where a crash, exhausted memory or an endless
loop costs one file and nothing else: each worker is a fresh interpreter (never a fork of a threaded server) with a memory
limit, holds a few files at a time, and is replaced when it dies. It is given several files together, because reading them stage by stage
takes less time; when they cost it its life, each is read alone. Frames on its pipes are length-prefixed msgpack.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType

import msgspec

from repoquarry.graphstore.search.tokenizer import load_tokenizer
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.memory_tuning import start
from repoquarry.ingest.settings import IngestSettings
from repoquarry.processes.workers import FramedChild

_MAX_DEATHS = 20
_WORTH_ONE = 16
"""Files that another worker is started for."""
_TOGETHER = 16
"""Files that a worker is given at once; more gain nothing, unless they are tiny."""
_TINY_BYTES = 256
_TINY_SHARE = 1 / 16
"""Files below so many bytes count as this part of a file: handing one over alone takes longer than reading it."""
_TOGETHER_BYTES = 1 << 18
"""Of contents and known facts, beyond which no further file is added to those that are given at once."""
_SHARES = 4
"""Each worker is given its part of the files in at least so many portions, so that none waits long for the last one."""
_QUEUED = 2
"""Portions that wait for each worker: enough to keep it busy, few enough to keep their bytes out of memory."""


class ParseJob(msgspec.Struct, array_like=True, frozen=True):
    """One file to read."""

    path: str
    content: bytes
    facts: bytes = b""
    """Of a source file that has been parsed before."""
    counted: bool = False
    """Whether its words have been counted before."""


class ParseResult(msgspec.Struct, array_like=True, frozen=True):
    """What a worker made of one file."""

    path: str
    facts: bytes
    """As `cache.encode_facts` makes them; empty for prose, and when they were given."""
    encoding: str
    parse_errors: int
    failure: str
    """Why the file could not be read; then nothing else is set."""
    texts: bytes = b""
    """As `FileTerms.encode` makes them; empty when they were made before."""
    vectors: bytes = b""
    """Of its places, float16; empty without an embedder."""


class WorkerConfig(msgspec.Struct, array_like=True, frozen=True):
    """What a worker is told first."""

    embedding: EmbeddingSettings | None
    """The model by which it embeds; None when it does not."""


class WorkerPool:
    """Read files in worker processes: `with WorkerPool(settings, duty) as pool: pool.expect(files); for parsed in pool.run(jobs)`."""

    def __init__(self, settings: IngestSettings, duty: WorkerConfig) -> None:
        self._settings = settings
        self._duty = duty
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
        """Workers that were asked for so far."""
        return len(self._threads)

    def expect(self, files: int) -> None:
        """Have as many workers as so many files are worth; further ones start now, as starting takes as long as reading many files."""
        self._together = min(_TOGETHER, max(self._together, files // (self._settings.worker_count * _SHARES)))
        for number in range(self.size, min(self._settings.worker_count, (files + _WORTH_ONE - 1) // _WORTH_ONE)):
            thread = threading.Thread(target=self._serve, args=(number,), name=f"extract-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def __enter__(self) -> WorkerPool:
        """Raises: TokenizerError."""
        load_tokenizer()  # without it no file could be read, and each would say so
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        for _ in self._threads:
            with suppress(queue.Full):  # else they see it within a moment
                self._jobs.put_nowait(None)
        with self._guard:
            running = list(self._workers.values())
        for worker in running:
            worker.kill()
        for thread in self._threads:
            thread.join()

    def process_ids(self) -> list[int]:
        """Ids of the running workers, for measuring their memory."""
        with self._guard:
            return [worker.pid for worker in self._workers.values()]

    def run(self, jobs: Iterable[ParseJob]) -> Iterator[ParseResult]:
        """Results in the order in which they are ready; one for each job. It may be called again once all are taken.

        Raises: WorkerLostError when workers keep dying or cannot be started.
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
        """Whether there was room for it among those that wait."""
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
        """One thread for each worker: hands it files and replaces it when it dies."""
        try:
            with suppress(EOFError, OSError):  # a file that it was to read is told, and another worker is tried
                self._worker(number)
            while not self._closing.is_set():
                try:
                    jobs = self._jobs.get(timeout=0.05)
                except queue.Empty:
                    continue
                if jobs is not None:
                    self._done.put(self._read(number, jobs))
        except BaseException as exc:  # handed to the thread that waits in `run`
            self._done.put(exc)
        finally:
            with self._guard:
                worker = self._workers.pop(number, None)
            if worker is not None:
                worker.end()

    def _read(self, number: int, jobs: list[ParseJob]) -> list[ParseResult]:
        """Have files read together; each alone where that takes too long or costs the worker its life."""
        tries = 2
        if len(jobs) > 1:
            try:
                answers = self._ask(number, jobs)
                if answers is not None:
                    return answers
                tries = 1  # beside the one that they had together
            except TimeoutError:
                pass
            if not self._closing.is_set():
                self._bury(number).end()
        return [self._parse(number, job, tries) for job in jobs if not self._closing.is_set()]

    def _parse(self, number: int, job: ParseJob, tries: int = 2) -> ParseResult:
        """Have one file read; a second time by a new worker when the first one died, since not every death is the file's."""
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
        """What a worker answers; None when it died. Raises: TimeoutError."""
        seconds = self._settings.file_seconds or float("inf")
        try:
            worker = self._worker(number)
            worker.send(msgspec.msgpack.encode(jobs))
            answer = worker.receive(time.monotonic() + seconds)
        except TimeoutError:
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
        started.send(msgspec.msgpack.encode(self._duty))
        started.receive()  # starting is no file's time
        return started

    def _bury(self, number: int) -> FramedChild:
        with self._guard:
            self._deaths += 1
            return self._workers.pop(number)


def failed_result(job: ParseJob, reason: str) -> ParseResult:
    """The answer for a file that could not be read."""
    return ParseResult(job.path, b"", "", 0, reason or "cancelled")


def batch_files(jobs: Iterable[ParseJob], most: Callable[[], int]) -> Iterator[list[ParseJob]]:
    """The files in order, as they are given to workers: at most so many at once, fewer where they are large, more where they are tiny."""
    portion: list[ParseJob] = []
    size, weight = 0, 0.0
    for job in jobs:
        portion.append(job)
        size += len(job.content) + len(job.facts)
        weight += _TINY_SHARE if len(job.content) < _TINY_BYTES else 1
        if weight >= most() or size >= _TOGETHER_BYTES:
            yield portion
            portion, size, weight = [], 0, 0.0
    if portion:
        yield portion
