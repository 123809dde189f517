"""What an embedder is, and how one is chosen by name.

Ingestion embeds definitions and files, search embeds queries; both hold an `Embedder` and never ask which one. Queries
and documents are embedded by separate methods because the better models treat them differently (instruction prefixes,
or weights of their own), and a caller that mixes them up loses quality without any error to show for it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.embeddings.settings import EmbeddingSettings
from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError

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


EMBEDDERS: Final = {
    "static": "repoquarry.graphstore.embeddings.static:create",
    "sentence_transformers": "repoquarry.graphstore.embeddings.sentence_transformers:create",
    "openai_compatible": "repoquarry.graphstore.embeddings.openai_compatible:create",
}
"""Name of a variant -> where its factory is. A variant is imported when it is chosen."""


def create(settings: EmbeddingSettings | None = None) -> Embedder:
    """Return the embedder that the settings name, ready to use.

    Raises:
        NotFoundError: no variant has that name (the message lists those that exist), or the model does not exist.
        EmbedderConfigurationError: its package is not installed, or the endpoint refuses model or key.
        EmbedderUnavailableError: its endpoint does not answer.
    """
    settings = settings or EmbeddingSettings()
    target = EMBEDDERS.get(settings.embedder)
    if target is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise NotFoundError(
            f"no embedder is called {settings.embedder!r}; there are: {known}", kind="embedder", value=settings.embedder
        )
    module, factory = target.split(":")
    make = cast(Callable[[EmbeddingSettings], Embedder], getattr(importlib.import_module(module), factory))
    chosen = make(settings)
    if settings.embedder == "static" or settings.static_share == 0:
        return chosen
    if not 0 < settings.static_share < 1:
        raise EmbedderConfigurationError(f"static_share is {settings.static_share}, and must be at least 0 and below 1")
    joined = importlib.import_module("repoquarry.graphstore.embeddings.joined")
    static = create(EmbeddingSettings())
    return cast(Embedder, joined.JoinedEmbedder(chosen, static, settings.static_share))


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
