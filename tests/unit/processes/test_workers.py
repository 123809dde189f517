"""Child processes of our own: what they are started with."""

from __future__ import annotations

import psutil

from repoquarry.processes.workers import FramedChild, open_worker_pipes, write_frame


def serve() -> None:
    """The child's side: how many threads it has once numpy is loaded."""
    _, outgoing = open_worker_pipes()
    before = psutil.Process().num_threads()
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))
    write_frame(outgoing, str(psutil.Process().num_threads() - before).encode())


def test_numpy_starts_no_threads_in_a_worker() -> None:
    child = FramedChild(f"{__name__}:serve")
    try:
        assert child.receive() == b"0"
    finally:
        child.end()
