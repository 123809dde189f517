"""An assembled graph -> the store: by what differs from the stored revision where that was kept, else whole."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from repoquarry.graphstore.engine import Progress, WriteSummary
from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.columns import Digests
from repoquarry.ingest.graph.kept import KeptGraph

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Writing:
    """A graph with its links, and how to write it."""

    graph: RepositoryGraph
    kept: KeptGraph
    """What is kept of it for the next time."""
    changes: GraphChanges | None
    """From the stored revision; None when nothing is known of that, or no longer."""

    @classmethod
    def of(cls, store: Store, graph: RepositoryGraph, digests: Digests, stored: str | None) -> Writing:
        """`digests` are those known of its columns; `stored` is the revision that the store has, None when it has none."""
        before = KeptGraph.stored(store.sources, graph.repository, stored) if stored is not None else None
        kept = KeptGraph.of(graph, digests, before)
        if before is None or stored is None:
            return cls(graph, kept, None)
        try:
            return cls(graph, kept, before.changes_to(kept, graph, stored))
        except StoreCorruptError:
            return cls(graph, kept, None)

    def write(self, store: Store, progress: Progress) -> WriteSummary:
        """Store the graph. Raises: as `GraphEngine.replace_repository`."""
        if self.changes is not None:
            try:
                return store.engine.change_repository(self.changes, progress)
            except ChangesRefusedError as exc:
                _log.info("changes_refused repository=%s reason=%s", self.graph.repository, exc)
        return store.engine.replace_repository(self.graph, progress)
