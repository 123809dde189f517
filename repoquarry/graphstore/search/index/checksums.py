"""Checksums of the files of an index, so that a flipped bit is found before it changes what is found.

CRC-32, because it reads three gigabytes a second where a cryptographic hash reads one, and nobody attacks a cache of his own.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Mapping
from pathlib import Path

from repoquarry.graphstore.errors import StoreCorruptError


def checksums(folder: Path) -> dict[str, int]:
    """Checksum of each file by name."""
    return {path.name: _checksum(path) for path in sorted(folder.iterdir())}


def verify(folder: Path, expected: Mapping[str, int]) -> None:
    """Raises: StoreCorruptError, which names the first file that is not as it was written; OSError when one is gone."""
    for name, checksum in expected.items():
        if _checksum(folder / name) != checksum:
            raise StoreCorruptError(f"{name} is not as it was written")


def _checksum(path: Path) -> int:
    with path.open("rb") as file:
        if not path.stat().st_size:
            return 0
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return zlib.crc32(content)
