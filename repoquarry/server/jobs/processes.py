"""Names of processes that no other process has, by which work knows its owner."""

from __future__ import annotations

import os


def this_process() -> str:
    """A name for this process that no other process has, before or after it: its id and when it started."""
    return _process(os.getpid())


def _process(pid: int) -> str:
    import psutil

    return f"{pid}:{psutil.Process(pid).create_time():.2f}"


def is_alive(owner: str) -> bool:
    """Whether the process of that name still runs."""
    import psutil

    pid = owner.partition(":")[0]
    try:
        return _process(int(pid)) == owner
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.AccessDenied:
        return True
