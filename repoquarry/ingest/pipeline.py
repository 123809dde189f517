"""Indexing of a repository: entry point, and the stages of one run in order.

Texts, search index and graph wait in a `PendingRevision`, so that readers see the previous index whole until the new one is. A run that
is killed at any moment can simply be started again.

The source is acquired and gets its id here; the rest is the course of a `IndexRun`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace

from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.facts_cache import load_cached_facts
from repoquarry.ingest.files.hashing import HashedTree, hash_tree, inputs_digest, load_stamps
from repoquarry.ingest.memory_tuning import mmap_large_allocations, reduce_gc_frequency
from repoquarry.ingest.previous_state import IndexInputs, PreviousState
from repoquarry.ingest.report import IndexReport
from repoquarry.ingest.resolver_process.cached_resolution import CachedResolution
from repoquarry.ingest.resolver_process.prestart import PrestartedResolver
from repoquarry.ingest.run_monitor import IndexProgress, Report, RunMonitor, StageCost
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import (
    EVERYWHERE,
    NetworkPolicy,
    RepositorySource,
    acquire,
    choose_repository_id,
    parse_source,
)

IsIndexed = Callable[[str, str], bool]
"""Whether inputs, given by the repository's id and their digest, are indexed elsewhere."""
_MAX_SMALL_CHANGE_FILES = 500


class IndexRun:
    """One run: each method is a stage, which takes what earlier ones gave; `index` is their course."""

    def __init__(self, inputs: IndexInputs, store: Store, meter: RunMonitor) -> None:
        self.inputs = inputs
        self.store = store
        self.meter = meter
        self.earlier = PreviousState(store, inputs.repository)

    def index(self, already: IsIndexed) -> IndexReport:
        """Select, read, understand, score, assemble and store, as far as something has changed."""
        hashed = self.select()
        digest = inputs_digest(self.inputs, hashed)
        if already(self.inputs.repository, digest):
            return self._nothing_new(hashed, "")
        current = self.earlier.snapshot()
        stored = current is not None and current.inputs == digest and self.earlier.revision() == current.revision
        if current is not None and stored and not self.earlier.delete_damaged_texts():
            if not hashed.stamps_held:
                hashed.stamps.save(self.store.sources, current.id, self.inputs.settings)
            return self._nothing_new(hashed, current.revision)
        return self._store_new(hashed, digest)

    def _store_new(self, hashed: HashedTree, digest: str) -> IndexReport:
        """The resolver is begun and given what is known before all else: after a change everything else waits for it longest."""
        kept = CachedResolution.stored(self.store.sources, self.inputs.repository)
        with (
            PrestartedResolver(self.inputs.settings, hashed.configuration, kept) as resolver,
            self.meter.watch_processes(resolver.process_ids),
        ):
            now = {file.path: hashed.hashes[file.path] for file in hashed.files if file.kind == "source"}
            if _begins_early(now, self.earlier.files()):
                resolver.prestart()
            facts = load_cached_facts(now, self.store.sources)
            resolver.send_facts(facts.values())
            # with it comes what a run without a change has no use for
            from repoquarry.ingest.revision_builder import RevisionBuilder

            making = RevisionBuilder(self.inputs, self.store, self.meter, self.earlier, resolver)
            return making.build_and_store(hashed, digest, facts)

    def select(self) -> HashedTree:
        """Find and hash the files of the tree."""
        with self.meter.stage("select"):
            known = load_stamps(self.store.sources, self.inputs.repository, self.inputs.settings)
            return hash_tree(self.inputs, self.meter, known)

    def _nothing_new(self, hashed: HashedTree, revision: str) -> IndexReport:
        report = IndexReport.of_nothing_new(self.inputs, hashed, revision)
        return replace(report, costs=tuple(self.meter.costs))


def _begins_early(now: Mapping[str, bytes], before: Mapping[str, FileEntry]) -> bool:
    """Whether a resolver is begun while files are read: where it is sure to be needed, as no revision of just these source files is stored.

    With many files and none stored it would be at its largest while their words are put together, which takes as much.
    """
    stored = {path: entry.hash for path, entry in before.items() if entry.derived is not None}
    return stored != now and (bool(stored) or len(now) <= _MAX_SMALL_CHANGE_FILES)


__all__ = ["IndexProgress", "IndexReport", "Report", "StageCost", "index_repository", "reconcile"]

_log = logging.getLogger(__name__)


def _silent(progress: IndexProgress) -> None:
    """Progress that nobody wants."""


def index_repository(
    source: RepositorySource | str,
    store: Store,
    settings: IngestSettings,
    *,
    name: str | None = None,
    reach: NetworkPolicy = EVERYWHERE,
    report: Report = _silent,
    cancelled: Callable[[], bool] = lambda: False,
    already: IsIndexed = lambda repository, inputs: False,
) -> IndexReport:
    """Index a folder, git address or archive into `store`, which is open for writing; a text is taken as `parse_source` does.

    `already` is asked with the repository's id and the digest of its inputs whether that is indexed elsewhere, and then nothing is done.
    Raises: NotFoundError for an unknown score profile; SourceNotFoundError, SourceRejectedError, EmptyRepositoryError,
    IngestCancelledError, WorkerLostError; and what the store raises (StoreBusyError, EngineUnavailableError, StoreCorruptError).
    After any of them the previous index is whole.
    """
    profile_named(settings.score_profile)  # refused before anything is fetched
    reconcile(store)
    mmap_large_allocations()
    with RunMonitor(report, cancelled) as meter, reduce_gc_frequency(), ExitStack() as opened:
        chosen = parse_source(source) if isinstance(source, str) else source
        with meter.stage("acquire", chosen.location if chosen.address is None else "fetching"):
            checkout = opened.enter_context(acquire(chosen, settings, cancelled, reach))
        checkout = replace(checkout, name=choose_repository_id(store, chosen, name))
        return IndexRun(IndexInputs(checkout, settings), store, meter).index(already)


def reconcile(store: Store) -> None:
    """Finish what a run that was killed between storing the graph and publishing its texts left undone."""
    for pending in PendingRevision.list_unpublished(store):
        from repoquarry.ingest.graph.repository_links import relink_dependents

        relink_dependents(pending)
        pending.publish()
        _log.info(
            "snapshot_published repository=%s revision=%s", pending.repository, store.revision(pending.repository)
        )
