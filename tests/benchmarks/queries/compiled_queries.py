"""Generated queries on DuckDB against the embedded engine: how many have equal rows, are refused, fail, or differ.

    python -m tests.benchmarks.queries.compiled_queries [COUNT [SEED [CPU_SECONDS]]]

Both engines hold the frozen graphs of the tests. The run ends after COUNT queries or CPU_SECONDS of this process (0: no limit); it
prints each difference and failure, and fails if there is a difference. A query that the embedded engine refuses is not compared.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.engine_pair import answer, compare_answers, filled_engine, has_other_ties
from tests.engines.differential.generator import QueryMaker

_LIMITS = QueryLimits(seconds=5.0, rows=20_000)
_SHOWN = 300
_DEFAULTS = ("20000", "20261130", "0")


def main() -> int:
    given = [*sys.argv[1:], *_DEFAULTS[len(sys.argv) - 1 :]]
    count, seed, seconds = map(int, given)
    maker, verdicts = QueryMaker(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "kglite").mkdir()
        (Path(name) / "duckdb").mkdir()
        with (
            filled_engine(StoreSettings(Path(name) / "kglite")) as embedded,
            filled_engine(StoreSettings(Path(name) / "duckdb", "duckdb")) as compiled,
        ):
            started = time.process_time()
            while verdicts.total() < count and (not seconds or time.process_time() - started < seconds):
                query = maker.query()
                expected = answer(embedded, query, {}, _LIMITS)
                if expected.error:
                    verdicts["not compared"] += 1
                    continue
                found = answer(compiled, query, {}, _LIMITS)
                verdict = compare_answers(query, found, expected)
                kind = verdict.kind
                if kind == "DIFFERENT" and has_other_ties(query, found, expected):
                    kind = "equal"
                verdicts[kind] += 1
                if kind in ("DIFFERENT", "failed"):
                    print(f"{kind}: {verdict.detail[:_SHOWN]}\n{query}\n", flush=True)
    print(f"seed {seed}: {verdicts.total()} queries, {dict(verdicts)}")
    return 1 if verdicts["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
