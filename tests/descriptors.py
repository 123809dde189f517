"""Descriptors of a busy process."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager


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
