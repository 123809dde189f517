"""Neo4j with one repository: time and size of its graph and of its embeddings, and recall of the server's vector index.

The recall is that of the best 10 and 100 nodes against exact search, over 56 questions of two words. The graph is written twice, since
the server compiles while it does the first. Needs NEO4J_HOME, and an embedded store with the repository.

    NEO4J_HOME=... python -m tests.benchmarks.stores.neo4j_embeddings STORE REPOSITORY SOURCE
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.search import node_search
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.stores.vector_search import QUESTIONS
from tests.neo4j_server import LocalNeo4j, empty, local_home

_HEAP = {"server.memory.heap.initial_size": "1g", "server.memory.heap.max_size": "1g"}


def main() -> int:
    home = local_home()
    if home is None or len(sys.argv) != 4:
        print(__doc__)
        return 1
    stored, repository, source = sys.argv[1:]
    with Store.open(StoreSettings(Path(stored))) as store:
        graph = store.graph(repository)
    with tempfile.TemporaryDirectory() as name:
        server = LocalNeo4j(home, Path(name) / "server", _HEAP)
        server.start()
        try:
            settings = StoreSettings(Path(name) / "store", "neo4j", server.server.uri, neo4j_user="")
            engine = open_engine(settings, writable=True)
            for turn in ("first", "second"):
                empty(server.server)
                _timed(server, f"graph, {turn} time", lambda: engine.replace_repository(graph))
            engine.close()
            _embeddings(server, settings, repository, source, Path(name))
        finally:
            server.stop()
    return 0


def _embeddings(server: LocalNeo4j, settings: StoreSettings, repository: str, source: str, folder: Path) -> None:
    empty(server.server)
    with Store.open(settings, writable=True) as store:
        index_repository(source, store, IngestSettings(), name=repository)
    print(f"without embeddings: {_megabytes(server, folder):.1f} MB", flush=True)
    with Store.open(replace(settings, neo4j_embeddings=True), writable=True) as store:
        revision = store.revision(repository)
        _timed(server, "embeddings", lambda: store.record_texts(repository, revision))
        _timed(server, "embeddings without a change", lambda: store.record_texts(repository, revision))
        for count in (10, 100):
            print(f"recall@{count}: {_recall(store, count):.3f}", flush=True)
    print(f"with embeddings: {_megabytes(server, folder):.1f} MB", flush=True)


def _recall(store: Store, count: int) -> float:
    found = 0
    text = f"CALL db.index.vector.queryNodes('Function_embedding', {count}, $q) YIELD node RETURN node.id"
    for question in QUESTIONS:
        exact = node_search.find_nodes(store, "Function_embedding", question, count, lambda: False)
        rows = store.query(text, {"q": question}).rows
        found += len({node for _, node in exact} & {row[0] for row in rows})
    return found / count / len(QUESTIONS)


def _megabytes(server: LocalNeo4j, folder: Path) -> float:
    """Return the size of the database's files, which a stop completes."""
    server.stop()
    files = (folder / "server" / "data" / "databases").rglob("*")
    size = sum(file.stat().st_size for file in files if file.is_file())
    server.start()
    return size / 1e6


def _timed(server: LocalNeo4j, what: str, work: Callable[[], object]) -> None:
    started, ours, theirs = time.perf_counter(), time.process_time(), _server_seconds(server)
    work()
    used = f"CPU s: ours {time.process_time() - ours:.1f}, server {_server_seconds(server) - theirs:.1f}"
    print(f"{what}: {time.perf_counter() - started:.1f} s; {used}", flush=True)


def _server_seconds(server: LocalNeo4j) -> float:
    process = psutil.Process(server.pid)
    family = [process, *process.children(recursive=True)]
    return sum(one.cpu_times().user + one.cpu_times().system for one in family)


if __name__ == "__main__":
    sys.exit(main())
