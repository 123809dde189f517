"""A source -> an indexed repository in a store: the stages in order, and what must be true between them.

Until the graph is replaced, which an engine does atomically, readers see the previous index whole: texts wait in a pending
snapshot, the search index in a folder of its own revision. A run that is killed at any moment can simply be started again.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from repoquarry.graphstore import search
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.folder.history import ARTIFACT as HISTORY
from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.store import INDEXES, Store
from repoquarry.ingest.files.collecting import read_files
from repoquarry.ingest.files.reading import Hashed, hash_tree, inputs_digest
from repoquarry.ingest.files.stamps import stored_stamps
from repoquarry.ingest.graph.assemble import assemble, revision_of
from repoquarry.ingest.graph.kept import keep_as_before
from repoquarry.ingest.graph.linking import Offer, keep_externals, link, move_links
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.writing import Writing
from repoquarry.ingest.identity import choose_id
from repoquarry.ingest.memory import rare_collections
from repoquarry.ingest.progress import IndexProgress, Meter, Report, StageCost
from repoquarry.ingest.scores.kept_ranks import KeptRanks
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, Reach, Source, acquire, read_source
from repoquarry.ingest.sources.base import Checkout, LeftOut
from repoquarry.ingest.sources.git_history import read_history
from repoquarry.ingest.understanding import understand

__all__ = ["IndexProgress", "IndexReport", "Report", "StageCost", "index_repository", "reconcile"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class IndexReport:
    """What an indexing run did."""

    repository: str
    source: str
    commit: str | None
    revision: str
    unchanged: bool
    """The stored graph was already equal to what would have been written."""
    counts: dict[str, int]
    """Nodes by label and relationships by type; empty when the run ended before a graph was made."""
    files: int
    """Source files that were indexed."""
    reused: int
    """Of these, files that had not to be parsed."""
    left_out: tuple[LeftOut, ...]
    left_out_count: int
    parse_errors: tuple[str, ...]
    """Paths of files with syntax errors."""
    unresolved: dict[str, int]
    """Unresolved call sites by reason."""
    history_missing: str
    """What of the git history was not read, and why; empty when all was."""
    costs: tuple[StageCost, ...]

    @property
    def seconds(self) -> float:
        return sum(cost.seconds for cost in self.costs)

    @property
    def peak_memory_bytes(self) -> int:
        return max((cost.peak_memory_bytes for cost in self.costs), default=0)


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
    already: Callable[[str, str], bool] = lambda repository, inputs: False,
) -> IndexReport:
    """Index a folder, git address or archive into `store`, which is open for writing; a text is taken as `read_source` does.

    `already` is asked with the repository's id and the digest of its inputs whether that is indexed elsewhere, and then nothing is done.
    Raises: NotFoundError for an unknown score profile; SourceNotFoundError, SourceRejectedError, EmptyRepositoryError,
    IngestCancelledError, WorkerLostError; and what the store raises (StoreBusyError, EngineUnavailableError, StoreCorruptError).
    After any of them the previous index is whole.
    """
    profile_named(settings.score_profile)  # refused before anything is fetched
    reconcile(store)
    with Meter(report, cancelled) as meter, rare_collections():
        chosen = read_source(source) if isinstance(source, str) else source
        opened = acquire(chosen, settings, cancelled, reach)
        with meter.stage("acquire", chosen.location if chosen.address is None else "fetching"):
            checkout = opened.__enter__()
        try:
            checkout = replace(checkout, name=choose_id(store, chosen, name))
            return _index(checkout, store, settings, meter, already)
        finally:
            opened.__exit__(None, None, None)


def reconcile(store: Store) -> None:
    """Finish what a run that was killed between storing the graph and publishing its texts left undone."""
    for repository, sealed in store.sources.awaiting():
        if _stored_revision(store, repository) != sealed:
            continue
        pending = store.sources.sealed(repository, sealed)
        if pending is not None:
            move_links(repository, pending, store)
            store.sources.publish(pending)
            _log.info("snapshot_published repository=%s revision=%s", repository, sealed)


def _index(
    checkout: Checkout, store: Store, settings: IngestSettings, meter: Meter, already: Callable[[str, str], bool]
) -> IndexReport:
    with meter.stage("select"):
        stamps = stored_stamps(store.sources, checkout.name, settings)
        hashed = hash_tree(checkout, settings, meter, stamps)
        inputs = inputs_digest(checkout, hashed, settings)
    if already(checkout.name, inputs):
        return _report(checkout, hashed, "", meter, unchanged=True)
    if damaged := store.sources.drop_damaged(checkout.name):
        store.notice(
            f"{len(damaged)} stored texts of {checkout.name} were damaged and are stored anew: {damaged[0]}, …"
        )
    current = store.sources.current(checkout.name)
    if current and current.inputs == inputs and _stored_revision(store, checkout.name) == current.revision:
        if any(stamps.of(file) is None for file in hashed.files):
            hashed.stamps.save(store.sources, current.id, settings)
        return _report(checkout, hashed, current.revision, meter, unchanged=True)
    snapshot = store.sources.begin(checkout.name)
    with _draft(checkout.name, snapshot, store, meter) as draft:
        graph, offer, history, outcome = _make_graph(checkout, hashed, store, snapshot, draft, settings, meter)
        revision, stored = outcome.revision, _stored_revision(store, checkout.name)
        unchanged = stored == revision
        if unchanged:
            keep_as_before(store.sources, checkout.name, revision, snapshot)
            store.sources.seal(snapshot, revision, inputs)
        else:
            _store_graph(store, link(graph, offer, store), history, draft, (snapshot, revision, inputs), stored, meter)
    move_links(checkout.name, snapshot, store)
    store.sources.publish(snapshot)
    remove_old_indexes(store, checkout.name, revision)
    _log.info(
        "indexed repository=%s revision=%s files=%d unchanged=%s", checkout.name, revision, outcome.files, unchanged
    )
    return replace(outcome, unchanged=unchanged, costs=tuple(meter.costs))


def _make_graph(
    checkout: Checkout,
    hashed: Hashed,
    store: Store,
    snapshot: int,
    draft: search.Draft,
    settings: IngestSettings,
    meter: Meter,
) -> tuple[RepositoryGraph, Offer, History, IndexReport]:
    """The graph; what it was made of, which is half of the memory, ends here."""
    with ThreadPoolExecutor(1, thread_name_prefix="git-history") as executor:
        history = executor.submit(_read_history, checkout, settings, meter)
        with meter.stage("parse", total=len(hashed.files)):
            read = read_files(checkout, hashed, settings, store, snapshot, meter)
        ranks = KeptRanks.stored(store.sources, checkout.name)
        parts = understand(checkout, hashed, read, history, ranks, draft, settings, meter)
    ranks.save(store.sources, snapshot)
    with meter.stage("assemble"):
        graph = assemble(parts)
        offer = Offer.of(parts)
        revision = revision_of(graph)
    offer.save(store.sources, snapshot)
    keep_externals(store.sources, snapshot, graph)
    hashed.stamps.save(store.sources, snapshot, settings)
    store.sources.put_artifact(snapshot, HISTORY, parts.history.encode())
    outcome = _report(checkout, hashed, revision, meter, parts=parts, graph=graph, reused=read.reused)
    return graph, offer, parts.history, outcome


def _draft(repository: str, snapshot: int, store: Store, meter: Meter) -> search.Draft:
    """The search index to be; its texts are indexed while something else may be under way, which is why it says what it does."""
    return search.Draft(
        store.folder / INDEXES / repository,
        lambda path: store.sources.pending_text(snapshot, path),
        store.embedder,
        store.embed,
        lambda done, total: meter.step(done, total, "indexing texts"),
    )


def _store_graph(
    store: Store,
    graph: RepositoryGraph,
    history: History,
    draft: search.Draft,
    sealed: tuple[int, str, str],
    stored: str | None,
    meter: Meter,
) -> None:
    """Complete the search index of the new revision, seal its snapshot, then write the graph: from then on readers find all three."""
    snapshot, revision, inputs = sealed
    with meter.stage("search-index"):
        draft.finish(graph, store.folder_of_index(graph.repository, revision), history)
    with meter.stage("write", total=sum(graph.counts().values())):
        writing = Writing.of(store, graph, stored)
        writing.kept.save(store.sources, snapshot)
        store.sources.seal(snapshot, revision, inputs)
        writing.write(store, meter.step)


def _read_history(checkout: Checkout, settings: IngestSettings, meter: Meter) -> History:
    if not checkout.history:
        return History([], [], "not a git working tree")
    return read_history(
        checkout.root, commits=settings.history_commits, seconds=settings.git_read_seconds, cancelled=meter.cancelled
    )


def _stored_revision(store: Store, repository: str) -> str | None:
    try:
        return str(store.repository(repository)["revision"])
    except NotFoundError:
        return None


def remove_old_indexes(store: Store, repository: str, revision: str) -> None:
    """Remove the search indexes of a repository's other revisions."""
    folder = store.folder / INDEXES / repository
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.name != revision:
            search.forget(old)
            shutil.rmtree(old, ignore_errors=True)


def _report(
    checkout: Checkout,
    hashed: Hashed,
    revision: str,
    meter: Meter,
    *,
    parts: Parts | None = None,
    graph: RepositoryGraph | None = None,
    reused: int = 0,
    unchanged: bool = False,
) -> IndexReport:
    unresolved: Counter[str] = Counter()
    for call in parts.resolution.unresolved if parts else ():
        unresolved[call.reason] += call.count
    files = [file for file in hashed.files if file.kind == "source"]
    return IndexReport(
        repository=checkout.name,
        source=checkout.source,
        commit=checkout.commit,
        revision=revision,
        unchanged=unchanged,
        counts=graph.counts() if graph else {},
        files=len(parts.files) if parts else len(files),
        reused=reused if parts else len(files),
        left_out=tuple(hashed.all_left_out()),
        left_out_count=hashed.left_out_count,
        parse_errors=tuple(facts.path for facts in parts.files if facts.parse_errors) if parts else (),
        unresolved=dict(unresolved),
        history_missing=parts.history.missing if parts else "",
        costs=tuple(meter.costs),
    )
