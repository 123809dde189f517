"""Resolution in a process of its own.

It is the stage that takes most memory, several times that of its result, and runs longest. Apart, its memory goes back to the
machine when it ends, it can be cancelled at any moment, and should it fail the service that asked for it lives on. Facts go in as
they are kept, compressed; the resolution comes back the same way.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable

import msgspec

from repoquarry.graphstore.folder.sources import compress, decompress
from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.files.cache import decode_facts
from repoquarry.ingest.progress import Meter
from repoquarry.ingest.resolution import Budget, Resolution, resolve
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.worker import start
from repoquarry.languages.modules import Configuration
from repoquarry.processes.frames import read_frame, write_frame
from repoquarry.processes.worker import Worker, describe, own_pipes

_DONE, _FAILED = b"+", b"-"


def resolve_apart(
    packed: Iterable[bytes],
    configuration: Configuration,
    settings: IngestSettings,
    meter: Meter,
    look: Callable[[], None] | None = None,
) -> Resolution:
    """The resolution of all files, given as `cache.encode_facts` makes them.

    `look` is called several times a second and may raise in order to end it; without one the meter is asked.
    Raises: ResolutionFailedError, IngestCancelledError.
    """
    resolver = start("repoquarry.ingest.resolving", settings.resolver_memory_bytes)
    meter.worker_ids = lambda: [resolver.pid]
    try:
        answer = _ask(resolver, packed, configuration, settings, look or meter.check)
        if answer is None:
            raise ResolutionFailedError(
                f"the resolver died ({describe(resolver.end())}); it may have needed more memory than there is "
                f"(resolver_memory_bytes)"
            )
    finally:
        meter.worker_ids = list
        resolver.end()
    if answer.startswith(_FAILED):
        raise ResolutionFailedError(f"the resolver failed: {answer[1:].decode()}")
    return msgspec.msgpack.decode(decompress(answer[1:]), type=Resolution)


def _ask(
    resolver: Worker,
    packed: Iterable[bytes],
    configuration: Configuration,
    settings: IngestSettings,
    look: Callable[[], None],
) -> bytes | None:
    try:
        write_frame(resolver.stdin, msgspec.msgpack.encode((settings.resolver_steps, configuration)))
        for facts in packed:
            write_frame(resolver.stdin, facts)
        write_frame(resolver.stdin, b"")
        return read_frame(resolver.stdout, look=look)
    except OSError:
        return None


def serve(memory_bytes: int) -> None:
    """The child's side."""
    incoming, outgoing = own_pipes(memory_bytes)
    head = read_frame(incoming)
    if head is None:
        return  # the parent is gone
    steps, configuration = msgspec.msgpack.decode(head, type=tuple[int, dict[str, bytes]])
    files = []
    while frame := read_frame(incoming):
        files.append(decode_facts(frame))
    if frame is None:
        return  # the parent is gone
    gc.disable()  # the process ends with its one answer: there is nothing worth collecting before
    try:
        answer = _DONE + compress(
            msgspec.msgpack.encode(resolve(files, configuration=configuration, budget=Budget(steps=steps)))
        )
    except Exception as exc:  # told to the parent, which says it to the user
        answer = _FAILED + f"{type(exc).__name__}: {exc}"[:500].encode()
    write_frame(outgoing, answer)
