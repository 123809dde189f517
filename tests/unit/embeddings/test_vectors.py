"""The vector index and the vector cache."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings import embedder as cache_module
from repoquarry.graphstore.search.embeddings import static, vectors
from repoquarry.graphstore.search.embeddings.embedder import VectorCache, Vectors, normalised
from repoquarry.graphstore.search.embeddings.vectors import VectorIndex
from repoquarry.graphstore.storage.vector_identity import VECTOR_FILE


def _vectors(count: int, seed: int = 0, dimension: int = 32) -> Vectors:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(40, dimension))
    points = centres[random.integers(0, 40, count)] + random.normal(size=(count, dimension)) * 0.7
    return normalised(points.astype(np.float32))


@pytest.fixture
def index() -> VectorIndex:
    return VectorIndex.build(_vectors(3000), revision="model-1")


def test_search_finds_the_nearest(index: VectorIndex) -> None:
    stored = _vectors(3000)
    for query in _vectors(40, seed=1):
        found, scores = index.search(query[None], 10)
        np.testing.assert_allclose(scores, np.sort(stored @ query)[:-11:-1], atol=2e-3)
        np.testing.assert_allclose(scores, stored[found] @ query, atol=2e-3)


def test_search_keeps_to_what_is_allowed(index: VectorIndex) -> None:
    allowed = range(0, 3000, 100)
    for query in _vectors(3, seed=2):
        found, scores = index.search(query[None], 5, allowed=allowed)
        assert len(found) == 5
        assert not (found % 100).any()
        assert scores[0] == pytest.approx((_vectors(3000)[::100] @ query).max(), abs=2e-3)
        assert not len(index.search(query[None], 5, allowed=[])[0])


def test_vectors_are_returned_at_their_stored_precision(index: VectorIndex) -> None:
    np.testing.assert_allclose(index.all_halves(), _vectors(3000), atol=2e-3)
    np.testing.assert_allclose(index.vectors([3, 4]), _vectors(3000)[3:5], atol=2e-3)
    assert index.vectors([]).shape == (0, 32)


def test_saved_index_answers_the_same(index: VectorIndex, tmp_path: Path) -> None:
    index.save(tmp_path)
    loaded = VectorIndex.load(tmp_path, revision="model-1")
    for query in _vectors(5, seed=5):
        for one, other in zip(loaded.search(query[None], 7), index.search(query[None], 7), strict=True):
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(loaded.all_halves(), index.all_halves())


def test_inverted_lists_of_earlier_versions_are_read(index: VectorIndex, tmp_path: Path) -> None:
    stored = _vectors(3000)
    inverted = vectors.faiss.index_factory(32, "IVF50,SQfp16", vectors.faiss.METRIC_INNER_PRODUCT)
    inverted.train(stored)
    inverted.add_with_ids(stored, np.arange(len(stored)))
    inverted.set_direct_map_type(vectors.faiss.DirectMap.Hashtable)
    VectorIndex(inverted, "model-1").save(tmp_path)
    loaded = VectorIndex.load(tmp_path, revision="model-1").all_halves()
    np.testing.assert_allclose(loaded, index.all_halves(), atol=2e-3)


def test_empty_index_answers_nothing() -> None:
    empty = VectorIndex.build(np.zeros((0, 8), np.float32), revision="m")
    assert not len(empty.search(np.ones((1, 8), np.float32), 3)[0])


def test_another_models_index_is_not_loaded(tmp_path: Path) -> None:
    VectorIndex.build(np.ones((1, 4), np.float32), revision="model-1").save(tmp_path)
    with pytest.raises(NotFoundError, match="model-1, not model-2"):
        VectorIndex.load(tmp_path, revision="model-2")
    with pytest.raises(NotFoundError, match="no vector index"):
        VectorIndex.load(tmp_path / "elsewhere", revision="model-1")


@pytest.mark.parametrize("keep", [0, 20, 300])
def test_damaged_index_is_reported(tmp_path: Path, keep: int) -> None:
    VectorIndex.build(_vectors(50), revision="m").save(tmp_path)
    file = tmp_path / VECTOR_FILE
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(StoreCorruptError, match="rebuilt"):
        VectorIndex.load(tmp_path, revision="m")


class _Interrupted(Exception):
    pass


class _CountingEmbedder:
    """The shipped model, counting what it is asked for and failing when told to."""

    def __init__(self) -> None:
        self._model = static.load()
        self.name, self.revision, self.dimension = self._model.name, self._model.revision, self._model.dimension
        self.embedded: list[str] = []
        self.fail_after = 10**9

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(self.embedded) + len(texts) > self.fail_after:
            raise _Interrupted
        self.embedded.extend(texts)
        return self._model.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._model.embed_queries(texts)


def test_cache_resumes_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "COMMIT_TEXTS", 10)
    texts = [f"def function_{number}(): return {number}" for number in range(35)]
    embedder = _CountingEmbedder()
    embedder.fail_after = 25
    with VectorCache(tmp_path / "vectors.db") as cache, pytest.raises(_Interrupted):
        cache.embed(embedder, texts)
    embedder.fail_after = 10**9
    with VectorCache(tmp_path / "vectors.db") as cache:
        resumed = cache.embed(embedder, texts)
        assert embedder.embedded == texts
    with VectorCache(tmp_path / "other.db") as cache:
        np.testing.assert_array_equal(resumed, cache.embed(embedder, texts))
    np.testing.assert_allclose(resumed, embedder.embed(texts), atol=1e-3)


def test_cache_embeds_a_repeated_text_once(tmp_path: Path) -> None:
    embedder = _CountingEmbedder()
    with VectorCache(tmp_path / "vectors.db") as cache:
        got = cache.embed(embedder, ["parse url", "open socket", "parse url"])
    assert sorted(embedder.embedded) == ["open socket", "parse url"]
    np.testing.assert_array_equal(got[0], got[2])


def test_cache_keeps_models_apart(tmp_path: Path) -> None:
    embedder = _CountingEmbedder()
    with VectorCache(tmp_path / "vectors.db") as cache:
        cache.embed(embedder, ["parse url"])
        embedder.revision = "newer"
        cache.embed(embedder, ["parse url"])
        assert embedder.embedded == ["parse url"] * 2
        assert cache.embed(embedder, []).shape == (0, embedder.dimension)


def test_a_damaged_cache_is_replaced(tmp_path: Path) -> None:
    path, embedder = tmp_path / "vectors.db", _CountingEmbedder()
    path.write_bytes(b"something else entirely, long enough to be no header" * 40)
    with VectorCache(path) as cache:
        expected = cache.embed(embedder, ["parse url"])
        content = bytearray(path.read_bytes())
        path.write_bytes(content[:4096] + b"\xff" * len(content[4096:]))
        path.with_name("vectors.db-wal").unlink()
        assert (cache.embed(embedder, ["parse url"]) == expected).all()
    with VectorCache(path) as cache:
        assert (cache.embed(embedder, ["parse url"]) == expected).all()
