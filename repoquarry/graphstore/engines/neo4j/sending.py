"""Rows of a graph as statements: nodes and relationships sent in batches, and how many have been written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import neo4j

from repoquarry.graphstore.engine import Progress
from repoquarry.graphstore.engines.changes import Row, Tables
from repoquarry.graphstore.engines.neo4j.batches import BatchLimits
from repoquarry.graphstore.engines.neo4j.changes import Runner
from repoquarry.graphstore.engines.neo4j.remains import consume
from repoquarry.graphstore.engines.neo4j.transactions import Transactions
from repoquarry.graphstore.model.changes import Joined


class Sending:
    """The rows of one write. `limits` bounds what one statement carries; `progress` is told of rows written and of all."""

    def __init__(
        self, session: neo4j.Session, transactions: Transactions, limits: BatchLimits, progress: Progress | None
    ) -> None:
        self._session = session
        self._transactions = transactions
        self._limits = limits
        self._progress = progress
        self._done = 0
        self.total = 0

    def create_nodes(self, to: Runner | None, tables: Tables, label: str, rows: Sequence[Row], prefix: str) -> None:
        """Create nodes whose labels begin with `prefix`, in the transaction `to` or in ones of their own."""
        self._send_nodes(to, tables, label, rows, f"CREATE (n:{prefix}{label}) SET n = row")

    def merge_packages(self, tx: Runner, tables: Tables) -> None:
        """Create the packages that are not there, and set the properties of all."""
        rows = tables.node_rows("Package")
        self._send_nodes(tx, tables, "Package", rows, "MERGE (n:Package {id: row.id}) SET n = row")

    def _send_nodes(self, to: Runner | None, tables: Tables, label: str, rows: Sequence[Row], action: str) -> None:
        for batch in self._limits.split(tables.node(label, row) for row in rows):
            self._send(to, action, batch)

    def create_relationships(
        self, to: Runner | None, tables: Tables, joined: Joined, rows: Sequence[Row], prefix: str
    ) -> None:
        """Create relationships between nodes whose labels begin with `prefix`, as `create_nodes`."""
        kind, start, end = joined
        match = f"MATCH (a:{prefix}{start} {{id: row[0]}}) MATCH (b:{prefix}{end} {{id: row[1]}})"
        for batch in self._limits.split(list(tables.relationship(joined, row)) for row in rows):
            self._send(to, f"{match} CREATE (a)-[r:{kind}]->(b) SET r = row[2]", batch)

    def _send(self, to: Runner | None, action: str, rows: Sequence[Any]) -> None:
        """Write rows in the transaction `to`, None for one of their own."""
        text = f"UNWIND $rows AS row {action}"
        if to is not None:
            consume(to, text, rows=rows)
        else:
            self._transactions.write(self._session, lambda tx: consume(tx, text, rows=rows))
        self.report(len(rows))

    def report(self, rows: int) -> None:
        """Count rows as written. At most all of them are."""
        self._done = min(self.total, self._done + rows)
        if self._progress is not None and rows:
            self._progress(self._done, self.total)

    def finish(self) -> None:
        """Count what was not told of, such as rows that did not differ, as written."""
        self.report(self.total - self._done)
