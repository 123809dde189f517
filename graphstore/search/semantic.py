"""Vectors of the searchable places of one repository: built with the index, compared at query time.

They lie in the folder of the keyword index and are keyed by the revision of the embedder: with another model they say
nothing, and the index then answers as one without vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from graphstore.embeddings.embedder import Embedder, document_text
from graphstore.errors import NotFoundError, StoreCorruptError
from graphstore.search.library import EmbedTexts, ReadText
from graphstore.search.places import Places
from graphstore.search.vocabulary import Reals

if TYPE_CHECKING:  # the vector index imports FAISS, which a search by keyword alone does not need
    from graphstore.embeddings.vectors import VectorIndex
    from graphstore.search.index import SearchIndex

_MOST_CHARACTERS: Final = 4_000
"""Of a place's source that are handed to the embedder."""
_BATCH: Final = 2_048
"""Texts that are in memory at a time; as many as the vector cache commits at once."""
_POOL: Final = 1_000
"""Nearest places that count as close in meaning at all."""


def build_vectors(folder: Path, places: Places, texts: ReadText, revision: str, embed: EmbedTexts) -> None:
    """Write the vectors of all places, made by the embedder of that revision."""
    if not len(places):
        return
    from graphstore.embeddings.vectors import VectorIndex

    waiting = _texts_of_places(places, texts)
    vectors = np.concatenate([embed(batch) for batch in iter(lambda: list(islice(waiting, _BATCH)), [])])
    numbers = [str(place) for place in range(len(places))]
    VectorIndex.build(numbers, vectors, revision=revision).save(folder)


def load_vectors(folder: Path, revision: str) -> VectorIndex | None:
    """Read the vectors that `build_vectors` wrote; None when there are none of this model."""
    from graphstore.embeddings.vectors import VectorIndex

    try:
        return VectorIndex.load(folder, revision=revision)
    except (NotFoundError, StoreCorruptError):
        return None


def meaning_of(
    index: SearchIndex, text: str, embedder: Embedder | None, allowed: Sequence[int] | None = None
) -> Reals | None:
    """Return the cosine of each place with a text, 0 beyond the nearest ones; None without vectors of this model."""
    vectors = index.vectors(embedder.revision) if embedder is not None else None
    if embedder is None or vectors is None:
        return None
    names = None if allowed is None else [str(place) for place in allowed]
    scores = np.zeros(len(index.places), dtype=np.float32)
    for neighbour in vectors.search(embedder.embed_queries([text]), _POOL, names)[0]:
        scores[int(neighbour.id)] = neighbour.score
    return scores


def _texts_of_places(places: Places, texts: ReadText) -> Iterator[str]:
    lines: list[str] = []
    read = -1
    for place in range(len(places)):
        file = int(places.file[place])
        if file != read:
            lines, read = _lines(texts, places.path(place)), file
        source = "\n".join(lines[max(int(places.start_line[place]) - 1, 0) : places.end_line[place]])
        yield document_text(places.path(place), places.qualname(place), source[:_MOST_CHARACTERS])


def _lines(texts: ReadText, path: str) -> list[str]:
    try:
        return texts(path).split("\n")
    except NotFoundError:
        return []
