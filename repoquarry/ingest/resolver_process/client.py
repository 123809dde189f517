"""Client of the resolver process: request, result, cancellation.

It is the stage that takes most memory, several times that of its result, and runs longest. Apart, its memory goes back to the
machine when it ends, it can be cancelled at any moment, and should it fail the service that asked for it lives on. Facts go in as
they are kept, compressed; the resolution comes back the same way.
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
    """The resolution of all files, given as `cache.encode_facts` makes them in path order, and what is to be kept of it.

    Where `resolver` was begun, it has been given the same. `packed` is emptied where nobody could ask for them again. `ended` is asked
    several times a second whether to end it; without one the run is. Raises: ResolutionFailedError, WorkerLostError, IngestCancelledError.
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
    ):  # a part that is kept is damaged, or one that was begun was given something else
        answered = _made(resolver.restart(packed, NOTHING_KEPT), NOTHING_KEPT, digest, meter, ending)
    if answered is None:
        raise ResolutionFailedError("the resolver gave an answer that cannot be read")
    return answered


def _made(
    asked: ResolverProcess, known: CachedResolution, digest: bytes, meter: RunMonitor, ended: Callable[[], bool]
) -> tuple[Resolution, CachedResolution] | None:
    """The answer, with what was told to be known; None where that cannot be read, or is to other facts. Raises: as `resolve_in_subprocess`."""
    try:
        answer = _answered(asked, meter, ended)
        asked.kill()  # its memory, which takes a while to be given back, is so while the answer is read
        if answer.digest != digest:
            return None
        made = CachedResolution(known.filled(answer.parts), digest)
        found = made.united()
        return (found, made) if found is not None else None
    finally:
        asked.end()


def _answered(asked: ResolverProcess, meter: RunMonitor, ended: Callable[[], bool]) -> ResolveResponse:
    """Raises: as `resolve_in_subprocess`."""
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
