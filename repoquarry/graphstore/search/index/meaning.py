"""How close the places of an index are in meaning to a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from repoquarry.graphstore.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.terms.vocabulary import Reals

_POOL: Final = 1_000
"""Nearest places that count as close in meaning at all."""


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
