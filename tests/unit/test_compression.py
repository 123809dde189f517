"""What is packed takes the memory that its length says."""

from __future__ import annotations

import tracemalloc

from repoquarry.graphstore.storage.compression import compress, decompress


def test_what_is_compressed_does_not_keep_the_memory_of_what_it_was() -> None:
    data = b"abc" * 1_000_000
    tracemalloc.start()
    try:
        packed = compress(data)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert decompress(packed) == data
    assert held < len(data) // 10
