"""A folder of graphs: one file for each repository, one with the repositories and packages alone, and the catalogue of both.

Writing a repository touches its own file and the small ones, whatever else is stored. Whoever writes holds the store's writer lock.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import kglite
import msgspec

from repoquarry.graphstore.engine import Progress
from repoquarry.graphstore.engines.checks import refuse_missing
from repoquarry.graphstore.engines.kglite import catalogue as catalogues
from repoquarry.graphstore.engines.kglite.ahead import ReadAhead
from repoquarry.graphstore.engines.kglite.catalogue import Catalogue, Entry, Link, links_of
from repoquarry.graphstore.engines.kglite.changing import apply
from repoquarry.graphstore.engines.kglite.loading import drop_unused_packages, load, size
from repoquarry.graphstore.engines.kglite.parts import LISTED, apart, changes_apart, linked, listed, listed_changes
from repoquarry.graphstore.engines.kglite.unpacked import load_file
from repoquarry.graphstore.errors import (
    ChangesRefusedError,
    EngineUnavailableError,
    StoreCorruptError,
)
from repoquarry.graphstore.folder.disk import full, has_room, writing
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import RepositoryGraph

FOLDER = "graphs"
_NAME_LENGTH = 100
_SUFFIX = ".kgl"
_MARK = ".damaged"
"""Behind the name of a file that a reader could not read."""

_log = logging.getLogger(__name__)

Stamp = tuple[int, int, int]


class GraphFolder:
    """The files of a store's graphs. Reading them is safe at any time; writing is for the holder of the writer lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ahead = ReadAhead(self.load)

    def stamp(self) -> Stamp | None:
        """What identifies the state of the folder; None when nothing was ever written."""
        try:
            found = os.stat(self.path / catalogues.FILE_NAME)
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def catalogue(self) -> Catalogue:
        """Raises: StoreCorruptError."""
        return catalogues.read(self.path)

    def load(self, file: str) -> Any:
        """A graph of its own from a file of the catalogue. Raises: FileNotFoundError, StoreCorruptError."""
        path = self.path / file
        try:
            return load_file(path)
        except (kglite.KgError, OSError, ValueError) as exc:
            if isinstance(exc, FileNotFoundError) or not path.exists():
                raise FileNotFoundError(path) from exc
            raise self._damaged(file, exc) from exc

    def links(self, file: str) -> list[Link]:
        """Links of a graph file to other repositories. Raises: FileNotFoundError, StoreCorruptError."""
        path = self.path / links_of(file)
        try:
            return msgspec.msgpack.decode(path.read_bytes(), type=list[Link])
        except msgspec.DecodeError as exc:
            raise self._damaged(file, exc) from exc

    def put(self, graph: RepositoryGraph, before: Catalogue, count: Callable[[int], None]) -> Catalogue:
        """Store a repository's graph in place of the one before; `count` is told how many rows were loaded.

        Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError. Then what was stored is as it was.
        """
        own, links = apart(graph)
        loaded = kglite.KnowledgeGraph()
        for rows in load(loaded, own):
            count(rows)
        count(len(links))
        entry = self._entry(graph.repository, loaded, links)
        directory = self._directory(before, graph.repository, listed(graph))
        return self._commit(before, before.with_entry(graph.repository, entry, directory))

    def reading_ahead(self, repository: str) -> AbstractContextManager[None]:
        """Inside, the graph of a repository is being loaded for `change`. Raises: StoreCorruptError."""
        entry = self.catalogue().entries.get(repository)
        return self._ahead.reading(entry.file) if entry is not None else nullcontext()

    def change(self, changes: GraphChanges, before: Catalogue, progress: Progress | None) -> tuple[int, int, int, int]:
        """Apply changes to a stored repository; what was written and deleted, as `changing.apply`.

        Raises: ChangesRefusedError, InvalidGraphError; as `put`. Then what was stored is as it was.
        """
        old = before.entries.get(changes.repository)
        if old is None:
            raise ChangesRefusedError(f"{changes.repository} is not stored, and the changes start from {changes.base}")
        own, removed, added = changes_apart(changes)
        graph, links = self._ahead.take(old.file), set(self.links(old.file))
        counts = apply(graph, own, progress)
        if not links >= removed:
            raise ChangesRefusedError(f"{len(removed - links)} links are not stored, {min(removed - links)}")
        links = (links - removed) | added
        ends: dict[str, set[str]] = {}
        for start_label, start, end_label, end in added:
            ends.setdefault(start_label, set()).add(start)
            ends.setdefault(end_label, set()).add(end)
        refuse_unknown(ends, before)
        entry = self._entry(changes.repository, graph, sorted(links))
        directory = self.load(before.directory)
        apply(directory, listed_changes(own))
        self._commit(before, before.with_entry(changes.repository, entry, self._put_directory(before, directory)))
        written, joined, gone, unjoined = counts
        return written, joined + len(added), gone, unjoined + len(removed)

    def adopt(self, other: GraphFolder, repository: str, links: list[Link], before: Catalogue) -> Catalogue:
        """Take a repository's graph, which stands alone, from another folder of the same file system; it is moved.

        Raises: KeyError when the other folder has none; StoreFullError, StoreUnwritableError. Then what was stored is as it was.
        """
        given = other.catalogue()
        old = given.entries[repository]
        directory = self._directory_without(before, repository)
        directory.extend(other.load(given.directory))
        drop_unused_packages(directory)
        catalogues.put(self.path / links_of(old.file), msgspec.msgpack.encode(links))
        with writing(self.path):
            (other.path / old.file).replace(self.path / old.file)
        entry = Entry(old.file, old.nodes, old.relationships + len(links), linked(repository, links))
        return self._commit(before, before.with_entry(repository, entry, self._put_directory(before, directory)))

    def exchange(self, removed: set[Link], added: set[Link], before: Catalogue) -> Catalogue:
        """Remove links from the lists that have them, and add those that no list has to that of the repository that they start in.

        Raises: StoreCorruptError, StoreFullError, StoreUnwritableError. Then what was stored is as it was.
        """
        ends = {node.partition(":")[0] for _, start, _, end in removed | added for node in (start, end)}
        stored = {name: set(self.links(before.entries[name].file)) for name in sorted(ends & before.entries.keys())}
        missing = added.difference(*stored.values())
        after = before
        for name, links in stored.items():
            now = (links - removed) | {link for link in missing if link[1].partition(":")[0] == name}
            if now != links:
                after = after.with_entry(
                    name, self._relisted(name, before.entries[name], sorted(now)), before.directory
                )
        return self._commit(before, after) if after is not before else before

    def delete(self, repository: str, before: Catalogue) -> Catalogue:
        """Remove a repository. Raises: as `put`."""
        directory = self._directory(before, repository, None) if len(before.entries) > 1 else ""
        return self._commit(before, before.without(repository, directory))

    def clean(self) -> None:
        """Remove what a killed writer left; make a damaged catalogue or list of repositories anew from the graphs that are there."""
        if not self.path.is_dir():
            return
        for leftover in self.path.glob("*.tmp*"):
            leftover.unlink(missing_ok=True)
        try:
            known = self.catalogue()
        except StoreCorruptError:
            known = self._rebuilt()
        known = self._with_sound_directory(known)
        needed = known.files() | {catalogues.FILE_NAME}
        for file in self.path.iterdir():
            if file.name.removesuffix(_MARK) not in needed and not file.name.startswith(JOINED):
                file.unlink(missing_ok=True)

    def save_joined(self, graph: Any, parts: Mapping[str, str]) -> None:
        """Keep the graph of all repositories, which is a cache; `parts` are the files in it, by repository."""
        name = f"{JOINED}{secrets.token_hex(8)}"
        graph.save(str(self.path / f"{name}{_SUFFIX}"), layout="compact", fsync=False)
        catalogues.put(self.path / f"{name}.parts", msgspec.msgpack.encode(dict(parts)))
        for file in self.path.glob(f"{JOINED}*"):
            if file.name.partition(".")[0] != name and ".tmp" not in file.name:
                file.unlink(missing_ok=True)

    def joined(self) -> tuple[Any, dict[str, str]] | None:
        """The graph that was kept last, and the files in it; None when there is none that can be read."""
        for parts in sorted(self.path.glob(f"{JOINED}*.parts"), key=lambda path: path.name):
            try:
                files = msgspec.msgpack.decode(parts.read_bytes(), type=dict[str, str])
                return self.load(f"{parts.stem}{_SUFFIX}"), files
            except (FileNotFoundError, StoreCorruptError, msgspec.DecodeError):
                continue
        return None

    def _commit(self, before: Catalogue, after: Catalogue) -> Catalogue:
        catalogues.write(self.path, after)
        for file in before.files() - after.files():
            (self.path / file).unlink(missing_ok=True)
            (self.path / (file + _MARK)).unlink(missing_ok=True)
        return after

    def _entry(self, repository: str, graph: Any, links: list[Link]) -> Entry:
        """Save a repository's graph and links under a new name."""
        file = _file_of(repository)
        self._save(graph, file)
        catalogues.put(self.path / links_of(file), msgspec.msgpack.encode(links))
        return _entry_of(repository, file, graph, links)

    def _relisted(self, repository: str, old: Entry, links: list[Link]) -> Entry:
        """The same graph under a new name, which is how readers learn of it, with other links."""
        file, known = _file_of(repository), len(self.links(old.file))
        with writing(self.path):
            try:
                os.link(self.path / old.file, self.path / file)
            except OSError:  # a file system without links
                shutil.copyfile(self.path / old.file, self.path / file)
        catalogues.put(self.path / links_of(file), msgspec.msgpack.encode(links))
        return Entry(file, old.nodes, old.relationships - known + len(links), linked(repository, links))

    def _directory(self, before: Catalogue, repository: str, listed: RepositoryGraph | None) -> str:
        """Name of a new file with the repositories and packages, in which `listed` stands for the repository."""
        graph = self._directory_without(before, repository)
        for _ in load(graph, listed) if listed is not None else ():
            pass
        drop_unused_packages(graph)
        return self._put_directory(before, graph)

    def _directory_without(self, before: Catalogue, repository: str) -> Any:
        """A graph of its own of the repositories and packages, in which the repository is not."""
        graph = self.load(before.directory) if before.directory else kglite.KnowledgeGraph()
        if repository in before.entries:
            graph.cypher("MATCH (r:Repository {id: $id}) DETACH DELETE r", params={"id": repository})
        return graph

    def _put_directory(self, before: Catalogue, graph: Any) -> str:
        file = f"{DIRECTORY}{before.sequence + 1}{_SUFFIX}"
        self._save(graph, file)
        return file

    def _save(self, graph: Any, file: str) -> None:
        path = self.path / file
        try:
            graph.save(str(path), layout="compact")
        except (kglite.KgError, OSError) as exc:
            if not has_room(self.path):
                raise full(path) from exc
            raise EngineUnavailableError(f"{path} could not be written ({exc}); the state before is kept") from exc

    def _rebuilt(self) -> Catalogue:
        """A catalogue of the graphs that are there, the newest of each repository, written down."""
        found = Catalogue()
        graphs = [path for path in self.path.glob(f"*{_SUFFIX}") if not path.name.startswith((JOINED, DIRECTORY))]
        for path in sorted(graphs, key=lambda path: path.stat().st_mtime_ns):
            graph = self.load(path.name)
            links = self.links(path.name)
            repository = graph.cypher("MATCH (r:Repository) RETURN r.id AS id").to_list()[0]["id"]
            found = found.with_entry(repository, _entry_of(repository, path.name, graph, links), "")
        return self._with_new_directory(found)

    def _with_sound_directory(self, known: Catalogue) -> Catalogue:
        """The same where the list of all repositories can be read, else with one that is made anew."""
        try:
            if known.directory:
                self.load(known.directory)
        except (FileNotFoundError, StoreCorruptError) as exc:
            _log.warning("graph_directory_made_anew problem=%s", exc)
            return self._with_new_directory(known)
        return known

    def _with_new_directory(self, known: Catalogue) -> Catalogue:
        """The catalogue with a list of what its graphs say of themselves, written down; those that cannot be read are not in it."""
        listing = kglite.KnowledgeGraph()
        for entry in known.entries.values():
            try:
                part = self.load(entry.file)
            except (FileNotFoundError, StoreCorruptError):
                continue  # marked by now: the next run over the repository writes it anew
            for label in part.node_types:
                if label not in LISTED:
                    part.cypher(f"MATCH (n:{label}) DETACH DELETE n")
            listing.extend(part)
        file = self._put_directory(known, listing)
        whole = Catalogue(sequence=known.sequence + 1, directory=file, entries=known.entries)
        catalogues.write(self.path, whole)
        return whole

    def is_damaged(self, repository: str) -> bool:
        """Whether somebody found that what is stored of the repository cannot be read."""
        entry = self.catalogue().entries.get(repository)
        return entry is not None and (self.path / (entry.file + _MARK)).exists()

    def _damaged(self, file: str, problem: Exception) -> StoreCorruptError:
        """The error for a file that cannot be read, which is marked for the next writer where that can be."""
        with suppress(OSError):
            (self.path / (file + _MARK)).touch()
        return StoreCorruptError(f"{self.path / file} cannot be read ({problem}); index the repository again")


JOINED, DIRECTORY = "joined-", "directory-"
"""Beginnings of the names of the files that keep all repositories in one graph, and only the list of them."""


def _file_of(repository: str) -> str:
    """A new name for a file of a repository."""
    return f"{quote(repository, safe='')[:_NAME_LENGTH]}-{secrets.token_hex(8)}{_SUFFIX}"


def _entry_of(repository: str, file: str, graph: Any, links: Sequence[Link]) -> Entry:
    packages = graph.cypher("MATCH (p:Package) RETURN count(p) AS n").column("n")[0]
    nodes, relationships = size(graph)
    return Entry(file, nodes - packages, relationships + len(links), linked(repository, links))


def refuse_unknown(ends: Mapping[str, Iterable[str]], catalogue: Catalogue) -> None:
    """Check the ends of links by label. Those in stored repositories are trusted: to look for each would cost what these cost.

    Raises: InvalidGraphError for an end in a repository that is not stored.
    """
    trusted = {
        label: {node for node in ids if node.partition(":")[0] in catalogue.entries} for label, ids in ends.items()
    }
    refuse_missing({label: sorted(ids) for label, ids in ends.items()}, trusted)
