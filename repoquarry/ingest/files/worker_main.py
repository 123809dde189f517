"""Main function of the extraction worker; definition spans of one file.

Numbers, lines and beginnings of documentation are those of the finished graph (`graph/outline`, `search/index/gathering`); should they ever
differ, the search index is made anew from that.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from repoquarry.graphstore.search.index.places import Standing
from repoquarry.graphstore.search.index.term_extraction import read_texts
from repoquarry.ingest.artifacts import decode_facts, encode_facts
from repoquarry.ingest.files.documents import first_sentence
from repoquarry.ingest.files.worker_pool import Duty, Job, Parsed, failed
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for
from repoquarry.languages.source_text import detect_encoding, with_bodies
from repoquarry.processes.workers import own_pipes, read_frame, write_frame

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.embedder import Embedder

_HEAD = 200
"""Characters of a summary's first line, as the places of a search index keep it."""


def standing_of(facts: FileFacts) -> Standing:
    """Where the definitions of a source file stand."""
    ordered = sorted(facts.definitions, key=lambda found: (found.start_line, -found.end_line, found.key))
    number = {found.key: place for place, found in enumerate(ordered, 1)}
    return Standing(
        facts.path,
        [found.key for found in ordered],
        [(first_sentence(found.docstring) or "").strip().split("\n", 1)[0][:_HEAD] for found in ordered],
        np.array([found.start_line for found in ordered], dtype=np.int32),
        np.array([found.end_line for found in ordered], dtype=np.int32),
        np.array([number.get(found.parent, 0) for found in ordered], dtype=np.int32),
        np.array([found.kind != "class" for found in ordered], dtype=np.int32),
    )


def standing_of_prose(path: str) -> Standing:
    """A document defines nothing."""
    none = np.zeros(0, dtype=np.int32)
    return Standing(path, [], [], none, none, none, none)


def serve(memory_bytes: int) -> None:
    """Read files from standard input, some at a time, until it closes."""
    incoming, outgoing = own_pipes(memory_bytes)
    gc.disable()  # collections in the midst of a file find nothing: only the walk over it as a whole has cycles
    first = read_frame(incoming)
    if first is None:
        return
    embedder = _embedder(msgspec.msgpack.decode(first, type=Duty))
    write_frame(outgoing, b"ready")
    while (frame := read_frame(incoming)) is not None:
        jobs = msgspec.msgpack.decode(frame, type=list[Job])
        write_frame(outgoing, msgspec.msgpack.encode(answers(jobs, embedder)))
        gc.collect()
        gc.freeze()  # modules and caches, which need not be looked at again after the next files


def _embedder(duty: Duty) -> Embedder | None:
    if duty.embedding is None:
        return None
    from repoquarry.graphstore.search.embeddings.embedder import create

    return create(duty.embedding)


def answers(jobs: Sequence[Job], embedder: Embedder | None) -> list[Parsed]:
    """One for each file. When reading several fails, each is read alone: that tells whose fault it is, and costs the others nothing."""
    try:
        return _read(jobs, embedder)
    except MemoryError:
        reason = "parsing it takes more memory than a worker may use (worker_memory_bytes)"
    except RecursionError:
        reason = "it is nested too deeply to be parsed"
    except Exception as exc:  # a fault of the extractor costs this file, and is told
        reason = f"the extractor failed: {type(exc).__name__}: {exc}"[:300]
    if len(jobs) == 1:
        return [failed(jobs[0], reason)]
    return [answer for job in jobs for answer in answers([job], embedder)]


def _read(jobs: Sequence[Job], embedder: Embedder | None) -> list[Parsed]:
    """Stage by stage and not file by file: what a stage runs and looks up stays in the processor's caches, which saves a seventh of the time."""
    files = [_File(job) for job in jobs]
    for stage in (_File.extract, _File.hash_bodies, _File.pack, _File.place):
        for file in files:
            stage(file)
    if embedder is not None:
        from repoquarry.graphstore.search.index.place_vectors import embed_files

        vectors = embed_files([file.standing for file in files], [file.text for file in files], embedder)
        for file, embedded in zip(files, vectors, strict=True):
            file.vectors = embedded.tobytes()
    return [file.counted() for file in files]


class _File:
    """One file, and what has been found of it so far."""

    text: str
    standing: Standing

    def __init__(self, job: Job) -> None:
        self.job = job
        self.facts: FileFacts | None = None
        """Of a source file."""
        self.packed = b""
        """The facts, where they are new."""
        self.vectors = b""

    def extract(self) -> None:
        """Its facts, but for the hashes of bodies."""
        job = self.job
        if job.facts:
            self.facts = decode_facts(job.facts)
        elif is_source(job.path):
            self.facts = language_for(job.path).extract(job.path, job.content)

    def hash_bodies(self) -> None:
        """Those hashes."""
        if self.facts is not None and not self.job.facts:
            self.facts = with_bodies(self.facts, self.job.content, language_for(self.job.path))

    def pack(self) -> None:
        """The facts as they are kept."""
        if self.facts is not None and not self.job.facts:
            self.packed = encode_facts(self.facts)

    def place(self) -> None:
        """Its text, and where its definitions stand in it."""
        self.text = self.job.content.decode(self.encoding, "replace")
        self.standing = standing_of(self.facts) if self.facts is not None else standing_of_prose(self.job.path)

    @property
    def encoding(self) -> str:
        return self.facts.encoding if self.facts is not None else detect_encoding(self.job.content)

    def counted(self) -> Parsed:
        """The answer, its words counted."""
        texts = b"" if self.job.counted else read_texts(self.standing, self.text).encode()
        errors = len(self.facts.parse_errors) if self.facts is not None else 0
        return Parsed(self.job.path, self.packed, self.encoding, errors, "", texts, self.vectors)
