"""Vectors of files that did not change since they were last indexed, taken out of the search index of then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.index.semantic import load_vectors
from repoquarry.graphstore.store import Store

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.semantic import FileVectors


class KnownVectors:
    """What the stored search index of a repository knows; nothing when there is none of this model, or a damaged one."""

    def __init__(self, store: Store, repository: str) -> None:
        self._rows: Mapping[str, np.ndarray] = {}
        self._vectors: FileVectors | None = None
        self._texts: Mapping[str, bytes] = {}
        current = store.sources.current(repository)
        if current is not None and store.embedder is not None:
            try:
                self._read(store, repository, current.revision, store.embedder.revision)
            except (NotFoundError, StoreCorruptError, OSError, ValueError, msgspec.MsgspecError):
                self._vectors = None

    def _read(self, store: Store, repository: str, revision: str, model: str) -> None:
        folder = store.folder_of_index(repository, revision)
        places = Places.load(folder)
        index = load_vectors(folder, model)
        if index is None or len(index) != len(places):
            return
        self._vectors = index.halves([str(place) for place in range(len(places))])
        self._rows = {
            path: np.concatenate([[file], places.definitions.get(file, ())]).astype(np.int64)
            for path, file in places.by_path.items()
        }
        self._texts = store.sources.texts_of(repository, revision)

    def of(self, path: str, texts: bytes) -> FileVectors | None:
        """(places, dimension) of a file whose texts have this key; None when another state of it was indexed."""
        if self._vectors is None or self._texts.get(path) != texts or path not in self._rows:
            return None
        found: FileVectors = self._vectors[self._rows[path]]
        return found
