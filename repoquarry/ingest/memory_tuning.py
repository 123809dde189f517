"""Memory tuning of indexing: less frequent garbage collection, release of freed heap memory, start of workers with a memory limit.

The cyclic collector would scan millions of growing records again and again, up to half the time of a large assembly,
and free nothing, because records have no cycles. It runs rarely instead of never, since a server has other work, and
indexing may take hours.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from repoquarry.ingest.errors import WorkerLostError
from repoquarry.processes.workers import FramedChild

_RARER = 5_000
"""Factor of allocations between collections; Python's own threshold differs by version (700, later 2000)."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Option numbers of glibc's `mallopt`."""
_LARGE_BYTES, _HEAP_BYTES = 1 << 20, 1 << 24
"""Minimum size of mapped blocks, and freed memory that the heap keeps until `trim_heap`; smaller values cause
constant paging."""
_guard = threading.Lock()
_inside = 0
_before = gc.get_threshold()


@contextmanager
def reduce_gc_frequency() -> Iterator[None]:
    """Run the collector five thousand times less often inside the block. Threads may nest it."""
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
    """Map large blocks such as arrays, so that freeing returns them to the system.

    Otherwise glibc takes growing blocks from the heap, and the holes of freed blocks stay with the process, up to the
    memory of a complete resolution.
    """
    if sys.platform == "linux" and (set_option := getattr(ctypes.CDLL(None), "mallopt", None)):
        set_option(_MMAP_THRESHOLD, _LARGE_BYTES)
        set_option(_TRIM_THRESHOLD, _HEAP_BYTES)


def trim_heap() -> None:
    """Return freed memory to the system (glibc only)."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def start(entry: str, memory_bytes: int) -> FramedChild:
    """Start `module:function` in a subprocess. Raises: WorkerLostError."""
    try:
        return FramedChild(entry, memory_bytes=memory_bytes, inherit=True)
    except OSError as exc:
        raise WorkerLostError(f"a worker process cannot be started: {exc}") from exc
