"""What an embedder is.

Ingestion embeds definitions and files, search embeds queries; both hold an `Embedder` and never ask which one. Queries
and documents are embedded by separate methods because the better models treat them differently (instruction prefixes,
or weights of their own), and a caller that mixes them up loses quality without any error to show for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors whose inner product is their similarity."""

    @property
    def name(self) -> str:
        """Name in `EMBEDDERS`, with the model behind it where there is a choice (`sentence_transformers:all-MiniLM-L6-v2`)."""

    @property
    def revision(self) -> str:
        """Changes whenever the vectors of the same text would: vectors of two revisions must never be compared."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed documents: (n, dimension) float32, each row of length 1, or all 0 where a text has nothing to embed."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries into the same space, same form as `embed`."""


def document_text(path: str, qualname: str, source: str) -> str:
    """Return what is embedded for a definition or a file: its place, its name, then its source.

    `path` is relative with forward slashes, `qualname` empty for a whole file. The shipped model has learned how much
    the words at each position of exactly this layout count.
    """
    return f"{path} {qualname}\n{source}"


def normalised(vectors: Vectors) -> Vectors:
    """Scale rows to length 1 in place; rows of zeros stay. Returns `vectors`."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    vectors /= lengths
    return vectors
