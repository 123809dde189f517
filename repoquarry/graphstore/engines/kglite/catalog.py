"""Catalog file with the current graph file of each repository; also loads kglite files and translates the errors of kglite.

A write creates files with new names and then replaces the catalog by a rename: readers see the previous catalog with its files, or the
next one. A reader whose catalog was replaced while it opened a file finds the file missing, and reads the catalog again.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kglite
import msgspec

from repoquarry.graphstore.errors import (
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
    StoreNewerError,
)
from repoquarry.graphstore.query.cypher import runtime_failures
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

_TOO_MANY_ITEMS = re.compile(r"materializ\w+ (\d+)[\w ]* items|safety (?:limit|ceiling)")
_TOO_LARGE_PATTERN = re.compile(r"Compiled regex exceeds size limit of (\d+) bytes")
_ENGINE_PREFIX = "Cypher execution error: "


def _evaluation_error(message: str) -> GraphStoreError:
    failure = runtime_failures.parse_failures(message)
    if failure is not None and failure.is_neo4js:
        return QueryFailedError(failure.message)
    if failure is not None or "overflow in sum" in message:
        overflow = "Neo4j continues with floats where a sum exceeds 64 bits: sum toFloat(x)"
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {failure.message if failure else overflow}",
            reason="value_not_portable",
        )
    large = _TOO_LARGE_PATTERN.search(message)
    if large is not None:
        return QueryRefusedError(
            f"A regular expression that takes more than {int(large[1]):,} bytes when it is compiled is refused on this "
            "engine. Repeat less of it: {n,m} counts every repetition, and \\p{...} is large",
            reason="regular_expression",
        )
    many = _TOO_MANY_ITEMS.search(message)  # kglite's own limit on lists made by expressions.
    if many is not None:
        count = f"{int(many[1]):,}" if many[1] else "too many"
        return QueryLimitError(
            f"the query makes lists of {count} items, more than the embedded engine holds at once: "
            "shorten range() or the list, or filter before collecting",
            limit="memory_bytes",
        )
    return QueryFailedError(f"the query cannot be evaluated: {message.removeprefix(_ENGINE_PREFIX)}")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate every error of kglite into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except kglite.CypherTimeoutError as exc:
        raise QueryLimitError("the query exceeded its time limit", limit="seconds") from exc
    except kglite.ReadOnlyError as exc:
        raise QueryRefusedError("only read-only queries are allowed", reason="writes") from exc
    except (kglite.CypherSyntaxError, kglite.SchemaError) as exc:
        # The engine's message is about the rewritten text, which the user does not know.
        raise QueryRefusedError(
            "this engine does not take the query in the form that RepoQuarry gives it, which is a bug of RepoQuarry; "
            "write the query in another way, or use Neo4j (store.engine)",
            reason="not_portable",
        ) from exc
    except kglite.CypherError as exc:
        raise _evaluation_error(str(exc)) from exc
    except kglite.KgError as exc:
        raise QueryFailedError(f"{type(exc).__name__}: {exc}") from exc
    except MemoryError as exc:
        raise QueryLimitError("the query ran out of memory", limit="memory_bytes") from exc


_UNPACKED = "kglite_portable_{pid}_*"
"""Pattern of the folders into which the engine unpacks the columns of a large graph, which it then maps."""

_guard = threading.Lock()


def load_file(path: Path) -> Any:
    """Load a private graph. The unpacked files are removed at once: the memory maps retain them, and a killed process cannot clean up.

    Raises: kglite.KgError, OSError, ValueError.
    """
    with _guard:  # Protects the folder of a concurrent load from removal.
        graph = kglite.load(str(path))
        temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - where the engine looks, too
        for folder in temporary.glob(_UNPACKED.format(pid=os.getpid())):
            shutil.rmtree(folder, ignore_errors=True)
        return graph


def remove_unpacked() -> None:
    """Remove files that the engine unpacked for processes that were killed while loading."""
    temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - where the engine looks, too
    for folder in temporary.glob(_UNPACKED.format(pid="*")):
        try:
            os.kill(int(folder.name.split("_")[2]), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, PermissionError):
            continue


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
