"""Locks in the Neo4j database that admit one writer per repository or schema migration (claims); write transactions with retries.

A claim is a node with the name of the claimed resource and the token of its writer; its uniqueness constraint admits one writer. During
its work the writer keeps a transaction open that has the token in its metadata. The server terminates that transaction with the writer's
connection, so a claim without a transaction belongs to a killed writer, and the next writer takes it over. No clock is involved.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import neo4j
from neo4j.exceptions import Neo4jError

from repoquarry.graphstore.errors import StoreBusyError

_log = logging.getLogger(__name__)
# The driver logs each retry with the server's complete lock graph.
logging.getLogger("neo4j.session").setLevel(logging.ERROR)
MARKER = "_Writing"

_CONSTRAINT = f"CREATE CONSTRAINT {MARKER}_id IF NOT EXISTS FOR (n:{MARKER}) REQUIRE n.id IS UNIQUE"
_METADATA = "repoquarry_writer"
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Claim:
    """Claimed resource; `inherited` if a killed writer held it and may have left data."""

    name: str
    token: str
    inherited: bool

    def confirm(self, tx: neo4j.ManagedTransaction) -> None:
        """Lock the claim's node until the transaction ends. Raises: StoreBusyError if the claim was taken over."""
        text = f"MATCH (m:{MARKER} {{id: $id}}) SET m.token = m.token WITH m WHERE m.token = $token RETURN count(m)"
        if _one(tx, text, id=self.name, token=self.token) != 1:
            raise StoreBusyError(f"another process took over the write of {self.name!r} after the connection was lost")


class Claims:
    """Claims in one database. A writer waits up to `seconds` for the claim of another writer."""

    def __init__(self, connect: Callable[[], neo4j.Session], seconds: float) -> None:
        self._connect = connect
        self._seconds = seconds

    def prepare(self, session: neo4j.Session) -> None:
        """Create the constraint that claims need; concurrent calls are safe."""
        deadline = time.monotonic() + self._seconds
        while True:
            try:
                session.execute_write(lambda tx: tx.run(_CONSTRAINT).consume())
                return
            except Neo4jError as exc:  # The server rejects a constraint that another writer is creating.
                if time.monotonic() > deadline:
                    raise
                _log.info("claims_not_ready reason=%r", exc.message)
                time.sleep(_POLL_SECONDS)

    @contextmanager
    def hold(self, session: neo4j.Session, name: str) -> Iterator[Claim]:
        """Hold the claim until `drop` or the end of the context; without `drop`, the next writer inherits it.

        Raises: StoreBusyError if another writer held it for the complete waiting time.
        """
        with self._alive() as token:
            deadline = time.monotonic() + self._seconds
            while (claim := self._attempt(session, name, token)) is None:
                if time.monotonic() > deadline:
                    raise StoreBusyError(
                        f"another process has been writing {name!r} for {self._seconds:g} seconds (neo4j_wait_seconds)"
                    )
                time.sleep(_POLL_SECONDS)
            yield claim

    @contextmanager
    def inherit(self, session: neo4j.Session, name: str, owner: str) -> Iterator[Claim | None]:
        """Hold the claim of a killed writer; None if the claim is not abandoned or another writer was faster."""
        with self._alive() as token:
            yield self._take_over(session, name, owner, token)

    def left(self, session: neo4j.Session) -> list[tuple[str, str]]:
        """Return the names of abandoned claims, and the tokens of their writers."""
        text = f"MATCH (m:{MARKER}) RETURN m.id, coalesce(m.token, '')"
        claims = session.execute_read(lambda tx: tx.run(text).values())
        living = _living(session)
        return [(name, token) for name, token in claims if token not in living]

    def drop(self, session: neo4j.Session, claim: Claim) -> None:
        text = f"MATCH (m:{MARKER} {{id: $id, token: $token}}) DELETE m"
        session.execute_write(lambda tx: tx.run(text, {"id": claim.name, "token": claim.token}).consume())

    @contextmanager
    def _alive(self) -> Iterator[str]:
        """Provide a token that the server considers alive until the end of this context or process."""
        token = uuid.uuid4().hex
        with self._connect() as session, session.begin_transaction(metadata={_METADATA: token}, timeout=0) as alive:
            alive.run("RETURN 1").consume()
            yield token

    def _attempt(self, session: neo4j.Session, name: str, token: str) -> Claim | None:
        text = f"MERGE (m:{MARKER} {{id: $id}}) ON CREATE SET m.token = $token RETURN coalesce(m.token, '')"
        owner = session.execute_write(lambda tx: _one(tx, text, id=name, token=token))
        return Claim(name, token, False) if owner == token else self._take_over(session, name, str(owner), token)

    def _take_over(self, session: neo4j.Session, name: str, owner: str, token: str) -> Claim | None:
        if owner in _living(session):
            return None
        text = (  # The first SET takes the lock, so that the token is read after any other writer's change.
            f"MATCH (m:{MARKER} {{id: $id}}) SET m.id = m.id WITH m WHERE coalesce(m.token, '') = $owner "
            "SET m.token = $token RETURN count(m)"
        )
        taken = session.execute_write(lambda tx: _one(tx, text, id=name, owner=owner, token=token))
        return Claim(name, token, True) if taken else None


def _living(session: neo4j.Session) -> set[str]:
    """Return the tokens of the connected writers."""
    text = (  # A terminated transaction is listed until its writer uses it again.
        "SHOW TRANSACTIONS YIELD metaData, status "
        f"WHERE metaData.{_METADATA} IS NOT NULL AND NOT status STARTS WITH 'Terminated' RETURN metaData.{_METADATA}"
    )
    return {str(row[0]) for row in session.execute_read(lambda tx: tx.run(text).values())}


def _one(tx: neo4j.ManagedTransaction, text: str, **parameters: str) -> object:
    return tx.run(text, parameters).single(strict=True)[0]


_Result = TypeVar("_Result")

_TURN = f"MERGE (t:{MARKER} {{id: ':turn'}}) DELETE t"
"""Holds the lock of an index entry until the transaction ends, without a visible node."""


class Transactions:
    """Execution of write transactions: `seconds` limits one, including its waits for locks; 0 means no limit.

    The driver retries a transaction that the server ended for a temporary reason (a deadlock, a change of leader) up to its own limit
    (`neo4j_connect_seconds`); then the write fails, and the stored graph is unchanged.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def write(self, session: neo4j.Session, work: Callable[[neo4j.ManagedTransaction], _Result]) -> _Result:
        """Run `work`, which may be retried, in one transaction."""
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
        """Run `work` while no other writer publishes, for nodes that other writers may change too."""

        def in_turn(tx: neo4j.ManagedTransaction) -> _Result:
            tx.run(_TURN).consume()
            return work(tx)

        return self.write(session, in_turn)
