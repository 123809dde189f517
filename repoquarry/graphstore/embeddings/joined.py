"""Two models as one: their vectors end to end, so that the similarity is the weighted sum of both.

A general sentence model knows more of the language, the static model more of code; together they find clearly more than
either (docs/benchmarks.md), and everything downstream still sees one vector and one index.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from repoquarry.graphstore.embeddings.embedder import Embedder, Vectors, normalised


class JoinedEmbedder:
    """Inner products are `1 - share` times those of `first` plus `share` times those of `second`."""

    def __init__(self, first: Embedder, second: Embedder, share: float) -> None:
        self.name = f"{first.name}+{second.name}"
        self.revision = f"{first.revision}+{share:g}*{second.revision}"
        self.dimension = first.dimension + second.dimension
        self._first, self._second = first, second
        self._lengths = np.float32(np.sqrt(1 - share)), np.float32(np.sqrt(share))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._join(self._first.embed(texts), self._second.embed(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._join(self._first.embed_queries(texts), self._second.embed_queries(texts))

    def _join(self, first: Vectors, second: Vectors) -> Vectors:
        return normalised(np.concatenate([first * self._lengths[0], second * self._lengths[1]], axis=1))
