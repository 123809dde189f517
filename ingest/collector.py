"""The cyclic garbage collector, held off while millions of small records are made.

Left alone it walks all of them again and again as they grow, which took up to half the time of assembling a large graph, and
frees nothing, because records have no cycles. What does have cycles, the resolver's working state, is collected once at the end.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_guard = threading.Lock()
_held = 0


@contextmanager
def held_off() -> Iterator[None]:
    """No automatic collection inside; one collection at the end. Several threads may hold it off at once."""
    global _held
    with _guard:
        _held += 1
        gc.disable()
    try:
        yield
    finally:
        with _guard:
            _held -= 1
            if not _held:
                gc.enable()
        gc.collect()
        _give_back()


def _give_back() -> None:
    """Return freed memory to the machine, where the C library is one (glibc) that would keep it for later."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
