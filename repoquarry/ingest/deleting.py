"""Deleting a repository: those that used it are joined to what they then mean, another version of it or one that has taken its names."""

from __future__ import annotations

from repoquarry.graphstore.engine import WriteSummary
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.linking import move_links_away


def delete_repository(repository: str, store: Store) -> WriteSummary:
    """Remove a repository from a store that is open for writing. One that was killed on the way is to be started again.

    Raises: NotFoundError; and what the store raises (EngineUnavailableError, StoreFullError, StoreUnwritableError).
    """
    store.repository(repository)
    move_links_away(repository, store)
    return store.delete(repository)
