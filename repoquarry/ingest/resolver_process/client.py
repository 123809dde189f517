"""Client of the resolver process: request, result, cancellation.

Resolution takes most time and memory, several times the size of its result. In a subprocess its memory is freed on
exit, it can be cancelled at any moment, and a crash does not affect the service. Facts and result are transferred in
compressed form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.resolution.model import Resolution
from repoquarry.ingest.resolver_process.cached_resolution import NOTHING_KEPT, CachedResolution, digest_inputs
from repoquarry.ingest.resolver_process.prestart import PrestartedResolver, ResolverProcess
from repoquarry.ingest.resolver_process.worker_main import FAILED, ResolveResponse
from repoquarry.ingest.run_monitor import RunMonitor, cancelled_error
from repoquarry.processes.workers import StoppedError


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
    answered = _made(asked, kept, digest, meter, ending)
    if (
        answered is None and may_ask_again
        # A stored part is damaged, or the prestarted process received other facts.
    ):
        answered = _made(resolver.restart(packed, NOTHING_KEPT), NOTHING_KEPT, digest, meter, ending)
    if answered is None:
        raise ResolutionFailedError("the resolver gave an answer that cannot be read")
    return answered


def _made(
    asked: ResolverProcess, known: CachedResolution, digest: bytes, meter: RunMonitor, ended: Callable[[], bool]
) -> tuple[Resolution, CachedResolution] | None:
    """Return the answer with known parts filled in; None if unreadable or for other facts. Raises: as
    `resolve_in_subprocess`."""
    try:
        answer = _answered(asked, meter, ended)
        # Freeing its memory takes a while: do so while the answer is decoded.
        asked.kill()
        if answer.digest != digest:
            return None
        made = CachedResolution(known.filled(answer.parts), digest)
        found = made.united()
        return (found, made) if found is not None else None
    finally:
        asked.end()


def _answered(asked: ResolverProcess, meter: RunMonitor, ended: Callable[[], bool]) -> ResolveResponse:
    """Decode the answer. Raises: as `resolve_in_subprocess`."""
    try:
        with meter.watch_processes(lambda: [asked.pid]):
            answer = asked.answer(ended)
    except StoppedError:
        raise cancelled_error() from None
    except EOFError:
        exited = asked.await_exit()
        raise ResolutionFailedError(f"the resolver {exited.describe('ingest.resolver_memory_bytes')}") from None
    if answer.startswith(FAILED):
        raise ResolutionFailedError(f"the resolver failed: {answer[1:].decode()}")
    return msgspec.msgpack.decode(answer[1:], type=ResolveResponse)
