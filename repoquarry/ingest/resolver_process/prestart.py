"""Resolver process that is started before its input is complete.

After a change of code the process is certain to be needed: its start, its imports and the decoding of facts overlap
with extraction.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import TracebackType

import msgspec

from repoquarry.ingest.files.facts_cache import indexer_version
from repoquarry.ingest.memory_tuning import start
from repoquarry.ingest.resolver_process.cached_resolution import NOTHING_KEPT, CachedResolution
from repoquarry.ingest.resolver_process.worker_main import ResolveRequest
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.family import Configuration
from repoquarry.processes.workers import ChildExit


class ResolverProcess:
    """Resolver process with a request, whose facts are sent by a thread; the owner terminates it."""

    def __init__(self, memory_bytes: int, question: ResolveRequest) -> None:
        """Start the process. Raises: WorkerLostError."""
        self._process = start("repoquarry.ingest.resolver_process.worker_main:serve", memory_bytes)
        self._frames: queue.SimpleQueue[list[bytes]] = queue.SimpleQueue()
        self._frames.put([msgspec.msgpack.encode(question)])
        self._sender = threading.Thread(target=self._send, name="resolver-facts", daemon=True)
        self._sender.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send_facts(self, facts: Collection[bytes]) -> None:
        """Send facts of some files, in any order; later facts of a file replace earlier ones."""
        self._frames.put(list(facts))

    def finish_facts(self) -> None:
        """End the stream of facts."""
        self._frames.put([])

    def answer(self, stopped: Callable[[], bool]) -> bytes:
        """Return the answer for all facts. Raises: as `FramedChild.receive`."""
        self.finish_facts()
        return self._process.receive(stopped=stopped)

    def kill(self) -> None:
        """Kill the process without waiting."""
        self._process.kill()

    def await_exit(self) -> ChildExit:
        """Wait for the exit; as `FramedChild.await_exit`."""
        return self._process.await_exit()

    def end(self) -> None:
        """Kill the process."""
        self._process.end()
        self.finish_facts()
        self._sender.join()

    def _send(self) -> None:
        # The process has exited; the receiver of the answer sees that.
        with suppress(OSError, ValueError):
            while frames := self._frames.get():
                self._process.send_all(frames)
            self._process.send_all([b""])


class PrestartedResolver:
    """Resolver process of a run, started early at most once. As a context manager it kills an unused process on
    exit."""

    def __init__(
        self,
        settings: IngestSettings,
        configuration: Configuration,
        kept: CachedResolution = NOTHING_KEPT,
        excluded: Mapping[str, str] | None = None,
    ) -> None:
        """Initialize; parts among `kept` with unchanged inputs are not resolved again."""
        self.kept = kept
        self.rules = digest_rules(configuration, excluded or {}, settings.resolver_steps)
        self._settings = settings
        self._configuration = dict(configuration)
        self._excluded = dict(excluded or {})
        self._begun: ResolverProcess | None = None

    def prestart(self) -> None:
        """Start a process unless one is running. Raises: WorkerLostError."""
        if self._begun is None:
            self._begun = self._ask(self.kept)

    def process_ids(self) -> list[int]:
        """Id of the unused process, for memory measurement."""
        begun = self._begun
        return [begun.pid] if begun is not None else []

    def send_facts(self, facts: Collection[bytes]) -> None:
        """Send facts to the prestarted process, if any."""
        if self._begun is not None and facts:
            self._begun.send_facts(facts)

    def finish_facts(self) -> None:
        """End the stream of facts of the prestarted process, if any."""
        if self._begun is not None:
            self._begun.finish_facts()

    def end(self) -> None:
        """Kill the unused process, if any."""
        taken, self._begun = self._begun, None
        if taken is not None:
            taken.end()

    def take(self, packed: Collection[bytes]) -> ResolverProcess:
        """Take ownership of a process that receives all facts: the prestarted or a new one. Raises:
        WorkerLostError."""
        taken, self._begun = self._begun, None
        return taken if taken is not None else self.restart(packed, self.kept)

    def restart(self, packed: Collection[bytes], known: CachedResolution) -> ResolverProcess:
        """Start another process with the known parts. Raises: WorkerLostError."""
        asked = self._ask(known)
        asked.send_facts(packed)
        return asked

    def _ask(self, kept: CachedResolution) -> ResolverProcess:
        known = tuple(part.digest for part in kept.parts)
        steps = self._settings.resolver_steps
        question = ResolveRequest(steps, self._configuration, self._excluded, self.rules, known)
        return ResolverProcess(self._settings.resolver_memory_bytes, question)

    def __enter__(self) -> PrestartedResolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def digest_rules(configuration: Configuration, excluded: Mapping[str, str], steps: int) -> bytes:
    """Return the digest of all inputs of resolution besides facts."""
    given = indexer_version(), steps, sorted(configuration.items()), sorted(excluded.items())
    return hashlib.sha256(repr(given).encode()).digest()
