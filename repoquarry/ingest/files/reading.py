"""A checked-out tree -> the facts and texts of its files, by way of the cache and the workers.

Files are read and hashed first, so that an unchanged repository is recognised before anything is parsed; then only those whose
facts are not in the cache go to a worker. Texts and facts are put into the source store as they come, so that a run that is
killed leaves them for the next one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from repoquarry.graphstore.folder.sources import FileEntry, SourceStore, compress
from repoquarry.ingest.errors import EmptyRepositoryError
from repoquarry.ingest.files.cache import decode_facts, facts_key, indexer_version
from repoquarry.ingest.files.documents import DocumentFacts, detect_encoding, read_document
from repoquarry.ingest.files.packages import Packages, is_manifest, read_packages
from repoquarry.ingest.files.selection import SelectedFile, read_beneath, refusal, says_generated, select
from repoquarry.ingest.files.workers import Job, Parsed, WorkerPool
from repoquarry.ingest.progress import Meter
from repoquarry.ingest.settings import MIB, IngestSettings
from repoquarry.ingest.sources.base import Checkout, LeftOut
from repoquarry.ingest.sources.git_tree import GitTree

_KEPT_BYTES = 64 * MIB
"""Contents that are kept between hashing and parsing; beyond it files are read a second time."""
_BATCH = 250


@dataclass
class Hashed:
    """A tree after its files have been read once."""

    files: list[SelectedFile]
    hashes: dict[str, bytes]
    """Path -> SHA-256."""
    left_out: list[LeftOut]
    unsupported: Counter[str]
    packages: Packages
    generated: set[str]
    dirty: bool
    contents: dict[str, bytes] = field(repr=False, default_factory=dict)
    """As many as fit."""

    @property
    def left_out_count(self) -> int:
        return len(self.left_out) + self.unsupported.total()

    def all_left_out(self) -> list[LeftOut]:
        """What was left out, in path order, unsupported files counted by suffix at the end."""
        entries = sorted(self.left_out, key=lambda entry: (entry.path, entry.reason))
        counted = sorted(self.unsupported.items(), key=lambda item: (-item[1], item[0]))
        return entries + [LeftOut(f"*{suffix}", f"unsupported language: {count} files") for suffix, count in counted]


@dataclass(frozen=True)
class Read:
    """What the files of a tree say."""

    packed: list[bytes]
    """Facts of the source files in path order, as `cache.encode_facts` makes them."""
    documents: list[DocumentFacts]
    """In path order."""
    hashes: dict[str, str]
    """Path -> SHA-256 of the bytes that were parsed, hexadecimal."""
    reused: int
    """Files whose facts were in the cache."""


def hash_tree(checkout: Checkout, settings: IngestSettings, meter: Meter) -> Hashed:
    """Select, read and hash the files of a tree.

    Raises: EmptyRepositoryError, IngestCancelledError.
    """
    tree = GitTree.of(checkout, settings)
    selection = select(checkout.root, settings, tree.blobs if tree else (), meter.cancelled)
    meter.check()
    found = Hashed([], {}, [*checkout.left_out, *selection.left_out], selection.unsupported, Packages(), set(), False)
    manifests: dict[str, bytes] = {}
    differs, kept = False, 0
    for number, file in enumerate(selection.files):
        meter.step(number, len(selection.files), file.path)
        content = _read(checkout, file, settings, found.left_out)
        if content is None:
            continue
        found.files.append(file)
        found.hashes[file.path] = hashlib.sha256(content).digest()
        differs = differs or (tree is not None and not tree.holds(file.path, content))
        if is_manifest(file.path):
            manifests[file.path] = content
        if settings.index_generated and file.kind == "source" and says_generated(content):
            found.generated.add(file.path)
        if kept + len(content) <= _KEPT_BYTES:
            found.contents[file.path] = content
            kept += len(content)
    if not any(file.kind == "source" for file in found.files):
        raise EmptyRepositoryError(
            f"{checkout.source} holds no source file of a supported language; {selection.describe_nothing()}"
        )
    found.packages = read_packages(manifests)
    found.left_out += [LeftOut(path, "a manifest that cannot be understood") for path in found.packages.unreadable]
    found.dirty = differs or (tree is not None and tree.lacks(found.hashes, [entry.path for entry in found.left_out]))
    return found


def inputs_digest(checkout: Checkout, hashed: Hashed, settings: IngestSettings) -> str:
    """Digest of all that a graph follows from: equal digests, equal graphs."""
    told = (
        indexer_version(), checkout.source, checkout.kind, checkout.commit, checkout.branch, checkout.ref, checkout.history,
        hashed.dirty, settings.history_commits, settings.resolver_steps, settings.score_profile, settings.index_generated,
        hashed.all_left_out(),
    )  # fmt: skip
    digest = hashlib.sha256(repr(told).encode())
    for path in sorted(hashed.hashes):
        digest.update(path.encode() + b"\0" + hashed.hashes[path])
    return digest.hexdigest()


def read_files(
    checkout: Checkout, hashed: Hashed, settings: IngestSettings, sources: SourceStore, snapshot: int, meter: Meter
) -> Read:
    """The facts of all files; what cannot be read after all is added to `hashed.left_out`.

    Raises: WorkerLostError, IngestCancelledError, StoreCorruptError.
    """
    repository_files = _Files(checkout, hashed, settings, sources, snapshot)
    total, done = len(hashed.files), 0
    code = [file for file in hashed.files if file.kind == "source"]
    unknown = repository_files.from_cache(code)
    reused = len(code) - len(unknown)
    done += reused
    with WorkerPool(settings, len(unknown)) as pool:
        meter.worker_ids = pool.process_ids
        for parsed in pool.run(repository_files.jobs(unknown)) if unknown else ():
            repository_files.parsed(parsed)
            done += 1
            meter.step(done, total, parsed.path)
    meter.worker_ids = list
    for file in hashed.files:
        if file.kind != "source":
            repository_files.prose(file)
            done += 1
            meter.step(done, total, file.path)
    repository_files.flush()
    hashes = {path: digest.hex() for path, digest in repository_files.digests.items()}
    packed = [repository_files.packed[path] for path in sorted(repository_files.packed)]
    documents = sorted(repository_files.documents, key=lambda document: document.path)
    return Read(packed, documents, hashes, reused)


class _Files:
    """Collects facts of one run and puts texts and facts into the source store in batches."""

    def __init__(
        self, checkout: Checkout, hashed: Hashed, settings: IngestSettings, sources: SourceStore, snapshot: int
    ) -> None:
        self._checkout = checkout
        self._hashed = hashed
        self._settings = settings
        self._sources = sources
        self._snapshot = snapshot
        current = sources.current(checkout.name)
        self._blobs, self._derived = sources.protected(checkout.name) if current else (set[bytes](), set[bytes]())
        self._selected = {file.path: file for file in hashed.files}
        self._in_work: dict[str, bytes] = {}
        self._entries: list[FileEntry] = []
        self._new_blobs: dict[bytes, bytes] = {}
        self._new_derived: dict[bytes, bytes] = {}
        self.packed: dict[str, bytes] = {}
        self.documents: list[DocumentFacts] = []
        self.digests: dict[str, bytes] = {}

    def from_cache(self, files: Sequence[SelectedFile]) -> list[SelectedFile]:
        """Take the facts of all files that have them in the cache; the others are given back."""
        unknown: list[SelectedFile] = []
        for start in range(0, len(files), _BATCH):
            batch = files[start : start + _BATCH]
            keys = [facts_key(file.path, self._hashed.hashes[file.path]) for file in batch]
            known = self._sources.derived(keys)
            for file, key in zip(batch, keys, strict=True):
                content = self._content(file) if key in known and not self._is_stored(file) else b""
                if key not in known or content is None:
                    unknown.append(file)
                    continue
                self.packed[file.path] = known[key]
                encoding = decode_facts(known[key]).encoding
                self._put(file, self._hashed.hashes[file.path], content, encoding, key, known[key])
        return unknown

    def jobs(self, files: Sequence[SelectedFile]) -> Iterator[Job]:
        """The files to parse, read when a worker is about to be free."""
        for file in files:
            content = self._content(file)
            if content is not None:
                self._in_work[file.path] = content
                yield Job(file.path, content)

    def parsed(self, parsed: Parsed) -> None:
        """Take what a worker made of a file."""
        content = self._in_work.pop(parsed.path)
        if parsed.failure:
            self._hashed.left_out.append(LeftOut(parsed.path, parsed.failure))
            return
        digest = hashlib.sha256(content).digest()
        self.packed[parsed.path] = parsed.facts
        key = facts_key(parsed.path, digest)
        self._put(self._selected[parsed.path], digest, content, parsed.encoding, key, parsed.facts)

    def prose(self, file: SelectedFile) -> None:
        """Take a document or manifest."""
        content = self._content(file)
        if content is None:
            return
        encoding = detect_encoding(content)
        if file.kind == "document":
            self.documents.append(read_document(file.path, content))
        self._put(file, hashlib.sha256(content).digest(), content, encoding, None, b"")

    def flush(self) -> None:
        """Put what has been collected into the source store."""
        if self._entries:
            self._sources.put_many(self._snapshot, self._entries, self._new_blobs, self._new_derived)
        self._entries, self._new_blobs, self._new_derived = [], {}, {}

    def _put(
        self, file: SelectedFile, digest: bytes, content: bytes, encoding: str, key: bytes | None, derived: bytes
    ) -> None:
        self.digests[file.path] = digest
        self._entries.append(FileEntry(file.path, digest, encoding, file.size, file.mtime_ns, key))
        if digest not in self._blobs:
            self._new_blobs[digest] = compress(content)
        if key is not None and key not in self._derived:
            self._new_derived[key] = derived
        if len(self._entries) >= _BATCH:
            self.flush()

    def _is_stored(self, file: SelectedFile) -> bool:
        return self._hashed.hashes[file.path] in self._blobs

    def _content(self, file: SelectedFile) -> bytes | None:
        kept = self._hashed.contents.pop(file.path, None)
        return kept if kept is not None else _read(self._checkout, file, self._settings, self._hashed.left_out)


def _read(checkout: Checkout, file: SelectedFile, settings: IngestSettings, left_out: list[LeftOut]) -> bytes | None:
    limit = settings.max_file_bytes if file.kind == "source" else settings.max_document_bytes
    content = read_beneath(checkout.root, file.path, limit)
    if isinstance(content, LeftOut):
        left_out.append(content)
        return None
    reason = refusal(file.path, content, settings)
    if reason:
        left_out.append(LeftOut(file.path, reason))
        return None
    return content
