"""Zstandard compression of stored data, and digests that detect damage; imports little, for processes without a store."""

from __future__ import annotations

import hashlib
import threading

import zstandard

from repoquarry.graphstore.errors import StoreCorruptError

_MAX_TEXT = 1 << 31


class _Own(threading.local):
    """Compressor of each thread: creation is as slow as packing a small file, and a compressor is not thread-safe."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


def compress(data: bytes) -> bytes:
    """Compress a blob with a checksum."""
    packed = _own.compressor.compress(data)
    return bytes(memoryview(packed))  # Copy: the library's result uses as much memory as `data` until it is freed.


def decompress(data: bytes) -> bytes:
    """Decompress a blob. Raises: StoreCorruptError if it is not valid compressed data."""
    try:
        return _own.decompressor.decompress(data, max_output_size=_MAX_TEXT)
    except zstandard.ZstdError as exc:
        raise StoreCorruptError(f"stored data is damaged ({exc}); re-index the repository") from exc


_SEAL = b"RQ1:"
"""Prefix of sealed data; data without it was written by an older version and is accepted."""
_DIGEST_BYTES = 8


def seal(data: bytes) -> bytes:
    """Prepend a digest with which `unseal` detects damage."""
    return _SEAL + _digest(data) + data


def unseal(sealed: object, *, is_sealed: bool = False) -> bytes | None:
    """Verify and remove the digest; None if the data is damaged, or unsealed although `is_sealed`."""
    if not isinstance(sealed, bytes):
        return None  # A damaged row has other types.
    if not sealed.startswith(_SEAL):
        return None if is_sealed else sealed
    start = len(_SEAL) + _DIGEST_BYTES
    return sealed[start:] if _digest(sealed[start:]) == sealed[len(_SEAL) : start] else None


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
