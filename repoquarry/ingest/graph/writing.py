"""An assembled graph -> the store: by what differs from the stored revision where that was kept, else whole."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from repoquarry.graphstore.engine import Progress, WriteSummary
from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import RelationshipTable, RepositoryGraph
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.assemble import Assembled
from repoquarry.ingest.graph.columns import columns_of
from repoquarry.ingest.graph.kept import KeptGraph, StoredGraph

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Writing:
    """A graph with its links, and how to write it."""

    assembled: Assembled
    links: Sequence[RelationshipTable]
    kept: KeptGraph
    """What is kept of it for the next time."""
    changes: GraphChanges | None
    """From the stored graph; None when nothing is known of that, or no longer."""

    @classmethod
    def of(cls, assembled: Assembled, links: Sequence[RelationshipTable], stored: StoredGraph | None) -> Writing:
        frame, resolved = _linked(assembled.frame, links), assembled.resolved
        columns = columns_of(frame, assembled.columns, stored.columns if stored is not None else {})
        kept = KeptGraph.of(columns, resolved)
        try:
            changes = stored.changes_to(columns, frame, resolved) if stored is not None else None
        except StoreCorruptError:
            changes = None
        return cls(assembled, links, kept, changes)

    def write(self, store: Store, progress: Progress) -> WriteSummary:
        """Store the graph. Raises: as `GraphEngine.replace_repository`."""
        if self.changes is not None:
            try:
                return store.engine.change_repository(self.changes, progress)
            except ChangesRefusedError as exc:
                _log.info("changes_refused repository=%s reason=%s", self.assembled.frame.repository, exc)
        return store.engine.replace_repository(_linked(self.assembled.whole(), self.links), progress)


def _linked(graph: RepositoryGraph, links: Sequence[RelationshipTable]) -> RepositoryGraph:
    return replace(graph, relationships=[*graph.relationships, *links])
