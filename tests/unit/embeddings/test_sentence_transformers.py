"""The adapter to sentence-transformers, with a small model made here; needs the extra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError
from repoquarry.graphstore.search.embeddings.embedder import create
from repoquarry.graphstore.settings import EmbeddingSettings

library = pytest.importorskip("sentence_transformers", reason="the extra sentence-transformers is not installed")


@pytest.fixture
def model(tmp_path: Path) -> str:
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["query", ":", "parse", "url", "socket", "[UNK]"]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.eye(len(words), 6, dtype=np.float32)
    made = library.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=vectors)], device="cpu")
    made.save(str(tmp_path / "model"))
    return str(tmp_path / "model")


def _settings(model: str, query_prefix: str = "", device: str = "cpu") -> EmbeddingSettings:
    return EmbeddingSettings(
        "sentence_transformers", model, batch_size=2, device=device, query_prefix=query_prefix, static_share=0
    )


def test_documents_and_queries_are_unit_vectors(model: str) -> None:
    embedder = create(_settings(model, query_prefix="query: "))
    documents = embedder.embed(["parse url", "socket", "parse"])
    assert embedder.dimension == 6
    assert documents.dtype == np.float32
    np.testing.assert_allclose(documents[0], [0, 0, 2**-0.5, 2**-0.5, 0, 0], atol=1e-6)
    np.testing.assert_allclose(embedder.embed_queries(["socket"]), [[3**-0.5, 3**-0.5, 0, 0, 3**-0.5, 0]], atol=1e-6)
    assert embedder.embed([]).shape == (0, 6)


def test_revision_follows_weights_and_prefixes(model: str) -> None:
    first = create(_settings(model))
    assert first.revision == create(_settings(model)).revision
    assert first.revision != create(_settings(model, query_prefix="query: ")).revision
    changed = library.SentenceTransformer(model, device="cpu")
    next(iter(changed.parameters())).data[0, 0] += 0.5
    changed.save(model)
    assert first.revision != create(_settings(model)).revision


def test_missing_model_and_device_are_told_apart(model: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="cannot be loaded"):
        create(_settings(str(tmp_path / "absent")))
    with pytest.raises(EmbedderConfigurationError, match="device"):
        create(_settings(model, device="no-such-device"))
