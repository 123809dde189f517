"""Reader of manifests and lock files in a worker process: they are untrusted, and their parsers have no limits of their own.

A manifest that exceeds the memory or the time of the worker is unreadable, like one that cannot be parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.manifests import read_packages
from repoquarry.languages.manifests.packages import Packages
from repoquarry.processes.bounded_calls import MEMORY_BYTES, BoundedCallError, call_bounded

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
    """Return what a new process reads; None if it reached a limit."""
    limit = min(settings.worker_memory_bytes or MEMORY_BYTES, MEMORY_BYTES)
    try:
        return call_bounded(read_packages, {"manifests": manifests}, memory_bytes=limit, seconds=settings.file_seconds)
    except BoundedCallError:
        return None
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
