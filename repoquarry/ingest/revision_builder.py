"""Builder of one repository revision: extract, resolve, score, assemble, write.

Most of what the search index holds follows from texts and from where definitions stand, so it is made while the resolver, the longest
of all stages, keeps another core busy.

Apart from `run`, which finds out that nothing has changed without loading any of this.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property

from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.search import IndexBuilder
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import FileTerms
from repoquarry.graphstore.storage.git_history import ARTIFACT as HISTORY
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.ingest.artifacts import decode_definitions
from repoquarry.ingest.file_features import FileFeatures
from repoquarry.ingest.files.extraction import ExtractedFiles, extract_files
from repoquarry.ingest.files.hashing import HashedTree
from repoquarry.ingest.files.worker_main import spans_of_document, spans_of_source
from repoquarry.ingest.graph.assembler import AssembledGraph, assemble_graph
from repoquarry.ingest.graph.code_graph import GraphInputs, RepositoryOrigin
from repoquarry.ingest.graph.graph_writer import BaseGraph, GraphWriter, carry_over_graph
from repoquarry.ingest.graph.outline import DefinitionOutline, build_outline
from repoquarry.ingest.graph.provided_names import ProvidedNames, save_externals
from repoquarry.ingest.graph.repository_links import compute_links, relink_dependents
from repoquarry.ingest.graph.table_builder import Columns
from repoquarry.ingest.importance import RepositoryScores, score_repository
from repoquarry.ingest.memory_tuning import trim_heap
from repoquarry.ingest.pagerank import RankCache
from repoquarry.ingest.previous_state import IndexInputs, PreviousState
from repoquarry.ingest.report import IndexReport
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolver_process.cached_resolution import CachedResolution
from repoquarry.ingest.resolver_process.client import resolve_in_subprocess
from repoquarry.ingest.resolver_process.prestart import PrestartedResolver
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.sources.git import read_history
from repoquarry.languages.facts import FileFacts


@dataclass(frozen=True)
class RepositoryAnalysis:
    """What follows from the facts of all files together."""

    files: list[FileFacts]
    """In path order."""
    outline: DefinitionOutline
    columns: Columns
    """Of the outline."""
    features: FileFeatures
    resolution: Resolution
    kept: CachedResolution
    """For the next run."""
    stored: BaseGraph | None
    """What is to be replaced."""


def analyze_repository(
    repository: str,
    read: ExtractedFiles,
    resolver: PrestartedResolver,
    draft: IndexBuilder,
    meter: RunMonitor,
    stored: Callable[[], BaseGraph | None],
) -> RepositoryAnalysis:
    """Resolve all files, as far as what is kept does not hold, and index their texts in `draft`; `stored` is asked meanwhile.

    Raises: ResolutionFailedError, IngestCancelledError, OSError.
    """
    given = [*read.packed]
    with meter.run_in_background(
        "resolver", lambda ended: resolve_in_subprocess(given, resolver, meter, ended)
    ) as resolving:
        draft.index_texts(_decoded(read, meter), read.kept)
        trim_heap()  # vectors take as much again
        definitions = _LazyDefinitions(read.packed)
        draft.index_vectors(read.vectors, definitions.standing)
        files = definitions.files
        trim_heap()
        outline, features = build_outline(repository, files, read.documents, read.hashes), FileFeatures.of(files)
        draft.add_places(repository, outline.nodes())
        before = stored()
        columns = outline.columns(repository, before.columns if before is not None else {})
        del definitions
        trim_heap()  # the resolver needs most at its end
        return RepositoryAnalysis(files, outline, columns, features, *resolving.result(), before)


class _LazyDefinitions:
    """What files define, decoded once it is asked for: while their words are put together it would take as much as those."""

    def __init__(self, packed: list[bytes]) -> None:
        """`packed` loses them once they are decoded."""
        self._packed = packed

    @cached_property
    def files(self) -> list[FileFacts]:
        """Those of source files, in path order."""
        found = [decode_definitions(packed) for packed in self._packed]
        self._packed.clear()
        return found

    @cached_property
    def _by_path(self) -> dict[str, FileFacts]:
        return {facts.path: facts for facts in self.files}

    def standing(self, path: str) -> DefinitionSpans:
        """The places of a file."""
        facts = self._by_path.get(path)
        return spans_of_source(facts) if facts is not None else spans_of_document(path)


def _decoded(read: ExtractedFiles, meter: RunMonitor) -> Iterator[tuple[str, FileTerms]]:
    """What is known of all texts, which `read` loses, telling how far it is."""
    paths = list(read.texts)
    for done, path in enumerate(paths):
        meter.step(done, len(paths), "indexing texts")
        yield path, FileTerms.decode(read.texts.pop(path))
    meter.step(len(paths), len(paths), "indexing texts")


_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BuiltRevision:
    """A graph that is ready to be stored."""

    assembled: AssembledGraph
    offer: ProvidedNames
    stored: BaseGraph | None
    """What it replaces, where that is known."""
    history: GitHistory
    report: IndexReport

    @property
    def revision(self) -> str:
        return self.assembled.revision


class RevisionBuilder:
    """The making of one revision: each method is a stage, which takes what earlier ones gave; `build_and_store` is their course."""

    def __init__(
        self, inputs: IndexInputs, store: Store, meter: RunMonitor, earlier: PreviousState, resolver: PrestartedResolver
    ) -> None:
        self.inputs = inputs
        self.store = store
        self.meter = meter
        self.earlier = earlier
        self.resolver = resolver

    def build_and_store(self, hashed: HashedTree, digest: str, facts: dict[str, bytes]) -> IndexReport:
        """Read, understand, score, assemble and store; `digest` is that of the inputs, `facts` as for `extract_files`."""
        with (
            PendingRevision.begin(self.store, self.inputs.repository, self._indexing) as pending,
            ExitStack() as ahead,
        ):
            made = self.build(hashed, facts, pending, ahead)
            unchanged = self.earlier.revision() == made.revision
            if unchanged:
                self.publish_unchanged(made, pending, digest)
            else:
                self.write(made, pending, digest)
        _log.info(
            "indexed repository=%s revision=%s files=%d unchanged=%s",
            *(made.report.repository, made.revision, made.report.files, unchanged),
        )
        return replace(made.report, unchanged=unchanged, costs=tuple(self.meter.costs))

    def build(
        self, hashed: HashedTree, facts: dict[str, bytes], pending: PendingRevision, ahead: ExitStack
    ) -> BuiltRevision:
        """The graph; what it was made of, which is half of the memory, ends here. What writing it needs is begun in `ahead`."""
        with self.meter.run_in_background("git-history", self._history) as reading:
            read = self.read(hashed, facts, pending)
            understood = self.analyze(read, pending)
            # not before: with the resolver's process gone there is memory for it
            ahead.enter_context(self.store.engine.prefetch(self.inputs.repository))
            with self.meter.stage("score"):
                history = reading.result()
                scores = self.score(understood, history, pending)
        hashed.stamps.save(self.store.sources, pending.snapshot, self.inputs.settings)
        parts = self._parts(hashed, read, understood, scores, history)
        return self.assemble(parts, understood.stored, pending, read.reused)

    def read(self, hashed: HashedTree, facts: dict[str, bytes], pending: PendingRevision) -> ExtractedFiles:
        """All that is to be known of each file alone; `facts` as for `extract_files`."""
        with self.meter.stage("parse", total=len(hashed.files)):
            return extract_files(self.inputs, hashed, self.earlier, facts, pending, self.meter, self.resolver)

    def analyze(self, read: ExtractedFiles, pending: PendingRevision) -> RepositoryAnalysis:
        """What follows from all files together; the search index gets their texts."""
        with self.meter.stage("resolve", total=len(read.packed)):
            understood = analyze_repository(
                self.inputs.repository, read, self.resolver, pending.draft, self.meter, self._stored
            )
        understood.kept.save(pending)
        return understood

    def score(self, understood: RepositoryAnalysis, history: GitHistory, pending: PendingRevision) -> RepositoryScores:
        """What matters, by the profile of the settings."""
        ranks = RankCache.stored(self.store.sources, self.inputs.repository)
        profile = self.inputs.settings.score_profile
        scores = score_repository(understood.files, understood.features, understood.resolution, history, profile, ranks)
        ranks.save(self.store.sources, pending.snapshot)
        return scores

    def assemble(
        self, parts: GraphInputs, stored: BaseGraph | None, pending: PendingRevision, reused: int
    ) -> BuiltRevision:
        """The graph, and what is kept of its making beside its texts."""
        with self.meter.stage("assemble"):
            assembled = assemble_graph(parts)
            offer = ProvidedNames.of(parts)
        offer.save(pending)
        save_externals(pending, assembled.frame)
        pending.save_artifact(HISTORY, parts.history.encode())
        report = IndexReport.of_graph(parts, assembled.counts(), assembled.revision, reused)
        return BuiltRevision(assembled, offer, stored, parts.history, report)

    def write(self, made: BuiltRevision, pending: PendingRevision, digest: str) -> None:
        """Complete the search index of the new revision and write the graph: from then on readers find both, and the texts."""
        assembled = made.assembled
        with self.meter.stage("search-index"):
            pending.complete_index(assembled.frame, made.revision, made.history, assembled.resolved.edges())
        links = compute_links(assembled.frame, made.offer, self.store)
        with self.meter.stage("write", total=assembled.rows + sum(map(len, links))):
            writing = GraphWriter.of(assembled, links, made.stored)
            writing.kept.save(self.store.sources, pending.snapshot)
            with pending.commit(made.revision, digest):
                writing.write(self.store, self.meter.step)
                relink_dependents(pending)

    def publish_unchanged(self, made: BuiltRevision, pending: PendingRevision, digest: str) -> None:
        """Keep the texts of a revision whose graph is stored already."""
        carry_over_graph(self.store.sources, self.inputs.repository, made.revision, pending.snapshot)
        with pending.commit(made.revision, digest):
            relink_dependents(pending)

    def _indexing(self, done: int, total: int) -> None:
        """Texts are indexed while the resolver is at work, so they have progress of their own."""
        self.meter.step(done, total, "indexing texts")

    def _history(self, ended: Callable[[], bool]) -> GitHistory:
        checkout, settings = self.inputs.checkout, self.inputs.settings
        if not checkout.history:
            return GitHistory([], [], "not a git working tree")
        return read_history(
            checkout.root, commits=settings.history_commits, seconds=settings.git_read_seconds, cancelled=ended
        )

    def _stored(self) -> BaseGraph | None:
        return BaseGraph.read(self.store.sources, self.inputs.repository, self.earlier.revision())

    def _parts(
        self,
        hashed: HashedTree,
        read: ExtractedFiles,
        understood: RepositoryAnalysis,
        scores: RepositoryScores,
        history: GitHistory,
    ) -> GraphInputs:
        checkout = self.inputs.checkout
        return GraphInputs(
            origin=RepositoryOrigin(
                repository=checkout.name,
                source=checkout.source,
                source_kind=checkout.kind,
                commit=checkout.commit,
                branch=checkout.branch,
                ref=checkout.ref or None,
                dirty=hashed.dirty,
            ),
            files=understood.files,
            outline=understood.outline,
            outline_columns=understood.columns,
            stored_columns=understood.stored.columns if understood.stored is not None else {},
            documents=read.documents,
            hashes=read.hashes,
            generated=hashed.generated,
            resolution=understood.resolution,
            resolution_content=understood.kept.content,
            scores=scores,
            history=history,
            packages=hashed.packages,
            left_out=read.left_out.told(),
            left_out_count=read.left_out.count,
        )
