"""An assembled graph -> the store: by what differs from the stored revision where that was kept, else whole."""

from __future__ import annotations

import logging

from repoquarry.graphstore.engine import Progress, WriteSummary
from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError
from repoquarry.graphstore.model.changes import changes_between
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.kept import kept_graph

_log = logging.getLogger(__name__)


def write_graph(
    store: Store, graph: RepositoryGraph, before: RepositoryGraph | None, stored: str | None, progress: Progress
) -> WriteSummary:
    """Store a graph with its links; `before` is the graph of the revision `stored`, None when there is none.

    Raises: as `GraphEngine.replace_repository`.
    """
    if before is not None and stored is not None:
        changes = changes_between(before, graph, stored)
        del before
        try:
            return store.engine.change_repository(changes, progress)
        except ChangesRefusedError as exc:
            _log.info("changes_refused repository=%s reason=%s", graph.repository, exc)
    return store.engine.replace_repository(graph, progress)


def graph_before(store: Store, repository: str, stored: str | None) -> RepositoryGraph | None:
    """The graph of the stored revision as it was written; None when it was not kept or is damaged."""
    try:
        return kept_graph(store.sources, repository, stored) if stored is not None else None
    except StoreCorruptError:
        return None
