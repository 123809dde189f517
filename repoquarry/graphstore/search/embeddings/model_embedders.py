"""Embedders of external models: sentence-transformers, and endpoints compatible with OpenAI.

sentence-transformers is an optional extra because it includes a deep-learning runtime of several gigabytes; it is imported only when its
embedder is chosen. Requests to endpoints are plain HTTP because the protocol is one POST; a client library would be a dependency without
benefit.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from typing import Any, Final

import httpx
import numpy as np

from repoquarry.graphstore.errors import EmbedderConfigurationError, EmbedderUnavailableError, NotFoundError
from repoquarry.graphstore.retry_after import parse_retry_after
from repoquarry.graphstore.search.embeddings.embedder import Vectors, normalised
from repoquarry.graphstore.settings import EmbeddingSettings

logger = logging.getLogger(__name__)

_FIRST_WAIT_SECONDS: Final = 0.5
_MAX_WAIT_SECONDS: Final = 30.0
_PASSING = frozenset({408, 409, 425, 429})


class OpenAICompatibleEmbedder:
    """Embedder over HTTP. The protocol does not report changed weights behind a model name, so `revision` does not either."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.name = f"openai_compatible:{settings.model}"
        self._settings = settings
        headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
        self._client = httpx.Client(headers=headers, timeout=settings.timeout_seconds)
        self._url = settings.endpoint.rstrip("/") + "/embeddings"
        # The protocol cannot query the dimension: the first response shows it.
        self.dimension = len(self._request(["dimension"])[0])
        described = (settings.endpoint, settings.model, settings.query_prefix, settings.document_prefix, self.dimension)
        self.revision = f"{settings.model}:{hashlib.sha256(repr(described).encode()).hexdigest()[:16]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._embed(self._settings.document_prefix, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(self._settings.query_prefix, texts)

    def _embed(self, prefix: str, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), self._settings.batch_size):
            # The protocol rejects an empty input.
            batch = [prefix + text or " " for text in texts[start : start + self._settings.batch_size]]
            rows = self._request(batch)
            if any(len(row) != self.dimension for row in rows):
                raise EmbedderUnavailableError(f"{self._url} changed the length of its vectors from {self.dimension}")
            vectors[start : start + len(batch)] = rows
        return normalised(vectors)

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        wait = _FIRST_WAIT_SECONDS
        for attempt in range(1, max(1, self._settings.attempts) + 1):
            try:
                response = self._client.post(self._url, json={"model": self._settings.model, "input": list(texts)})
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as exc:
                raise EmbedderConfigurationError(f"{self._url!r} is not an address: {exc}") from exc
            except httpx.TransportError as exc:
                failure, after = f"{type(exc).__name__}: {exc}", None
            else:
                if response.is_success:
                    return self._rows(response, len(texts))
                failure, after = self._failure(response), response.headers.get("retry-after")
            if attempt < self._settings.attempts:
                logger.warning("embedding_request_failed attempt=%d wait_seconds=%.1f cause=%s", attempt, wait, failure)
                time.sleep(_wait_seconds(after, wait))
                wait = min(wait * 2, _MAX_WAIT_SECONDS)
        raise EmbedderUnavailableError(f"{self._url} did not respond in {self._settings.attempts} attempts: {failure}")

    def _failure(self, response: httpx.Response) -> str:
        told = f"status {response.status_code} {response.text[:200]}"
        if response.status_code >= 500 or response.status_code in _PASSING:
            return told
        raise EmbedderConfigurationError(
            f"{self._url} rejected the model {self._settings.model!r} or the request: {told}; check endpoint, model and key"
        )

    def _rows(self, response: httpx.Response, count: int) -> list[list[float]]:
        try:
            items: list[dict[str, Any]] = sorted(response.json()["data"], key=lambda item: item["index"])
            rows = [[float(number) for number in item["embedding"]] for item in items]
        except (ValueError, KeyError, TypeError) as exc:
            raise EmbedderConfigurationError(
                f"{self._url} does not implement the embeddings protocol: {exc!r}"
            ) from exc
        if len(rows) != count or not all(rows):
            raise EmbedderConfigurationError(f"{self._url} returned {len(rows)} vectors for {count} texts")
        return rows


def _wait_seconds(retry_after: str | None, wait: float) -> float:
    asked = parse_retry_after(retry_after or "")
    return min(wait if asked is None else asked, _MAX_WAIT_SECONDS)


def create_openai_compatible(settings: EmbeddingSettings) -> OpenAICompatibleEmbedder:
    """Create the embedder named in `embedder.EMBEDDERS`. Requests one vector from the endpoint to learn the dimension."""
    if not settings.endpoint or not settings.model:
        raise EmbedderConfigurationError("the embedder 'openai_compatible' needs both an endpoint and a model")
    return OpenAICompatibleEmbedder(settings)


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


def create_sentence_transformer(settings: EmbeddingSettings) -> SentenceTransformerEmbedder:
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
