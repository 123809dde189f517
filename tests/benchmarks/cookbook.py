"""Seconds that each recipe of docs/cypher.md takes on Django, through `repoquarry query`, on the embedded engine and on Neo4j.

The whole command counts: its start, opening the store, the query and writing its rows. Needs the folder `django-5.2*` in
`BENCH_SOURCES`; Neo4j is left out where the tests have none. Fails when the quickest of three runs of a recipe takes over two
seconds on the embedded engine, or when the engines' rows differ in number.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.neo4j_server import Neo4jServer, empty, neo4j_server

_SKIPPED = 77
_MOST_SECONDS = 2.0
_RUNS = 3
RECIPE = re.compile(r"([^\n]*)\n```cypher\n(.*?)```", re.DOTALL)
_LIMIT_SECONDS = "30"

Variables = dict[str, str]
"""Settings of one store."""


def main() -> int:
    found = sorted(Path(os.environ.get("BENCH_SOURCES", "/nowhere")).glob("django-5.2*"))
    if not found:
        print("BENCH_SOURCES has no folder django-5.2*")
        return _SKIPPED
    recipes = RECIPE.findall((Path(__file__).parents[2] / "docs/cypher.md").read_text("utf-8"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stores = {"kglite": {"REPOQUARRY_STORE": str(folder / "kglite")}}
        server = stack.enter_context(neo4j_server(folder))
        if server is not None:
            empty(server)
            stores["neo4j"] = _on_neo4j(server, folder)
        for name, variables in stores.items():
            done, seconds = _timed(variables, "index", str(found[0]))
            if done.returncode:
                print(f"{name}: indexing failed: {done.stderr}")
                return 1
            print(f"{name}: indexed in {seconds:.1f} s", flush=True)
        return _compare(recipes, stores, folder / "rows.jsonl")


def _on_neo4j(server: Neo4jServer, folder: Path) -> Variables:
    return {
        "REPOQUARRY_STORE": str(folder / "neo4j"),
        "REPOQUARRY_STORE_ENGINE": "neo4j",
        "REPOQUARRY_STORE_NEO4J_URI": server.uri,
        "REPOQUARRY_STORE_NEO4J_USER": server.user,
        "REPOQUARRY_STORE_NEO4J_PASSWORD": server.password,
    }


def _compare(recipes: list[tuple[str, str]], stores: dict[str, Variables], output: Path) -> int:
    failed = 0
    for title, query in recipes:
        seen = {name: _quickest(variables, query, output) for name, variables in stores.items()}
        wrong = seen["kglite"][0] > _MOST_SECONDS or len({rows for _, rows in seen.values()}) > 1
        failed += wrong
        figures = ", ".join(f"{name} {seconds:6.2f} s {rows:6} rows" for name, (seconds, rows) in seen.items())
        print(f"{'FAIL' if wrong else 'ok  '} {figures}  {title}", flush=True)
    print(f"{len(recipes)} recipes, {failed} over {_MOST_SECONDS:g} s or with other rows")
    return 1 if failed else 0


def _quickest(variables: Variables, query: str, output: Path) -> tuple[float, int]:
    """Seconds and rows; rows are -1 when the query failed or ran over its time."""
    best, rows = float("inf"), -1
    for _ in range(_RUNS):
        done, seconds = _timed(
            variables, "query", query, "--format", "jsonl", "--output", str(output), "--seconds", _LIMIT_SECONDS
        )
        if done.returncode:
            print(done.stderr.strip())
            return seconds, -1
        with output.open("rb") as lines:
            rows = sum(1 for _ in lines)
        best = min(best, seconds)
    return best, rows


def _timed(variables: Variables, *arguments: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run a command as a user does, and how long it took."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "repoquarry.server.cli", *arguments],
        env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done, time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
