"""Worker processes that turn files into facts.

Parsing is the one stage that reads hostile input with native code, so it runs where a crash, exhausted memory or an endless
loop costs one file and nothing else: each worker is a fresh interpreter (never a fork of a threaded server) with a memory
limit, holds one file at a time, and is replaced when it dies. Frames on its pipes are length-prefixed msgpack.
"""

from __future__ import annotations

import os
import queue
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO

import msgspec

from ingest.cache import encode_facts
from ingest.errors import WorkerLostError
from ingest.settings import IngestSettings

_LENGTH = struct.Struct("<Q")
_MAX_FRAME = 1 << 31
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


@dataclass
class _Worker:
    """A running worker process and its pipes."""

    process: subprocess.Popen[bytes]

    @property
    def stdin(self) -> IO[bytes]:
        assert self.process.stdin is not None  # noqa: S101 - made with a pipe
        return self.process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        assert self.process.stdout is not None  # noqa: S101 - made with a pipe
        return self.process.stdout

    def end(self) -> int:
        """Kill the process; its exit status."""
        self.process.kill()
        status = self.process.wait()
        for pipe in (self.stdin, self.stdout):
            try:
                pipe.close()
            except OSError:
                continue  # bytes that were still to be flushed to the dead process
        return status


class WorkerPool:
    """Parse files in worker processes: `with WorkerPool(settings, files) as pool: for parsed in pool.run(jobs)`."""

    def __init__(self, settings: IngestSettings, files: int) -> None:
        self._settings = settings
        self.size = max(1, min(settings.worker_count, (files + 15) // 16))
        self._jobs: queue.Queue[Job | None] = queue.Queue(maxsize=self.size * _QUEUED)
        self._done: queue.Queue[Parsed | BaseException] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._workers: dict[int, _Worker] = {}
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
            worker.process.kill()
        for thread in self._threads:
            thread.join()

    def process_ids(self) -> list[int]:
        """Ids of the running workers, for measuring their memory."""
        with self._guard:
            return [worker.process.pid for worker in self._workers.values()]

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
                _write(worker.stdin, msgspec.msgpack.encode(job))
                answer = _read(worker.stdout, self._settings.file_seconds)
            except TimeoutError:
                self._bury(number)
                return _failed(job, f"parsing took more than {self._settings.file_seconds:g} seconds (file_seconds)")
            except OSError:
                answer = None
            if answer is not None:
                return msgspec.msgpack.decode(answer, type=Parsed)
            if self._closing.is_set():
                break
            reason = f"its parser died ({_describe(self._bury(number))})"
            if self._deaths > _MAX_DEATHS:
                raise WorkerLostError(
                    f"workers keep dying, the last one while reading {job.path}: {reason}", path=job.path
                )
        return _failed(job, reason)

    def _worker(self, number: int) -> _Worker:
        with self._guard:
            if number not in self._workers:
                self._workers[number] = _start(self._settings.worker_memory_bytes)
            return self._workers[number]

    def _bury(self, number: int) -> int:
        with self._guard:
            self._deaths += 1
            worker = self._workers.pop(number)
        return worker.end()


def serve(memory_bytes: int) -> None:
    """The worker's side: read jobs from standard input until it closes."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what a library prints must not end up between frames
    _limit_memory(memory_bytes)
    while (frame := _read(incoming, 0)) is not None:
        _write(outgoing, msgspec.msgpack.encode(_extract(msgspec.msgpack.decode(frame, type=Job))))


def _extract(job: Job) -> Parsed:
    from ingest.languages.registry import language_for  # in the worker only: it loads the grammar

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


def _start(memory_bytes: int) -> _Worker:
    code = "import sys; sys.path[:] = sys.argv[2:]; from ingest.workers import serve; serve(int(sys.argv[1]))"
    search_path = [path for path in sys.path if path] + [os.getcwd()] * ("" in sys.path)
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", code, str(memory_bytes), *search_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt from the keyboard is the parent's to deal with
        )
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
    return _Worker(process)


def _limit_memory(limit: int) -> None:
    if not limit:
        return
    import resource  # only where there are such limits, which is not Windows

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _write(pipe: IO[bytes], frame: bytes) -> None:
    pipe.write(_LENGTH.pack(len(frame)))
    pipe.write(frame)
    pipe.flush()


def _read(pipe: IO[bytes], seconds: float) -> bytes | None:
    """One frame; None at the end of the stream. Raises: TimeoutError (`seconds` 0: never)."""
    deadline = time.monotonic() + seconds if seconds else None
    head = _exactly(pipe, _LENGTH.size, deadline)
    if head is None:
        return None
    length = _LENGTH.unpack(head)[0]
    return _exactly(pipe, length, deadline) if length <= _MAX_FRAME else None


def _exactly(pipe: IO[bytes], count: int, deadline: float | None) -> bytes | None:
    descriptor, parts, missing = pipe.fileno(), [], count
    while missing:
        if deadline is not None:
            poller = select.poll()  # not select(): a busy server has descriptors above its limit of 1,024
            poller.register(descriptor, select.POLLIN)
            if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimeoutError
        part = os.read(descriptor, min(missing, 1 << 20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _describe(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
