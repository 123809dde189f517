"""Attempts to write, reach out or exhaust the server, sent through the store on both engines: what each of them returned.

Prints the tables of docs/explanation/query-security.md as CSV; `--write` replaces their files in docs/data, which `make generate` renders.
Needs a Neo4j as the tests do (`NEO4J_HOME` or `REPOQUARRY_TEST_NEO4J_URI`, whose data is deleted). Ends
with 1 when an attack was answered or the stored graph has changed.
"""

import csv
import io
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from repoquarry.graphstore.errors import GraphStoreError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
from tests.benchmarks.__main__ import SKIPPED
from tests.neo4j_server import empty, neo4j_server
from tests.unit.cypher.attacks import ATTACKS, BOMBS

LIMITS = QueryLimits(seconds=2.0, rows=1000, bytes=1_000_000, memory_bytes=600_000_000, path_hops=6)
TO_REFUSE = replace(LIMITS, seconds=60.0)
"""For what must be refused: long queries are checked in another process under the query's clock, slowly on a busy machine."""
_DATA = Path(__file__).parents[3] / "docs" / "data"
_SHOWN = 60


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, neo4j_server(Path(folder) / "server") as server:
        if server is None:
            print("needs a Neo4j")
            return SKIPPED
        empty(server)
        on_server = server.settings(Path(folder) / "neo4j", embedding=None)
        results = [_attack(StoreSettings(Path(folder) / "kglite", embedding=None)), _attack(on_server)]
    embedded, neo4j = results[0][0], results[1][0]
    tables = {
        "refused_queries": [["outcome", "queries", "example"], *_summarize(embedded, neo4j)],
        "costly_queries": [["query", "kglite", "Neo4j"], *_list_costly(embedded, neo4j)],
    }
    for name, rows in tables.items():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        if "--write" in sys.argv[1:]:
            (_DATA / f"{name}.csv").write_text(text.getvalue(), encoding="utf-8")
        else:
            print(text.getvalue())
    return 0 if all(held for _, held in results) else 1


def _summarize(embedded: list[str], neo4j: list[str]) -> list[list[str]]:
    """Count the attacks by outcome, regardless of positions, with the first query of each."""
    queries: dict[str, list[str]] = {}
    for (_, query), *outcomes in zip(ATTACKS, embedded, neo4j):  # noqa: B905 - the costly queries follow in both results
        kinds = dict.fromkeys(outcome.partition(",")[0] for outcome in outcomes)
        queries.setdefault(" / ".join(kinds), []).append(query)
    return [[outcome, str(len(found)), _cell(found[0])] for outcome, found in queries.items()]


def _list_costly(embedded: list[str], neo4j: list[str]) -> list[list[str]]:
    """List what each engine returned for the costly queries, which follow the attacks."""
    outcomes = zip(BOMBS, embedded[len(ATTACKS) :], neo4j[len(ATTACKS) :], strict=True)
    return [[_cell(query), *outcome] for query, *outcome in outcomes]


def _attack(settings: StoreSettings) -> tuple[list[str], bool]:
    """Outcome of each query, and whether every attack was refused and the graph is unchanged."""
    with Store.open(settings, writable=True) as store:
        store.engine.replace_repository(random_graph("attacked", 200, 400))
        attacks = [_outcome(store, query, TO_REFUSE) for _, query in ATTACKS]
        bombs = [_outcome(store, query, LIMITS) for query in BOMBS]
        whole = store.query("MATCH (f:Function) RETURN count(f) AS n").rows == [(200,)]
    return attacks + bombs, whole and all(text.startswith("refused") for text in attacks)


def _outcome(store: Store, query: str, limits: QueryLimits) -> str:
    started = time.monotonic()
    try:
        found = store.query(query, limits=limits)
    except QueryRefusedError as error:
        place = f", line {error.line}, column {error.column}" if error.line is not None else ""
        return f"refused: `{error.reason}`{place}"
    except QueryLimitError as error:
        return f"ended by its limit `{error.limit}` after {time.monotonic() - started:.1f} s"
    except GraphStoreError as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:_SHOWN]}"
    cut = f", cut by the limit `{found.truncated}`" if found.truncated else ""
    return f"{len(found.rows)} rows{cut} in {time.monotonic() - started:.1f} s"


def _cell(query: str) -> str:
    """The query in one line of a table, shortened, with invisible characters escaped."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in query[: 2 * _SHOWN])
    shown = text if len(query) <= _SHOWN else f"{text[:_SHOWN]}... ({len(query):,} characters)"
    return f"`` {shown} ``"


if __name__ == "__main__":
    sys.exit(main())
