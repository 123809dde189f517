"""Random queries over the frozen graphs give the same rows on both engines; a difference is reported minimized.

Random searches run over a folder of this project, indexed on both engines, since the frozen graphs have no texts.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import get_float
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.engines.differential.engine_pair import compare, key, minimise
from tests.engines.differential.generator import QueryMaker
from tests.neo4j_server import Neo4jServer, empty

_QUERIES = 80
_SEARCHES = 60
_MIN_RECALL = 0.95
"""Share of the exact hits that the index of Neo4j finds, as docs/reference/cypher.md states."""
_SAME_SCORE = 1e-3
"""Difference that half-precision vectors make to a score."""
_LIMITS = QueryLimits(seconds=60.0, rows=20_000)
"""A random query may be too large to be compared; few of them are."""


def test_the_same_seed_gives_the_same_queries() -> None:
    first, second = QueryMaker(7), QueryMaker(7)
    assert [first.query() for _ in range(50)] == [second.query() for _ in range(50)]


def test_a_failing_query_is_made_smaller() -> None:
    query = (
        "MATCH (n:Function)-[:CALLS]->(m) WHERE n.name = 'a' AND m.name = 'b' RETURN n.name AS x, m.name AS y LIMIT 3"
    )
    smallest = minimise(query, lambda text: "LIMIT" in text and "(n:Function)" in text and "n.name AS x" in text)
    assert smallest == "MATCH (n:Function) RETURN n.name AS x LIMIT 3"


@pytest.mark.neo4j
def test_random_queries_have_equal_rows_on_neo4j(twins: tuple[GraphEngine, GraphEngine]) -> None:
    maker = QueryMaker(20_260_101)
    verdicts = Counter[str]()
    for _ in range(_QUERIES):
        query = maker.query()
        verdict = compare(*twins, query, limits=_LIMITS)
        if verdict.kind == "DIFFERENT":
            smallest = minimise(query, lambda text: compare(*twins, text, limits=_LIMITS).kind == "DIFFERENT")
            pytest.fail(f"{verdict.detail}\n{smallest}\nfrom {query}")
        verdicts[verdict.kind] += 1
    assert verdicts["equal"] >= 0.85 * _QUERIES, verdicts


@pytest.fixture(scope="module")
def searched(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Store]]:
    """Stores that search in files on the embedded engine and on Neo4j, and in the indexes of Neo4j."""
    folder = tmp_path_factory.mktemp("searched")
    shutil.copytree(Path(__file__).parents[3] / "repoquarry" / "graphstore" / "search", folder / "search")
    empty(neo4j_instance)
    files = neo4j_instance.settings(folder / "neo4j", embedding=EmbeddingSettings())
    native = replace(files, neo4j_embeddings=True)
    embedded = StoreSettings(folder / "kglite", embedding=EmbeddingSettings())
    for settings in (embedded, native):
        with Store.open(settings, writable=True) as store:
            index_repository(str(folder / "search"), store, IngestSettings(workers=1))
    with ExitStack() as opened:
        yield [opened.enter_context(Store.open(settings)) for settings in (embedded, files, native)]


@pytest.mark.neo4j
def test_random_searches_have_equal_rows_within_the_recall_of_neo4j(searched: list[Store]) -> None:
    maker, counts = QueryMaker(20_260_102), Counter[str]()
    for _ in range(_SEARCHES):
        query = maker.search()
        exact, by_files, by_index = (_rows_by_hit(store, query) for store in searched)
        if exact is None or by_files is None or by_index is None:
            continue
        assert exact == by_files, query
        if "fulltext" not in query:  # The rules of Lucene for words and scores are others.
            for hit in exact.keys() & by_index.keys():
                (score, rows), (other, others) = exact[hit], by_index[hit]
                assert abs(score - other) < _SAME_SCORE, f"{hit}: {score} and {other}\n{query}"
                assert rows == others, query
            counts.update(exact=len(exact), found=len(exact.keys() & by_index.keys()))
        counts.update(compared=1, rows=len(exact))
    assert counts["compared"] >= 0.85 * _SEARCHES
    assert counts["found"] >= _MIN_RECALL * counts["exact"] > 0, counts


def _rows_by_hit(store: Store, query: str) -> dict[str, tuple[float, list[list[str]]]] | None:
    """Return the score of each hit and the other cells of its rows; None for a query that is refused or fails."""
    try:
        rows = store.query(query, limits=_LIMITS).rows
    except GraphStoreError:
        return None
    found: dict[str, tuple[float, list[list[str]]]] = {}
    for hit, score, *cells in sorted(rows, key=lambda row: [key(cell) for cell in row]):
        found.setdefault(str(hit), (get_float(score), []))[1].append([key(cell) for cell in cells])
    return found
