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
from typing import Any, Final
from urllib.parse import quote

import duckdb

from repoquarry.graphstore.engines import graph_catalog as catalogs
from repoquarry.graphstore.engines.duckdb.change_writer import ChangeWriter
from repoquarry.graphstore.engines.duckdb.graph_tables import (
    LINKS,
    SHARED,
    GraphLoader,
    create_tables,
    write_links,
)
from repoquarry.graphstore.engines.embedded_engine import CatalogFolder, change_links, changed_entry
from repoquarry.graphstore.engines.graph_catalog import Catalogue, CatalogueEntry, Link
from repoquarry.graphstore.engines.repository_links import linked_repositories, split_changes, split_links
from repoquarry.graphstore.errors import EngineUnavailableError, StoreCorruptError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import GraphChanges, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.storage.sqlite_database import disk_full_error, has_free_space, translate_write_errors

FOLDER: Final = "tables"
SUFFIX: Final = ".duckdb"
_NAME_LENGTH: Final = 100
_NUMBER: Final = re.compile(r"-(\d+)-[0-9a-f]{16}\.duckdb")

CONFIG: Final[dict[str, str | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",
    "default_block_size": 16384,
    "threads": 2,
}
"""Settings of every connection: nothing is loaded from outside, and nothing is written next to the database."""


class DatabaseFolder(CatalogFolder):
    """Files of a store."""

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> None:
        own, links = split_links(graph)
        number = _number(graph.repository, before)
        with self._writing(graph.repository, number) as (connection, file):
            create_tables(connection)
            GraphLoader(connection).load(own, number, count)
            count(len(links))
            write_links(connection, links)
        self.commit(before, before.with_entry(graph.repository, self._entry(graph.repository, file), ""))

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> None:
        old = changed_entry(changes, before)
        own, removed, added = split_changes(changes)
        links = change_links(set(self.links(old.file)), removed, added, before)
        number = _number(changes.repository, before)
        with self._writing(changes.repository, number, old.file) as (connection, file):
            ChangeWriter(connection, number).apply(own)
            if removed or added:
                write_links(connection, links)
            if progress is not None:  # Before the commit, because it may cancel.
                progress(len(changes), len(changes))
        self.commit(before, before.with_entry(changes.repository, self._entry(changes.repository, file), ""))

    def relist(self, repository: str, old: CatalogueEntry, links: list[Link]) -> CatalogueEntry:
        with self._writing(repository, number_of(old.file), old.file) as (connection, file):
            write_links(connection, links)
        return self._entry(repository, file)

    def delete(self, repository: str, before: Catalogue) -> None:
        self.commit(before, before.without(repository, ""))

    def links(self, file: str) -> list[Link]:
        with self._reading(file) as connection:
            return [tuple(row) for row in connection.execute(f"SELECT * FROM {LINKS}").fetchall()]

    def clean(self) -> None:
        if not self.path.is_dir():
            return
        self.remove_leftovers()
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._rebuilt()
        present = {name: entry for name, entry in known.entries.items() if (self.path / entry.file).exists()}
        if len(present) < len(known.entries):
            known = Catalogue(sequence=known.sequence + 1, entries=present)
            catalogs.write(self.path, known)
        needed = {entry.file for entry in known.entries.values()} | {catalogs.FILE_NAME}
        for file, name in self.unmarked_files():
            if name not in needed:
                file.unlink(missing_ok=True)

    def _rebuilt(self) -> Catalogue:
        found = Catalogue()
        for path in sorted(self.path.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns):
            with suppress(StoreCorruptError), self._reading(path.name) as connection:
                for (name,) in connection.execute('SELECT id FROM "n_Repository"').fetchall():
                    found = found.with_entry(name, self._entry(name, path.name), "")
        catalogs.write(self.path, found)
        return found

    @contextmanager
    def _reading(self, file: str) -> Iterator[Any]:
        path = self.path / file
        if not path.exists():
            raise FileNotFoundError(path)
        try:
            with duckdb.connect(str(path), read_only=True, config=dict(CONFIG)) as connection:
                yield connection
        except duckdb.Error as exc:
            raise self.mark_damaged(file, exc) from exc

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


def number_of(file: str) -> int:
    """Return the number of the repository of a file, which is part of its ids."""
    found = _NUMBER.search(file)
    return int(found[1]) if found else 0


def _number(repository: str, catalogue: Catalogue) -> int:
    """Return the number of a stored repository, or a free one."""
    numbers = {name: number_of(entry.file) for name, entry in catalogue.entries.items()}
    return numbers.get(repository) or next(n for n in range(1, len(numbers) + 2) if n not in set(numbers.values()))
