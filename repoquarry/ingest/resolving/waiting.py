"""A resolver's process that is started before all is known that it is to resolve.

After a change of code it is sure to be needed, so that neither its start and its imports nor its reading of the facts has to be waited for: it
is given those of each file as soon as they are known.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType

import msgspec

from repoquarry.ingest.resolving.kept import NOTHING_KEPT, KeptResolution, rules_of
from repoquarry.ingest.resolving.resolver import Question
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.worker import start
from repoquarry.languages.modules import Configuration
from repoquarry.processes.frames import read_frame, write_frame


class Asked:
    """A resolver's process that was told the question, and is sent facts by a thread; its owner ends it."""

    def __init__(self, memory_bytes: int, question: Question) -> None:
        """Raises: WorkerLostError."""
        self._process = start("repoquarry.ingest.resolving.resolver", memory_bytes)
        self._frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._frames.put(msgspec.msgpack.encode(question))
        self._sender = threading.Thread(target=self._send, name="resolver-facts", daemon=True)
        self._sender.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, facts: bytes) -> None:
        """One file's facts, in any order."""
        self._frames.put(facts)

    def answer(self, look: Callable[[], None]) -> bytes | None:
        """What it finds, once it has been given all facts; None when it died. `look` as for `read_frame`."""
        self._frames.put(b"")
        return read_frame(self._process.stdout, look=look)

    def end(self) -> int:
        """Kill the process; its exit status."""
        status = self._process.end()
        self._frames.put(b"")
        self._sender.join()
        return status

    def _send(self) -> None:
        with suppress(OSError, ValueError):  # the process is gone, which whoever waits for the answer sees
            write_frame(self._process.stdin, self._frames.get())
            while facts := self._frames.get():
                write_frame(self._process.stdin, facts)
            write_frame(self._process.stdin, b"")


class WaitingResolver:
    """What is asked of resolvers in one run, and at most one that nobody has taken yet; it is ended with the block, if it was not needed."""

    def __init__(
        self, settings: IngestSettings, configuration: Configuration, kept: KeptResolution = NOTHING_KEPT
    ) -> None:
        """Of what is `kept` nothing is to be resolved again that would give the same."""
        self.kept = kept
        self.rules = rules_of(configuration, settings.resolver_steps)
        self._settings = settings
        self._configuration = dict(configuration)
        self._begun: Asked | None = None

    def begin(self) -> None:
        """Start one, where none is there. Raises: WorkerLostError."""
        if self._begun is None:
            self._begun = self._ask(self.kept)

    def process_ids(self) -> list[int]:
        """That of the one that nobody has taken yet, for measuring its memory."""
        begun = self._begun
        return [begun.pid] if begun is not None else []

    def give(self, facts: bytes) -> None:
        """Facts of a file for the one that was begun, if it was."""
        if self._begun is not None:
            self._begun.give(facts)

    def take(self, packed: Iterable[bytes]) -> Asked:
        """One that is given all facts, which is the caller's to end: that which was begun, or a new one. Raises: WorkerLostError."""
        taken, self._begun = self._begun, None
        return taken if taken is not None else self.anew(packed, self.kept)

    def anew(self, packed: Iterable[bytes], known: KeptResolution) -> Asked:
        """Another one, which is told what is known. Raises: WorkerLostError."""
        asked = self._ask(known)
        for facts in packed:
            asked.give(facts)
        return asked

    def _ask(self, kept: KeptResolution) -> Asked:
        known = tuple(part.digest for part in kept.parts)
        question = Question(self._settings.resolver_steps, self._configuration, self.rules, known)
        return Asked(self._settings.resolver_memory_bytes, question)

    def __enter__(self) -> WaitingResolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._begun is not None:
            self._begun.end()
            self._begun = None
