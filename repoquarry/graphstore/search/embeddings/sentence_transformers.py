"""Embeddings of a sentence-transformers model.

The library is an optional extra because it includes a deep-learning runtime of several gigabytes; it is imported only when this variant
is chosen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError
from repoquarry.graphstore.search.embeddings.embedder import Vectors, normalised
from repoquarry.graphstore.settings import EmbeddingSettings

DEFAULT_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"

_SAMPLED_VALUES: Final = 256
"""Sampled numbers of each weight tensor in the revision: fine-tuning changes all of them, and reading all takes seconds."""


class SentenceTransformerEmbedder:
    """Embedder with a loaded `SentenceTransformer`. The caller serializes calls."""

    def __init__(self, model: Any, settings: EmbeddingSettings) -> None:
        label = settings.model or DEFAULT_MODEL
        self.name = f"sentence_transformers:{label}"
        self._model = model
        self._settings = settings
        # Determined by encoding, as the method that returns it was renamed between versions of the library.
        self.dimension = int(model.encode(["dimension"], show_progress_bar=False).shape[1])
        self.revision = f"{label}:{_fingerprint(model, settings)}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._encode(self._settings.document_prefix, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(self._settings.query_prefix, texts)

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors = self._model.encode(
            [prefix + text for text in texts],
            batch_size=self._settings.batch_size,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return normalised(np.array(vectors, np.float32))


def _fingerprint(model: Any, settings: EmbeddingSettings) -> str:
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(f"{key}{tuple(tensor.shape)}".encode())
        digest.update(tensor.flatten()[:_SAMPLED_VALUES].float().cpu().numpy().tobytes())
    digest.update(repr((model.max_seq_length, settings.query_prefix, settings.document_prefix)).encode())
    return digest.hexdigest()[:16]


def create(settings: EmbeddingSettings) -> SentenceTransformerEmbedder:
    """Create the embedder named in `embedder.EMBEDDERS`. Loads the model, which may download it unless the library is configured otherwise."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as exc:
        raise EmbedderConfigurationError(
            "the embedder 'sentence_transformers' needs its extra: pip install 'repoquarry[sentence-transformers]'"
        ) from exc
    name = settings.model or DEFAULT_MODEL
    try:
        model = SentenceTransformer(name, device=settings.device or None)
    except (OSError, ValueError) as exc:
        raise NotFoundError(f"the model {name!r} cannot be loaded: {exc}", kind="model", value=name) from exc
    except (RuntimeError, AssertionError) as exc:  # The runtime's errors for a missing device.
        raise EmbedderConfigurationError(f"the device {settings.device!r} cannot run {name!r}: {exc}") from exc
    return SentenceTransformerEmbedder(model, settings)
