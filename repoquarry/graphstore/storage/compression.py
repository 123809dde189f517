"""Compression of texts and derived data; light, for processes without a store."""

from __future__ import annotations

import threading

import zstandard

from repoquarry.graphstore.errors import StoreCorruptError

_MAX_TEXT = 1 << 31


class _Own(threading.local):
    """What each thread packs by: making one takes as long as packing a small file, and none may be used by two at once."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


def compress(data: bytes) -> bytes:
    """As blobs are stored, with a checksum of its content."""
    packed = _own.compressor.compress(data)
    return bytes(
        memoryview(packed)
    )  # a copy, as what the library gives takes as much memory as `data` until it is freed


def decompress(data: bytes) -> bytes:
    """The inverse of `compress`. Raises: StoreCorruptError when it is not what was compressed."""
    try:
        return _own.decompressor.decompress(data, max_output_size=_MAX_TEXT)
    except zstandard.ZstdError as exc:
        raise StoreCorruptError(f"stored data is damaged ({exc}); index the repository again") from exc
