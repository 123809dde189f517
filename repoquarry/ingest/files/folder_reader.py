"""Reader of the files of a whole folder in a worker process: they are untrusted, and what reads them has no limits of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded

_Read = TypeVar("_Read")
_SECONDS: Final = 600.0
"""Time that reading all files of a folder or a package may take."""


def read_folder(name: object, read: Callable[..., _Read], limits: IngestSettings, /, **arguments: object) -> _Read:
    """Call `read` as `call_bounded` does, with the memory of a worker; `name` is what a failure calls the folder.

    Raises: WorkerLostError at a limit.
    """
    try:
        return call_bounded(read, arguments, memory_bytes=limits.worker_memory_bytes, seconds=_SECONDS)
    except BoundedCallError as exc:
        raise WorkerLostError(f"the files of {name} cannot be read: {exc}") from exc
