"""Untrusted queries to an engine, past the gate, with all their rows; a query that only its time limit ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from repoquarry.graphstore.graph_engine import QueryLimits, QueryOutcome, QueryResult, RowSink, UntrustedQuery
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import BufferedRows, ResultBufferBudget, ResultBufferSettings


def ask_outside(
    engine: object,
    text: str,
    parameters: Mapping[str, Value],
    limits: QueryLimits,
    cancelled: Callable[[], bool] = lambda: False,
    client: str = "",
) -> QueryResult:
    """Ask an engine, or a sandbox."""
    run: Callable[[UntrustedQuery, RowSink], QueryOutcome]
    run = getattr(engine, "run_untrusted", None) or engine.run  # type: ignore[attr-defined]
    with BufferedRows(ResultBufferBudget(ResultBufferSettings()), client) as held:
        ended = run(UntrustedQuery(text, parameters, limits, cancelled, client), held)
        rows = [row for batch in held.batches() for row in batch]
    assert len(rows) == ended.rows
    return QueryResult(ended.columns, rows, ended.truncated, ended.seconds)


ENDLESS = (
    "WITH range(1, 40) AS numbers UNWIND range(1, 100000) AS a RETURN sum(reduce(t = 0, b IN numbers | "
    "t + size([c IN numbers WHERE any(d IN numbers WHERE a * b * c * d < 0)]))) AS n"
)
"""Needs minutes and next to no memory on every engine, so that only its time limit ends it: little work a row, since Neo4j looks at the
clock between rows only; few rows, since kglite keeps them all."""
