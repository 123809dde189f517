"""Compression and sealing of texts and derived data; light, for processes without a store."""

from __future__ import annotations

import hashlib
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


_SEAL = b"RQ1:"
"""Begins sealed data; data without it is from before data was sealed, and is taken as it is."""
_DIGEST_BYTES = 8


def seal(data: bytes) -> bytes:
    """Prepend a digest, by which `unseal` finds damage."""
    return _SEAL + _digest(data) + data


def unseal(sealed: object, *, is_sealed: bool = False) -> bytes | None:
    """The inverse of `seal`; None where the data is damaged, or is not sealed although `is_sealed`."""
    if not isinstance(sealed, bytes):
        return None  # A damaged row has other types.
    if not sealed.startswith(_SEAL):
        return None if is_sealed else sealed
    start = len(_SEAL) + _DIGEST_BYTES
    return sealed[start:] if _digest(sealed[start:]) == sealed[len(_SEAL) : start] else None


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
