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
from repoquarry.graphstore.search import Draft
from repoquarry.graphstore.search.index.places import Standing
from repoquarry.graphstore.search.index.term_extraction import FileTexts
from repoquarry.graphstore.storage.git_history import ARTIFACT as HISTORY
from repoquarry.graphstore.storage.git_history import History
from repoquarry.graphstore.store import Store
from repoquarry.ingest.artifacts import decode_definitions
from repoquarry.ingest.file_features import OwnFeatures
from repoquarry.ingest.files.extraction import Read, read_files
from repoquarry.ingest.files.hashing import Hashed
from repoquarry.ingest.files.worker_main import standing_of, standing_of_prose
from repoquarry.ingest.graph.assembler import Assembled, assemble
from repoquarry.ingest.graph.code_graph import Origin, Parts
from repoquarry.ingest.graph.graph_writer import StoredGraph, Writing, keep_as_before
from repoquarry.ingest.graph.outline import Outline, outline_of
from repoquarry.ingest.graph.provided_names import Offer, keep_externals
from repoquarry.ingest.graph.repository_links import links_between, move_links
from repoquarry.ingest.graph.table_builder import Columns
from repoquarry.ingest.importance import Scores, score
from repoquarry.ingest.memory_tuning import give_back
from repoquarry.ingest.pagerank import KeptRanks
from repoquarry.ingest.previous_state import Earlier, Inputs
from repoquarry.ingest.report import IndexReport
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolver_process.cached_resolution import KeptResolution
from repoquarry.ingest.resolver_process.client import resolve_apart
from repoquarry.ingest.resolver_process.prestart import WaitingResolver
from repoquarry.ingest.run_monitor import Meter
from repoquarry.ingest.sources.git import read_history
from repoquarry.languages.facts import FileFacts


@dataclass(frozen=True)
class Understood:
    """What follows from the facts of all files together."""

    files: list[FileFacts]
    """In path order."""
    outline: Outline
    columns: Columns
    """Of the outline."""
    features: OwnFeatures
    resolution: Resolution
    kept: KeptResolution
    """For the next run."""
    stored: StoredGraph | None
    """What is to be replaced."""


def understand(
    repository: str,
    read: Read,
    resolver: WaitingResolver,
    draft: Draft,
    meter: Meter,
    stored: Callable[[], StoredGraph | None],
) -> Understood:
    """Resolve all files, as far as what is kept does not hold, and index their texts in `draft`; `stored` is asked meanwhile.

    Raises: ResolutionFailedError, IngestCancelledError, OSError.
    """
    given = [*read.packed]
    with meter.beside("resolver", lambda ended: resolve_apart(given, resolver, meter, ended)) as resolving:
        draft.index_texts(_decoded(read, meter), read.kept)
        give_back()  # vectors take as much again
        definitions = _Definitions(read.packed)
        draft.index_vectors(read.vectors, definitions.standing)
        files = definitions.files
        give_back()
        outline, features = outline_of(repository, files, read.documents, read.hashes), OwnFeatures.of(files)
        draft.arrange(repository, outline.nodes())
        before = stored()
        columns = outline.columns(repository, before.columns if before is not None else {})
        del definitions
        give_back()  # the resolver needs most at its end
        return Understood(files, outline, columns, features, *resolving.result(), before)


class _Definitions:
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

    def standing(self, path: str) -> Standing:
        """The places of a file."""
        facts = self._by_path.get(path)
        return standing_of(facts) if facts is not None else standing_of_prose(path)


def _decoded(read: Read, meter: Meter) -> Iterator[tuple[str, FileTexts]]:
    """What is known of all texts, which `read` loses, telling how far it is."""
    paths = list(read.texts)
    for done, path in enumerate(paths):
        meter.step(done, len(paths), "indexing texts")
        yield path, FileTexts.decode(read.texts.pop(path))
    meter.step(len(paths), len(paths), "indexing texts")


_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """A graph that is ready to be stored."""

    assembled: Assembled
    offer: Offer
    stored: StoredGraph | None
    """What it replaces, where that is known."""
    history: History
    report: IndexReport

    @property
    def revision(self) -> str:
        return self.assembled.revision


class Making:
    """The making of one revision: each method is a stage, which takes what earlier ones gave; `store_new` is their course."""

    def __init__(self, inputs: Inputs, store: Store, meter: Meter, earlier: Earlier, resolver: WaitingResolver) -> None:
        self.inputs = inputs
        self.store = store
        self.meter = meter
        self.earlier = earlier
        self.resolver = resolver

    def store_new(self, hashed: Hashed, digest: str, facts: dict[str, bytes]) -> IndexReport:
        """Read, understand, score, assemble and store; `digest` is that of the inputs, `facts` as for `read_files`."""
        with (
            PendingRevision.begin(self.store, self.inputs.repository, self._indexing) as pending,
            ExitStack() as ahead,
        ):
            made = self.make(hashed, facts, pending, ahead)
            unchanged = self.earlier.revision() == made.revision
            if unchanged:
                self.keep(made, pending, digest)
            else:
                self.write(made, pending, digest)
        _log.info(
            "indexed repository=%s revision=%s files=%d unchanged=%s",
            *(made.report.repository, made.revision, made.report.files, unchanged),
        )
        return replace(made.report, unchanged=unchanged, costs=tuple(self.meter.costs))

    def make(self, hashed: Hashed, facts: dict[str, bytes], pending: PendingRevision, ahead: ExitStack) -> Made:
        """The graph; what it was made of, which is half of the memory, ends here. What writing it needs is begun in `ahead`."""
        with self.meter.beside("git-history", self._history) as reading:
            read = self.read(hashed, facts, pending)
            understood = self.understand(read, pending)
            # not before: with the resolver's process gone there is memory for it
            ahead.enter_context(self.store.engine.reading_ahead(self.inputs.repository))
            with self.meter.stage("score"):
                history = reading.result()
                scores = self.score(understood, history, pending)
        hashed.stamps.save(self.store.sources, pending.snapshot, self.inputs.settings)
        parts = self._parts(hashed, read, understood, scores, history)
        return self.assemble(parts, understood.stored, pending, read.reused)

    def read(self, hashed: Hashed, facts: dict[str, bytes], pending: PendingRevision) -> Read:
        """All that is to be known of each file alone; `facts` as for `read_files`."""
        with self.meter.stage("parse", total=len(hashed.files)):
            return read_files(self.inputs, hashed, self.earlier, facts, pending, self.meter, self.resolver)

    def understand(self, read: Read, pending: PendingRevision) -> Understood:
        """What follows from all files together; the search index gets their texts."""
        with self.meter.stage("resolve", total=len(read.packed)):
            understood = understand(
                self.inputs.repository, read, self.resolver, pending.draft, self.meter, self._stored
            )
        understood.kept.save(pending)
        return understood

    def score(self, understood: Understood, history: History, pending: PendingRevision) -> Scores:
        """What matters, by the profile of the settings."""
        ranks = KeptRanks.stored(self.store.sources, self.inputs.repository)
        profile = self.inputs.settings.score_profile
        scores = score(understood.files, understood.features, understood.resolution, history, profile, ranks)
        ranks.save(self.store.sources, pending.snapshot)
        return scores

    def assemble(self, parts: Parts, stored: StoredGraph | None, pending: PendingRevision, reused: int) -> Made:
        """The graph, and what is kept of its making beside its texts."""
        with self.meter.stage("assemble"):
            assembled = assemble(parts)
            offer = Offer.of(parts)
        offer.save(pending)
        keep_externals(pending, assembled.frame)
        pending.keep(HISTORY, parts.history.encode())
        report = IndexReport.of_graph(parts, assembled.counts(), assembled.revision, reused)
        return Made(assembled, offer, stored, parts.history, report)

    def write(self, made: Made, pending: PendingRevision, digest: str) -> None:
        """Complete the search index of the new revision and write the graph: from then on readers find both, and the texts."""
        assembled = made.assembled
        with self.meter.stage("search-index"):
            pending.complete_index(assembled.frame, made.revision, made.history, assembled.resolved.edges())
        links = links_between(assembled.frame, made.offer, self.store)
        with self.meter.stage("write", total=assembled.rows + sum(map(len, links))):
            writing = Writing.of(assembled, links, made.stored)
            writing.kept.save(self.store.sources, pending.snapshot)
            with pending.committing(made.revision, digest):
                writing.write(self.store, self.meter.step)
                move_links(pending)

    def keep(self, made: Made, pending: PendingRevision, digest: str) -> None:
        """Keep the texts of a revision whose graph is stored already."""
        keep_as_before(self.store.sources, self.inputs.repository, made.revision, pending.snapshot)
        with pending.committing(made.revision, digest):
            move_links(pending)

    def _indexing(self, done: int, total: int) -> None:
        """Texts are indexed while the resolver is at work, so they have progress of their own."""
        self.meter.step(done, total, "indexing texts")

    def _history(self, ended: Callable[[], bool]) -> History:
        checkout, settings = self.inputs.checkout, self.inputs.settings
        if not checkout.history:
            return History([], [], "not a git working tree")
        return read_history(
            checkout.root, commits=settings.history_commits, seconds=settings.git_read_seconds, cancelled=ended
        )

    def _stored(self) -> StoredGraph | None:
        return StoredGraph.read(self.store.sources, self.inputs.repository, self.earlier.revision())

    def _parts(self, hashed: Hashed, read: Read, understood: Understood, scores: Scores, history: History) -> Parts:
        checkout = self.inputs.checkout
        return Parts(
            origin=Origin(
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
