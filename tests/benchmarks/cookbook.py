"""Seconds that each recipe of docs/cypher.md takes on Django, through the store, on the embedded engine and on Neo4j.

Needs the folder `django-5.2*` in `BENCH_SOURCES`; Neo4j is left out where the tests have none. Fails when the quickest of three
runs of a recipe takes over two seconds on the embedded engine, or when the engines' rows differ in number.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from repoquarry.graphstore.engine import QueryLimits
from repoquarry.graphstore.engines.registry import open_engine
from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.neo4j_server import Neo4jServer, empty, neo4j_server

_SKIPPED = 77
_MOST_SECONDS = 2.0
_RUNS = 3
_RECIPE = re.compile(r"([^\n]*)\n```cypher\n(.*?)```", re.DOTALL)
_LIMITS = QueryLimits(seconds=30.0, rows=0, bytes=0)


def main() -> int:
    found = sorted(Path(os.environ.get("BENCH_SOURCES", "/nowhere")).glob("django-5.2*"))
    if not found:
        print("BENCH_SOURCES has no folder django-5.2*")
        return _SKIPPED
    recipes = _RECIPE.findall((Path(__file__).parents[2] / "docs/cypher.md").read_text("utf-8"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(Store.open(StoreSettings(folder / "kglite"), writable=True))
        repository = index_repository(str(found[0]), store, IngestSettings()).repository
        stores = {"kglite": store}
        server = stack.enter_context(neo4j_server(folder))
        if server is not None:
            stores["neo4j"] = stack.enter_context(_on_neo4j(server, folder, store, repository))
        return _compare(recipes, stores)


def _on_neo4j(server: Neo4jServer, folder: Path, source: Store, repository: str) -> Store:
    empty(server)
    settings = StoreSettings(
        folder / "neo4j", "neo4j", server.uri, neo4j_user=server.user, neo4j_password=server.password
    )
    engine = open_engine(settings, writable=True)
    engine.replace_repository(source.graph(repository))
    engine.close()
    return Store.open(settings, writable=True)


def _compare(recipes: list[tuple[str, str]], stores: dict[str, Store]) -> int:
    failed = 0
    for title, query in recipes:
        seen = {name: _quickest(store, query) for name, store in stores.items()}
        slow = seen["kglite"][0] > _MOST_SECONDS or len({rows for _, rows in seen.values()}) > 1
        failed += slow
        figures = ", ".join(f"{name} {seconds:6.3f} s {rows:6} rows" for name, (seconds, rows) in seen.items())
        print(f"{'FAIL' if slow else 'ok  '} {figures}  {title}", flush=True)
    print(f"{len(recipes)} recipes, {failed} over {_MOST_SECONDS:g} s or with other rows")
    return 1 if failed else 0


def _quickest(store: Store, query: str) -> tuple[float, int]:
    """Seconds and rows; rows are -1 when the query ran over its time."""
    best, rows = float("inf"), -1
    for _ in range(_RUNS):
        started = time.perf_counter()
        try:
            rows = len(store.query(query, limits=_LIMITS).rows)
        except QueryLimitError:
            return _LIMITS.seconds, -1
        best = min(best, time.perf_counter() - started)
    return best, rows


if __name__ == "__main__":
    sys.exit(main())
