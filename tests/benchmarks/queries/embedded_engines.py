"""One repository on both embedded engines: size, writing, and the time of the product's own queries and of the library's.

    python -m tests.benchmarks.queries.embedded_engines STORE REPOSITORY

STORE is an embedded store of kglite that has the repository; its graph is copied to a new store on DuckDB. Times are CPU milliseconds
of this process, the best of three runs.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.query_library import LibraryQuery, QueryLibrary
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.internal_queries import QUERIES

_LIMITS = QueryLimits(seconds=60.0, rows=0, bytes=0, memory_bytes=0)
_RUNS = 3


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 1
    store, repository = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as name, Store.open(StoreSettings(store)) as opened:
        folder = Path(name)
        graph = opened.graph(repository)
        for kind in ("kglite", "duckdb"):
            (folder / kind).mkdir()
            engine = open_engine(StoreSettings(folder / kind, kind), writable=True)
            started = time.process_time()
            engine.replace_repository(graph)
            spent = time.process_time() - started
            engine.close()
            size = sum(file.stat().st_size for file in (folder / kind).rglob("*") if file.is_file())
            print(f"{kind}: written in {spent:.2f} CPU s, {size / 1e6:.1f} MB")
        engines = [open_engine(StoreSettings(folder / kind, kind), writable=False) for kind in ("kglite", "duckdb")]
        _print("the product's own queries", engines, _bound(QUERIES.values(), _values(engines[0], repository)))
        library = QueryLibrary().queries.values()
        _print("the library's queries", engines, _bound(library, {"repository": repository}))
    return 0


def _values(engine: GraphEngine, repository: str) -> dict[str, Value]:
    """Return values for the parameters of the own queries: 21 ids, five names, four paths."""
    chance = random.Random(3)

    def ids(label: str) -> list[str]:
        rows = engine.run(f"MATCH (n:{label}) RETURN n.id AS id ORDER BY id", {}, _LIMITS).rows
        return [str(row[0]) for row in rows]

    functions, classes, modules = map(ids, ("Function", "Class", "Module"))
    few: list[Value] = [*chance.sample(functions, 12), *chance.sample(classes, 6), *chance.sample(modules, 3)]
    names: list[Value] = [each.rpartition(":")[2].rpartition(".")[2] for each in chance.sample(functions, 5)]
    paths: list[Value] = [each.partition(":")[2] for each in chance.sample(modules, 4)]
    known: dict[str, Value] = {"ids": few, "names": names, "paths": paths, "repository": repository}
    texts: dict[str, Value] = {"name": "get", "qualname": ".get", "ending": "/base.py", "suffix": ".join"}
    return {**known, **texts, "repositories": [repository], "ends": ["/base.py"], "parts": ["/base/"], "bodies": []}


def _bound(queries: Any, values: Mapping[str, Value]) -> Iterator[tuple[LibraryQuery, dict[str, Value]]]:
    for query in queries:
        needed = {p.name for p in query.parameters if p.default is None}
        if needed <= values.keys():
            yield query, query.bind({p.name: values[p.name] for p in query.parameters if p.name in values})


def _print(title: str, engines: list[GraphEngine], queries: Iterator[tuple[LibraryQuery, dict[str, Value]]]) -> None:
    found: list[tuple[str, float, float]] = []
    for query, values in queries:
        times = [ms for engine in engines if (ms := _milliseconds(engine, query.text, values)) is not None]
        if len(times) == len(engines):
            found.append((query.name, times[0], times[1]))
    one, other = [row[1] for row in found], [row[2] for row in found]
    print(
        f"\n{title}: {len(found)}; median {median(one):.2f} and {median(other):.2f} ms, sum {sum(one):.0f} and {sum(other):.0f} ms"
    )
    print(f"{'':30}{'kglite':>9}{'DuckDB':>9}")
    for name, first, second in sorted(found, key=lambda row: row[1] - row[2]):
        print(f"{name:30}{first:9.2f}{second:9.2f}")


def _milliseconds(engine: GraphEngine, text: str, values: Mapping[str, Value]) -> float | None:
    """Return the time of the best run; None for a query that fails."""
    best = float("inf")
    for _ in range(_RUNS):
        try:
            gated = admit(text, values, engine.info.dialect)
            started = time.process_time()
            engine.run(gated.text, gated.parameters, _LIMITS)
            spent = time.process_time() - started
        except GraphStoreError as error:
            print(f"failed on {engine.info.dialect}: {str(error)[:100]}: {text[:60]!r}")
            return None
        best = min(best, spent)
    return 1000 * best


if __name__ == "__main__":
    sys.exit(main())
