"""The worker's side of `workers`: a process that reads one file after the other and answers with facts, counted words and vectors."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import msgspec

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
    """Read jobs from standard input until it closes."""
    incoming, outgoing = own_pipes(memory_bytes)
    gc.disable()  # collections in the midst of a file find nothing: only the walk over it as a whole has cycles
    first = read_frame(incoming)
    if first is None:
        return
    embedder = _embedder(msgspec.msgpack.decode(first, type=Duty))
    write_frame(outgoing, b"ready")
    while (frame := read_frame(incoming)) is not None:
        job = msgspec.msgpack.decode(frame, type=Job)
        write_frame(outgoing, msgspec.msgpack.encode(_answer(job, embedder)))
        gc.collect()
        gc.freeze()  # modules and caches, which need not be looked at again after the next file


def _embedder(duty: Duty) -> Embedder | None:
    if duty.embedding is None:
        return None
    from repoquarry.graphstore.embeddings.registry import create

    return create(duty.embedding)


def _answer(job: Job, embedder: Embedder | None) -> Parsed:
    try:
        return _read(job, embedder)
    except MemoryError:
        return failed(job, "parsing it takes more memory than a worker may use (worker_memory_bytes)")
    except RecursionError:
        return failed(job, "it is nested too deeply to be parsed")
    except Exception as exc:  # a fault of the extractor costs this file, and is told
        return failed(job, f"the extractor failed: {type(exc).__name__}: {exc}"[:300])


def _read(job: Job, embedder: Embedder | None) -> Parsed:
    facts, encoded = _facts(job)
    encoding = facts.encoding if facts is not None else detect_encoding(job.content)
    text = job.content.decode(encoding, "replace")
    standing = standing_of(facts) if facts is not None else standing_of_prose(job.path)
    vectors = b""
    if embedder is not None:
        from repoquarry.graphstore.search.index.semantic import embed_file

        vectors = embed_file(standing, text, embedder).tobytes()
    return Parsed(
        job.path,
        b"" if job.facts else encoded,
        encoding,
        len(facts.parse_errors) if facts is not None else 0,
        "",
        b"" if job.counted else read_texts(standing, text).encode(),
        vectors,
    )


def _facts(job: Job) -> tuple[FileFacts | None, bytes]:
    """The facts of a source file, and as they are kept; None of prose."""
    if job.facts:
        return decode_facts(job.facts), job.facts
    if not is_source(job.path):
        return None, b""
    language = language_for(job.path)
    facts = with_bodies(language.extract(job.path, job.content), job.content, language)
    return facts, encode_facts(facts)
