"""Resolver process that is started before its input is complete.

After a change of code it is sure to be needed, so that neither its start and its imports nor its reading of the facts has to be waited for: it
is given those of each file as soon as they are known.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Collection
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
    """A resolver's process that was told the question, and is sent facts by a thread; its owner ends it."""

    def __init__(self, memory_bytes: int, question: ResolveRequest) -> None:
        """Raises: WorkerLostError."""
        self._process = start("repoquarry.ingest.resolver_process.worker_main:serve", memory_bytes)
        self._frames: queue.SimpleQueue[list[bytes]] = queue.SimpleQueue()
        self._frames.put([msgspec.msgpack.encode(question)])
        self._sender = threading.Thread(target=self._send, name="resolver-facts", daemon=True)
        self._sender.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send_facts(self, facts: Collection[bytes]) -> None:
        """Those of some files, in any order; of a file that comes twice the later ones count."""
        self._frames.put(list(facts))

    def finish_facts(self) -> None:
        """It has been given all facts."""
        self._frames.put([])

    def answer(self, stopped: Callable[[], bool]) -> bytes:
        """What it finds in all facts that it was given. Raises: as `FramedChild.receive`."""
        self.finish_facts()
        return self._process.receive(stopped=stopped)

    def kill(self) -> None:
        """Kill the process without waiting."""
        self._process.kill()

    def await_exit(self) -> ChildExit:
        """As `FramedChild.await_exit`."""
        return self._process.await_exit()

    def end(self) -> None:
        """Kill the process."""
        self._process.end()
        self.finish_facts()
        self._sender.join()

    def _send(self) -> None:
        with suppress(OSError, ValueError):  # the process is gone, which whoever waits for the answer sees
            while frames := self._frames.get():
                self._process.send_all(frames)
            self._process.send_all([b""])


class PrestartedResolver:
    """What is asked of resolvers in one run, and at most one that nobody has taken yet; it is ended with the block, if it was not needed."""

    def __init__(
        self, settings: IngestSettings, configuration: Configuration, kept: CachedResolution = NOTHING_KEPT
    ) -> None:
        """Of what is `kept` nothing is to be resolved again that would give the same."""
        self.kept = kept
        self.rules = digest_rules(configuration, settings.resolver_steps)
        self._settings = settings
        self._configuration = dict(configuration)
        self._begun: ResolverProcess | None = None

    def prestart(self) -> None:
        """Start one, where none is there. Raises: WorkerLostError."""
        if self._begun is None:
            self._begun = self._ask(self.kept)

    def process_ids(self) -> list[int]:
        """That of the one that nobody has taken yet, for measuring its memory."""
        begun = self._begun
        return [begun.pid] if begun is not None else []

    def send_facts(self, facts: Collection[bytes]) -> None:
        """Facts of some files for the one that was begun, if it was."""
        if self._begun is not None and facts:
            self._begun.send_facts(facts)

    def finish_facts(self) -> None:
        """The one that was begun, if it was, has been given all facts."""
        if self._begun is not None:
            self._begun.finish_facts()

    def end(self) -> None:
        """End the one that was begun and nobody took, if there is one."""
        taken, self._begun = self._begun, None
        if taken is not None:
            taken.end()

    def take(self, packed: Collection[bytes]) -> ResolverProcess:
        """One that is given all facts, which is the caller's to end: that which was begun, or a new one. Raises: WorkerLostError."""
        taken, self._begun = self._begun, None
        return taken if taken is not None else self.restart(packed, self.kept)

    def restart(self, packed: Collection[bytes], known: CachedResolution) -> ResolverProcess:
        """Another one, which is told what is known. Raises: WorkerLostError."""
        asked = self._ask(known)
        asked.send_facts(packed)
        return asked

    def _ask(self, kept: CachedResolution) -> ResolverProcess:
        known = tuple(part.digest for part in kept.parts)
        question = ResolveRequest(self._settings.resolver_steps, self._configuration, self.rules, known)
        return ResolverProcess(self._settings.resolver_memory_bytes, question)

    def __enter__(self) -> PrestartedResolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def digest_rules(configuration: Configuration, steps: int) -> bytes:
    """Digest of what decides a resolution beside the facts."""
    return hashlib.sha256(repr((indexer_version(), steps, sorted(configuration.items()))).encode()).digest()
