"""Time of each named query of docs/reference/cookbook.md on Django, through `repoquarry query`, on the embedded engine and on Neo4j.

The whole command counts: its start, opening the store, the query and writing its rows. Needs the folder `django-5.2*` in
`BENCH_SOURCES`; Neo4j is skipped where the tests have none. Fails when the best of three runs of a recipe takes over two CPU
seconds on the embedded engine, its children's included, or when the engines' rows differ in number. CPU seconds, because they
are what a quiet machine's clock would show, also on a busy one; for Neo4j, whose server is another process, the clock is shown.

    python -m tests.benchmarks.queries.cookbook [--store STORE] [--only WORD]

With `--store` the recipes are timed on an embedded store that is there already, whatever it holds, and nothing is indexed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from repoquarry.graphstore.query.query_library import QueryLibrary
from tests.benchmarks.__main__ import SKIPPED
from tests.command_line import COMMAND
from tests.engines.differential.corpus import NAMED_VALUES
from tests.neo4j_server import empty, neo4j_server
from tests.process_checks import cpu_seconds

_MAX_SECONDS = 2.0
_RUNS = 3
_LIMIT_SECONDS = "300"
"""Time limit of one query: the clock of a busy machine must not end a measurement of CPU time."""

Variables = dict[str, str]
"""Settings of one store."""


class Took(NamedTuple):
    """Time and rows of a command; rows are -1 when it failed."""

    cpu: float
    clock: float
    rows: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, help="an embedded store that is there already")
    parser.add_argument("--only", default="", help="queries whose name holds this word")
    options = parser.parse_args()
    recipes = [name for name in QueryLibrary().queries if options.only in name]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.store is not None:
            stores = {"kglite": {"REPOQUARRY_STORE": str(options.store)}}
        else:
            found = sorted(Path(os.environ.get("BENCH_SOURCES", "/nowhere")).glob("django-5.2*"))
            if not found:
                print("BENCH_SOURCES has no folder django-5.2*")
                return SKIPPED
            stores = _indexed(found[0], stack, folder)
        return _compare(recipes, stores, folder / "rows.jsonl")


def _indexed(tree: Path, stack: ExitStack, folder: Path) -> dict[str, Variables]:
    """Stores that hold the tree, one of each engine that is there."""
    stores = {"kglite": {"REPOQUARRY_STORE": str(folder / "kglite")}}
    server = stack.enter_context(neo4j_server(folder))
    if server is not None:
        empty(server)
        stores["neo4j"] = {**server.variables, "REPOQUARRY_STORE": str(folder / "neo4j")}
    for name, variables in stores.items():
        done, took = _run(variables, "index", str(tree))
        if done.returncode:
            sys.exit(f"{name}: indexing failed: {done.stderr}")
        print(f"{name}: indexed in {took.cpu:.1f} CPU s", flush=True)
    return stores


def _compare(recipes: Sequence[str], stores: dict[str, Variables], output: Path) -> int:
    failed = 0
    for title in recipes:
        seen = {name: _best(variables, title, output) for name, variables in stores.items()}
        rows = {took.rows for took in seen.values()}
        wrong = seen["kglite"].cpu > _MAX_SECONDS or len(rows) > 1 or -1 in rows
        failed += wrong
        figures = ", ".join(f"{name} {_figure(name, took)} {took.rows:6} rows" for name, took in seen.items())
        print(f"{'FAIL' if wrong else 'ok  '} {figures}  {title}", flush=True)
    print(f"{len(recipes)} recipes, {failed} over {_MAX_SECONDS:g} s or with other rows")
    return 1 if failed else 0


def _figure(engine: str, took: Took) -> str:
    return f"{took.cpu:5.2f} CPU s" if engine == "kglite" else f"{took.clock:6.2f} s"


def _best(variables: Variables, name: str, output: Path) -> Took:
    """The run that took the least CPU; the failed one when one fails."""
    runs = []
    for _ in range(_RUNS):
        arguments = ("--format", "jsonl", "--output", str(output), "--seconds", _LIMIT_SECONDS)
        done, took = _run(variables, "query", *named_arguments(name), *arguments)
        if done.returncode:
            print(done.stderr.strip())
            return took
        with output.open("rb") as lines:
            runs.append(took._replace(rows=sum(1 for _ in lines)))
        if took.cpu > 2 * _MAX_SECONDS:
            break
    return min(runs)


def named_arguments(name: str) -> list[str]:
    """Arguments of `query` for a named query, with values for its required parameters."""
    values = NAMED_VALUES.get(name, {})
    return ["--named", name, *(f"--param={key}={json.dumps(value)}" for key, value in values.items())]


def _run(variables: Variables, *arguments: str) -> tuple[subprocess.CompletedProcess[str], Took]:
    """Run a command as a user does; what it took, its children included, with no rows yet."""
    started, before = time.perf_counter(), cpu_seconds()
    done = subprocess.run(
        [*COMMAND, *arguments],
        env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done, Took(cpu_seconds() - before, time.perf_counter() - started, -1)


if __name__ == "__main__":
    sys.exit(main())
