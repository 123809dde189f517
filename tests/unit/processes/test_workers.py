"""Worker processes: what they are started with."""

from __future__ import annotations

import sys

import psutil

from repoquarry.processes.workers import read_frame, start, write_frame


def serve(memory_bytes: int) -> None:
    """The worker's side: how many threads it has once numpy is loaded."""
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))
    write_frame(sys.stdout.buffer, str(psutil.Process().num_threads()).encode())


def test_numpy_starts_no_threads_in_a_worker() -> None:
    worker = start(__name__, 0)
    try:
        assert read_frame(worker.stdout, 60.0) == b"1"
    finally:
        worker.end()
