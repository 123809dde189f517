"""Transactions that change the graph: repeated where the server asks for it, and in turns where they reach beyond one repository."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import neo4j

from repoquarry.graphstore.engines.neo4j.claims import MARKER

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

_TURN = f"MERGE (t:{MARKER} {{id: ':turn'}}) DELETE t"
"""Holds the lock of an index entry until the transaction ends, and leaves no node that anybody sees."""


class Transactions:
    """How transactions of writers run: `seconds` is the longest for one, with what it waits for locks; 0 means no limit.

    The driver repeats one that the server ended for a reason that passes (a deadlock, a change of leader) as long as its own limit
    allows (`neo4j_connect_seconds`); then the write fails, and what was stored before is whole.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def write(self, session: neo4j.Session, work: Callable[[neo4j.ManagedTransaction], _Result]) -> _Result:
        """Run `work`, which may be repeated, in one transaction."""
        attempts = 0

        @neo4j.unit_of_work(timeout=self._seconds)
        def counted(tx: neo4j.ManagedTransaction) -> _Result:
            nonlocal attempts
            attempts += 1
            if attempts > 1:
                _log.warning("transaction_repeated attempt=%d", attempts)
            return work(tx)

        return session.execute_write(counted)

    def publish(self, session: neo4j.Session, work: Callable[[neo4j.ManagedTransaction], _Result]) -> _Result:
        """As `write`, while no other writer publishes: for what reaches nodes that another writer may change as well."""

        def in_turn(tx: neo4j.ManagedTransaction) -> _Result:
            tx.run(_TURN).consume()
            return work(tx)

        return self.write(session, in_turn)
