"""A query from outside with all its rows, past the gate: what tests of engines ask."""

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
