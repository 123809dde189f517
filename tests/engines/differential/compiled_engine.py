"""The frozen graphs in DuckDB in memory, answering queries that are compiled to SQL: a second opinion without a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

from repoquarry.graphstore.engines.duckdb.graph_tables import GraphLoader, create_tables
from repoquarry.graphstore.engines.duckdb.query_session import QuerySession
from repoquarry.graphstore.errors import GraphStoreError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from tests.engines.differential.engine_pair import LIMITS, Answer


class CompiledEngine:
    def __init__(self, graphs: Iterable[RepositoryGraph]) -> None:
        self._connection = duckdb.connect(config={"threads": 2})
        create_tables(self._connection)
        loader = GraphLoader(self._connection)
        for number, graph in enumerate(graphs):
            loader.load(graph, number)
        self._session = QuerySession(self._connection)

    def answer(self, query: str, parameters: Mapping[str, Value]) -> Answer:
        """Run a query through the gate."""
        try:
            gated = admit(query, parameters, "duckdb", path_hops=15)
            rows = tuple(self._session.stream(self._session.compile(gated.text, gated.parameters)))
        except QueryLimitError as error:
            return Answer(error=str(error), kind="cut")
        except GraphStoreError as error:
            kind = "refused" if isinstance(error, QueryRefusedError) else "failed"
            return Answer(error=f"{type(error).__name__}: {error}", kind=kind)
        if len(rows) > LIMITS.rows:
            return Answer(error=f"more than {LIMITS.rows} rows", kind="cut")
        return Answer(gated.columns, rows)

    def close(self) -> None:
        self._connection.close()
