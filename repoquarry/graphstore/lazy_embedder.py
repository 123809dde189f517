"""Embedder of a store, loaded on demand."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import NotFoundError

if TYPE_CHECKING:  # Most commands embed nothing.
    from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors
    from repoquarry.graphstore.settings import EmbeddingSettings

UNCACHED = frozenset({"static"})
"""Embedders that are faster than a cache of their vectors."""


class LazyEmbedder:
    """Model of the settings, loaded on first use; only the owner of a cache file passes its path."""

    def __init__(self, settings: EmbeddingSettings | None, cache: Path | None) -> None:
        self._settings = settings
        self._cache = cache
        self._guard = threading.Lock()
        self._embedder: Embedder | None = None

    @property
    def embedder(self) -> Embedder | None:
        """Return the model; None if the settings name none. Raises: as `registry.create`."""
        with self._guard:
            if self._embedder is None and self._settings is not None:
                from repoquarry.graphstore.search.embeddings.embedder import create

                self._embedder = create(self._settings)
            return self._embedder

    @property
    def cheap(self) -> EmbeddingSettings | None:
        """Return the settings of a model that any process may load and that is faster than a cache; None for others."""
        embedder = self.embedder
        return self._settings if embedder is not None and embedder.name in UNCACHED else None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed documents; vectors of a slow model are cached. Raises: NotFoundError without a model; as `Embedder.embed`."""
        embedder = self.embedder
        if embedder is None:
            raise NotFoundError("this store has no embedder", kind="embedder", value="")
        if embedder.name in UNCACHED or self._cache is None:
            return embedder.embed(texts)
        from repoquarry.graphstore.search.embeddings.embedder import VectorCache

        with VectorCache(self._cache) as cache:
            return cache.embed(embedder, texts)
