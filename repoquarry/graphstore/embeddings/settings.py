"""Which embedder a store uses and how it runs; apart from the embedders, so that reading settings loads no numerics."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class EmbeddingSettings:
    """Which embedder, and how it runs. The defaults need no network, no accelerator and no further package."""

    embedder: str = "static"
    """Name of the variant, one of `EMBEDDERS`."""

    model: str = ""
    """static: a weights file, empty for the shipped one; sentence_transformers: model name or folder; openai_compatible: model name."""

    batch_size: int = 64
    """Texts per forward pass or request. At least 1. The static embedder ignores it."""

    device: str = ""
    """sentence_transformers: `cpu`, `cuda`, `cuda:1`, `mps`; empty lets the library choose."""

    query_prefix: str = ""
    """Put before every query, as the model's card asks (`query: `); the static embedder ignores it."""

    document_prefix: str = ""
    """Put before every document, as the model's card asks (`passage: `); the static embedder ignores it."""

    static_share: float = 0.3
    """Share that the shipped static model has in the similarity beside another embedder, below 1; 0 leaves it out."""

    endpoint: str = ""
    """openai_compatible: address up to and including the version, for example `http://127.0.0.1:8080/v1`."""

    api_key: str = field(default="", repr=False)
    """openai_compatible: sent as bearer token; empty sends none. Never logged or printed."""

    timeout_seconds: float = 60.0
    """openai_compatible: time of one request. At least 1."""

    attempts: int = 4
    """openai_compatible: tries of one request that fails in a way that may pass (connection, 429, 5xx); at least 1."""
