"""Reader of manifests and lock files in a worker process: they are untrusted, and their parsers have no limits of their own.

A manifest that exceeds the memory or the time of the worker is unreadable, like one that cannot be parsed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

import msgspec

from repoquarry.ingest.memory_tuning import start
from repoquarry.ingest.settings import GIB, IngestSettings
from repoquarry.languages.manifests import read_packages
from repoquarry.languages.manifests.packages import Packages
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

_MEMORY_BYTES: Final = GIB
_MAX_DEATHS: Final = 20
"""Workers that manifests may end; the manifests after that are not read."""


def read_bounded_packages(manifests: Mapping[str, bytes], settings: IngestSettings) -> Packages:
    """Read the declarations of all manifests of a repository. Raises: WorkerLostError."""
    if not manifests:
        return Packages()
    packages = _ask(manifests, settings)
    if packages is not None:
        return packages
    readable: dict[str, bytes] = {}
    refused: list[str] = []
    for path, content in manifests.items():
        if len(refused) < _MAX_DEATHS and _ask({path: content}, settings) is not None:
            readable[path] = content
        else:
            refused.append(path)
    packages = _ask(readable, settings) or Packages(unreadable=list(readable))
    packages.unreadable += refused
    return packages


def _ask(manifests: Mapping[str, bytes], settings: IngestSettings) -> Packages | None:
    """Return what a new worker reads; None if it died or took too long."""
    limit = min(settings.worker_memory_bytes or _MEMORY_BYTES, _MEMORY_BYTES)
    worker = start("repoquarry.ingest.files.manifest_reader:serve", limit)
    try:
        worker.send(msgspec.msgpack.encode(manifests))
        answer = worker.receive(time.monotonic() + (settings.file_seconds or float("inf")))
    except (EOFError, OSError):  # A TimeoutError, too.
        return None
    finally:
        worker.end()
    return msgspec.msgpack.decode(answer, type=Packages)


def serve() -> None:
    """Read the manifests of one frame, and answer with one."""
    incoming, outgoing = open_worker_pipes()
    frame = read_frame(incoming)
    if frame is not None:
        manifests = msgspec.msgpack.decode(frame, type=dict[str, bytes])
        write_frame(outgoing, msgspec.msgpack.encode(read_packages(manifests)))
