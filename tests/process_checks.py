"""Checks whether a process of the code under test has exited."""

import time

import psutil


def is_gone(process: int) -> bool:
    """Return whether it has ended; a signal takes effect a moment after it was sent, and nobody may wait for the child of another."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            if psutil.Process(process).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False
