"""Store of search indexes, one folder per repository and revision: opens and caches them, rebuilds damaged ones, removes old ones.

An index is a cache of the graph: an index that is missing, damaged or of an older format is rebuilt from the stored graph and texts when it
is next opened, so that readers never notice.

Search uses the texts and indexes of a `SearchBackend`, and never opens files of a repository itself.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import msgspec

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors
from repoquarry.graphstore.search.index.builder import BuildProgress, IndexBuilder, PreviousIndex, build_index
from repoquarry.graphstore.search.index.place_vectors import ReadText, load_vectors
from repoquarry.graphstore.search.index.places import ID_PREFIXES, LABEL_FILE, load_node_ids
from repoquarry.graphstore.search.index.postings import Integers, TermDictionary, load_array
from repoquarry.graphstore.search.index.search_index import (
    HEADER,
    KEYWORD_PREFIXES,
    IndexHeader,
    KeywordIndex,
    SearchIndex,
    verify,
)
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors
from repoquarry.graphstore.storage.vector_identity import VECTOR_FILE
from repoquarry.processes.scratch import remove_abandoned

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

_log = logging.getLogger(__name__)
_OPEN_AT_ONCE: Final = 16
_VECTOR_BYTES: Final = 64 * 1024 * 1024
"""Vectors in memory for searches over all repositories: those of 130,000 places."""
_DAMAGED = (NotFoundError, StoreCorruptError, OSError, ValueError, msgspec.MsgspecError)
"""Errors of reading an index that is missing, damaged or of another format."""


_Part = TypeVar("_Part")
LabelsAndVectors = tuple[Integers, "VectorIndex"]


class SearchIndexStore:
    """Indexes below one folder, of the repositories in `contents`. Thread-safe."""

    def __init__(self, folder: Path, contents: SearchBackend) -> None:
        self._folder = folder
        self._contents = contents
        self._guard = threading.Lock()
        self._opened: OrderedDict[Path, SearchIndex] = OrderedDict()
        self._place_vectors: OrderedDict[Path, LabelsAndVectors] = OrderedDict()
        self._opening: dict[Path, threading.Lock] = {}
        """One lock per folder, so that a build does not block searches in other indexes."""

    def index_folder(self, repository: str, revision: str | None = None) -> Path:
        """Return the folder of a revision's index, existing or not; the revision defaults to the stored one.

        Raises: NotFoundError for an unknown repository.
        """
        return self._folder / repository / (self._contents.revision(repository) if revision is None else revision)

    def open(self, repository: str) -> SearchIndex:
        """Return the index of the stored revision, rebuilt if it is missing or damaged. Raises: NotFoundError for an unknown repository."""
        place = self.index_folder(repository)
        with self._guard:
            index = self._kept(place)
            if index is not None:
                return index
            opening = self._opening.setdefault(place, threading.Lock())
        with opening:
            with self._guard:
                index = self._kept(place)
            try:
                return index or self._keep(place, self._load_or_build(repository, place))
            finally:
                with self._guard:
                    self._opening.pop(place, None)

    def place_vectors(self, repository: str, revision: str, model: str) -> LabelsAndVectors | None:
        """Return labels and vectors without opening the index; None if it has no vectors of this model.

        Raises: NotFoundError for an unknown repository.
        """
        place = self.index_folder(repository, revision)
        with self._guard:
            if place in self._place_vectors:
                self._place_vectors.move_to_end(place)
                return self._place_vectors[place]
        labels, vectors = self._load_part(
            repository,
            revision,
            (LABEL_FILE, VECTOR_FILE),
            lambda folder: (load_array(folder / LABEL_FILE), load_vectors(folder, model)),
        )
        if vectors is None:
            return None
        with self._guard:
            self._place_vectors[place] = labels, vectors
            while sum(held.nbytes for _, held in self._place_vectors.values()) > _VECTOR_BYTES:
                self._place_vectors.popitem(last=False)
        return labels, vectors

    def node_ids(self, repository: str, revision: str, places: Sequence[int]) -> list[str]:
        """Return the node ids of places without opening the index. Raises: as `place_vectors`."""
        return self._load_part(repository, revision, ID_PREFIXES, lambda folder: load_node_ids(folder, places))

    def keywords(self, repository: str, revision: str) -> KeywordIndex:
        """Return the part of the index that ranks by keywords, without opening the rest. Raises: as `place_vectors`."""
        return self._load_part(repository, revision, KEYWORD_PREFIXES, KeywordIndex.load)

    def document_frequencies(self, repository: str, terms: Sequence[str], revision: str | None = None) -> list[int]:
        """Return the number of places of a repository that contain each term. Reads two mapped arrays without opening the index."""
        names = ("vocabulary.npy", "document_frequencies.npy")
        digests, frequencies = self._load_part(
            repository, revision, (), lambda folder: [load_array(folder / name) for name in names]
        )
        return [int(frequencies[number]) if number >= 0 else 0 for number in TermDictionary(digests).numbers(terms)]

    def _load_part(
        self, repository: str, revision: str | None, prefixes: tuple[str, ...], load: Callable[[Path], _Part]
    ) -> _Part:
        """Load a part of an index after verifying the files with these prefixes; a damaged index is rebuilt."""
        place = self.index_folder(repository, revision)
        try:
            if prefixes:
                verify(place, IndexHeader.load(place).checksums, prefixes)
            return load(place)
        except _DAMAGED:
            with self._guard:
                self._opened.pop(place, None)
            return load(self.open(repository).folder)

    def earlier(self, repository: str, revision: str, texts: Mapping[str, bytes]) -> PreviousIndex | None:
        """Return the index of a revision for reuse by the next one; `texts` are the keys of its texts.

        None if there is no complete one of the current embedding model.
        """
        embedder = self._contents.embedder
        try:
            return PreviousIndex.open(
                self.index_folder(repository, revision), texts, embedder.revision if embedder else None
            )
        except _DAMAGED:
            return None

    def start_build(self, repository: str, texts: ReadText, progress: BuildProgress) -> IndexBuilder:
        contents = self._contents
        return IndexBuilder(self._folder / repository, texts, contents.embedder, contents.embed, progress)

    def adopt(self, repository: str, revision: str, made: Path) -> None:
        """Move a finished index folder here, replacing one of the same revision from a killed run.

        Raises: StoreFullError, StoreUnwritableError.
        """
        place = self.index_folder(repository, revision)
        with translate_write_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            self._remove(place)
            shutil.move(made, place)

    def prune(self, repository: str, revision: str) -> None:
        """Remove the indexes of a repository's other revisions, and drafts of killed runs."""
        folder = self._folder / repository
        for old in folder.iterdir() if folder.is_dir() else ():
            if old.name != revision:
                self._remove(old)

    def remove_abandoned(self) -> None:
        """Remove the drafts of exited processes."""
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            remove_abandoned(folder)

    def drop(self, repository: str) -> None:
        self.prune(repository, "")
        shutil.rmtree(self._folder / repository, ignore_errors=True)

    def close(self) -> None:
        with self._guard:
            self._opened.clear()
            self._place_vectors.clear()

    def forget(self, place: Path) -> None:
        """Close the index of a folder that was replaced."""
        with self._guard:
            self._opened.pop(place, None)
            self._place_vectors.pop(place, None)

    def _remove(self, place: Path) -> None:
        self.forget(place)
        shutil.rmtree(place, ignore_errors=True)

    def _kept(self, place: Path) -> SearchIndex | None:
        if place in self._opened:
            self._opened.move_to_end(place)
        return self._opened.get(place)

    def _keep(self, place: Path, index: SearchIndex) -> SearchIndex:
        with self._guard:
            self._opened[place] = index
            while len(self._opened) > _OPEN_AT_ONCE:
                self._opened.popitem(last=False)
        return index

    def _load_or_build(self, repository: str, place: Path) -> SearchIndex:
        contents = self._contents
        try:
            return SearchIndex.load(place)
        except StoreCorruptError as problem:
            contents.warn(f"the search index of {repository} was damaged ({problem}) and has been rebuilt")
        except (OSError, ValueError, msgspec.MsgspecError) as problem:
            if (place / HEADER).exists() and isinstance(problem, FileNotFoundError):
                contents.warn(f"the search index of {repository} lacked a file ({problem}) and has been rebuilt")
            _log.info("index_rebuild repository=%s reason=%s", repository, problem)
        history = contents.history(repository)
        build_index(
            contents.graph(repository),
            lambda path: contents.source_text(repository, path),
            place,
            contents.embedder,
            embed=contents.embed,
            history=history,
        )
        return SearchIndex.load(place)


class SearchBackend(Protocol):
    """Repositories with readable graphs and texts, and their search indexes; methods as those of `repoquarry.graphstore.store.Store`."""

    @property
    def embedder(self) -> Embedder | None: ...
    @property
    def indexes(self) -> SearchIndexStore: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...
    def revision(self, repository: str) -> str: ...
    def graph(self, repository: str) -> RepositoryGraph: ...
    def history(self, repository: str) -> GitHistory: ...
    def source_text(self, repository: str, path: str) -> str: ...
    def warn(self, text: str, seconds: float = ...) -> None: ...
    def text_repositories(self) -> Sequence[str]: ...
    def text_revisions(self) -> Mapping[str, str]: ...
