"""Indexing of a repository: entry point, and the first stages of a run.

The stages of a run, in order: acquire, select (here); extract, index texts, index vectors, outline, resolve, score, assemble, complete
the search index, write (`revision_builder`). A run that finds no change ends after `select`.

Texts, search index and graph wait in a `PendingRevision`, so that readers see the previous index until the new one is complete. A run
that is killed at any moment can be started again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.hashing import HashedTree, hash_tree, inputs_digest, load_stamps
from repoquarry.ingest.memory_tuning import mmap_large_allocations, reduce_gc_frequency
from repoquarry.ingest.previous_state import IndexInputs, PreviousState
from repoquarry.ingest.run_monitor import IndexProgress, IndexReport, Report, RunMonitor, StageCost
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import (
    EVERYWHERE,
    NetworkPolicy,
    RepositorySource,
    acquire,
    choose_repository_id,
    parse_source,
)

if TYPE_CHECKING:
    from repoquarry.ingest.graph.module_summaries import ModuleDescriber

__all__ = ["IndexProgress", "IndexReport", "Report", "StageCost", "index_repository", "reconcile"]

_log = logging.getLogger(__name__)

IsIndexed = Callable[[str, str], bool]
"""Predicate (repository id, digest of inputs): whether another worker has indexed these inputs."""
DAMAGE = (StoreCorruptError, msgspec.MsgspecError)
"""Errors that stored data raises when it cannot be read."""


class IndexRun:
    """One run over an acquired source: selects files, and builds a revision if anything has changed."""

    def __init__(
        self, inputs: IndexInputs, store: Store, monitor: RunMonitor, describer: ModuleDescriber | None
    ) -> None:
        self._inputs = inputs
        self._store = store
        self._monitor = monitor
        self._describer = describer
        self._previous = PreviousState(store, inputs.repository)

    def index(self, is_indexed: IsIndexed) -> IndexReport:
        """Select the files, and build and store a new revision unless nothing has changed."""
        hashed = self._select()
        digest = inputs_digest(self._inputs, hashed)
        if is_indexed(self._inputs.repository, digest):
            return self._report_unchanged(hashed, "")
        if revision := self._find_current_revision(hashed, digest):
            return self._report_unchanged(hashed, revision)
        # Lazy import: a run without a change must not load the builder's dependencies.
        from repoquarry.ingest.revision_builder import RevisionBuilder

        builder = RevisionBuilder(self._inputs, self._store, self._monitor, self._previous, self._describer)
        return builder.build_and_store(hashed, digest)

    def _select(self) -> HashedTree:
        """Find and hash the files of the tree."""
        with self._monitor.stage("select"):
            known = load_stamps(self._store.sources, self._inputs.repository, self._inputs.settings)
            return hash_tree(self._inputs, self._monitor, known)

    def _find_current_revision(self, hashed: HashedTree, digest: str) -> str:
        """Return the stored revision of exactly these inputs, or an empty string if there is none that is intact."""
        current = self._previous.snapshot()
        if current is None or current.inputs != digest or self._previous.revision() != current.revision:
            return ""
        if self._describer is not None:
            from repoquarry.ingest.graph.module_summaries import ModulePurposes

            if not ModulePurposes.load(self._store.sources, self._inputs.repository).is_complete:
                return ""
        if self._previous.delete_damaged_texts():
            return ""
        if not hashed.stamps_held:
            hashed.stamps.save(self._store.sources, current.id)
        return current.revision

    def _report_unchanged(self, hashed: HashedTree, revision: str) -> IndexReport:
        report = IndexReport.of_nothing_new(self._inputs, hashed, revision)
        return replace(report, costs=tuple(self._monitor.costs))


def _ignore_progress(progress: IndexProgress) -> None:
    """Default receiver of progress."""


def index_repository(
    source: RepositorySource | str,
    store: Store,
    settings: IngestSettings,
    *,
    name: str | None = None,
    reach: NetworkPolicy = EVERYWHERE,
    report: Report = _ignore_progress,
    cancelled: Callable[[], bool] = lambda: False,
    already: IsIndexed = lambda repository, inputs: False,
    describer: ModuleDescriber | None = None,
) -> IndexReport:
    """Index a source into `store`, which is open for writing; a string is parsed by `parse_source`.

    `already` is called with the repository id and the digest of its inputs; if it returns True, nothing is stored.
    `describer` writes the purposes of new and changed modules; without it, those of unchanged files are kept.

    Raises: NotFoundError for an unknown score profile; SourceNotFoundError, SourceRejectedError, EmptyRepositoryError,
    IngestCancelledError, WorkerLostError; and the store's errors (StoreBusyError, EngineUnavailableError). After any of them the
    previous index is intact. Damaged data of the repository raises none: it is dropped and rebuilt from the source.
    """
    profile_named(settings.score_profile)  # Reject an unknown profile before anything is fetched.
    try:
        reconcile(store)
    except DAMAGE as exc:  # Whatever was damaged is repaired by now, or dropped below.
        store.warn(f"a revision that was not published could not be read ({exc})")
    mmap_large_allocations()
    with RunMonitor(report, cancelled) as monitor, reduce_gc_frequency(), ExitStack() as opened:
        chosen = parse_source(source) if isinstance(source, str) else source
        with monitor.stage("acquire", chosen.location if chosen.address is None else "fetching"):
            checkout = opened.enter_context(acquire(chosen, settings, cancelled, reach))
        checkout = replace(checkout, name=choose_repository_id(store, chosen, name))
        inputs = IndexInputs(checkout, settings)
        try:
            return IndexRun(inputs, store, monitor, describer).index(already)
        except DAMAGE as exc:
            store.warn(f"stored data of {checkout.name} is damaged and is rebuilt ({exc})")
            store.forget_derived(checkout.name)
            return IndexRun(inputs, store, monitor, describer).index(already)


def reconcile(store: Store) -> None:
    """Finish runs that were killed between storing the graph and publishing its texts."""
    for pending in PendingRevision.list_unpublished(store):
        from repoquarry.ingest.graph.repository_links import relink_dependents

        relink_dependents(pending)
        pending.publish()
        _log.info(
            "snapshot_published repository=%s revision=%s", pending.repository, store.revision(pending.repository)
        )
