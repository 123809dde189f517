"""Execution of untrusted queries under time and row limits: gate, then engine or sandbox."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import GraphEngine, OutsideQuery, QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import HeldRows, ResultBudget, ResultSettings

if TYPE_CHECKING:
    from repoquarry.graphstore.query.cypher.gate import About, GatedQuery
    from repoquarry.graphstore.query.cypher.gate_process import Gate

_MOST_HOPS = 1_000
"""Stands for no bound of a path: engines that cut an unbounded one follow a bounded one to its end."""


@dataclass(frozen=True)
class Answer:
    """The answer to a query from outside. `rows` are read once and closed; `truncated` names the limit that cut them."""

    columns: tuple[str, ...]
    rows: HeldRows
    row_count: int
    truncated: str | None
    seconds: float
    warnings: tuple[str, ...]
    about: About
    repositories: frozenset[str] | None
    """To which everything matched belongs; None where it may lie in any."""


class OutsideQueries:
    """What a store asks its engine for others. The gate is loaded at the first of them: named queries need none."""

    def __init__(self, engine: GraphEngine, settings: ResultSettings) -> None:
        self._engine = engine
        self.results = ResultBudget(settings)
        self._guard = threading.Lock()
        self._gate: Gate | None = None

    def ask(
        self,
        text: str,
        parameters: Mapping[str, Value],
        limits: QueryLimits,
        cancelled: Callable[[], bool],
        client: str,
    ) -> Answer:
        """The answer to a query, whose rows the caller reads or closes. Raises: as `Store.answer`."""
        started = time.monotonic()
        gated = self._checked(text, parameters, limits, cancelled)
        allowed = limits
        if allowed.seconds:
            left = allowed.seconds - (time.monotonic() - started)
            if left <= 0:
                raise QueryLimitError(f"checking the query took its {allowed.seconds:g} seconds", limit="seconds")
            allowed = replace(allowed, seconds=left)
        rows = HeldRows(self.results, client)
        try:
            scope = gated.reach.scope(gated.parameters)
            query = OutsideQuery(gated.text, gated.parameters, allowed, cancelled, client, scope)
            ended = self._engine.run_untrusted(query, rows)
        except BaseException:
            rows.close()
            raise
        sources = gated.reach.sources(gated.parameters)
        return Answer(
            gated.columns, rows, ended.rows, ended.truncated, ended.seconds, _warnings(gated), gated.about, sources
        )

    def _checked(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, cancelled: Callable[[], bool]
    ) -> GatedQuery:
        return self._opened_gate().check(
            text,
            parameters,
            self._engine.info.dialect,
            path_hops=limits.path_hops or _MOST_HOPS,
            seconds=limits.seconds,
            cancelled=cancelled,
        )

    def _opened_gate(self) -> Gate:
        with self._guard:
            if self._gate is None:
                from repoquarry.graphstore.query.cypher.gate_process import Gate

                self._gate = Gate()
            return self._gate

    def close(self) -> None:
        with self._guard:
            if self._gate is not None:
                self._gate.close()


def _warnings(gated: GatedQuery) -> tuple[str, ...]:
    if gated.cut_path_bound is None:
        return gated.warnings
    cut = f"paths without an upper bound were followed for {gated.cut_path_bound} relationships at most"
    return (*gated.warnings, cut)
