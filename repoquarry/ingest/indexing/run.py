"""The course of one indexing run: its stages in order, what each gives the next, and what must be true between them.

Until the graph is replaced, which an engine does atomically, readers see the previous index whole: texts wait in a pending
snapshot, the search index in a folder of its own revision. A run that is killed at any moment can simply be started again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from repoquarry.graphstore.folder.history import ARTIFACT as HISTORY
from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.search import Draft
from repoquarry.graphstore.store import INDEXES, Store
from repoquarry.ingest.earlier import Earlier
from repoquarry.ingest.files.collecting import Read, read_files
from repoquarry.ingest.files.reading import Hashed, hash_tree, inputs_digest
from repoquarry.ingest.files.stamps import stored_stamps
from repoquarry.ingest.graph.assemble import assemble, revision_of
from repoquarry.ingest.graph.kept import keep_as_before
from repoquarry.ingest.graph.linking import Offer, keep_externals, link, move_links
from repoquarry.ingest.graph.parts import Origin, Parts
from repoquarry.ingest.graph.writing import Writing
from repoquarry.ingest.indexing.report import IndexReport
from repoquarry.ingest.indexing.understanding import Understood, understand
from repoquarry.ingest.inputs import Inputs
from repoquarry.ingest.progress import Meter
from repoquarry.ingest.scores.kept_ranks import KeptRanks
from repoquarry.ingest.scores.scoring import Scores, score
from repoquarry.ingest.sources.git_history import read_history

Already = Callable[[str, str], bool]
"""Whether inputs, given by the repository's id and their digest, are indexed elsewhere."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """A graph that is ready to be stored."""

    graph: RepositoryGraph
    offer: Offer
    history: History
    report: IndexReport

    @property
    def revision(self) -> str:
        return self.report.revision


class Run:
    """One run: each method is a stage, which takes what earlier ones gave; `index` is their course."""

    def __init__(self, inputs: Inputs, store: Store, meter: Meter) -> None:
        self.inputs = inputs
        self.store = store
        self.meter = meter
        self.earlier = Earlier(store, inputs.repository)

    def index(self, already: Already) -> IndexReport:
        """Select, read, understand, score, assemble and store, as far as something has changed."""
        hashed = self.select()
        digest = inputs_digest(self.inputs, hashed)
        if already(self.inputs.repository, digest):
            return self._nothing_new(hashed, "")
        self._drop_damaged_texts()
        current = self.earlier.snapshot()
        if current is not None and current.inputs == digest and self.earlier.revision() == current.revision:
            if not hashed.stamps_held:
                hashed.stamps.save(self.store.sources, current.id, self.inputs.settings)
            return self._nothing_new(hashed, current.revision)
        snapshot = self.store.sources.begin(self.inputs.repository)
        with self._draft(snapshot) as draft:
            made = self.make(hashed, snapshot, draft)
            unchanged = self.earlier.revision() == made.revision
            if unchanged:
                self._keep(made, digest, snapshot)
            else:
                self.write(made, draft, digest, snapshot)
        self._publish(made, snapshot)
        _log.info(
            "indexed repository=%s revision=%s files=%d unchanged=%s",
            *(made.report.repository, made.revision, made.report.files, unchanged),
        )
        return replace(made.report, unchanged=unchanged, costs=tuple(self.meter.costs))

    def select(self) -> Hashed:
        """Find and hash the files of the tree."""
        with self.meter.stage("select"):
            known = stored_stamps(self.store.sources, self.inputs.repository, self.inputs.settings)
            return hash_tree(self.inputs, self.meter, known)

    def make(self, hashed: Hashed, snapshot: int, draft: Draft) -> Made:
        """The graph; what it was made of, which is half of the memory, ends here."""
        with self.meter.beside("git-history", self._history) as reading:
            read = self.read(hashed, snapshot)
            understood = self.understand(hashed, read, draft)
            with self.meter.stage("score"):
                history = reading.result()
                scores = self.score(understood, history, snapshot)
        hashed.stamps.save(self.store.sources, snapshot, self.inputs.settings)
        return self.assemble(self._parts(hashed, read, understood, scores, history), snapshot, read.reused)

    def read(self, hashed: Hashed, snapshot: int) -> Read:
        """All that is to be known of each file alone."""
        with self.meter.stage("parse", total=len(hashed.files)):
            return read_files(self.inputs, hashed, self.store, snapshot, self.meter)

    def understand(self, hashed: Hashed, read: Read, draft: Draft) -> Understood:
        """What follows from all files together; the draft gets their texts."""
        with self.meter.stage("resolve", total=len(read.packed)):
            return understand(self.inputs, hashed.configuration, read, draft, self.meter)

    def score(self, understood: Understood, history: History, snapshot: int) -> Scores:
        """What matters, by the profile of the settings."""
        ranks = KeptRanks.stored(self.store.sources, self.inputs.repository)
        profile = self.inputs.settings.score_profile
        scores = score(understood.files, understood.resolution, history, profile, ranks)
        ranks.save(self.store.sources, snapshot)
        return scores

    def assemble(self, parts: Parts, snapshot: int, reused: int) -> Made:
        """The graph, and what is kept of its making beside its texts."""
        with self.meter.stage("assemble"):
            graph = assemble(parts)
            offer = Offer.of(parts)
            revision = revision_of(graph)
        offer.save(self.store.sources, snapshot)
        keep_externals(self.store.sources, snapshot, graph)
        self.store.sources.put_artifact(snapshot, HISTORY, parts.history.encode())
        return Made(graph, offer, parts.history, IndexReport.of_graph(parts, graph, revision, reused))

    def write(self, made: Made, draft: Draft, digest: str, snapshot: int) -> None:
        """Complete the search index of the new revision, seal its snapshot, then write the graph: from then on readers find all three."""
        graph = link(made.graph, made.offer, self.store)
        with self.meter.stage("search-index"):
            draft.finish(graph, self.store.folder_of_index(graph.repository, made.revision), made.history)
        with self.meter.stage("write", total=sum(graph.counts().values())):
            writing = Writing.of(self.store, graph, self.earlier.revision())
            writing.kept.save(self.store.sources, snapshot)
            self.store.sources.seal(snapshot, made.revision, digest)
            writing.write(self.store, self.meter.step)

    def _keep(self, made: Made, digest: str, snapshot: int) -> None:
        """Seal the snapshot of a revision whose graph is stored already."""
        keep_as_before(self.store.sources, self.inputs.repository, made.revision, snapshot)
        self.store.sources.seal(snapshot, made.revision, digest)

    def _publish(self, made: Made, snapshot: int) -> None:
        move_links(self.inputs.repository, snapshot, self.store)
        self.store.sources.publish(snapshot)
        self.store.remove_old_indexes(self.inputs.repository, made.revision)

    def _nothing_new(self, hashed: Hashed, revision: str) -> IndexReport:
        report = IndexReport.of_nothing_new(self.inputs, hashed, revision)
        return replace(report, costs=tuple(self.meter.costs))

    def _drop_damaged_texts(self) -> None:
        damaged = self.store.sources.drop_damaged(self.inputs.repository)
        if damaged:
            self.store.notice(
                f"{len(damaged)} stored texts of {self.inputs.repository} were damaged and are stored anew: {damaged[0]}, …"
            )

    def _draft(self, snapshot: int) -> Draft:
        """An unfinished search index. Its texts are indexed while the resolver is at work, so it reports its own progress."""
        return Draft(
            self.store.folder / INDEXES / self.inputs.repository,
            lambda path: self.store.sources.pending_text(snapshot, path),
            self.store.embedder,
            self.store.embed,
            lambda done, total: self.meter.step(done, total, "indexing texts"),
        )

    def _history(self, ended: Callable[[], bool]) -> History:
        checkout, settings = self.inputs.checkout, self.inputs.settings
        if not checkout.history:
            return History([], [], "not a git working tree")
        return read_history(
            checkout.root, commits=settings.history_commits, seconds=settings.git_read_seconds, cancelled=ended
        )

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
            documents=read.documents,
            hashes=read.hashes,
            generated=hashed.generated,
            resolution=understood.resolution,
            scores=scores,
            history=history,
            packages=hashed.packages,
            left_out=read.left_out.told(),
            left_out_count=read.left_out.count,
        )
