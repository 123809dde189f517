"""Cost of the gate: the first time a query is seen, and later, over the corpus of analysts' queries, by dialect."""

import statistics
import sys
import time

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES
from repoquarry.graphstore.query.cypher.gate import admit
from tests.engines.differential import corpus

_MAX_SEEN_MILLISECONDS = 5.0


def main() -> int:
    cases = corpus.read()
    slow = False
    for engine in DIALECT_NAMES:
        first: list[float] = []
        again: list[float] = []
        for case in cases:
            for times in (first, again):
                started = time.perf_counter()
                try:
                    admit(case.query, case.parameters, engine)
                except QueryRefusedError:
                    continue
                times.append(1000 * (time.perf_counter() - started))
        print(
            f"{engine:8} {len(first)} queries: first time median {statistics.median(first):.2f} ms, "
            f"most {max(first):.1f} ms; seen median {statistics.median(again):.4f} ms"
        )
        slow = slow or statistics.median(again) > _MAX_SEEN_MILLISECONDS
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
