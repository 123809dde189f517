"""Entry point of indexing: acquires a source, selects its files, and starts the build of a new revision if anything has changed.

The stages of a run, in order: acquire, select (here); extract, index texts, index vectors, outline, resolve, score, assemble, complete
the search index, write (`revision_builder`). A run that finds no change ends after `select`.

Texts, search index and graph wait in a `PendingRevision`, so that readers see the previous index until the new one is complete. A run
that is killed at any moment can be started again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError, StoreFullError
from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.sqlite_database import disk_full_error, is_disk_full
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import ScipRejectedError
from repoquarry.ingest.files.hashing import HashedTree, hash_tree, inputs_digest, load_stamps
from repoquarry.ingest.files.ignore_rules import IgnoreReader
from repoquarry.ingest.interfaces.providers import list_providers
from repoquarry.ingest.memory_tuning import mmap_large_allocations, reduce_gc_frequency
from repoquarry.ingest.previous_state import IndexInputs, PreviousState
from repoquarry.ingest.report import IndexReport
from repoquarry.ingest.run_monitor import IndexProgress, Report, RunMonitor
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
    from repoquarry.ingest.scip.index_file import ScipFile

__all__ = ["IndexProgress", "IndexReport", "index_repository", "reconcile"]

_log = logging.getLogger(__name__)

SCIP_AUTO = "auto"
"""In place of the path of an index: `index.scip` at the root of the source, where there is one."""
SCIP_NAME = "index.scip"

IsIndexed = Callable[[str, str], bool]
"""Predicate (repository id, digest of inputs): whether another worker has indexed these inputs."""
DAMAGE = (StoreCorruptError, msgspec.MsgspecError)
"""Errors that stored data raises when it cannot be read."""


def _index(
    inputs: IndexInputs, store: Store, monitor: RunMonitor, describer: ModuleDescriber | None, is_indexed: IsIndexed
) -> IndexReport:
    """Select the files, and build and store a new revision unless nothing has changed."""
    previous = PreviousState(store, inputs.repository)
    with monitor.stage("select"):
        stamps = load_stamps(store.sources, inputs.repository, inputs.settings)
        hashed = hash_tree(inputs, monitor, stamps, IgnoreReader.load(store.sources, inputs.repository))
    providers = list_providers(store.sources, inputs.repository, hashed.packages)
    digest, revision = inputs_digest(inputs, hashed, providers), ""
    if not is_indexed(inputs.repository, digest):
        revision = _find_current_revision(previous, store, hashed, digest, is_described=describer is not None)
        if not revision:
            # Lazy import: a run without a change must not load the builder's dependencies.
            from repoquarry.ingest.revision_builder import RevisionBuilder

            builder = RevisionBuilder(inputs, store, monitor, previous, describer, providers)
            return builder.build_and_store(hashed, digest)
    report = IndexReport.of_nothing_new(inputs, hashed, revision)
    return replace(report, costs=tuple(monitor.costs))


def _find_current_revision(
    previous: PreviousState, store: Store, hashed: HashedTree, digest: str, *, is_described: bool
) -> str:
    """Return the stored revision of exactly these inputs, or an empty string if there is none that is intact."""
    current = previous.snapshot()
    if current is None or current.inputs != digest or previous.revision() != current.revision:
        return ""
    if is_described:
        from repoquarry.ingest.graph.module_summaries import ModulePurposes

        if not ModulePurposes.load(store.sources, current.repository).is_complete:
            return ""
    if previous.delete_damaged_texts() or not previous.has_current_vectors():
        return ""
    if not hashed.stamps_held:
        hashed.save_stamps(store.sources, current.id)
    return current.revision


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
    scip: Sequence[str] = (),
) -> IndexReport:
    """Index a source into `store`, which is open for writing; a string is parsed by `parse_source`.

    `already` is called with the repository id and the digest of its inputs; if it returns True, nothing is stored.
    `describer` writes the purposes of new and changed modules; without it, those of unchanged files are kept.
    `scip` are paths of SCIP indexes, relative ones in the tree of the source; `auto` is `index.scip` at its root where there is one.

    Raises: NotFoundError for an unknown score profile; SourceNotFoundError, SourceRejectedError, ScipRejectedError, EmptyRepositoryError,
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
        inputs = IndexInputs(checkout, settings, _find_scip(checkout.root, scip))
        try:
            return _index(inputs, store, monitor, describer, already)
        except DAMAGE as exc:
            store.warn(f"stored data of {checkout.name} is damaged and is rebuilt ({exc})")
            store.forget_derived(checkout.name)
            return _index(inputs, store, monitor, describer, already)
        except StoreFullError:
            store.discard_pending(checkout.name)
            raise
        except OSError as exc:
            if not is_disk_full(exc):
                raise
            store.discard_pending(checkout.name)
            raise disk_full_error(store.folder) from exc


def _find_scip(root: Path, asked: Sequence[str]) -> tuple[ScipFile, ...]:
    """Return the SCIP indexes that were asked for. Raises: ScipRejectedError."""
    if not asked:
        return ()
    from repoquarry.ingest.scip.index_file import ScipFile  # Lazy import: few runs have an index.

    automatic = root / SCIP_NAME
    paths = [(root / path, path) for path in asked if path != SCIP_AUTO]
    for path, shown in paths:
        if not Path(shown).is_absolute() and not path.resolve().is_relative_to(root):
            raise ScipRejectedError(f"the SCIP index {shown} is not inside the source; give its full path")
    if SCIP_AUTO in asked and automatic.is_file() and not automatic.is_symlink():
        paths.append((automatic, SCIP_NAME))
    return tuple(ScipFile.of(path, shown) for path, shown in dict(paths).items())


def reconcile(store: Store) -> None:
    """Finish runs that were killed between storing the graph and publishing its texts."""
    for pending in PendingRevision.list_unpublished(store):
        from repoquarry.ingest.graph.repository_links import relink_dependents

        relink_dependents(pending)
        pending.publish()
        _log.info(
            "snapshot_published repository=%s revision=%s", pending.repository, store.revision(pending.repository)
        )
