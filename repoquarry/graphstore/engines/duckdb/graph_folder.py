"""Folder of database files, one for each repository and revision, which are never changed once the catalog names them.

A change copies the file, applies the rows in one transaction and renames the copy. The writer holds the store's writer lock.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import duckdb

from repoquarry.graphstore.engines import graph_catalog as catalogs
from repoquarry.graphstore.engines.change_plan import require_endpoints
from repoquarry.graphstore.engines.duckdb.change_writer import ChangeWriter
from repoquarry.graphstore.engines.duckdb.graph_tables import (
    LINKS,
    SHARED,
    GraphLoader,
    create_tables,
    write_links,
)
from repoquarry.graphstore.engines.graph_catalog import Catalogue, CatalogueEntry, Link
from repoquarry.graphstore.engines.repository_links import linked_repositories, split_changes, split_links
from repoquarry.graphstore.errors import ChangesRefusedError, EngineUnavailableError, StoreCorruptError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import GraphChanges, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.storage.sqlite_database import disk_full_error, has_free_space, translate_write_errors

FOLDER: Final = "tables"
SUFFIX: Final = ".duckdb"
_NAME_LENGTH: Final = 100
_NUMBER: Final = re.compile(r"-(\d+)-[0-9a-f]{16}\.duckdb")
_MARK: Final = ".damaged"
"""Suffix of the marker of a file that a reader could not read."""

CONFIG: Final[dict[str, str | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",
    "default_block_size": 16384,
    "threads": 2,
}
"""Settings of every connection: nothing is loaded from outside, and nothing is written next to the database."""


class DatabaseFolder:
    """Files of a store. Reading is safe at any time; writing is for the holder of the writer lock."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def catalogue(self) -> Catalogue:
        """Read the catalog. Raises: StoreCorruptError."""
        return catalogs.read(self.path)

    def stamp(self) -> tuple[int, int, int] | None:
        """Return an identifier of the folder's state; None if nothing was ever written."""
        try:
            found = os.stat(self.path / catalogs.FILE_NAME)
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> None:
        """Replace a repository's graph. Raises: StoreFullError, EngineUnavailableError; then the state is unchanged."""
        own, links = split_links(graph)
        number = _number(graph.repository, before)
        with self._writing(graph.repository, number) as (connection, file):
            create_tables(connection)
            GraphLoader(connection).load(own, number, count)
            count(len(links))
            write_links(connection, links)
        self._commit(before, before.with_entry(graph.repository, self._entry(graph.repository, file), ""))

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> None:
        """Apply changes to a stored repository. Raises: ChangesRefusedError; as `put`. Then the state is unchanged."""
        old = before.entries.get(changes.repository)
        if old is None:
            raise ChangesRefusedError(f"{changes.repository} is not stored, but the changes start from {changes.base}")
        own, removed, added = split_changes(changes)
        links = set(self.links(old.file))
        if not links >= removed:
            raise ChangesRefusedError(f"{len(removed - links)} links are not stored, {min(removed - links)}")
        refuse_unknown(added, before)
        number = _number(changes.repository, before)
        with self._writing(changes.repository, number, old.file) as (connection, file):
            ChangeWriter(connection, number).apply(own)
            if removed or added:
                write_links(connection, sorted((links - removed) | added))
            if progress is not None:  # Before the commit, because it may cancel.
                progress(len(changes), len(changes))
        self._commit(before, before.with_entry(changes.repository, self._entry(changes.repository, file), ""))

    def exchange(self, removed: set[Link], added: set[Link], before: Catalogue) -> None:
        """Remove existing links, and add missing ones to the list of the repository in which they start."""
        ends = {node.partition(":")[0] for _, start, _, end in removed | added for node in (start, end)}
        stored = {name: set(self.links(before.entries[name].file)) for name in sorted(ends & before.entries.keys())}
        missing = added.difference(*stored.values())
        after = before
        for name, links in stored.items():
            now = (links - removed) | {link for link in missing if link[1].partition(":")[0] == name}
            if now != links:
                with self._writing(name, _number(name, before), before.entries[name].file) as (connection, file):
                    write_links(connection, sorted(now))
                after = after.with_entry(name, self._entry(name, file), "")
        if after is not before:
            self._commit(before, after)

    def delete(self, repository: str, before: Catalogue) -> None:
        self._commit(before, before.without(repository, ""))

    def links(self, file: str) -> list[Link]:
        """Return the links of a file. Raises: FileNotFoundError, StoreCorruptError."""
        with self._reading(file) as connection:
            return [tuple(row) for row in connection.execute(f"SELECT * FROM {LINKS}").fetchall()]

    def clean(self) -> None:
        """Remove files of killed writers, and rebuild a damaged catalog from the newest file of each repository."""
        if not self.path.is_dir():
            return
        for leftover in self.path.glob("*.tmp*"):
            leftover.unlink(missing_ok=True)
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._rebuilt()
        present = {name: entry for name, entry in known.entries.items() if (self.path / entry.file).exists()}
        if len(present) < len(known.entries):
            known = Catalogue(sequence=known.sequence + 1, entries=present)
            catalogs.write(self.path, known)
        needed = {entry.file for entry in known.entries.values()} | {catalogs.FILE_NAME}
        for file in self.path.iterdir():
            if file.name.removesuffix(_MARK) not in needed:
                file.unlink(missing_ok=True)

    def _rebuilt(self) -> Catalogue:
        found = Catalogue()
        for path in sorted(self.path.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns):
            with suppress(StoreCorruptError), self._reading(path.name) as connection:
                for (name,) in connection.execute('SELECT id FROM "n_Repository"').fetchall():
                    found = found.with_entry(name, self._entry(name, path.name), "")
        catalogs.write(self.path, found)
        return found

    def is_damaged(self, repository: str) -> bool:
        entry = self.catalogue().entries.get(repository)
        return entry is not None and (self.path / (entry.file + _MARK)).exists()

    def damaged(self, file: str, problem: Exception) -> StoreCorruptError:
        """Mark an unreadable file for the next writer if possible, and return the error."""
        with suppress(OSError):
            (self.path / (file + _MARK)).touch()
        return StoreCorruptError(f"{self.path / file} cannot be read ({problem}); re-index the repository")

    @contextmanager
    def _reading(self, file: str) -> Iterator[Any]:
        path = self.path / file
        if not path.exists():
            raise FileNotFoundError(path)
        try:
            with duckdb.connect(str(path), read_only=True, config=dict(CONFIG)) as connection:
                yield connection
        except duckdb.Error as exc:
            raise self.damaged(file, exc) from exc

    @contextmanager
    def _writing(self, repository: str, number: int, base: str = "") -> Iterator[tuple[Any, str]]:
        """Write a new database, from a copy of `base` if given; yield it in a transaction, with its final name."""
        name = f"{quote(repository, safe='')[:_NAME_LENGTH]}-{number}-{secrets.token_hex(8)}{SUFFIX}"
        path = self.path / f"{name}.tmp"
        try:
            with translate_write_errors(path):
                if base:
                    shutil.copyfile(self.path / base, path)
                with duckdb.connect(str(path), config=dict(CONFIG)) as connection:
                    connection.begin()
                    yield connection, name
                    connection.commit()
                    connection.execute("CHECKPOINT")
                with path.open("rb") as file:
                    os.fsync(file.fileno())
                path.replace(self.path / name)
        except duckdb.Error as exc:
            if not has_free_space(self.path):
                raise disk_full_error(path) from exc
            raise EngineUnavailableError(
                f"{path} could not be written ({exc}); the previous state is unchanged"
            ) from exc
        finally:
            for leftover in self.path.glob(f"{name}.tmp*"):
                leftover.unlink(missing_ok=True)

    def _entry(self, repository: str, file: str) -> CatalogueEntry:
        with self._reading(file) as connection:

            def count(tables: Sequence[str]) -> int:
                parts = " UNION ALL ".join(f'SELECT count(*) AS n FROM "{table}"' for table in tables)
                return int(connection.execute(f"SELECT sum(n) FROM ({parts})").fetchall()[0][0])

            nodes = count([f"n_{label}" for label in NODE_LABELS if label != SHARED])
            relationships = count([*(f"r_{name}" for name in RELATIONSHIP_TYPES), LINKS])
        return CatalogueEntry(file, nodes, relationships, linked_repositories(repository, self.links(file)))

    def _commit(self, before: Catalogue, after: Catalogue) -> None:
        catalogs.write(self.path, after)
        kept = {entry.file for entry in after.entries.values()}
        for file in {entry.file for entry in before.entries.values()} - kept:
            (self.path / file).unlink(missing_ok=True)
            (self.path / (file + _MARK)).unlink(missing_ok=True)


def number_of(file: str) -> int:
    """Return the number of the repository of a file, which is part of its ids."""
    found = _NUMBER.search(file)
    return int(found[1]) if found else 0


def _number(repository: str, catalogue: Catalogue) -> int:
    """Return the number of a stored repository, or a free one."""
    numbers = {name: number_of(entry.file) for name, entry in catalogue.entries.items()}
    return numbers.get(repository) or next(n for n in range(1, len(numbers) + 2) if n not in set(numbers.values()))


def refuse_unknown(links: set[Link], catalogue: Catalogue) -> None:
    """Require that the ends of links are in stored repositories, which are trusted. Raises: InvalidGraphError."""
    for place in (0, 2):
        ends: dict[str, list[str]] = {}
        for link in links:
            if link[place + 1].partition(":")[0] not in catalogue.entries:
                ends.setdefault(link[place], []).append(link[place + 1])
        require_endpoints({label: sorted(ids) for label, ids in ends.items()}, {})
