"""The course of one indexing run: its stages in order, what each gives the next, and what must be true between them.

Texts, search index and graph wait in a `PendingRevision`, so that readers see the previous index whole until the new one is. A run that
is killed at any moment can simply be started again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from repoquarry.graphstore.folder.snapshots import FileEntry
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.cache import facts_kept
from repoquarry.ingest.files.reading import Hashed, hash_tree, inputs_digest
from repoquarry.ingest.files.stamps import stored_stamps
from repoquarry.ingest.indexing.report import IndexReport
from repoquarry.ingest.resolving.kept import KeptResolution
from repoquarry.ingest.resolving.waiting import WaitingResolver
from repoquarry.ingest.stages.earlier import Earlier
from repoquarry.ingest.stages.inputs import Inputs
from repoquarry.ingest.stages.progress import Meter

Already = Callable[[str, str], bool]
"""Whether inputs, given by the repository's id and their digest, are indexed elsewhere."""
_FEW_FILES = 500


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
        current = self.earlier.snapshot()
        stored = current is not None and current.inputs == digest and self.earlier.revision() == current.revision
        if current is not None and stored and not self.earlier.drop_damaged():
            if not hashed.stamps_held:
                hashed.stamps.save(self.store.sources, current.id, self.inputs.settings)
            return self._nothing_new(hashed, current.revision)
        return self._store_new(hashed, digest)

    def _store_new(self, hashed: Hashed, digest: str) -> IndexReport:
        """The resolver is begun and given what is known before all else: after a change everything else waits for it longest."""
        kept = KeptResolution.stored(self.store.sources, self.inputs.repository)
        with (
            WaitingResolver(self.inputs.settings, hashed.configuration, kept) as resolver,
            self.meter.watching(resolver.process_ids),
        ):
            now = {file.path: hashed.hashes[file.path] for file in hashed.files if file.kind == "source"}
            if _begins_early(now, self.earlier.files()):
                resolver.begin()
            facts = facts_kept(now, self.store.sources)
            resolver.give(facts.values())
            # with it comes what a run without a change has no use for
            from repoquarry.ingest.indexing.making import Making

            making = Making(self.inputs, self.store, self.meter, self.earlier, resolver)
            return making.store_new(hashed, digest, facts)

    def select(self) -> Hashed:
        """Find and hash the files of the tree."""
        with self.meter.stage("select"):
            known = stored_stamps(self.store.sources, self.inputs.repository, self.inputs.settings)
            return hash_tree(self.inputs, self.meter, known)

    def _nothing_new(self, hashed: Hashed, revision: str) -> IndexReport:
        report = IndexReport.of_nothing_new(self.inputs, hashed, revision)
        return replace(report, costs=tuple(self.meter.costs))


def _begins_early(now: Mapping[str, bytes], before: Mapping[str, FileEntry]) -> bool:
    """Whether a resolver is begun while files are read: where it is sure to be needed, as no revision of just these source files is stored.

    With many files and none stored it would be at its largest while their words are put together, which takes as much.
    """
    stored = {path: entry.hash for path, entry in before.items() if entry.derived is not None}
    return stored != now and (bool(stored) or len(now) <= _FEW_FILES)
