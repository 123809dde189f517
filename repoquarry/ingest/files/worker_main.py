"""Extraction worker process: parses batches of files into facts, search terms, embedding vectors and line spans of definitions.

Numbers, lines and docstring starts of spans equal those of the finished graph (`graph/outline`); otherwise the search index is
rebuilt from the graph.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import count_file_terms
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.ingest.files.documents import first_sentence, read_document
from repoquarry.ingest.files.worker_pool import ParseJob, ParseResult, failed_result
from repoquarry.ingest.previous_state import decode_facts, encode_facts
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for
from repoquarry.languages.source_text import add_body_hashes, add_words, decode_source, detect_encoding
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.embedder import Embedder

_HEAD = 200
"""Characters of a summary's first line that the search index stores."""


def spans_of_source(facts: FileFacts) -> DefinitionSpans:
    ordered = sorted(facts.definitions, key=lambda found: (found.start_line, -found.end_line, found.key))
    number = {found.key: place for place, found in enumerate(ordered, 1)}
    return DefinitionSpans(
        facts.path,
        [found.key for found in ordered],
        [(first_sentence(found.docstring) or "").strip().split("\n", 1)[0][:_HEAD] for found in ordered],
        np.array([found.start_line for found in ordered], dtype=np.int32),
        np.array([found.end_line for found in ordered], dtype=np.int32),
        np.array([number.get(found.parent, 0) for found in ordered], dtype=np.int32),
        np.array([found.kind != "class" for found in ordered], dtype=np.int32),
    )


def spans_of_document(path: str) -> DefinitionSpans:
    """Return the spans of a document, which has no definitions."""
    none = np.zeros(0, dtype=np.int32)
    return DefinitionSpans(path, [], [], none, none, none, none)


def serve() -> None:
    """Read batches of files from standard input until it closes."""
    incoming, outgoing = open_worker_pipes()
    # Collecting within a file frees nothing: only the walk over a complete file creates cycles.
    gc.disable()
    first = read_frame(incoming)
    if first is None:
        return
    embedder = _embedder(msgspec.msgpack.decode(first, type=EmbeddingSettings | None))
    write_frame(outgoing, b"ready")
    while (frame := read_frame(incoming)) is not None:
        jobs = msgspec.msgpack.decode(frame, type=list[ParseJob])
        write_frame(outgoing, msgspec.msgpack.encode(process_batch(jobs, embedder)))
        gc.collect()
        # Modules and caches never need collection.
        gc.freeze()


def _embedder(settings: EmbeddingSettings | None) -> Embedder | None:
    if settings is None:
        return None
    from repoquarry.graphstore.search.embeddings.embedder import create

    return create(settings)


def process_batch(jobs: Sequence[ParseJob], embedder: Embedder | None) -> list[ParseResult]:
    """Process a batch, one result per file. If the batch fails, read each file alone, to find the failing one."""
    try:
        return _read(jobs, embedder)
    except MemoryError:
        reason = "parsing it takes more memory than a worker may use (worker_memory_bytes)"
    except RecursionError:
        reason = "it is nested too deeply to be parsed"
    # A fault of the extractor affects only this file and is reported.
    except Exception as exc:
        reason = f"the extractor failed: {type(exc).__name__}: {exc}"[:300]
    if len(jobs) == 1:
        return [failed_result(jobs[0], reason)]
    return [answer for job in jobs for answer in process_batch([job], embedder)]


def _read(jobs: Sequence[ParseJob], embedder: Embedder | None) -> list[ParseResult]:
    """Process a batch stage by stage, not file by file, which keeps code and tables in the processor caches."""
    files = [_FileTask(job) for job in jobs]
    for stage in (_FileTask.extract, _FileTask.hash_bodies, _FileTask.pack, _FileTask.place):
        for file in files:
            stage(file)
    if embedder is not None:
        from repoquarry.graphstore.search.index.place_vectors import embed_places

        vectors = embed_places([file.standing for file in files], [file.text for file in files], embedder)
        for file, embedded in zip(files, vectors, strict=True):
            file.vectors = embedded.tobytes()
    return [file.counted() for file in files]


class _FileTask:
    """One file and its partial results."""

    text: str
    standing: DefinitionSpans

    def __init__(self, job: ParseJob) -> None:
        self.job = job
        self.facts: FileFacts | None = None
        """Facts of a source file."""
        self.packed = b""
        """Encoded facts, if they are new."""
        self.vectors = b""

    def extract(self) -> None:
        """Extract facts without body hashes."""
        job = self.job
        if job.facts:
            self.facts = decode_facts(job.facts)
        elif is_source(job.path):
            self.facts = language_for(job.path).extract(job.path, job.content)

    def hash_bodies(self) -> None:
        if self.facts is not None and not self.job.facts:
            language = language_for(self.job.path)
            self.facts = add_body_hashes(self.facts, self.job.content, language)
            self.facts = add_words(self.facts, self.job.content)

    def pack(self) -> None:
        if self.facts is not None and not self.job.facts:
            self.packed = encode_facts(self.facts)

    def place(self) -> None:
        self.text = decode_source(self.job.content, self.encoding)
        self.standing = spans_of_source(self.facts) if self.facts is not None else spans_of_document(self.job.path)

    @property
    def encoding(self) -> str:
        return self.facts.encoding if self.facts is not None else detect_encoding(self.job.content)

    def counted(self) -> ParseResult:
        texts = b"" if self.job.counted else count_file_terms(self.standing, self.text).encode()
        document = None if is_source(self.job.path) else read_document(self.job.path, self.job.content)
        return ParseResult(self.job.path, self.packed, self.encoding, "", texts, self.vectors, document)
