"""Client of the resolver process: sends parsed facts and receives the resolution; may start the process before all facts exist.

Resolution takes most time and memory, several times the size of its result. In a subprocess its memory is freed on exit, it can be
cancelled at any moment, and a crash does not affect the service. Facts and result are transferred in compressed form. After a change
of code the process is certain to be needed: its start, its imports and the decoding of facts overlap with extraction.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.files.hashing import indexer_version
from repoquarry.ingest.memory_tuning import start
from repoquarry.ingest.previous_state import CachedResolution, digest_inputs
from repoquarry.ingest.resolution.line_shift import shift_lines
from repoquarry.ingest.resolver_main import FAILED, ResolveRequest, ResolveResponse
from repoquarry.ingest.run_monitor import RunMonitor, cancelled_error
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.family import Configuration
from repoquarry.processes.workers import StoppedError

if TYPE_CHECKING:
    from repoquarry.ingest.resolution.model import Resolution

_NOTHING_KEPT = CachedResolution()


class ResolverProcess:
    """Resolver process with a request, whose facts are sent by a thread; the owner terminates it."""

    def __init__(self, memory_bytes: int, question: ResolveRequest) -> None:
        """Start the process. Raises: WorkerLostError."""
        self.child = start("repoquarry.ingest.resolver_main:serve", memory_bytes)
        self._frames: queue.SimpleQueue[list[bytes]] = queue.SimpleQueue()
        self._frames.put([msgspec.msgpack.encode(question)])
        self._sender = threading.Thread(target=self._send, name="resolver-facts", daemon=True)
        self._sender.start()

    def send_facts(self, facts: Collection[bytes]) -> None:
        """Send facts of some files, in any order; later facts of a file replace earlier ones."""
        self._frames.put(list(facts))

    def finish_facts(self) -> None:
        self._frames.put([])

    def answer(self, stopped: Callable[[], bool]) -> bytes:
        """Return the answer for all facts. Raises: as `FramedChild.receive`."""
        self.finish_facts()
        return self.child.receive(stopped=stopped)

    def end(self) -> None:
        self.child.end()
        self.finish_facts()
        self._sender.join()

    def _send(self) -> None:
        # The process has exited; the receiver of the answer sees that.
        with suppress(OSError, ValueError):
            while frames := self._frames.get():
                self.child.send_all(frames)
            self.child.send_all([b""])


class PrestartedResolver:
    """Resolver process of a run, started early at most once. As a context manager it kills an unused process on
    exit."""

    def __init__(
        self,
        settings: IngestSettings,
        configuration: Configuration,
        kept: CachedResolution = _NOTHING_KEPT,
        excluded: Mapping[str, str] | None = None,
    ) -> None:
        """Initialize; parts among `kept` with unchanged inputs are not resolved again."""
        self.kept = kept
        self._settings = settings
        self._configuration = dict(configuration)
        self._excluded = dict(excluded or {})
        given = (
            indexer_version(),
            settings.resolver_steps,
            sorted(configuration.items()),
            sorted(self._excluded.items()),
        )
        self.rules = hashlib.sha256(repr(given).encode()).digest()
        """Digest of all inputs of resolution besides facts."""
        self._begun: ResolverProcess | None = None
        self._previous: Mapping[str, bytes] = {}
        self._facts: dict[str, bytes] = {}

    def expect_shift(self, previous: Mapping[str, bytes]) -> None:
        """Withhold all facts until they are complete, and send none if only lines differ from the `previous` facts of changed files."""
        self._previous = previous

    def prestart(self) -> None:
        """Start a process unless one is running. Raises: WorkerLostError."""
        if self._begun is None:
            self._begun = self._ask(self.kept)

    def process_ids(self) -> list[int]:
        """Id of the unused process, for memory measurement."""
        begun = self._begun
        return [begun.child.pid] if begun is not None else []

    def send_facts(self, facts: Mapping[str, bytes]) -> None:
        """Send facts by path to the prestarted process, if any."""
        if self._previous:
            self._facts.update(facts)
        elif self._begun is not None and facts:
            self._begun.send_facts(facts.values())

    def finish_facts(self) -> None:
        """End the stream of facts of the prestarted process, if any; end the process if it has nothing to solve."""
        if self._previous:
            shifted = shift_lines(self._facts, self._previous, self.kept, self.rules)
            facts, self._facts, self._previous = self._facts, {}, {}
            if shifted is not None:
                self.kept = shifted
                self.end()
            self.send_facts(facts)
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

    def __exit__(self, *exception: object) -> None:
        self.end()


def resolve_in_subprocess(
    packed: list[bytes], resolver: PrestartedResolver, meter: RunMonitor, ended: Callable[[], bool] | None = None
) -> tuple[Resolution, CachedResolution]:
    """Resolve packed facts in path order; return the resolution and the parts to store.

    `resolver` has received the same facts, if it was started. `packed` is emptied unless a retry may need it. `ended`
    is polled several times a second; if it returns True, the process is killed. Raises: ResolutionFailedError,
    WorkerLostError, IngestCancelledError.
    """
    digest = digest_inputs(resolver.rules, (hashlib.sha256(facts).digest() for facts in packed))
    kept = resolver.kept
    if digest == kept.digest and (found := kept.united()) is not None:
        resolver.end()
        return found, kept
    ending = ended or meter.cancelled
    may_ask_again = bool(kept.parts or resolver.process_ids())
    asked = resolver.take(packed)
    if not may_ask_again:
        packed.clear()
    answered = _receive(asked, kept, digest, meter, ending)
    if answered is None and may_ask_again:
        # A stored part is damaged, or the prestarted process received other facts.
        answered = _receive(resolver.restart(packed, _NOTHING_KEPT), _NOTHING_KEPT, digest, meter, ending)
    if answered is None:
        raise ResolutionFailedError("the resolver gave an answer that cannot be read")
    return answered


def _receive(
    asked: ResolverProcess, known: CachedResolution, digest: bytes, meter: RunMonitor, ended: Callable[[], bool]
) -> tuple[Resolution, CachedResolution] | None:
    """Return the answer with known parts filled in; None if unreadable or for other facts. Raises: as
    `resolve_in_subprocess`."""
    try:
        with meter.watch_processes(lambda: [asked.child.pid]):
            answer = asked.answer(ended)
        # Freeing its memory takes a while: do so while the answer is decoded.
        asked.child.kill()
        if answer.startswith(FAILED):
            raise ResolutionFailedError(f"the resolver failed: {answer[1:].decode()}")
        response = msgspec.msgpack.decode(answer[1:], type=ResolveResponse)
        if response.digest != digest:
            return None
        made = CachedResolution(known.filled(response.parts), digest)
        found = made.united()
        return (found, made) if found is not None else None
    except StoppedError:
        raise cancelled_error() from None
    except EOFError:
        exited = asked.child.await_exit()
        raise ResolutionFailedError(f"the resolver {exited.describe('ingest.resolver_memory_bytes')}") from None
    finally:
        asked.end()
