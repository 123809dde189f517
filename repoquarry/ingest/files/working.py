"""The worker's side of `workers`: a process that reads files and answers with facts, counted words and vectors."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.search.index.standing import Standing
from repoquarry.graphstore.search.index.terms.file_texts import read_texts
from repoquarry.ingest.files.packed import decode_facts, encode_facts
from repoquarry.ingest.files.standing import standing_of, standing_of_prose
from repoquarry.ingest.files.workers import Duty, Job, Parsed, failed
from repoquarry.languages.bodies import with_bodies
from repoquarry.languages.encoding import detect_encoding
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for
from repoquarry.processes.frames import read_frame, write_frame
from repoquarry.processes.worker import own_pipes

if TYPE_CHECKING:
    from repoquarry.graphstore.embeddings.embedder import Embedder


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
    from repoquarry.graphstore.embeddings.registry import create

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
        from repoquarry.graphstore.search.index.semantic import embed_files

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
