"""Random reading queries over a large indexed repository on both engines: how many are equal, refused, cut, different.

Needs a Neo4j (`REPOQUARRY_TEST_NEO4J_URI`; its data is deleted, unless it holds this repository from a run before) and a
repository to index ($BENCH_REPOSITORY, a folder). With $BENCH_STORE, a folder, the embedded store is kept there for the
next run. Arguments: number of queries (5,000), seed (1), seconds after which no further query is begun (none).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphstore.engine import GraphEngine, QueryLimits
from graphstore.engines.registry import open_engine
from graphstore.settings import StoreSettings
from graphstore.store import Store
from ingest.pipeline import index_repository
from ingest.settings import IngestSettings
from tests.engines.differential import twins
from tests.engines.differential.generator import QueryMaker
from tests.engines.differential.minimise import minimise
from tests.neo4j_server import Neo4jServer, empty, neo4j_server

SKIPPED = 77
_LIMITS = QueryLimits(seconds=5.0, rows=20_000)
_DEFAULTS = (5000, 1, 0)


def main() -> int:
    given = [int(word) for word in sys.argv[1:4]]
    count, seed, seconds = (*given, *_DEFAULTS[len(given) :])
    source = os.environ.get("BENCH_REPOSITORY", "")
    if not source or not Path(source).is_dir():
        print("needs $BENCH_REPOSITORY, the folder of a repository")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder, neo4j_server(Path(folder) / "server") as server:
        if server is None:
            print("needs a Neo4j")
            return SKIPPED
        kept = Path(os.environ.get("BENCH_STORE") or Path(folder) / "kglite")
        with _twins(source, kept, server) as (embedded, reference):
            deadline = time.monotonic() + seconds if seconds else None
            verdicts = _run(embedded, reference, QueryMaker(seed), count, deadline)
    done = verdicts.total()
    print(f"seed {seed}: {done} of {count} queries")
    for kind, number in verdicts.most_common():
        print(f"{kind:10} {number:6} {100 * number / done:5.1f} %")
    return 1 if verdicts["DIFFERENT"] else 0


@contextmanager
def _twins(source: str, kept: Path, server: Neo4jServer) -> Iterator[tuple[GraphEngine, GraphEngine]]:
    """The repository on both engines, indexed and loaded only where they do not hold it yet."""
    settings = StoreSettings(
        kept.with_name(f"{kept.name}-neo4j"), "neo4j", server.uri,
        neo4j_user=server.user, neo4j_password=server.password,
    )  # fmt: skip
    with Store.open(StoreSettings(kept, embedding=None), writable=True) as store:
        if not store.repositories():
            index_repository(source, store, IngestSettings(workers=2))
        (repository,) = store.repositories()
        reference = open_engine(settings, writable=True)
        try:
            if list(reference.repositories()) != [repository]:
                empty(server)
                reference.replace_repository(store.graph(repository))
            yield store.engine, reference
        finally:
            reference.close()


def _run(
    embedded: GraphEngine, reference: GraphEngine, maker: QueryMaker, count: int, deadline: float | None
) -> Counter[str]:
    verdicts = Counter[str]()
    for number in range(count):
        if deadline is not None and time.monotonic() > deadline:
            break
        query = maker.query()
        verdict = twins.compare(embedded, reference, query, limits=_LIMITS)
        verdicts[verdict.kind] += 1
        if verdict.kind in ("DIFFERENT", "failed"):
            print(f"{verdict.kind}: {query}\n   {verdict.detail[:2000]}", flush=True)
        if verdict.kind == "DIFFERENT":
            smallest = minimise(query, lambda text: _differs(embedded, reference, text))
            print(f"   smallest: {smallest}", flush=True)
        if number % 100 == 99:
            print(f"{number + 1}: {dict(verdicts)}", flush=True)
    return verdicts


def _differs(embedded: GraphEngine, reference: GraphEngine, query: str) -> bool:
    return twins.compare(embedded, reference, query, limits=_LIMITS).kind == "DIFFERENT"


if __name__ == "__main__":
    sys.exit(main())
