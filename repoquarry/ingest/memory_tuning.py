"""Garbage collection, heap trimming and memory limits of worker processes.

Left alone, the cyclic collector walks millions of small records again and again as they grow, which took up to half the time of
assembling a large graph and frees nothing, because records have no cycles. It is made rare and not held off, since a server has
other work at the same time, and with a slow embedder indexing takes hours.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from repoquarry.ingest.errors import WorkerLostError
from repoquarry.processes.workers import FramedChild

_RARER = 5_000
"""So many times more new containers before the collector looks at them; Python's own figure differs by version (700, later 2000)."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Their numbers among the options of glibc's `mallopt`."""
_LARGE_BYTES, _HEAP_BYTES = 1 << 20, 1 << 24
"""From which size blocks are mapped, and how much freed memory the heap keeps until `trim_heap`: less of either has pages taken and given
back all the time."""
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_guard = threading.Lock()
_inside = 0
_before = gc.get_threshold()


@contextmanager
def reduce_gc_frequency() -> Iterator[None]:
    """The collector runs five thousand times less often inside. Several threads may be inside at once."""
    global _inside, _before
    with _guard:
        if not _inside:
            _before = gc.get_threshold()
            gc.set_threshold(_RARER * _before[0], *_before[1:])
        _inside += 1
    try:
        yield
    finally:
        with _guard:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before)


def mmap_large_allocations() -> None:
    """Large blocks of memory, such as arrays, go back to the machine as they are freed.

    Left alone, glibc takes ever larger blocks from a heap, of which each that was freed leaves a hole: what comes to most, a whole
    resolution's memory, stays with the process although nothing uses it.
    """
    if sys.platform == "linux" and (set_option := getattr(ctypes.CDLL(None), "mallopt", None)):
        set_option(_MMAP_THRESHOLD, _LARGE_BYTES)
        set_option(_TRIM_THRESHOLD, _HEAP_BYTES)


def trim_heap() -> None:
    """Return freed memory to the machine, where the C library is one (glibc) that would keep it for later."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def trims_heap(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Decorate a function so that the memory it freed returns to the machine before its result is used."""

    @wraps(function)
    def trimmed(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        result = function(*arguments, **options)
        trim_heap()
        return result

    return trimmed


def start(entry: str, memory_bytes: int) -> FramedChild:
    """Start `module:function` in a process of its own. Raises: WorkerLostError."""
    try:
        return FramedChild(entry, memory_bytes=memory_bytes, inherit=True)
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
