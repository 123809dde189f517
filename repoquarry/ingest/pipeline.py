"""A source -> an indexed repository in a store: what `ingest` offers.

The source is acquired and gets its id here; the rest is the course of a `Run`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.indexing.report import IndexReport
from repoquarry.ingest.indexing.run import Already, Run
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, Reach, Source, acquire, read_source
from repoquarry.ingest.sources.identity import choose_id
from repoquarry.ingest.stages.inputs import Inputs
from repoquarry.ingest.stages.memory import map_large_blocks, rare_collections
from repoquarry.ingest.stages.progress import IndexProgress, Meter, Report, StageCost

__all__ = ["IndexProgress", "IndexReport", "Report", "StageCost", "index_repository", "reconcile"]

_log = logging.getLogger(__name__)


def _silent(progress: IndexProgress) -> None:
    """Progress that nobody wants."""


def index_repository(
    source: Source | str,
    store: Store,
    settings: IngestSettings,
    *,
    name: str | None = None,
    reach: Reach = EVERYWHERE,
    report: Report = _silent,
    cancelled: Callable[[], bool] = lambda: False,
    already: Already = lambda repository, inputs: False,
) -> IndexReport:
    """Index a folder, git address or archive into `store`, which is open for writing; a text is taken as `read_source` does.

    `already` is asked with the repository's id and the digest of its inputs whether that is indexed elsewhere, and then nothing is done.
    Raises: NotFoundError for an unknown score profile; SourceNotFoundError, SourceRejectedError, EmptyRepositoryError,
    IngestCancelledError, WorkerLostError; and what the store raises (StoreBusyError, EngineUnavailableError, StoreCorruptError).
    After any of them the previous index is whole.
    """
    profile_named(settings.score_profile)  # refused before anything is fetched
    reconcile(store)
    map_large_blocks()
    with Meter(report, cancelled) as meter, rare_collections(), ExitStack() as opened:
        chosen = read_source(source) if isinstance(source, str) else source
        with meter.stage("acquire", chosen.location if chosen.address is None else "fetching"):
            checkout = opened.enter_context(acquire(chosen, settings, cancelled, reach))
        checkout = replace(checkout, name=choose_id(store, chosen, name))
        return Run(Inputs(checkout, settings), store, meter).index(already)


def reconcile(store: Store) -> None:
    """Finish what a run that was killed between storing the graph and publishing its texts left undone."""
    for pending in PendingRevision.unpublished(store):
        from repoquarry.ingest.graph.linking import move_links

        move_links(pending)
        pending.publish()
        _log.info(
            "snapshot_published repository=%s revision=%s", pending.repository, store.revision(pending.repository)
        )
