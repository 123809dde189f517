"""Facts -> what a graph is made of: resolution in its own process, and meanwhile here everything that does not wait for it.

Most of what the search index holds follows from texts and from where definitions stand, so it is made while the resolver, the longest
of all stages, keeps another core busy.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.graphstore.search import Draft
from repoquarry.graphstore.search.index.terms.file_texts import FileTexts
from repoquarry.ingest.errors import IngestCancelledError
from repoquarry.ingest.files.collecting import Read
from repoquarry.ingest.files.packed import decode_definitions
from repoquarry.ingest.files.reading import Hashed
from repoquarry.ingest.files.standing import standing_of, standing_of_prose
from repoquarry.ingest.graph.outline import outline_of
from repoquarry.ingest.graph.parts import Origin, Parts
from repoquarry.ingest.memory import give_back
from repoquarry.ingest.progress import Meter
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolving import resolve_apart
from repoquarry.ingest.scores.importance import Coupling, score_classes, score_modules
from repoquarry.ingest.scores.kept_ranks import KeptRanks
from repoquarry.ingest.scores.sites import Sites
from repoquarry.ingest.scores.tests_apart import files_of_tests
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Checkout
from repoquarry.languages.modules import Configuration


def understand(
    checkout: Checkout,
    hashed: Hashed,
    read: Read,
    history: Future[History],
    ranks: KeptRanks,
    draft: Draft,
    settings: IngestSettings,
    meter: Meter,
) -> Parts:
    """Resolve and score all files, and index their texts in `draft`; `ranks` are those of the last revision, and become those of this one.

    Raises: ResolutionFailedError, IngestCancelledError, OSError.
    """
    with (
        meter.stage("resolve", total=len(read.packed)),
        _resolving(read.packed, hashed.configuration, settings, meter) as resolving,
    ):
        files = [decode_definitions(packed) for packed in read.packed]
        by_path = {facts.path: facts for facts in files}
        draft.index_texts(
            _decoded(read, meter),
            read.vectors,
            lambda path: standing_of(by_path[path]) if path in by_path else standing_of_prose(path),
            read.kept,
        )
        outline = outline_of(checkout.name, files)
        give_back()  # the resolver needs most at its end
        resolution = resolving.result()
    with meter.stage("score"):
        sites = Sites.of(resolution)
        coupling = Coupling.of(resolution, sites)
        tests = files_of_tests(files, resolution)
        profile = profile_named(settings.score_profile)
        modules = score_modules(files, resolution, sites, coupling, history.result(), tests, profile, ranks)
        classes = score_classes(files, sites, modules, tests, profile)
    origin = Origin(
        checkout.name,
        checkout.source,
        checkout.kind,
        checkout.commit,
        checkout.branch,
        checkout.ref or None,
        hashed.dirty,
    )
    return Parts(
        origin=origin,
        files=files,
        outline=outline,
        documents=read.documents,
        hashes=read.hashes,
        generated=frozenset(hashed.generated),
        tests=tests,
        resolution=resolution,
        profile=profile.name,
        modules=modules,
        classes=classes,
        coupling=coupling,
        sites=sites,
        history=history.result(),
        packages=hashed.packages,
        left_out=hashed.all_left_out(),
        left_out_count=hashed.left_out_count,
    )


def _decoded(read: Read, meter: Meter) -> Iterator[tuple[str, FileTexts]]:
    """What is known of all texts, telling how far it is."""
    for done, (path, texts) in enumerate(read.texts.items()):
        meter.step(done, len(read.texts), "indexing texts")
        yield path, FileTexts.decode(texts)
    meter.step(len(read.texts), len(read.texts), "indexing texts")


@contextmanager
def _resolving(
    packed: list[bytes], configuration: Configuration, settings: IngestSettings, meter: Meter
) -> Iterator[Future[Resolution]]:
    """A resolver that is at work inside, and ended at the end, whatever happened inside."""
    ended = threading.Event()

    def look() -> None:
        meter.check()
        if ended.is_set():
            raise IngestCancelledError("indexing failed elsewhere")

    with ThreadPoolExecutor(1, thread_name_prefix="resolver") as executor:
        try:
            yield executor.submit(resolve_apart, packed, configuration, settings, meter, look)
        finally:
            ended.set()
