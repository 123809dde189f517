"""Starts the processes that files and resolutions are worked on in."""

from __future__ import annotations

from repoquarry.ingest.errors import WorkerLostError
from repoquarry.processes import worker


def start(module: str, memory_bytes: int) -> worker.Worker:
    """Start `module.serve(memory_bytes)` in a process of its own. Raises: WorkerLostError."""
    try:
        return worker.start(module, memory_bytes)
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
