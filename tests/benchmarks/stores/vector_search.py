"""Vector search over many repositories in one store, on both engines: recall against exact search, and seconds of a search.

Repositories are made of the Python files of a folder, three files each, and indexed into STORE, where they stay for the next run. The
exact search multiplies all vectors in one matrix. A hit counts if its exact score is among the best ones, so that equal vectors are equal.
Neo4j holds the functions with their vectors only: its graph takes no part in the search.
Needs NEO4J_HOME; `--write` replaces docs/data/vector_search.csv.

    NEO4J_HOME=... python -m tests.benchmarks.stores.vector_search STORE SOURCE REPOSITORIES [--write]
"""

import csv
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median
from typing import NamedTuple, cast

import neo4j
import numpy as np

from repoquarry.graphstore.graph_engine import NodeEmbeddings, SharedEngine
from repoquarry.graphstore.model.values import get_float
from repoquarry.graphstore.search.embeddings.embedder import Vectors
from repoquarry.graphstore.search.index.places import LABELS
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.neo4j_server import LocalNeo4j, local_home
from tests.source_trees import write_tree
from tests.thread_workers import thread_workers

_TABLE = Path(__file__).parents[3] / "docs" / "data" / "vector_search.csv"
_HEAP = {"server.memory.heap.initial_size": "2g", "server.memory.heap.max_size": "2g"}
_FILES = 3
_ONE_IN = 3
_HITS = (10, 100)
_EVERYTHING = IngestSettings(workers=1, index_generated=True, index_vendored=True)
_MIN_BYTES, _MAX_BYTES = 1_000, 20_000
_VERBS = ("send", "parse", "validate", "render", "delete", "cache", "serialize", "migrate")
_NOUNS = ("email", "form field", "database row", "template", "http request", "session", "password")
QUESTIONS = [" ".join(words) for words in product(_VERBS, _NOUNS)]
_TEXT = "CALL db.index.vector.queryNodes('Function_embedding', $k, $q) YIELD node, score RETURN node.id, score"
_SAME_SCORE = 1e-3
"""Difference that float16 makes to a score."""


class Result(NamedTuple):
    """Recall of the best nodes, and seconds of each search."""

    recall: float
    seconds: list[float]


def main() -> int:
    home, given = local_home(), [word for word in sys.argv[1:] if word != "--write"]
    if home is None or len(given) != 3:
        print(__doc__)
        return 1
    folder, source, count = Path(given[0]), Path(given[1]), int(given[2])
    _index(folder, source, count)
    rows = [["engine", "nodes of each search", "recall", "median", "slowest"]]
    with Store.open(StoreSettings(folder)) as store:
        vectors = function_vectors(store)
        rows += [_row("embedded", hits, search(store, vectors, hits)) for hits in _HITS]
    print(f"{count} repositories, {len(vectors):,} functions", flush=True)
    with tempfile.TemporaryDirectory() as name:
        server = LocalNeo4j(home, Path(name) / "server", _HEAP)
        server.start()
        try:
            settings = server.server.settings(folder, neo4j_embeddings=True)
            with Store.open(settings, writable=True) as store:
                _write_functions(store, vectors)
                await_indexes(settings)
                rows += [_row("Neo4j", hits, search(store, vectors, hits)) for hits in _HITS]
        finally:
            server.stop()
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)
    if "--write" in sys.argv:
        with _TABLE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    return 0


def _row(engine: str, hits: int, found: Result) -> list[str]:
    return [
        engine,
        str(hits),
        f"{found.recall:.3f}",
        *(f"{s:.2f} s" for s in (median(found.seconds), max(found.seconds))),
    ]


def _index(folder: Path, source: Path, count: int) -> None:
    with thread_workers(), Store.open(StoreSettings(folder), writable=True) as store:
        stored = set(store.repositories())
        for name, files in _repositories(source, count):
            if name not in stored:
                with tempfile.TemporaryDirectory() as place:
                    index_repository(str(write_tree(Path(place) / name, files)), store, _EVERYTHING)


def _repositories(source: Path, count: int) -> Iterator[tuple[str, dict[str, bytes]]]:
    found = sorted(path for path in source.rglob("*.py") if _MIN_BYTES < path.stat().st_size < _MAX_BYTES)
    for number in range(count):
        some = found[number * _FILES : (number + 1) * _FILES]
        if not some:
            raise SystemExit(f"{source} has files for {number} repositories")
        yield f"lib{number:04}", {f"{path.parent.name}/{path.name}": path.read_bytes() for path in some}


def function_vectors(store: Store) -> dict[str, Vectors]:
    """Return the stored vector of each function by its id."""
    assert store.embedder is not None
    vectors: dict[str, Vectors] = {}
    for repository in store.repositories():
        opened = store.indexes.open(repository)
        index = opened.vectors(store.embedder.revision)
        places = np.flatnonzero(opened.places.label == LABELS.index("Function")).tolist()
        if index is not None and places:
            found = index.vectors(places)
            vectors.update(zip(map(opened.places.id, places), found, strict=True))
    return vectors


def search(store: Store, vectors: dict[str, Vectors], hits: int) -> Result:
    """Ask all questions; a hit counts if its exact score is not below the lowest of the best ones."""
    assert store.embedder is not None
    ids, matrix = list(vectors), np.stack(list(vectors.values()))
    seconds, right = [], 0
    for question in QUESTIONS[::_ONE_IN]:
        exact = (1 + matrix @ store.embedder.embed_queries([question])[0]) / 2
        lowest = float(np.sort(exact)[-hits])
        by_id = dict(zip(ids, exact.tolist(), strict=True))
        started = time.perf_counter()
        rows = store.query(_TEXT, {"k": hits, "q": question}).rows
        seconds.append(time.perf_counter() - started)
        if any(abs(get_float(score) - by_id[str(node)]) > _SAME_SCORE for node, score in rows):
            raise SystemExit(f"scores of {question!r} are not (1 + cosine) / 2")
        right += sum(by_id[str(node)] >= lowest - 1e-6 for node, _ in rows)
    return Result(right / hits / len(seconds), seconds)


def _write_functions(store: Store, vectors: dict[str, Vectors]) -> None:
    embedder, ids = store.embedder, list(vectors)
    assert embedder is not None
    with neo4j.GraphDatabase.driver(store.settings.neo4j_uri) as driver:
        driver.execute_query(
            "CREATE (:Repository {id: 'all'}) WITH * UNWIND $ids AS id CREATE (:Function {id: id})", ids=ids
        )
    of_model = embedder.name, embedder.revision, "1", embedder.dimension
    given = NodeEmbeddings("all", *of_model, {"Function": ids}, lambda some: [vectors[node].tolist() for node in some])
    cast(SharedEngine, store.engine).write_embeddings(given)


def await_indexes(settings: StoreSettings) -> None:
    """Wait until the server has indexed what was written."""
    with neo4j.GraphDatabase.driver(settings.neo4j_uri) as driver:
        driver.execute_query("CALL db.awaitIndexes(3600)")


if __name__ == "__main__":
    sys.exit(main())
