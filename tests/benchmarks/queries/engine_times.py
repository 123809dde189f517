"""Times of the corpus on the embedded engine and on Neo4j: a line for each slow query, and a table by chapter.

Needs a Neo4j (its data is deleted). Both engines hold the frozen graphs of the tests; the best of three runs counts, without the gate.
Fails when a query takes more than 0.1 s on the embedded engine and more than ten times what Neo4j takes. Prints the table of
docs/explanation/benchmarks.md as CSV; `--write` replaces its file, which `make generate` renders.
"""

import csv
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.settings import StoreSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.engines.differential import corpus
from tests.engines.differential.engine_pair import LIMITS, filled_engine
from tests.neo4j_server import empty, neo4j_server

_TABLE = Path(__file__).parents[3] / "docs" / "data" / "query_times.csv"
_RUNS = 3
_MAX_RATIO = 10.0
_MIN_SECONDS = 0.1
"""Time below which a query is quick whatever Neo4j takes."""


class Timing(NamedTuple):
    """Seconds of one query on both engines."""

    chapter: str
    query: str
    embedded: float
    neo4j: float

    @property
    def ratio(self) -> float:
        return self.embedded / self.neo4j


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, neo4j_server(Path(folder) / "server") as server:
        if server is None:
            print("needs a Neo4j")
            return SKIPPED
        (Path(folder) / "kglite").mkdir()
        empty(server)
        with (
            filled_engine(StoreSettings(Path(folder) / "kglite")) as embedded,
            filled_engine(server.settings(Path(folder) / "neo4j")) as reference,
        ):
            timings = list(_measure(embedded, reference))
    return _report(timings)


def _measure(embedded: GraphEngine, reference: GraphEngine) -> Iterator[Timing]:
    for case in corpus.read():
        one, other = _best(embedded, case), _best(reference, case)
        if one is not None and other is not None:
            yield Timing(case.chapter, case.query, one, other)


def _best(engine: GraphEngine, case: corpus.Case) -> float | None:
    """Return the seconds of the best run; None for a query that is refused or fails."""
    seconds = []
    for _ in range(_RUNS):
        try:
            gated = admit(case.query, case.parameters, engine.info.dialect)
            started = time.perf_counter()
            engine.run(gated.text, gated.parameters, LIMITS)
        except GraphStoreError:
            return None
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def _report(timings: list[Timing]) -> int:
    chapters: dict[str, list[Timing]] = {}
    for timing in timings:
        chapters.setdefault(timing.chapter, []).append(timing)
    rows = [["chapter", "queries", "median, embedded", "median, Neo4j", "slowest, embedded", "the same, Neo4j"]]
    for chapter, found in chapters.items():
        slowest = max(found, key=lambda timing: timing.embedded)
        figures = (median(t.embedded for t in found), median(t.neo4j for t in found), slowest.embedded, slowest.neo4j)
        rows.append([chapter, str(len(found)), *(f"{1000 * seconds:.1f} ms" for seconds in figures)])
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)
    if "--write" in sys.argv[1:]:
        with _TABLE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    slow = [t for t in timings if t.embedded > _MIN_SECONDS and t.ratio > _MAX_RATIO]
    for timing in sorted(slow, key=lambda timing: timing.ratio, reverse=True):
        print(f"SLOW {timing.ratio:.1f} times, {timing.embedded:.2f} s: {timing.query}")
    print(f"{len(timings)} queries, {len(slow)} slower than {_MAX_RATIO:g} times Neo4j")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
