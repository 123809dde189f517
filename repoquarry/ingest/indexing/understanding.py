"""Facts -> what calls what, found in a process of its own, and meanwhile here everything that does not wait for it.

Most of what the search index holds follows from texts and from where definitions stand, so it is made while the resolver, the longest
of all stages, keeps another core busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from repoquarry.graphstore.search import Draft
from repoquarry.graphstore.search.index.standing import Standing
from repoquarry.graphstore.search.index.terms.file_texts import FileTexts
from repoquarry.ingest.files.collecting import Read
from repoquarry.ingest.files.packed import decode_definitions
from repoquarry.ingest.files.standing import standing_of, standing_of_prose
from repoquarry.ingest.graph.columns import Columns
from repoquarry.ingest.graph.kept import StoredGraph
from repoquarry.ingest.graph.outline import Outline, outline_of
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolving.apart import resolve_apart
from repoquarry.ingest.resolving.kept import KeptResolution
from repoquarry.ingest.resolving.waiting import WaitingResolver
from repoquarry.ingest.scores.own_features import OwnFeatures
from repoquarry.ingest.stages.memory import give_back
from repoquarry.ingest.stages.progress import Meter
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
