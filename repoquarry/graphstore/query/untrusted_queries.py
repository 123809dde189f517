"""Execution of untrusted Cypher queries: checks and rewrites a query, runs its search calls, and runs it on the engine in its limits."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, QueryRefusedError, UnreadQueryError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits, UntrustedQuery
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_scheduler import Lane, QueryScheduler, SchedulerSettings, owner_of
from repoquarry.graphstore.query.result_buffer import BufferedRows, ResultBufferBudget, ResultBufferSettings

if TYPE_CHECKING:
    from repoquarry.graphstore.query.cypher.gate import GatedQuery, QueryFootprint, QueryGate

FindNodes = Callable[[str, Value, Value, float, Callable[[], bool]], Sequence[tuple[float, str]]]
"""Finds the best nodes of an index for a text or a vector, at most a number of them, within seconds (0: no limit): scores and ids."""

_log = logging.getLogger(__name__)
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


def _explain_unread(gated: GatedQuery, engine: str) -> QueryRefusedError:
    """Parse a text that an engine did not read, to tell a wrong rewrite from a form of Cypher that the engine lacks."""
    from repoquarry.graphstore.query.cypher.syntax.parser import parse

    try:
        parse(gated.text)
        cause = "lacks a form of Cypher that RepoQuarry writes for this query"
    except QueryRefusedError:
        cause = "was given a text for this query that is no Cypher"
    _log.error("query_not_read engine=%s rewrites=%s cause=%r", engine, gated.rewrites, cause)
    return QueryRefusedError(
        f"this engine {cause}, which is a bug of RepoQuarry; write the query in another way, or use Neo4j (store.engine)",
        reason="not_portable",
    )


class UntrustedQueryRunner:
    """Runner of untrusted queries. The gate is loaded with the first of them: named queries need none."""

    def __init__(self, engine: GraphEngine, settings: ResultBufferSettings, find_nodes: FindNodes) -> None:
        self._engine = engine
        self._find_nodes = find_nodes
        self._searches = QueryScheduler(SchedulerSettings(slow_places=1, waiting=1_000))
        self.results = ResultBufferBudget(settings)
        self._guard = threading.Lock()
        self._gate: QueryGate | None = None

    def check(self, text: str, limits: QueryLimits, cancelled: Callable[[], bool], client: str) -> tuple[str, ...]:
        """Return the warnings of a query without running it. Raises: QueryRefusedError, QueryLimitError, QueryCancelledError."""
        return _warnings(self._admit(text, {}, limits, cancelled, client))

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
        gated = self._admit(text, parameters, limits, cancelled, client)
        deadline = started + limits.seconds if limits.seconds else float("inf")
        if gated.searches:
            gated = self._search(gated, deadline, cancelled, client)
        allowed = limits
        if allowed.seconds:
            left = deadline - time.monotonic()
            if left <= 0:
                raise QueryLimitError(f"checking the query exceeded its {limits.seconds:g} seconds", limit="seconds")
            allowed = replace(allowed, seconds=left)
        rows = BufferedRows(self.results, owner_of(client))
        try:
            scope = gated.reach.scope(gated.parameters)
            query = UntrustedQuery(gated.text, gated.parameters, allowed, cancelled, client, scope)
            ended = self._engine.run_untrusted(query, rows)
        except UnreadQueryError as exc:
            rows.close()
            raise _explain_unread(gated, self._engine.info.dialect) from exc
        except BaseException:
            rows.close()
            raise
        sources = gated.reach.sources(gated.parameters)
        return QueryAnswer(
            gated.columns, rows, ended.rows, ended.truncated, ended.seconds, _warnings(gated), gated.about, sources
        )

    def _search(self, gated: GatedQuery, deadline: float, cancelled: Callable[[], bool], client: str) -> GatedQuery:
        """Add the hits of the query's searches to its parameters; one search of a client runs at a time."""
        from repoquarry.graphstore.query.cypher.syntax import ast

        def stopped() -> bool:
            return cancelled() or time.monotonic() > deadline

        def value(node: ast.Expression | None) -> Value:
            return gated.parameters[node.name] if isinstance(node, ast.Parameter) else getattr(node, "value", None)

        found: dict[str, Value] = {}
        try:
            with self._searches.turn(client, Lane.SLOW, stopped):
                for search in gated.searches:
                    seconds = max(0.001, deadline - time.monotonic()) if deadline < float("inf") else 0.0
                    hits = self._find_nodes(search.index, value(search.query), value(search.count), seconds, stopped)
                    found[search.parameter] = [{"id": node, "score": score} for score, node in hits]
        except QueryCancelledError:
            if cancelled():
                raise
            raise QueryLimitError("the search exceeded the time limit of the query", limit="seconds") from None
        return replace(gated, parameters={**gated.parameters, **found})

    def _admit(
        self,
        text: str,
        parameters: Mapping[str, Value],
        limits: QueryLimits,
        cancelled: Callable[[], bool],
        client: str,
    ) -> GatedQuery:
        with self._guard:
            if self._gate is None:
                from repoquarry.graphstore.query.cypher.gate import QueryGate

                self._gate = QueryGate()
        return self._gate.check(
            text,
            parameters,
            self._engine.info.dialect,
            path_hops=limits.path_hops or _MAX_HOPS,
            seconds=limits.seconds,
            cancelled=cancelled,
            client=client,
        )

    def close(self) -> None:
        with self._guard:
            if self._gate is not None:
                self._gate.close()


def _warnings(gated: GatedQuery) -> tuple[str, ...]:
    if gated.cut_path_bound is None:
        return gated.warnings
    cut = f"paths without an upper bound were limited to {gated.cut_path_bound} relationships"
    return (*gated.warnings, cut)
