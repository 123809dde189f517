"""Resolution in a process of its own.

It is the stage that takes most memory, several times that of its result, and runs longest. Apart, its memory goes back to the
machine when it ends, it can be cancelled at any moment, and should it fail the service that asked for it lives on. Facts go in as
they are kept, compressed; the resolution comes back the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from repoquarry.graphstore.folder.compression import decompress
from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.progress import Meter, stopped
from repoquarry.ingest.resolution.model import Resolution
from repoquarry.ingest.resolver import FAILED
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.worker import start
from repoquarry.languages.modules import Configuration
from repoquarry.processes.frames import read_frame, write_frame
from repoquarry.processes.worker import Worker, describe


def resolve_apart(
    packed: Iterable[bytes],
    configuration: Configuration,
    settings: IngestSettings,
    meter: Meter,
    ended: Callable[[], bool] | None = None,
) -> Resolution:
    """The resolution of all files, given as `cache.encode_facts` makes them.

    `ended` is asked several times a second whether to end it; without one the run is.
    Raises: ResolutionFailedError, IngestCancelledError.
    """
    resolver = start("repoquarry.ingest.resolver", settings.resolver_memory_bytes)
    with meter.watching(lambda: [resolver.pid]):
        try:
            answer = _ask(resolver, packed, configuration, settings, ended or meter.cancelled)
            if answer is None:
                raise ResolutionFailedError(
                    f"the resolver died ({describe(resolver.end())}); it may have needed more memory than there is "
                    f"(resolver_memory_bytes)"
                )
        finally:
            resolver.end()
    if answer.startswith(FAILED):
        raise ResolutionFailedError(f"the resolver failed: {answer[1:].decode()}")
    return msgspec.msgpack.decode(decompress(answer[1:]), type=Resolution)


def _ask(
    resolver: Worker,
    packed: Iterable[bytes],
    configuration: Configuration,
    settings: IngestSettings,
    ended: Callable[[], bool],
) -> bytes | None:
    def look() -> None:
        if ended():
            raise stopped()

    try:
        write_frame(resolver.stdin, msgspec.msgpack.encode((settings.resolver_steps, configuration)))
        for facts in packed:
            write_frame(resolver.stdin, facts)
        write_frame(resolver.stdin, b"")
        return read_frame(resolver.stdout, look=look)
    except OSError:
        return None
