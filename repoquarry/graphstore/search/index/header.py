"""What an index says of itself: its format, and checksums of all its files."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError

FORMAT: Final = 6
"""Changes whenever the files of an index change their meaning: older ones are built anew."""

HEADER: Final = "header.msgpack"


class IndexHeader(msgspec.Struct, frozen=True, array_like=True):
    """What an index says of itself; written last."""

    format: int
    repository: str
    places: int
    files: int
    checksums: dict[str, int]
    """Of every other file, by its name."""

    def save(self, folder: Path) -> None:
        """Write the header, with a checksum of its own behind it."""
        data = msgspec.msgpack.encode(self)
        (folder / HEADER).write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))

    @classmethod
    def load(cls, folder: Path) -> IndexHeader:
        """Raises: OSError, StoreCorruptError; ValueError when the index is of another format."""
        content = (folder / HEADER).read_bytes()
        data, checksum = content[:-4], content[-4:]
        if zlib.crc32(data).to_bytes(4, "little") != checksum:
            if content[1:2] == bytes([FORMAT]):
                raise StoreCorruptError(f"{HEADER} is not as it was written")
            raise ValueError("an index of an earlier format")
        header = msgspec.msgpack.decode(data, type=IndexHeader)
        if header.format != FORMAT:
            raise ValueError(f"index format {header.format}, expected {FORMAT}")
        return header
