"""Resolution in a process of its own.

It is the stage that takes most memory, several times that of its result, and runs longest. Apart, its memory goes back to the
machine when it ends, it can be cancelled at any moment, and should it fail the service that asked for it lives on. Facts go in as
they are kept, compressed; the resolution comes back the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import msgspec

from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.resolution.model import Resolution
from repoquarry.ingest.resolving.kept import NOTHING_KEPT, KeptResolution, Part, digest_of, rules_of
from repoquarry.ingest.resolving.resolver import FAILED, Question
from repoquarry.ingest.resolving.waiting import WaitingResolver
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.stages.progress import Meter, stopped
from repoquarry.languages.modules import Configuration
from repoquarry.processes.frames import read_frame, write_frame
from repoquarry.processes.worker import Worker, describe


def resolve_apart(
    packed: Sequence[bytes],
    configuration: Configuration,
    settings: IngestSettings,
    meter: Meter,
    ended: Callable[[], bool] | None = None,
    kept: KeptResolution = NOTHING_KEPT,
    waiting: WaitingResolver | None = None,
) -> tuple[Resolution, KeptResolution]:
    """The resolution of all files, given as `cache.encode_facts` makes them in path order, and what is to be kept of it.

    Of what is `kept` nothing is resolved again that would give the same. `ended` is asked several times a second whether to end it;
    without one the run is. `waiting` may have a process that is there already. Raises: ResolutionFailedError, IngestCancelledError.
    """
    rules = rules_of(configuration, settings.resolver_steps)
    digest = digest_of(rules, (hashlib.sha256(facts).digest() for facts in packed))
    if digest == kept.digest and (found := kept.united()) is not None:
        return found, kept
    for known in (kept, NOTHING_KEPT):  # a damaged part is made anew
        question = Question(
            settings.resolver_steps, dict(configuration), rules, tuple(part.digest for part in known.parts)
        )
        resolver = (waiting or WaitingResolver(settings.resolver_memory_bytes)).take()
        parts = _answered(resolver, question, packed, meter, ended or meter.cancelled)
        made = KeptResolution(known.filled(parts), digest)
        found = made.united()
        if found is not None:
            return found, made
    raise ResolutionFailedError("the resolver gave an answer that cannot be read")


def _answered(
    resolver: Worker,
    question: Question,
    packed: Iterable[bytes],
    meter: Meter,
    ended: Callable[[], bool],
) -> list[Part]:
    """Ends the process. Raises: as `resolve_apart`."""
    with meter.watching(lambda: [resolver.pid]):
        try:
            answer = _ask(resolver, question, packed, ended)
            if answer is None:
                raise ResolutionFailedError(
                    f"the resolver died ({describe(resolver.end())}); it may have needed more memory than there is "
                    f"(resolver_memory_bytes)"
                )
        finally:
            resolver.end()
    if answer.startswith(FAILED):
        raise ResolutionFailedError(f"the resolver failed: {answer[1:].decode()}")
    return msgspec.msgpack.decode(answer[1:], type=list[Part])


def _ask(resolver: Worker, question: Question, packed: Iterable[bytes], ended: Callable[[], bool]) -> bytes | None:
    def look() -> None:
        if ended():
            raise stopped()

    try:
        write_frame(resolver.stdin, msgspec.msgpack.encode(question))
        for facts in packed:
            write_frame(resolver.stdin, facts)
        write_frame(resolver.stdin, b"")
        return read_frame(resolver.stdout, look=look)
    except OSError:
        return None
