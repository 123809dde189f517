"""Execution of untrusted queries under time and row limits: gate, then engine or sandbox."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits, UntrustedQuery
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_scheduler import owner_of
from repoquarry.graphstore.query.result_buffer import BufferedRows, ResultBufferBudget, ResultBufferSettings

if TYPE_CHECKING:
    from repoquarry.graphstore.query.cypher.gate import GatedQuery, QueryFootprint
    from repoquarry.graphstore.query.cypher.gate_process import QueryGate

_MAX_HOPS = 1_000
"""Replacement for an unbounded path: engines that shorten an unbounded path follow a bounded one to its end."""


@dataclass(frozen=True)
class QueryAnswer:
    """Answer to an untrusted query. `rows` are read once and closed; `truncated` names the limit that truncated them."""

    columns: tuple[str, ...]
    rows: BufferedRows
    row_count: int
    truncated: str | None
    seconds: float
    warnings: tuple[str, ...]
    about: QueryFootprint
    repositories: frozenset[str] | None
    """Repositories of everything matched; None if it may be in any."""


class UntrustedQueryRunner:
    """Runner of untrusted queries. The gate is loaded with the first of them: named queries need none."""

    def __init__(self, engine: GraphEngine, settings: ResultBufferSettings) -> None:
        self._engine = engine
        self.results = ResultBufferBudget(settings)
        self._guard = threading.Lock()
        self._gate: QueryGate | None = None

    def check(self, text: str, limits: QueryLimits, cancelled: Callable[[], bool], client: str) -> tuple[str, ...]:
        """Return the warnings of a query without running it. Raises: QueryRefusedError, QueryLimitError, QueryCancelledError."""
        gated = self._opened_gate().check(
            text,
            {},
            self._engine.info.dialect,
            path_hops=limits.path_hops or _MAX_HOPS,
            seconds=limits.seconds,
            cancelled=cancelled,
            client=client,
        )
        return _warnings(gated)

    def execute(
        self,
        text: str,
        parameters: Mapping[str, Value],
        limits: QueryLimits,
        cancelled: Callable[[], bool],
        client: str,
    ) -> QueryAnswer:
        """Run a query, whose rows the caller reads or closes. Raises: as `Store.execute_untrusted`."""
        started = time.monotonic()
        gated = self._opened_gate().check(
            text,
            parameters,
            self._engine.info.dialect,
            path_hops=limits.path_hops or _MAX_HOPS,
            seconds=limits.seconds,
            cancelled=cancelled,
            client=client,
        )
        allowed = limits
        if allowed.seconds:
            left = allowed.seconds - (time.monotonic() - started)
            if left <= 0:
                raise QueryLimitError(f"checking the query exceeded its {allowed.seconds:g} seconds", limit="seconds")
            allowed = replace(allowed, seconds=left)
        rows = BufferedRows(self.results, owner_of(client))
        try:
            scope = gated.reach.scope(gated.parameters)
            query = UntrustedQuery(gated.text, gated.parameters, allowed, cancelled, client, scope)
            ended = self._engine.run_untrusted(query, rows)
        except BaseException:
            rows.close()
            raise
        sources = gated.reach.sources(gated.parameters)
        return QueryAnswer(
            gated.columns, rows, ended.rows, ended.truncated, ended.seconds, _warnings(gated), gated.about, sources
        )

    def _opened_gate(self) -> QueryGate:
        with self._guard:
            if self._gate is None:
                from repoquarry.graphstore.query.cypher.gate_process import QueryGate

                self._gate = QueryGate()
            return self._gate

    def close(self) -> None:
        with self._guard:
            if self._gate is not None:
                self._gate.close()


def _warnings(gated: GatedQuery) -> tuple[str, ...]:
    if gated.cut_path_bound is None:
        return gated.warnings
    cut = f"paths without an upper bound were limited to {gated.cut_path_bound} relationships"
    return (*gated.warnings, cut)
