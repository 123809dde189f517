"""Catalog file of a folder of graph files, with the current file of each repository.

A write creates files with new names and then replaces the catalog by a rename: readers see the previous catalog with its files, or the
next one. A reader whose catalog was replaced while it opened a file finds the file missing, and reads the catalog again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError, StoreNewerError
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

FILE_NAME = "catalogue"
_DIGEST_BYTES = 16
_VERSION = 1

Link = tuple[str, str, str, str]
"""Start label, start id, end label, end id of a PROVIDES relationship whose end is in another repository."""


class CatalogueEntry(msgspec.Struct, frozen=True, array_like=True):
    file: str
    """Name of its graph file in the folder."""
    nodes: int
    """Number of its own nodes, without the shared packages."""
    relationships: int
    """Number of relationships that start in it, including links."""
    linked: list[str]
    """Repositories in which its links end, sorted."""


class Catalogue(msgspec.Struct, frozen=True, array_like=True):
    """Content of the folder; `directory` is the file with the repositories and packages only."""

    version: int = _VERSION
    sequence: int = 0
    directory: str = ""
    entries: dict[str, CatalogueEntry] = {}

    @property
    def relationships(self) -> int:
        return sum(entry.relationships for entry in self.entries.values())

    def with_entry(self, repository: str, entry: CatalogueEntry, directory: str) -> Catalogue:
        """Return the next catalog, with `entry` for the repository."""
        entries = dict(sorted({**self.entries, repository: entry}.items()))
        return Catalogue(_VERSION, self.sequence + 1, directory, entries)

    def without(self, repository: str, directory: str) -> Catalogue:
        """Return the next catalog without the repository."""
        entries = {name: entry for name, entry in self.entries.items() if name != repository}
        return Catalogue(_VERSION, self.sequence + 1, directory if entries else "", entries)

    def files(self) -> set[str]:
        graphs = [entry.file for entry in self.entries.values()]
        return {*graphs, *map(links_of, graphs), self.directory} - {""}

    def around(self, repositories: frozenset[str], steps: int) -> frozenset[str]:
        """Return the stored ones of `repositories`, and those within up to `steps` links in either direction."""
        found = set(repositories & self.entries.keys())
        for _ in range(steps):
            near = {name for name, entry in self.entries.items() if not found.isdisjoint(entry.linked)}
            near |= {name for known in found for name in self.entries[known].linked if name in self.entries}
            if near <= found:
                break
            found |= near
        return frozenset(found)


def links_of(file: str) -> str:
    """Return the name of the file with the links of a graph file."""
    return f"{file}.links"


def read(folder: Path) -> Catalogue:
    """Read the catalog of a folder; an empty one if it is missing. Raises: StoreCorruptError, StoreNewerError."""
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Catalogue()
    body, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    try:
        if digest != _digest(body):
            raise ValueError("its digest differs")
        found = msgspec.msgpack.decode(body, type=Catalogue)
    except (msgspec.MsgspecError, ValueError) as exc:
        raise StoreCorruptError(
            f"{path} is damaged ({exc}); the next process that opens the store for writing repairs it"
        ) from exc
    if found.version != _VERSION:
        raise StoreNewerError(
            f"{path} has layout {found.version}, this version reads {_VERSION}; use the version that wrote it, or another store"
        )
    return found


def write(folder: Path, catalogue: Catalogue) -> None:
    """Replace the catalog. Raises: StoreFullError, StoreUnwritableError."""
    body = msgspec.msgpack.encode(catalogue)
    replace_file(folder / FILE_NAME, body + _digest(body))


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically and durably. Raises: StoreFullError, StoreUnwritableError."""
    before = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with translate_write_errors(path):
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
