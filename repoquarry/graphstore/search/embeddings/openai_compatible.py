"""Embeddings of an OpenAI-compatible endpoint.

Requests are plain HTTP because the protocol is one POST; a client library would be a dependency without benefit.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from typing import Any, Final

import httpx
import numpy as np

from repoquarry.graphstore.errors import EmbedderConfigurationError, EmbedderUnavailableError
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
    try:
        asked = float(retry_after or "")
    except ValueError:  # Absent, or a date, which overloaded servers do not send in practice.
        asked = wait
    return min(max(asked, 0.0), _MAX_WAIT_SECONDS)


def create(settings: EmbeddingSettings) -> OpenAICompatibleEmbedder:
    """Create the embedder named in `embedder.EMBEDDERS`. Requests one vector from the endpoint to learn the dimension."""
    if not settings.endpoint or not settings.model:
        raise EmbedderConfigurationError("the embedder 'openai_compatible' needs both an endpoint and a model")
    return OpenAICompatibleEmbedder(settings)
