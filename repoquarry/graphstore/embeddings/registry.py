"""The embedders by name, and how one is made."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Final, cast

from repoquarry.graphstore.embeddings.embedder import Embedder
from repoquarry.graphstore.embeddings.joined import JoinedEmbedder
from repoquarry.graphstore.embeddings.settings import EmbeddingSettings
from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError

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
    return JoinedEmbedder(chosen, create(EmbeddingSettings()), settings.static_share)
