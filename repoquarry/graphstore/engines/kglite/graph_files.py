"""Reader and writer of graph files: graph and links of one repository, and the merged graph of all; loads files in the background."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote

import kglite
import msgspec

from repoquarry.graphstore.engines import graph_catalog as catalogues
from repoquarry.graphstore.engines.embedded_engine import MarkedFiles
from repoquarry.graphstore.engines.graph_catalog import CatalogueEntry, Link, links_of
from repoquarry.graphstore.engines.kglite.change_writer import size
from repoquarry.graphstore.engines.kglite.library import load_file
from repoquarry.graphstore.engines.repository_links import linked_repositories
from repoquarry.graphstore.errors import EngineUnavailableError, StoreCorruptError
from repoquarry.graphstore.storage.compression import seal, unseal
from repoquarry.graphstore.storage.sqlite_database import disk_full_error, has_free_space, translate_write_errors

SUFFIX: Final = ".kgl"
_NAME_LENGTH: Final = 100


class GraphFiles(MarkedFiles):
    """Graphs and their links, by the names of their files in one folder."""

    def load(self, file: str) -> Any:
        """Load a private graph from a file of the catalog. Raises: FileNotFoundError, StoreCorruptError."""
        path = self.path / file
        try:
            return load_file(path)
        except (kglite.KgError, OSError, ValueError) as exc:
            if isinstance(exc, FileNotFoundError) or not path.exists():
                raise FileNotFoundError(path) from exc
            raise self.mark_damaged(file, exc) from exc

    def links(self, file: str) -> list[Link]:
        """Return the links of a graph file to other repositories. Raises: FileNotFoundError, StoreCorruptError."""
        found = unseal((self.path / links_of(file)).read_bytes())
        try:
            if found is None:
                raise ValueError("its digest differs")
            return msgspec.msgpack.decode(found, type=list[Link])
        except (msgspec.MsgspecError, ValueError) as exc:
            raise self.mark_damaged(file, exc) from exc

    def save_links(self, file: str, links: Sequence[Link]) -> None:
        """Write the links of a graph file. Raises: StoreFullError, StoreUnwritableError."""
        catalogues.replace_file(self.path / links_of(file), seal(msgspec.msgpack.encode(links)))

    def save(self, graph: Any, file: str) -> None:
        """Save a graph under a new name. Raises: StoreFullError, EngineUnavailableError."""
        path = self.path / file
        try:
            graph.save(str(path), layout="compact")
        except (kglite.KgError, OSError) as exc:
            if not has_free_space(self.path):
                raise disk_full_error(path) from exc
            raise EngineUnavailableError(
                f"{path} could not be written ({exc}); the previous state is unchanged"
            ) from exc

    def put(self, repository: str, graph: Any, links: list[Link]) -> CatalogueEntry:
        """Save a repository's graph and links under a new name."""
        file = _file_of(repository)
        self.save(graph, file)
        self.save_links(file, links)
        return entry_of(repository, file, graph, links)

    def relist(self, repository: str, old: CatalogueEntry, links: list[Link]) -> CatalogueEntry:
        """Publish the same graph with other links under a new name, by which readers notice the change."""
        file, known = _file_of(repository), len(self.links(old.file))
        with translate_write_errors(self.path):
            try:
                os.link(self.path / old.file, self.path / file)
            except OSError:  # A file system without hard links.
                shutil.copyfile(self.path / old.file, self.path / file)
        self.save_links(file, links)
        return CatalogueEntry(
            file, old.nodes, old.relationships - known + len(links), linked_repositories(repository, links)
        )


def _file_of(repository: str) -> str:
    return f"{quote(repository, safe='')[:_NAME_LENGTH]}-{secrets.token_hex(8)}{SUFFIX}"


def entry_of(repository: str, file: str, graph: Any, links: Sequence[Link]) -> CatalogueEntry:
    packages = graph.cypher("MATCH (p:Package) RETURN count(p) AS n").column("n")[0]
    nodes, relationships = size(graph)
    return CatalogueEntry(file, nodes - packages, relationships + len(links), linked_repositories(repository, links))


JOINED: Final = "joined-"
"""Prefix of the names of merged graphs."""


def save_merged_graph(files: GraphFiles, graph: Any, parts: Mapping[str, str]) -> None:
    """Cache the merged graph of all repositories; `parts` are its files by repository."""
    name = f"{JOINED}{secrets.token_hex(8)}"
    graph.save(str(files.path / f"{name}{SUFFIX}"), layout="compact", fsync=False)
    catalogues.replace_file(files.path / f"{name}.parts", msgspec.msgpack.encode(dict(parts)))
    for file in files.path.glob(f"{JOINED}*"):
        if file.name.partition(".")[0] != name and ".tmp" not in file.name:
            file.unlink(missing_ok=True)


def load_merged_graph(files: GraphFiles) -> tuple[Any, dict[str, str]] | None:
    """Return the last cached merged graph and its files; None if there is no readable one."""
    for parts in sorted(files.path.glob(f"{JOINED}*.parts"), key=lambda path: path.name):
        try:
            held = msgspec.msgpack.decode(parts.read_bytes(), type=dict[str, str])
            return files.load(f"{parts.stem}{SUFFIX}"), held
        except (FileNotFoundError, StoreCorruptError, msgspec.DecodeError):
            continue
    return None


class GraphPrefetcher:
    """Graphs that are being loaded, each for the first caller that takes it; `load` loads one by the name of its file."""

    def __init__(self, load: Callable[[str], Any]) -> None:
        self._load = load
        self._begun: dict[str, Future[Any]] = {}

    @contextmanager
    def reading(self, file: str) -> Iterator[None]:
        """Start loading a file; a graph that is not taken inside the context is dropped."""
        with ThreadPoolExecutor(1, thread_name_prefix="graph-ahead") as executor:
            self._begun[file] = executor.submit(self._load, file)
            try:
                yield
            finally:
                self._begun.pop(file, None)

    def take(self, file: str) -> Any:
        """Return the private graph of a file, loaded now if it was not prefetched. Raises: as `load`."""
        begun = self._begun.pop(file, None)
        return begun.result() if begun is not None else self._load(file)
