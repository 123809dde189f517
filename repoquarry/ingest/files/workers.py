"""Worker processes that turn files into facts.

Parsing is the one stage that reads hostile input with native code, so it runs where a crash, exhausted memory or an endless
loop costs one file and nothing else: each worker is a fresh interpreter (never a fork of a threaded server) with a memory
limit, holds one file at a time, and is replaced when it dies. Frames on its pipes are length-prefixed msgpack.
"""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType

import msgspec

from repoquarry.ingest import child
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.files.cache import encode_facts
from repoquarry.ingest.settings import IngestSettings

_MAX_DEATHS = 20
_QUEUED = 4
"""Files that wait for each worker: enough to keep it busy, few enough to keep their bytes out of memory."""


class Job(msgspec.Struct, array_like=True, frozen=True):
    """One file to read."""

    path: str
    content: bytes


class Parsed(msgspec.Struct, array_like=True, frozen=True):
    """What a worker made of one file. Exactly one of `facts` and `failure` is set."""

    path: str
    facts: bytes
    """As `cache.encode_facts` makes them."""
    encoding: str
    parse_errors: int
    failure: str
    """Why the file could not be read."""


class WorkerPool:
    """Parse files in worker processes: `with WorkerPool(settings, files) as pool: for parsed in pool.run(jobs)`."""

    def __init__(self, settings: IngestSettings, files: int) -> None:
        self._settings = settings
        self.size = max(1, min(settings.worker_count, (files + 15) // 16))
        self._jobs: queue.Queue[Job | None] = queue.Queue(maxsize=self.size * _QUEUED)
        self._done: queue.Queue[Parsed | BaseException] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._workers: dict[int, child.Child] = {}
        self._deaths = 0
        self._guard = threading.Lock()
        self._closing = threading.Event()

    def __enter__(self) -> WorkerPool:
        for number in range(self.size):
            thread = threading.Thread(target=self._serve, args=(number,), name=f"extract-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
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

    def run(self, jobs: Iterable[Job]) -> Iterator[Parsed]:
        """Results in the order in which they are ready; one for each job.

        Raises: WorkerLostError when workers keep dying or cannot be started.
        """
        waiting = 0
        for job in jobs:
            while True:
                try:
                    self._jobs.put(job, timeout=0.05)
                    break
                except queue.Full:
                    yield self._take()
                    waiting -= 1
            waiting += 1
            while not self._done.empty():
                yield self._take()
                waiting -= 1
        for _ in range(waiting):
            yield self._take()

    def _take(self) -> Parsed:
        result = self._done.get()
        if isinstance(result, BaseException):
            raise result
        return result

    def _serve(self, number: int) -> None:
        """One thread for each worker: hands it files and replaces it when it dies."""
        try:
            while not self._closing.is_set():
                try:
                    job = self._jobs.get(timeout=0.05)
                except queue.Empty:
                    continue
                if job is not None:
                    self._done.put(self._parse(number, job))
        except BaseException as exc:  # handed to the thread that waits in `run`
            self._done.put(exc)
        finally:
            with self._guard:
                worker = self._workers.pop(number, None)
            if worker is not None:
                worker.end()

    def _parse(self, number: int, job: Job) -> Parsed:
        """Have one file read; a second time by a new worker when the first one died, since not every death is the file's."""
        reason = ""
        for _ in range(2):
            worker = self._worker(number)
            try:
                child.write_frame(worker.stdin, msgspec.msgpack.encode(job))
                answer = child.read_frame(worker.stdout, self._settings.file_seconds)
            except TimeoutError:
                self._bury(number)
                return _failed(job, f"parsing took more than {self._settings.file_seconds:g} seconds (file_seconds)")
            except OSError:
                answer = None
            if answer is not None:
                return msgspec.msgpack.decode(answer, type=Parsed)
            if self._closing.is_set():
                break
            reason = f"its parser died ({child.describe(self._bury(number))})"
            if self._deaths > _MAX_DEATHS:
                raise WorkerLostError(
                    f"workers keep dying, the last one while reading {job.path}: {reason}", path=job.path
                )
        return _failed(job, reason)

    def _worker(self, number: int) -> child.Child:
        with self._guard:
            if number not in self._workers:
                self._workers[number] = child.start(
                    "repoquarry.ingest.files.workers", self._settings.worker_memory_bytes
                )
            return self._workers[number]

    def _bury(self, number: int) -> int:
        with self._guard:
            self._deaths += 1
            worker = self._workers.pop(number)
        return worker.end()


def serve(memory_bytes: int) -> None:
    """The worker's side: read jobs from standard input until it closes."""
    incoming, outgoing = child.own_pipes(memory_bytes)
    gc.disable()  # collections in the midst of a file find nothing: only the walk over it as a whole has cycles
    while (frame := child.read_frame(incoming)) is not None:
        child.write_frame(outgoing, msgspec.msgpack.encode(_extract(msgspec.msgpack.decode(frame, type=Job))))
        gc.collect()
        gc.freeze()  # modules and caches, which need not be looked at again after the next file


def _extract(job: Job) -> Parsed:
    from repoquarry.ingest.languages.registry import language_for  # in the worker only: it loads the grammar

    try:
        facts = language_for(job.path).extract(job.path, job.content)
        return Parsed(job.path, encode_facts(facts), facts.encoding, len(facts.parse_errors), "")
    except MemoryError:
        return _failed(job, "parsing it takes more memory than a worker may use (worker_memory_bytes)")
    except RecursionError:
        return _failed(job, "it is nested too deeply to be parsed")
    except Exception as exc:  # a fault of the extractor costs this file, and is told
        return _failed(job, f"the extractor failed: {type(exc).__name__}: {exc}"[:300])


def _failed(job: Job, reason: str) -> Parsed:
    return Parsed(job.path, b"", "", 0, reason or "cancelled")
