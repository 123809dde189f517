"""What is stored of a repository, whole or not, and how what a writer left unfinished is removed."""

from __future__ import annotations

from typing import Any

import neo4j

from repoquarry.graphstore.engines.neo4j.changes import Runner
from repoquarry.graphstore.engines.neo4j.claims import Claims
from repoquarry.graphstore.engines.neo4j.transactions import Transactions
from repoquarry.graphstore.model.schema import NODE_LABELS

OLD = "_Old"
STAGED = "_Staged"
_DELETED_ROWS = 2_000
"""Nodes deleted in one transaction."""

OWN = "|".join(label for label in NODE_LABELS if label != "Package")
_BESIDE = "|".join([OLD, *(f"{STAGED}{label}" for label in NODE_LABELS)])
"""Labels of nodes that belong to one repository, and of the nodes of an unfinished or finished exchange, as a pattern names them."""


def clean(session: neo4j.Session, claims: Claims, transactions: Transactions) -> None:
    """Remove what writers left that are gone; whole repositories, and what other writers prepare, are not touched."""
    for repository in claims.left(session):
        with claims.inherit(session, repository) as claim:
            if claim is not None:
                tidy(session, transactions, repository)
                claims.drop(session, claim)


def consume(to: Runner, text: str, **parameters: Any) -> None:
    to.run(text, parameters).consume()


def stored_revision(session: neo4j.Session, repository: str) -> str | None:
    """The stored revision of a repository; None when it is not stored whole."""
    found = session.run("MATCH (r:Repository {id: $id}) RETURN r.revision", {"id": repository}).single()
    return None if found is None else str(found[0])


def stored_sizes(session: neo4j.Session, repository: str) -> tuple[int, int]:
    """Nodes of a repository and relationships that start in it."""
    match = f"MATCH (n:{OWN}) WHERE n.repository = $id"
    nodes = session.run(f"{match} RETURN count(n)", {"id": repository}).single(strict=True)[0]
    return nodes, session.run(f"{match} MATCH (n)-[r]->() RETURN count(r)", {"id": repository}).single(strict=True)[0]


def tidy(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    """Remove what an unfinished write left of a repository that this writer has claimed."""
    remove_side_copies(session, transactions, repository)
    if stored_revision(session, repository) is None:
        remove_nodes(session, transactions, repository)


def remove_nodes(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    """Delete in batches what is stored of a repository that is not whole."""
    for label in NODE_LABELS:
        if label != "Package":
            _delete(session, transactions, label, repository)


def remove_side_copies(session: neo4j.Session, transactions: Transactions, repository: str) -> None:
    _delete(session, transactions, _BESIDE, repository)


def _delete(session: neo4j.Session, transactions: Transactions, labels: str, repository: str) -> None:
    text = f"MATCH (n:{labels}) WHERE n.repository = $id WITH n LIMIT $rows DETACH DELETE n RETURN count(*)"

    def some(tx: neo4j.ManagedTransaction) -> int:
        return int(tx.run(text, {"id": repository, "rows": _DELETED_ROWS}).single(strict=True)[0])

    while transactions.write(session, some) == _DELETED_ROWS:
        pass
