"""Search indexes of a store: build, open, cache, repair, prune.

Each lies in the folder of its repository and revision. It is a cache: one that is missing, of an older format or damaged is built anew
from the stored graph and texts when it is next opened, so that no reader ever has to care.

`repoquarry.graphstore.store.Store` fulfils it. Search asks for texts and indexes, and never opens files of a repository itself.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec
import numpy as np

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.index.builder import BuildProgress, IndexBuilder, PreviousIndex, build_index
from repoquarry.graphstore.search.index.place_vectors import IndexSource, ReadText
from repoquarry.graphstore.search.index.postings import TermDictionary
from repoquarry.graphstore.search.index.search_index import HEADER, SearchIndex
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors
from repoquarry.processes.scratch import remove_abandoned

_log = logging.getLogger(__name__)
_OPEN_AT_ONCE: Final = 16
_DAMAGED = (NotFoundError, StoreCorruptError, OSError, ValueError, msgspec.MsgspecError)
"""What reading an index may raise that is missing, of another format or damaged."""


class SearchIndexStore:
    """The indexes below one folder, of what `contents` holds. May be used by several threads."""

    def __init__(self, folder: Path, contents: IndexSource) -> None:
        self._folder = folder
        self._contents = contents
        self._guard = threading.Lock()
        self._opened: OrderedDict[Path, SearchIndex] = OrderedDict()
        self._opening: dict[Path, threading.Lock] = {}
        """One lock for each folder, so that an index that is built holds up nobody who searches in another."""

    def index_folder(self, repository: str, revision: str | None = None) -> Path:
        """The folder of a revision's index, whether it is there or not; without a revision that of the stored one.

        Raises: NotFoundError for an unknown repository.
        """
        return self._folder / repository / (self._contents.revision(repository) if revision is None else revision)

    def open(self, repository: str) -> SearchIndex:
        """The index of the stored revision, built first when it is missing or damaged. Raises: NotFoundError for an unknown repository."""
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

    def document_frequencies(self, repository: str, terms: Sequence[str]) -> list[int]:
        """In how many places of a repository each term stands; two mapped arrays are read, and the index is not opened."""
        place = self.index_folder(repository)
        try:
            vocabulary = TermDictionary(np.load(place / "vocabulary.npy", mmap_mode="r"))
            frequencies = np.load(place / "document_frequencies.npy", mmap_mode="r")
        except (OSError, ValueError):
            index = self.open(repository)
            vocabulary, frequencies = index.vocabulary, index.document_frequencies
        return [int(frequencies[number]) if number >= 0 else 0 for number in vocabulary.numbers(terms)]

    def earlier(self, repository: str, revision: str, texts: Mapping[str, bytes]) -> PreviousIndex | None:
        """That of a revision, for the next one to take from; `texts` are the keys of what it was made from.

        None when there is none that is whole and of the model that embeds now.
        """
        embedder = self._contents.embedder
        try:
            return PreviousIndex.open(
                self.index_folder(repository, revision), texts, embedder.revision if embedder else None
            )
        except _DAMAGED:
            return None

    def start_build(self, repository: str, texts: ReadText, progress: BuildProgress) -> IndexBuilder:
        """An index under way; `put` takes it when it is complete."""
        contents = self._contents
        return IndexBuilder(self._folder / repository, texts, contents.embedder, contents.embed, progress)

    def adopt(self, repository: str, revision: str, made: Path) -> None:
        """Take the folder of a finished index; one of the same revision that a killed run has left gives way.

        Raises: StoreFullError, StoreUnwritableError.
        """
        place = self.index_folder(repository, revision)
        with translate_write_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            self._remove(place)
            shutil.move(made, place)

    def prune(self, repository: str, revision: str) -> None:
        """Remove the indexes of a repository's other revisions, and drafts that killed runs have left."""
        folder = self._folder / repository
        for old in folder.iterdir() if folder.is_dir() else ():
            if old.name != revision:
                self._remove(old)

    def remove_abandoned(self) -> None:
        """Remove the drafts of processes that are gone."""
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            remove_abandoned(folder)

    def drop(self, repository: str) -> None:
        """Remove all indexes of a repository."""
        self.prune(repository, "")
        shutil.rmtree(self._folder / repository, ignore_errors=True)

    def close(self) -> None:
        """Let go of the indexes that are kept in memory."""
        with self._guard:
            self._opened.clear()

    def _remove(self, place: Path) -> None:
        with self._guard:
            self._opened.pop(place, None)
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
            contents.warn(f"the search index of {repository} was damaged ({problem}) and has been built anew")
        except (OSError, ValueError, msgspec.MsgspecError) as problem:
            if (place / HEADER).exists() and isinstance(problem, FileNotFoundError):
                contents.warn(f"the search index of {repository} lacked a file ({problem}) and has been built anew")
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


class SearchBackend(IndexSource, Protocol):
    """Repositories whose graph and texts can be read, and their search indexes."""

    @property
    def indexes(self) -> SearchIndexStore:
        """The search indexes of all repositories."""
        ...

    def text_repositories(self) -> Sequence[str]:
        """Ids of the stored repositories whose texts can be read, sorted."""
        ...
