"""The catalogue of a folder of graphs: which file holds which repository, replaced as a whole at every write.

A write first puts down files of new names and then this one, by a rename: whoever reads sees the last catalogue and the files that it
names, or the next one and its files. A reader whose catalogue was replaced while it opened a file finds the file gone, and reads
the catalogue again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.folder.disk import writing

FILE_NAME = "catalogue"
_DIGEST_BYTES = 16
_VERSION = 1

Link = tuple[str, str, str, str]
"""Start label, start id, end label, end id of a PROVIDES relationship whose end is in another repository."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One stored repository."""

    file: str
    """Name of its graph in the folder."""
    nodes: int
    """Nodes of its own: packages belong to nobody."""
    relationships: int
    """Relationships that start in it, links included."""
    linked: list[str]
    """Repositories in which its links end, sorted."""


class Catalogue(msgspec.Struct, frozen=True, array_like=True):
    """What the folder holds; `directory` is the file with the repositories and packages alone."""

    version: int = _VERSION
    sequence: int = 0
    directory: str = ""
    entries: dict[str, Entry] = {}

    @property
    def relationships(self) -> int:
        return sum(entry.relationships for entry in self.entries.values())

    def with_entry(self, repository: str, entry: Entry, directory: str) -> Catalogue:
        """The next catalogue, in which `entry` stands for the repository."""
        entries = dict(sorted({**self.entries, repository: entry}.items()))
        return Catalogue(_VERSION, self.sequence + 1, directory, entries)

    def without(self, repository: str, directory: str) -> Catalogue:
        """The next catalogue, in which the repository is not."""
        entries = {name: entry for name, entry in self.entries.items() if name != repository}
        return Catalogue(_VERSION, self.sequence + 1, directory if entries else "", entries)

    def files(self) -> set[str]:
        """Names of the files that it needs."""
        graphs = [entry.file for entry in self.entries.values()]
        return {*graphs, *map(links_of, graphs), self.directory} - {""}

    def around(self, repositories: frozenset[str], steps: int) -> frozenset[str]:
        """The stored ones of `repositories`, and those that up to `steps` links lead to, either way."""
        found = set(repositories & self.entries.keys())
        for _ in range(steps):
            near = {name for name, entry in self.entries.items() if not found.isdisjoint(entry.linked)}
            near |= {name for known in found for name in self.entries[known].linked if name in self.entries}
            if near <= found:
                break
            found |= near
        return frozenset(found)


def links_of(file: str) -> str:
    """Name of the file that holds the links of a graph file."""
    return f"{file}.links"


def read(folder: Path) -> Catalogue:
    """The catalogue of a folder; an empty one where there is none. Raises: StoreCorruptError."""
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Catalogue()
    body, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    try:
        if digest != _digest(body):
            raise StoreCorruptError(f"{path} is damaged; the next process that opens the store for writing repairs it")
        found = msgspec.msgpack.decode(body, type=Catalogue)
    except msgspec.DecodeError as exc:
        raise StoreCorruptError(f"{path} cannot be read ({exc}); move {folder} away and index again") from exc
    if found.version != _VERSION:
        raise StoreCorruptError(
            f"{path} has layout {found.version}, this version reads {_VERSION}; move {folder} away and index again"
        )
    return found


def write(folder: Path, catalogue: Catalogue) -> None:
    """Replace the catalogue. Raises: StoreFullError, StoreUnwritableError."""
    body = msgspec.msgpack.encode(catalogue)
    put(folder / FILE_NAME, body + _digest(body))


def put(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole or not at all, and stays. Raises: StoreFullError, StoreUnwritableError."""
    before = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with writing(path):
        with before.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        before.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest()
