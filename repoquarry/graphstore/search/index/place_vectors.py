"""Embedding of a repository's files, classes and functions (places), and the storage of their vectors in the search index.

Vectors are stored in the folder of the keyword index and keyed by the revision of the embedder: with another model the index answers like
one without vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors, document_text
from repoquarry.graphstore.search.index.places import DefinitionSpans, NumberMap, line_starts

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

ReadText = Callable[[str], str]
"""Returns the source text of a file by its path. Raises: NotFoundError."""


EmbedTexts = Callable[[Sequence[str]], Vectors]
"""Embeds documents like `Embedder.embed`; a store adds its vector cache."""


FileVectors: TypeAlias = NDArray[np.float16]
"""(places of a file, dimension), in the order of its places."""

_MAX_CHARACTERS: Final = 4_000
"""Maximum characters of a place's source that are embedded."""
_BATCH: Final = 2_048
"""Texts in memory at a time; equal to the commit size of the vector cache."""


def build_embedding_texts(standing: DefinitionSpans, text: str) -> Iterator[str]:
    """Yield the embedded text of each place of a file, in the order of its places."""
    starts = line_starts(text)
    lines = len(starts) - 1
    spans = zip([1, *standing.start_lines.tolist()], [lines, *standing.end_lines.tolist()], strict=True)
    for place, (start, end) in enumerate(spans):
        first = starts[min(max(start - 1, 0), lines)]
        last = starts[min(end, lines)] - 1
        source = text[first : max(first, min(last, first + _MAX_CHARACTERS))]
        yield document_text(standing.path, standing.qualname(place), source)


def embed_places(standings: Sequence[DefinitionSpans], texts: Sequence[str], embedder: Embedder) -> list[FileVectors]:
    """Embed the places of several files in one batch; return vectors per file."""
    files = zip(standings, texts, strict=True)
    vectors = embedder.embed(
        [embedded for standing, text in files for embedded in build_embedding_texts(standing, text)]
    )
    ends = list(accumulate(map(len, standings)))
    return np.split(vectors.astype(np.float16), ends[:-1])


class PlaceVectors:
    """Vectors of all places, collected file by file: given, or embedded in batches."""

    def __init__(self, places: Sequence[int], embedder: Embedder, embed: EmbedTexts | None) -> None:
        """`places`: number of places of each file."""
        self._first = list(accumulate((count - 1 for count in places), initial=len(places)))
        self._revision = embedder.revision
        self._embed = embed or embedder.embed
        # In the final precision of the index, at half the size.
        self._vectors = np.zeros((self._first[-1], embedder.dimension), np.float16)
        self._waiting: list[int] = []
        self._texts: list[str] = []

    def put(self, file: int, vectors: FileVectors) -> None:
        self._vectors[file] = vectors[0]
        self._vectors[self._first[file] : self._first[file + 1]] = vectors[1:]

    def take(self, vectors: FileVectors | None, numbers: NumberMap) -> None:
        """Set vectors of a previous index, whose places have new numbers."""
        if vectors is not None:
            self._vectors[numbers.places[numbers.taken]] = vectors[numbers.taken]

    def add(self, file: int, standing: DefinitionSpans, text: str) -> None:
        for place, embedded in enumerate(build_embedding_texts(standing, text)):
            self._texts.append(embedded)
            self._waiting.append(self._first[file] + place - 1 if place else file)
            if len(self._texts) == _BATCH:
                self._flush()

    def _flush(self) -> None:
        self._vectors[self._waiting] = self._embed(self._texts)
        self._waiting, self._texts = [], []

    def save(self, folder: Path) -> None:
        if not len(self._vectors):
            return
        from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

        if self._waiting:
            self._flush()
        index = VectorIndex.build(self._vectors, revision=self._revision)
        del self._vectors  # The index has them, and needs as much memory again to be written.
        index.save(folder)


def load_vectors(folder: Path, revision: str) -> VectorIndex | None:
    """Read the vectors that `PlaceVectors` wrote; None if there are none of this model."""
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

    try:
        return VectorIndex.load(folder, revision=revision)
    except (NotFoundError, StoreCorruptError):
        return None
