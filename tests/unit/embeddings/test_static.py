"""The shipped static model and the embedder that runs it."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings import static
from repoquarry.graphstore.search.embeddings.embedder import EMBEDDERS, create, document_text
from repoquarry.graphstore.search.embeddings.static import (
    MAX_TOKENS,
    StaticEmbedder,
    TokenVocabulary,
    position_bucket,
)
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.graphstore.storage.vector_identity import SHIPPED_WEIGHTS

SNIPPETS = {
    "read a file and return its lines": document_text(
        "io/text.py", "load_lines", "def load_lines(path):\n    with open(path) as f:\n        return f.readlines()"
    ),
    "send an HTTP request and retry on failure": document_text(
        "net/client.py",
        "Client.fetch",
        "def fetch(self, url, attempts=3):\n    for _ in range(attempts):\n        try:\n"
        "            return self.session.get(url)\n        except ConnectionError:\n            time.sleep(1)",
    ),
    "compute the mean of a list of numbers": document_text(
        "stats.py", "average", "def average(values):\n    return sum(values) / len(values)"
    ),
    "hash a password with a salt": document_text(
        "auth/crypto.py",
        "make_digest",
        "def make_digest(secret, salt):\n    return hashlib.pbkdf2_hmac('sha256', secret, salt, 100000)",
    ),
}


@pytest.fixture(scope="module")
def shipped() -> StaticEmbedder:
    return static.load()


def test_queries_find_their_code(shipped: StaticEmbedder) -> None:
    scores = shipped.embed_queries(list(SNIPPETS)) @ shipped.embed(list(SNIPPETS.values())).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_vectors_are_unit_float32(shipped: StaticEmbedder) -> None:
    vectors = shipped.embed([*SNIPPETS.values(), "", "!!! ..."])
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(SNIPPETS) + 2, shipped.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1.0] * len(SNIPPETS) + [0.0, 0.0], atol=1e-5)


def test_a_text_does_not_depend_on_its_neighbours(shipped: StaticEmbedder) -> None:
    texts = [f"{text} {number}" for number in range(200) for text in SNIPPETS.values()]
    together = shipped.embed(texts)
    np.testing.assert_array_equal(together[[5, 700]], shipped.embed([texts[5], texts[700]]))


def test_no_texts_give_no_rows(shipped: StaticEmbedder) -> None:
    assert shipped.embed([]).shape == (0, shipped.dimension)


def test_camel_and_snake_case_are_the_same_text(shipped: StaticEmbedder) -> None:
    np.testing.assert_array_equal(shipped.embed(["parseRequestHeaders"]), shipped.embed(["parse_request_headers"]))


def test_only_the_first_distinct_tokens_count(shipped: StaticEmbedder) -> None:
    model = static.read_model(SHIPPED_WEIGHTS)
    full = " ".join(token for token in model.tokens[: MAX_TOKENS * 2] if token.isalpha())
    assert TokenVocabulary(model.tokens).bags([full], MAX_TOKENS).lengths.tolist() == [MAX_TOKENS]
    np.testing.assert_array_equal(shipped.embed([full]), shipped.embed([full + " hundreds more words"]))


def test_revision_is_the_files_content(shipped: StaticEmbedder) -> None:
    digest = hashlib.sha256(SHIPPED_WEIGHTS.read_bytes()).hexdigest()
    assert shipped.revision.endswith(digest[:16])


def test_shipped_weights_keep_within_their_size() -> None:
    assert SHIPPED_WEIGHTS.stat().st_size <= 16 * 1024 * 1024


def test_position_buckets_widen() -> None:
    assert position_bucket(np.array([0, 7, 8, 9, 10, 15, 16, 255]), 24).tolist() == [0, 7, 8, 8, 8, 10, 11, 22]
    assert position_bucket(np.array([10_000]), 24).tolist() == [23]


def test_rare_words_fall_back_to_known_pieces() -> None:
    vocabulary = TokenVocabulary(["data", "base", "get_base", "get"])
    assert vocabulary.bags(["database"], 9).tokens.tolist() == [0, 1]
    assert vocabulary.bags(["xxdatay getBase"], 9).tokens.tolist() == [0, 2, 3, 1]
    assert vocabulary.bags(["zz q"], 9).tokens.tolist() == []


def test_unknown_embedder_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFoundError) as caught:
        create(EmbeddingSettings(embedder="word2vec"))
    assert all(name in str(caught.value) for name in EMBEDDERS)


def test_missing_and_foreign_weights_are_distinguished(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no weights file"):
        create(EmbeddingSettings(model=str(tmp_path / "absent.safetensors")))
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(b"not a model")
    with pytest.raises(StoreCorruptError, match="not a weights file"):
        create(EmbeddingSettings(model=str(foreign)))


def test_sentence_transformers_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EmbedderConfigurationError, match=r"repoquarry\[sentence-transformers\]"):
        create(EmbeddingSettings(embedder="sentence_transformers"))
