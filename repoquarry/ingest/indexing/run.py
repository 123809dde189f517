"""The course of one indexing run: its stages in order, what each gives the next, and what must be true between them.

Texts, search index and graph wait in a `PendingRevision`, so that readers see the previous index whole until the new one is. A run that
is killed at any moment can simply be started again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.reading import Hashed, hash_tree, inputs_digest
from repoquarry.ingest.files.stamps import stored_stamps
from repoquarry.ingest.indexing.report import IndexReport
from repoquarry.ingest.stages.earlier import Earlier
from repoquarry.ingest.stages.inputs import Inputs
from repoquarry.ingest.stages.progress import Meter

Already = Callable[[str, str], bool]
"""Whether inputs, given by the repository's id and their digest, are indexed elsewhere."""


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
        from repoquarry.ingest.indexing.making import Making  # with it comes what a run without a change has no use for

        return Making(self.inputs, self.store, self.meter, self.earlier).store_new(hashed, digest)

    def select(self) -> Hashed:
        """Find and hash the files of the tree."""
        with self.meter.stage("select"):
            known = stored_stamps(self.store.sources, self.inputs.repository, self.inputs.settings)
            return hash_tree(self.inputs, self.meter, known)

    def _nothing_new(self, hashed: Hashed, revision: str) -> IndexReport:
        report = IndexReport.of_nothing_new(self.inputs, hashed, revision)
        return replace(report, costs=tuple(self.meter.costs))

    def _drop_damaged_texts(self) -> None:
        damaged = self.store.sources.drop_damaged(self.inputs.repository)
        if damaged:
            self.store.notice(
                f"{len(damaged)} stored texts of {self.inputs.repository} were damaged and are stored anew: {damaged[0]}, …"
            )
