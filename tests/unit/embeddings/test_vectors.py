"""The vector index (exact and inverted) and the vector cache."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings import embedder as cache_module
from repoquarry.graphstore.search.embeddings import static, vectors
from repoquarry.graphstore.search.embeddings.embedder import VECTOR_FILE, VectorCache, Vectors, normalised
from repoquarry.graphstore.search.embeddings.vectors import VectorIndex


def _vectors(count: int, seed: int = 0, dimension: int = 32) -> Vectors:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(40, dimension))
    points = centres[random.integers(0, 40, count)] + random.normal(size=(count, dimension)) * 0.7
    return normalised(points.astype(np.float32))


def _ids(count: int) -> list[str]:
    return [f"r:m.py::f{number}" for number in range(count)]


@pytest.fixture(params=["exact", "inverted"])
def index(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> VectorIndex:
    monkeypatch.setattr(vectors, "EXACT_LIMIT", 100_000 if request.param == "exact" else 1000)
    built = VectorIndex.build(_ids(3000), _vectors(3000), revision="model-1")
    assert vectors._is_inverted(built._index) == (request.param == "inverted")
    return built


def test_search_finds_the_nearest(index: VectorIndex) -> None:
    stored, queries = _vectors(3000), _vectors(40, seed=1)
    truth = np.argsort(-(queries @ stored.T), axis=1, kind="stable")[:, :10]
    found = index.search(queries, 10)
    ids = _ids(3000)
    shares = [
        len({ids[n] for n in row} & {hit.id for hit in hits}) / 10 for row, hits in zip(truth, found, strict=True)
    ]
    assert np.mean(shares) > 0.9
    assert all(hits == sorted(hits, key=lambda hit: -hit.score) for hits in found)


def test_search_keeps_to_what_is_allowed(index: VectorIndex) -> None:
    allowed = {*_ids(3000)[::100], "unknown"}
    queries = _vectors(3, seed=2)
    best = (queries @ _vectors(3000)[::100].T).max(axis=1)
    for hits, score in zip(index.search(queries, 5, allowed=allowed), best, strict=True):
        assert len(hits) == 5
        assert {hit.id for hit in hits} <= allowed
        assert hits[0].score == pytest.approx(float(score), abs=2e-3)
    assert index.search(queries, 5, allowed=set()) == [[], [], []]


def test_update_replaces_adds_and_removes(index: VectorIndex) -> None:
    ids, fresh = _ids(3000), _vectors(2, seed=3)
    index = index.update([ids[3], "r:new.py::g"], fresh, removed=[ids[7], "unknown"])
    assert len(index) == 3000
    assert ids[7] not in index
    assert [hits[0].id for hits in index.search(fresh, 1)] == [ids[3], "r:new.py::g"]
    np.testing.assert_allclose(index.vectors([ids[3], ids[4]]), [fresh[0], _vectors(3000)[4]], atol=2e-3)


def test_saved_index_answers_the_same(index: VectorIndex, tmp_path: Path) -> None:
    index = index.update(["late"], _vectors(1, seed=4), removed=[_ids(3000)[0]])
    index.save(tmp_path / "made" / "here")
    loaded = VectorIndex.load(tmp_path / "made" / "here", revision="model-1")
    queries = _vectors(5, seed=5)
    assert loaded.search(queries, 7) == index.search(queries, 7)
    assert len(loaded.update(["later"], _vectors(1, seed=6), removed=["late"])) == 3000


def test_saved_index_is_a_file_of_safetensors_byte_for_byte(index: VectorIndex, tmp_path: Path) -> None:
    index.save(tmp_path)
    written = (tmp_path / VECTOR_FILE).read_bytes()
    with safe_open(tmp_path / VECTOR_FILE, framework="numpy") as file:
        held = {name: file.get_tensor(name) for name in ("index", "names", "numbers")}
        assert file.metadata() == {"revision": "model-1"}
    assert save(held, metadata={"revision": "model-1"}) == written


def test_growth_turns_an_exact_index_into_an_inverted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "EXACT_LIMIT", 1000)
    small = VectorIndex.build(_ids(900), _vectors(900), revision="m")
    grown = small.update([f"x{n}" for n in range(300)], _vectors(300, seed=7), removed=_ids(900)[:100])
    assert vectors._is_inverted(grown._index)
    assert len(grown) == 1100
    assert grown.search(_vectors(900)[500:501], 1)[0][0].id == _ids(900)[500]


def test_empty_index_answers_nothing() -> None:
    empty = VectorIndex.build([], np.zeros((0, 8), np.float32), revision="m")
    assert empty.search(np.ones((2, 8), np.float32), 3) == [[], []]
    assert len(empty.update(["a"], np.ones((1, 8), np.float32))) == 1


def test_build_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="1 distinct ids of 2"):
        VectorIndex.build(["a", "a"], np.ones((2, 4), np.float32), revision="m")


def test_another_models_index_is_not_loaded(tmp_path: Path) -> None:
    VectorIndex.build(["a"], np.ones((1, 4), np.float32), revision="model-1").save(tmp_path)
    with pytest.raises(NotFoundError, match="model-1, not model-2"):
        VectorIndex.load(tmp_path, revision="model-2")
    with pytest.raises(NotFoundError, match="no vector index"):
        VectorIndex.load(tmp_path / "elsewhere", revision="model-1")


@pytest.mark.parametrize("keep", [0, 20, 300])
def test_damaged_index_is_reported(tmp_path: Path, keep: int) -> None:
    VectorIndex.build(_ids(50), _vectors(50), revision="m").save(tmp_path)
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
    told: list[tuple[int, int]] = []
    with VectorCache(tmp_path / "vectors.db") as cache:
        resumed = cache.embed(embedder, texts, lambda done, total: told.append((done, total)))
        assert embedder.embedded == texts
        assert told == [(20, 35), (30, 35), (35, 35)]
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
        assert cache.forget(keep_revision="newer") == 1
        cache.embed(embedder, ["parse url"])
        assert len(embedder.embedded) == 2
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
