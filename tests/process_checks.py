"""Checks whether a process of the code under test has exited, and this process with many descriptors."""

import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def many_descriptors() -> Iterator[None]:
    """Hold descriptors up to 1,100, as a busy service does: select() refuses those of 1,024 and above."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2_048, hard), hard))
    opened = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while opened[-1] < 1_100:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
