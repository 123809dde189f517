"""Vectors of the searchable places of one repository: built with the index, compared at query time.

Kept beside the keyword index and keyed by the embedder's identity: with another model the vectors say nothing, and the
index answers as one without vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import NotFoundError
from graphstore.search.library import ReadText, TextEmbedder
from graphstore.search.places import Places
from graphstore.search.vocabulary import Reals

_MOST_CHARACTERS: Final = 2_000
_BATCH: Final = 1_024


class Vectors:
    """One vector for each place, float16 on disk."""

    def __init__(self, matrix: NDArray[np.float16], identity: str) -> None:
        self._matrix = matrix
        self.identity = identity

    def score(self, query: Reals) -> Reals:
        """Return the cosine of each place with an L2-normalised query."""
        return (self._matrix @ query.astype(np.float16)).astype(np.float32)


def build_vectors(folder: Path, places: Places, texts: ReadText, embedder: TextEmbedder | None) -> None:
    """Write the vectors of all places; without an embedder nothing is written."""
    if embedder is None:
        return
    parts: list[NDArray[np.float16]] = []
    batch: list[str] = []
    for text in _texts_of_places(places, texts):
        batch.append(text)
        if len(batch) == _BATCH:
            parts.append(embedder.encode(batch).astype(np.float16))
            batch = []
    if batch:
        parts.append(embedder.encode(batch).astype(np.float16))
    np.save(folder / "vectors.npy", np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float16))
    (folder / "vectors.model").write_text(embedder.identity, encoding="utf-8")


def load_vectors(folder: Path, identity: str) -> Vectors | None:
    """Map the vectors that `build_vectors` wrote; None when there are none of this model."""
    try:
        if (folder / "vectors.model").read_text(encoding="utf-8") != identity:
            return None
        return Vectors(np.load(folder / "vectors.npy", mmap_mode="r"), identity)
    except OSError:
        return None


def _texts_of_places(places: Places, texts: ReadText) -> Iterator[str]:
    """What the embedder should see of each place: its names, its summary and the beginning of its text."""
    lines: list[str] = []
    read = -1
    for place in range(len(places)):
        file = int(places.file[place])
        if file != read:
            lines, read = _lines(texts, places.path(place)), file
        body = "\n".join(lines[places.start_line[place] - 1 : places.end_line[place]])
        head = f"{places.path(place)} {places.qualname(place)} {places.columns.summaries[place]}"
        yield f"{head}\n{body}"[:_MOST_CHARACTERS]


def _lines(texts: ReadText, path: str) -> list[str]:
    try:
        return texts(path).split("\n")
    except NotFoundError:
        return []
