"""What the file system said of each file when it was last read: a file of which it says the same still is not read again.

Size, both times and inode must be equal, and the times older than the reading by more than what a file system rounds: a file that is
written twice within one tick is read again. The status change time cannot be set back by a program, as the modification time can.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.ingest.files.cache import indexer_version
from repoquarry.ingest.files.selection import SelectedFile
from repoquarry.ingest.settings import IngestSettings

_NAME = "stamps"
_ROUNDED_NS = 2_000_000_000
"""Widest step of a modification time on a file system in use (FAT)."""


class Stamp(msgspec.Struct, array_like=True, frozen=True):
    """One file as it was read."""

    state: tuple[int, int, int, int]
    """Size, modification and status change time (ns), inode."""
    digest: bytes
    """SHA-256."""
    refused: str
    """Why its content is not indexed; empty when it is."""
    blob: str
    """The hash that git's tree has for this path, where the content was found to be that; else empty."""
    generated: bool
    """Whether it says that a program wrote it."""


class _Kept(msgspec.Struct, array_like=True):
    rules: str
    taken_ns: int
    files: dict[str, Stamp]


@dataclass(frozen=True)
class Stamps:
    """Stamps of one reading, begun at `taken_ns`."""

    taken_ns: int
    files: Mapping[str, Stamp]

    def of(self, file: SelectedFile) -> Stamp | None:
        """The stamp of a file that is as it was; None when it has to be read."""
        found = self.files.get(file.path)
        if found is None or found.state != file.state or max(file.state[1:3]) + _ROUNDED_NS > self.taken_ns:
            return None
        return found

    def save(self, sources: SourceStore, snapshot: int, settings: IngestSettings) -> None:
        """Keep them beside the texts of a snapshot."""
        kept = _Kept(_rules(settings), self.taken_ns, dict(self.files))
        sources.put_artifact(snapshot, _NAME, compress(msgspec.msgpack.encode(kept)))


def stored_stamps(sources: SourceStore, repository: str, settings: IngestSettings) -> Stamps:
    """Those of the published snapshot; none when what decides about files has changed since."""
    data = sources.artifact(repository, _NAME) if sources.current(repository) is not None else None
    if data is not None:
        kept = msgspec.msgpack.decode(decompress(data), type=_Kept)
        if kept.rules == _rules(settings):
            return Stamps(kept.taken_ns, kept.files)
    return Stamps(0, {})


def now_ns() -> int:
    """The clock that file systems stamp by."""
    return time.time_ns()


def _rules(settings: IngestSettings) -> str:
    """What besides its content decides whether a file is indexed."""
    limits = (settings.index_generated, settings.max_file_bytes, settings.max_document_bytes)
    return repr((indexer_version(), limits))
