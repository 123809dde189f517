"""Random reading queries over a large indexed repository on both engines: how many are equal, refused, different.

Needs a Neo4j (`REPOQUARRY_TEST_NEO4J_URI`; its data is deleted) and a repository to index ($BENCH_REPOSITORY, a folder).
Arguments: number of queries (5,000), seed (1).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from graphstore.engines.registry import open_engine
from graphstore.settings import StoreSettings
from graphstore.store import Store
from ingest.pipeline import index_repository
from ingest.settings import IngestSettings
from tests.engines.differential import twins
from tests.engines.differential.generator import QueryMaker
from tests.engines.differential.minimise import minimise
from tests.neo4j_server import empty, neo4j_server

SKIPPED = 77


def main() -> int:
    count, seed = (int(word) for word in (*sys.argv[1:3], *("5000", "1")[len(sys.argv) - 1 :]))
    source = os.environ.get("BENCH_REPOSITORY", "")
    if not Path(source).is_dir() or not source:
        print("needs $BENCH_REPOSITORY, the folder of a repository")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder, neo4j_server(Path(folder) / "server") as server:
        if server is None:
            print("needs a Neo4j")
            return SKIPPED
        empty(server)
        settings = StoreSettings(
            Path(folder) / "neo4j", "neo4j", server.uri, neo4j_user=server.user, neo4j_password=server.password
        )
        with Store.open(StoreSettings(Path(folder) / "kglite"), writable=True) as store:
            report = index_repository(source, store, IngestSettings(workers=2))
            reference = open_engine(settings, writable=True)
            reference.replace_repository(store.graph(report.repository))
            verdicts = _run(store, reference, QueryMaker(seed), count)
            reference.close()
    for kind, number in verdicts.most_common():
        print(f"{kind:10} {number:6} {100 * number / count:5.1f} %")
    return 1 if verdicts["DIFFERENT"] else 0


def _run(store: Store, reference: twins.GraphEngine, maker: QueryMaker, count: int) -> Counter[str]:
    verdicts = Counter[str]()
    for _ in range(count):
        query = maker.query()
        verdict = twins.compare(store.engine, reference, query)
        verdicts[verdict.kind] += 1
        if verdict.kind == "DIFFERENT":
            smallest = minimise(query, lambda text: twins.compare(store.engine, reference, text).kind == "DIFFERENT")
            print(f"DIFFERENT: {smallest}\n   from {query}\n   {verdict.detail}")
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
