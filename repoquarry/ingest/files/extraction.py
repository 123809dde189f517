"""Extraction of parsed facts, search terms and embedding vectors of all files, from caches or by worker processes.

Only files with missing cache entries go to a worker. Texts, facts and terms are stored as they arrive, so that the
next run reuses the work of a killed run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.search.index.builder import PreviousIndex, ReusedFiles
from repoquarry.graphstore.search.index.place_vectors import FileVectors
from repoquarry.graphstore.storage.compression import compress
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.ingest.files.documents import DocumentFacts
from repoquarry.ingest.files.hashing import HashedTree, SkippedFiles, facts_key, read_selected_file, texts_key
from repoquarry.ingest.files.read_documents import ReadDocuments
from repoquarry.ingest.files.selection import SelectedFile
from repoquarry.ingest.files.worker_pool import ParseJob, ParseResult, WorkerPool
from repoquarry.ingest.previous_state import IndexInputs, PreviousState, decode_facts
from repoquarry.ingest.resolver_client import PrestartedResolver
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.source_text import detect_encoding

_BATCH = 250
"""Files that are looked up in one batch."""
_FLUSHED_FILES = 2_500
_FLUSHED_BYTES = 1 << 20
"""Files and bytes of new data that are stored in one transaction: a killed run loses at most these."""


@dataclass(frozen=True)
class ExtractedFiles:
    """Extracted data of all files of a tree."""

    packed: list[bytes]
    """Facts of source files in path order, encoded by `encode_facts`."""
    documents: list[DocumentFacts]
    """Documents in path order."""
    hashes: dict[str, str]
    """SHA-256 (hexadecimal) of the parsed bytes, by path."""
    left_out: SkippedFiles
    """Files that were skipped by hashing or could not be read later."""
    reused: int
    """Number of files whose facts were cached."""
    texts: dict[str, bytes] = field(repr=False)
    """Encoded `FileTerms` of source files and documents, in path order."""
    vectors: dict[str, FileVectors] = field(repr=False)
    """Vectors of the same files; empty if workers do not embed."""
    kept: ReusedFiles | None = field(repr=False)
    """Other files, whose texts and vectors are reused from the previous search index."""


def extract_files(
    inputs: IndexInputs,
    hashed: HashedTree,
    earlier: PreviousState,
    facts: dict[str, bytes],
    pending: PendingRevision,
    meter: RunMonitor,
    resolver: PrestartedResolver,
) -> ExtractedFiles:
    """Extract all per-file data, and store texts, facts and terms in `pending`.

    Damaged texts are rebuilt. `facts` are the cached packed facts by path; this function empties it. `resolver` receives
    the facts of all other files as soon as they are known. Raises: WorkerLostError, IngestCancelledError,
    StoreCorruptError.
    """
    before = earlier.files()
    with (
        WorkerPool(inputs.settings, pending.store.cheap_embedding) as pool,
        meter.watch_processes(pool.process_ids),
    ):
        pool.expect(_changed(hashed, facts, before))
        if earlier.delete_damaged_texts():
            before = earlier.files()
        files = _FileCollector(inputs, hashed, before, earlier, facts, pending)
        for parsed in pool.run(files.anew()):
            if not parsed.failure:
                resolver.send_facts({parsed.path: parsed.facts})
            files.parsed(parsed)
            meter.step(files.done, len(hashed.files), parsed.path)
        resolver.finish_facts()
        for parsed in pool.run(files.others()):
            files.parsed(parsed)
            meter.step(files.done, len(hashed.files), parsed.path)
    files.flush()
    return files.read()


def _changed(hashed: HashedTree, facts: Mapping[str, bytes], before: Mapping[str, FileEntry]) -> int:
    """Return source files without cached facts, and documents that have changed."""
    sources = sum(file.path not in facts for file in hashed.files if file.kind == "source")
    prose = (file.path for file in hashed.files if file.kind == "document")
    return sources + sum(path not in before or before[path].hash != hashed.hashes[path] for path in prose)


class _FileCollector:
    """Collector of per-file data, which stores new data in batches."""

    def __init__(
        self,
        inputs: IndexInputs,
        hashed: HashedTree,
        before: Mapping[str, FileEntry],
        earlier: PreviousState,
        facts: dict[str, bytes],
        pending: PendingRevision,
    ) -> None:
        store = pending.store
        self._facts = facts
        self._inputs = inputs
        self._hashed = hashed
        self._sources = store.sources
        self._pending = pending
        self._embeds = store.cheap_embedding is not None
        self._dimension = store.embedder.dimension if self._embeds and store.embedder is not None else 0
        self._earlier = earlier
        self._before = before
        self._kept: set[str] = set()
        self._blobs, self._derived = store.sources.protected(inputs.repository)
        self._selected = {file.path: file for file in hashed.files}
        self._anew = {file.path for file in hashed.files if file.kind == "source" and file.path not in facts}
        self._in_work: dict[str, ParseJob] = {}
        self._entries: list[FileEntry] = []
        self._new_blobs: dict[bytes, bytes] = {}
        self._new_derived: dict[bytes, bytes] = {}
        self._new_bytes = 0
        self._left_out: list[SkippedPath] = []
        self._reused = 0
        self._packed: dict[str, bytes] = {}
        self._texts: dict[str, bytes] = {}
        self._vectors: dict[str, FileVectors] = {}
        self._documents: list[DocumentFacts] = []
        self._read_documents = ReadDocuments.load(self._sources, inputs.repository)
        self._digests: dict[str, bytes] = {}

    @property
    def done(self) -> int:
        """Number of files that were collected or skipped."""
        return len(self._digests) + len(self._left_out)

    def anew(self) -> Iterator[ParseJob]:
        """Yield source files without cached facts, with contents while a worker is about to be free.

        These files come first: the resolver waits for their facts, and cached data is collected while workers parse.
        """
        return self._reading(ParseJob(path, b"") for path in sorted(self._anew))

    def others(self) -> Iterator[ParseJob]:
        """Yield the other files that need a worker; collect cached files in between."""
        others = [file for file in self._hashed.files if file.path not in self._anew]
        for start in range(0, len(others), _BATCH):
            yield from self._reading(self._from_cache(others[start : start + _BATCH]))

    @cached_property
    def _index(self) -> PreviousIndex | None:
        """Return the search index of the stored revision, opened on first use."""
        return self._earlier.index()

    def _from_cache(self, files: Sequence[SelectedFile]) -> list[ParseJob]:
        """Collect cached files; return jobs without contents for the others."""
        keys = {file.path: self._keys(file, self._hashed.hashes[file.path])[1] for file in files}
        wanted = {path: key for path, key in keys.items() if key is not None and not self._is_indexed(path, key)}
        known = self._sources.load_derived(list(wanted.values()))
        jobs = (
            self._known(file, self._facts.pop(file.path, None), known.get(wanted.get(file.path, b""))) for file in files
        )
        return [job for job in jobs if job is not None]

    def _keys(self, file: SelectedFile, digest: bytes) -> tuple[bytes | None, bytes | None]:
        """Return the cache keys of a file's facts and terms; manifests and settings have none."""
        facts = facts_key(file.path, digest) if file.kind == "source" else None
        return facts, texts_key(file.path, digest) if file.kind in {"source", "document"} else None

    def _known(self, file: SelectedFile, facts: bytes | None, texts: bytes | None) -> ParseJob | None:
        """Collect a cached file, or return its job."""
        digest = self._hashed.hashes[file.path]
        key = self._keys(file, digest)[1]
        self._reused += facts is not None
        indexed = key is not None and self._is_indexed(file.path, key)
        whole = indexed or (texts is not None and not self._embeds)
        is_read = facts is not None if file.kind == "source" else self._is_read_document(file, digest)
        if key is not None and not (whole and is_read):
            return ParseJob(file.path, b"", facts or b"", texts is not None)
        if digest in self._blobs and key is not None and is_read:
            content, encoding = b"", self._encoding(file.path, digest, facts)
        else:
            found = self._content(file)
            if found is None:
                return None
            read = hashlib.sha256(found).digest()
            # The file changed after hashing: the cached data belongs to another state.
            if key is not None and read != digest:
                return ParseJob(file.path, b"")
            digest, content, encoding = read, found, detect_encoding(found)
            if file.kind == "source" and facts is not None:
                encoding = self._encoding(file.path, digest, facts)
        if indexed:
            self._kept.add(file.path)
        document = self._read_documents.find(file.path, digest)
        if document is not None:
            self._documents.append(document)
        self._take(file, digest, content, encoding, facts or b"", texts or b"", None)
        return None

    def _is_indexed(self, path: str, key: bytes) -> bool:
        """Return whether the previous index contains this state of a file, and the store has its inputs."""
        return key in self._derived and self._index is not None and self._index.holds(path, key)

    def _is_read_document(self, file: SelectedFile, digest: bytes) -> bool:
        """Return whether the previous run read this content of a document."""
        before = self._before.get(file.path)
        is_same = before is not None and before.hash == digest
        return is_same and self._read_documents.find(file.path, digest) is not None

    def _encoding(self, path: str, digest: bytes, facts: bytes | None) -> str:
        before = self._before.get(path)
        if facts is None and before is not None:
            return before.encoding
        if before is not None and before.hash == digest and before.derived == facts_key(path, digest):
            return before.encoding
        return decode_facts(facts or b"").encoding

    def _reading(self, waiting: Iterable[ParseJob]) -> Iterator[ParseJob]:
        for job in waiting:
            content = self._content(self._selected[job.path])
            if content is None:
                continue
            # The file changed after hashing.
            if hashlib.sha256(content).digest() != self._hashed.hashes[job.path]:
                job = ParseJob(job.path, b"")
            self._in_work[job.path] = ParseJob(job.path, content, job.facts, job.counted)
            yield self._in_work[job.path]

    def parsed(self, parsed: ParseResult) -> None:
        job = self._in_work.pop(parsed.path)
        if parsed.failure:
            self._left_out.append(SkippedPath(parsed.path, parsed.failure))
            return
        file, digest = self._selected[parsed.path], hashlib.sha256(job.content).digest()
        texts = parsed.texts
        if job.counted:
            key = texts_key(parsed.path, digest)
            texts = self._sources.load_derived([key])[key]
        vectors = None
        if self._embeds:
            vectors = np.frombuffer(parsed.vectors, np.float16).reshape(-1, self._dimension)
        if parsed.document is not None:
            self._documents.append(parsed.document)
        self._take(file, digest, job.content, parsed.encoding, job.facts or parsed.facts, texts, vectors)

    def flush(self) -> None:
        if self._entries:
            self._sources.put_many(self._pending.snapshot, self._entries, self._new_blobs, self._new_derived)
        self._entries, self._new_blobs, self._new_derived, self._new_bytes = [], {}, {}, 0

    def read(self) -> ExtractedFiles:
        skipped = self._hashed.left_out
        ReadDocuments.of(self._documents, self._digests).save(self._pending)
        return ExtractedFiles(
            [self._packed[path] for path in sorted(self._packed)],
            sorted(self._documents, key=lambda document: document.path),
            {path: digest.hex() for path, digest in self._digests.items()},
            SkippedFiles([*skipped.files, *self._left_out], skipped.unsupported),
            self._reused,
            {path: self._texts[path] for path in sorted(self._texts)},
            self._vectors,
            ReusedFiles(self._index, frozenset(self._kept)) if self._index is not None and self._kept else None,
        )

    def _take(
        self,
        file: SelectedFile,
        digest: bytes,
        content: bytes,
        encoding: str,
        facts: bytes,
        texts: bytes,
        vectors: FileVectors | None,
    ) -> None:
        """Collect one file; the content may be empty if it is stored already."""
        keys = self._keys(file, digest)
        self._digests[file.path] = digest
        if facts:
            self._packed[file.path] = facts
        if texts:
            self._texts[file.path] = texts
        if vectors is not None:
            self._vectors[file.path] = vectors
        self._entries.append(FileEntry(file.path, digest, encoding, file.size, file.mtime_ns, *keys))
        if digest not in self._blobs and digest not in self._new_blobs:
            self._new_blobs[digest] = compress(content)
            self._new_bytes += len(self._new_blobs[digest])
        for key, data in zip(keys, (facts, texts), strict=True):
            if key is not None and key not in self._derived:
                self._new_derived[key] = data
                self._new_bytes += len(data)
        if self._new_bytes >= _FLUSHED_BYTES or len(self._entries) >= _FLUSHED_FILES:
            self.flush()

    def _content(self, file: SelectedFile) -> bytes | None:
        content = read_selected_file(self._inputs, file)
        if isinstance(content, SkippedPath):
            if file.kind != "setting":
                self._left_out.append(content)
            return None
        return content
