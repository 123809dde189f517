"""Random reading queries over a large indexed repository on both engines: how many are equal, refused, cut, different.

Needs a Neo4j (`REPOQUARRY_TEST_NEO4J_URI`; its data is deleted, unless it holds this repository from a run before) and a
repository to index ($BENCH_REPOSITORY, a folder). With $BENCH_STORE, a folder, the embedded store is kept there for the
next run. Arguments: number of queries (5,000), seed (1), seconds after which no further query is started (none).

Most queries are anchored at names and folders of the repository: over 50,000 nodes a query without any anchor runs into a
limit on one engine or the other, and what is cut is not compared.
"""

import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.schema import NODE_LABELS
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.engines.differential import engine_pair
from tests.engines.differential.engine_pair import minimise
from tests.engines.differential.generator import QueryMaker
from tests.neo4j_server import Neo4jServer, empty, neo4j_server

_LIMITS = QueryLimits(seconds=4.0, rows=50_000)
_DEFAULTS = (5000, 1, 0)
_ANCHORS = 300
"""Names of each label that queries start from; half of the names are those with the most relationships."""

_SHALLOW = 2
"""Slashes in the paths of upper folders, which make half of the folders."""


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
            maker = QueryMaker(seed, *_anchors(embedded, seed))
            verdicts, with_rows = _run(embedded, reference, maker, count, deadline)
    done = verdicts.total()
    print(f"seed {seed}: {done} of {count} queries")
    for kind, number in verdicts.most_common():
        print(f"{kind:10} {number:6} {100 * number / done:5.1f} %")
    print(f"{with_rows} of the equal ones had rows")
    return 1 if verdicts["DIFFERENT"] else 0


@contextmanager
def _twins(source: str, kept: Path, server: Neo4jServer) -> Iterator[tuple[GraphEngine, GraphEngine]]:
    """The repository on both engines, indexed and loaded only where they do not hold it yet."""
    settings = server.settings(kept.with_name(f"{kept.name}-neo4j"))
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


_Anchors = tuple[dict[str, list[str]], list[str], list[tuple[str, str, str]]]


def _anchors(engine: GraphEngine, seed: int) -> _Anchors:
    """Names of stored nodes by label, folders that hold modules, and the kinds of relationships; the same for the same seed."""
    chance = random.Random(seed)
    names: dict[str, list[str]] = {}
    for label in NODE_LABELS:
        text = f"MATCH (n:{label})-[r]-() RETURN n.name AS name, count(r) AS links ORDER BY links DESC, name"
        rows = engine.run(text, {}, QueryLimits(rows=0)).rows
        plain = [str(row[0]) for row in rows if re.fullmatch(r"[\w./ <>-]+", str(row[0]))]
        known, others = plain[: _ANCHORS // 2], plain[_ANCHORS // 2 :]
        names[label] = known + chance.sample(others, min(_ANCHORS // 2, len(others)))
    paths = engine.run(
        "MATCH (d:Directory) WHERE d.path <> '' RETURN d.path + '/' AS path ORDER BY path", {}, QueryLimits(rows=0)
    )
    folders = sorted((str(row[0]) for row in paths.rows), key=lambda path: (path.count("/") > _SHALLOW, path))
    kinds = "MATCH (a)-[r]->(b) RETURN DISTINCT type(r) AS r, labels(a)[0] AS a, labels(b)[0] AS b ORDER BY r, a, b"
    joins = [(str(r), str(a), str(b)) for r, a, b in engine.run(kinds, {}, QueryLimits(rows=0)).rows]
    upper = sum(path.count("/") <= _SHALLOW for path in folders)
    deep = chance.sample(folders[upper:], min(upper, len(folders) - upper))
    return names, folders[:upper] + deep, joins


def _run(
    embedded: GraphEngine, reference: GraphEngine, maker: QueryMaker, count: int, deadline: float | None
) -> tuple[Counter[str], int]:
    verdicts, with_rows = Counter[str](), 0
    for number in range(count):
        if deadline is not None and time.monotonic() > deadline:
            break
        query = maker.query()
        verdict = engine_pair.compare(embedded, reference, query, limits=_LIMITS)
        verdicts[verdict.kind] += 1
        with_rows += verdict.rows > 0
        if verdict.kind in ("DIFFERENT", "failed"):
            print(f"{verdict.kind}: {query}\n   {verdict.detail[:2000]}", flush=True)
        if verdict.kind == "DIFFERENT":
            smallest = minimise(query, lambda text: _differs(embedded, reference, text))
            print(f"   smallest: {smallest}", flush=True)
        if number % 100 == 99:
            print(f"{number + 1}: {dict(verdicts)}", flush=True)
    return verdicts, with_rows


def _differs(embedded: GraphEngine, reference: GraphEngine, query: str) -> bool:
    return engine_pair.compare(embedded, reference, query, limits=_LIMITS).kind == "DIFFERENT"


if __name__ == "__main__":
    sys.exit(main())
