"""Search procedures of Cypher on every engine: the hits of exact search, current after a change, within the limits of queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.model.values import get_float
from repoquarry.graphstore.search.embeddings.embedder import document_text
from repoquarry.graphstore.search.index.places import COLUMN_FILE
from repoquarry.graphstore.search.index.search_index import HEADER
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.storage.vector_identity import VECTOR_FILE
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_WORDS = ("charge the order", "send a letter", "open the file", "retry a request", "parse the date", "draw a circle")
_VECTOR = "CALL db.index.vector.queryNodes('Function_embedding', $k, $q) YIELD node, score RETURN node.id AS id, score"
_TEXT = "CALL db.index.fulltext.queryNodes('repoquarry_text', $q) YIELD node RETURN node.id AS id"


def _source(words: str) -> str:
    return f'def {words.replace(" ", "_")}(value):\n    """{words.capitalize()} of the value."""\n    return value\n'


def _index(store: Store, tree: Path, texts: tuple[str, ...]) -> None:
    files = {f"work/m{number}.py": _source(words) for number, words in enumerate(texts)}
    calls = "from work.m0 import charge_the_order\n\n\ndef main():\n    return charge_the_order(1)\n"
    index_repository(str(write_tree(tree / "shop", files | {"work/main.py": calls})), store, IngestSettings(workers=1))


@pytest.fixture(scope="module", params=[False, True], ids=["files", "native"])
def searched(
    request: pytest.FixtureRequest, shared_engine_settings: StoreSettings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """An indexed store; `native` searches in the engine, where the engine can."""
    if request.param and shared_engine_settings.engine != "neo4j":
        pytest.skip("the embedded engine has no indexes of its own")
    folder = tmp_path_factory.mktemp("searched")
    settings = replace(
        shared_engine_settings, folder=folder, neo4j_embeddings=request.param, embedding=EmbeddingSettings()
    )
    with Store.open(settings, writable=True) as store:
        _index(store, folder, _WORDS)
        _await_indexes(settings)
        yield store
        store.delete("shop")


def _await_indexes(settings: StoreSettings) -> None:
    if settings.engine == "neo4j":
        _run(settings, "CALL db.awaitIndexes(300)")
        _run(settings, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")


def _run(settings: StoreSettings, text: str) -> list[Any]:
    auth = (settings.neo4j_user, settings.neo4j_password) if settings.neo4j_user else None
    with neo4j.GraphDatabase.driver(settings.neo4j_uri, auth=auth) as driver, driver.session() as session:
        return [row.values() for row in session.run(text)]


def test_vector_search_equals_exact_search(searched: Store) -> None:
    embedder = searched.embedder
    assert embedder is not None
    names = [words.replace(" ", "_") for words in _WORDS]
    texts = [document_text(f"work/m{n}.py", name, _source(_WORDS[n])) for n, name in enumerate(names)]
    for question in ("charging orders", "draw round shapes"):
        cosines = (embedder.embed(texts) @ embedder.embed_queries([question])[0]).tolist()
        expected = sorted(zip(cosines, names, strict=True), reverse=True)[:2]
        rows = searched.query(_VECTOR, {"k": 3, "q": question}).rows
        rows = [row for row in rows if not str(row[0]).endswith("::main")][:2]
        assert [str(row[0]).split("::")[1] for row in rows] == [name for _, name in expected]
        assert np.allclose([get_float(row[1]) for row in rows], [(1 + cosine) / 2 for cosine, _ in expected], atol=0.01)


def test_a_vector_searches_like_its_text(searched: Store) -> None:
    assert searched.embedder is not None
    vector = searched.embedder.embed_queries(["parse dates"])[0].tolist()
    by_text, by_vector = (searched.query(_VECTOR, {"k": 3, "q": q}).rows for q in ("parse dates", vector))
    assert [row[0] for row in by_text] == [row[0] for row in by_vector]


def test_hits_join_further_clauses(searched: Store) -> None:
    text = (
        "MATCH (m:Module {path: 'work/main.py'}) "
        "CALL db.index.vector.queryNodes('Function_embedding', 5, 'charge the order') YIELD node AS f, score AS s "
        "WHERE s > 0.1 MATCH (caller)-[:CALLS]->(f) WHERE caller.repository = m.repository "
        "RETURN f.name AS f, caller.name AS caller"
    )
    assert searched.query(text).rows == [("charge_the_order", "main")]


@pytest.mark.parametrize(("words", "is_found"), [("circle", True), ("NOT (circle* AND /c.*", True), ("?*", False)])
def test_words_find_nodes_and_operators_mean_nothing(searched: Store, words: str, is_found: bool) -> None:
    found = [str(row[0]) for row in searched.query(_TEXT, {"q": words}).rows]
    assert ("shop:work/m5.py::draw_a_circle" in found) == is_found


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"k": 0, "q": "x"}, "bad_bound"),
        ({"k": 1_001, "q": "x"}, "bad_bound"),
        ({"k": 1, "q": [1.0, 2.0]}, "bad_vector"),
    ],
)
def test_arguments_out_of_range_are_refused(searched: Store, parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        searched.query(_VECTOR, parameters)
    assert refused.value.reason == reason


def test_a_search_keeps_to_the_limits_of_its_query(searched: Store) -> None:
    parameters: dict[str, Any] = {"k": 5, "q": "order"}
    assert len(searched.query(_VECTOR, parameters, QueryLimits(rows=2)).rows) == 2
    with pytest.raises(QueryLimitError):
        searched.query(_VECTOR, parameters, QueryLimits(seconds=1e-6))
    with pytest.raises(QueryCancelledError):
        searched.query(_VECTOR, parameters, cancelled=lambda: True)


def test_a_change_is_found_and_removed_code_is_not(searched: Store) -> None:
    _index(searched, searched.folder, (*_WORDS[:-1], "water the plants"))
    _await_indexes(searched.settings)
    found = [str(row[0]) for row in searched.query(_VECTOR, {"k": 1_000, "q": "water plants"}).rows]
    assert found[0] == "shop:work/m5.py::water_the_plants"
    assert not [node for node in found if "circle" in node]


def test_graph_stores_vectors_and_their_source(searched: Store) -> None:
    if not searched.settings.neo4j_embeddings:
        pytest.skip("vectors are in files")
    embedder = searched.embedder
    assert embedder is not None
    recorded = _run(
        searched.settings, "MATCH (r:Repository) RETURN r.embedding_version, r.embedding_dimension, r.embedding_index"
    )
    assert recorded == [[embedder.revision, embedder.dimension, searched.revision("shop")]]
    counts = _run(searched.settings, "MATCH (n:Function|Class|Module) RETURN count(*), count(n.embedding)")[0]
    assert counts[0] == counts[1] > 0
    node = searched.query("MATCH (f:Function) RETURN f LIMIT 1").rows[0][0]
    assert "embedding" not in node.properties  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "text"), [(VECTOR_FILE, _VECTOR), (COLUMN_FILE, _VECTOR), ("body.counts.npy", _TEXT), (HEADER, _TEXT)]
)
def test_a_search_opens_no_index_but_to_repair_a_damaged_file(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = StoreSettings(tmp_path / "store", embedding=EmbeddingSettings())
    given: dict[str, Any] = {"q": "parse dates"} | ({"k": 3} if text == _VECTOR else {})
    with Store.open(settings, writable=True) as store:
        _index(store, tmp_path, _WORDS)
        with monkeypatch.context() as patched:
            patched.setattr(store.indexes, "open", None)
            expected = store.query(text, given).rows
        file = store.indexes.index_folder("shop") / name
    assert "shop:work/m4.py::parse_the_date" in [row[0] for row in expected]
    for damage in (bytes(10), None):
        file.write_bytes(damage) if damage else file.unlink()
        with Store.open(settings) as store:
            assert store.query(text, given).rows == expected
