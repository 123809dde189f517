"""What an indexing run makes once something has changed: the stages from reading files to writing the graph.

Apart from `run`, which finds out that nothing has changed without loading any of this.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace

from repoquarry.graphstore.folder.history import ARTIFACT as HISTORY
from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.collecting import Read, read_files
from repoquarry.ingest.files.reading import Hashed
from repoquarry.ingest.graph.assemble import Assembled, assemble
from repoquarry.ingest.graph.kept import StoredGraph, keep_as_before
from repoquarry.ingest.graph.linking import links_between, move_links
from repoquarry.ingest.graph.offers import Offer, keep_externals
from repoquarry.ingest.graph.parts import Origin, Parts
from repoquarry.ingest.graph.writing import Writing
from repoquarry.ingest.indexing.report import IndexReport
from repoquarry.ingest.indexing.understanding import Understood, understand
from repoquarry.ingest.resolving.waiting import WaitingResolver
from repoquarry.ingest.scores.kept_ranks import KeptRanks
from repoquarry.ingest.scores.scoring import Scores, score
from repoquarry.ingest.sources.git_history import read_history
from repoquarry.ingest.stages.earlier import Earlier
from repoquarry.ingest.stages.inputs import Inputs
from repoquarry.ingest.stages.progress import Meter

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
