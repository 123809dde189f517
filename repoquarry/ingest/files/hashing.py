"""Hashes of the selected files, for detection of changes and as cache keys; a file with an unchanged fingerprint is not read again.

A cache key covers path and bytes, because facts contain names that follow from the path, and a digest of everything that decides
facts: source code of the extractors, versions of parsing libraries and of the interpreter, whose Unicode tables decide names.

A file is unchanged if size, both times and inode are equal and the times are older than the reading by more than the
clock step of the file system: a file may be written twice within one step. Programs cannot set back the status change
time.
"""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

import msgspec

from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.errors import EmptyRepositoryError
from repoquarry.ingest.files.ignore_rules import IgnoreReader
from repoquarry.ingest.files.imported_paths import is_imported, list_imported_paths
from repoquarry.ingest.files.installed_files import ONLY_INSTALLED
from repoquarry.ingest.files.selection import (
    REFUSALS,
    FileSelection,
    SelectedFile,
    exclusion_reason,
    is_altered,
    is_marked_generated,
    max_bytes,
    read_beneath,
    read_bounded,
    read_indexed,
    select_files,
)
from repoquarry.ingest.previous_state import IndexInputs
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.checkout import GitTree
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.facts import FACTS_VERSION
from repoquarry.languages.manifests import is_manifest
from repoquarry.languages.manifests.packages import Packages
from repoquarry.languages.registry import is_configuration, is_source

_PACKAGE = Path(__file__).parents[2]
_EXTRACTION = ("languages", "models")
_INDEXING = ("languages", "models", "interfaces", "ingest", "graphstore/model", "graphstore/storage/git_history.py")
"""Modules of the package that decide a graph; the rest of `graphstore` only stores it."""
_COUNTING = (
    "graphstore/search/index",
    "graphstore/search/text_analysis.py",
    "ingest/files/worker_main.py",
    "ingest/files/documents.py",
)
_PARSING = (
    *sorted({found[0] for line in requires("repoquarry") or () if (found := re.match(r"tree-sitter[\w-]*", line))}),
    "msgspec",
)
_COMPUTING = (*_PARSING, "numpy", "rustworkx", "pathspec", "PyYAML")
"""Distributions that decide a graph: grammars, numerics, ignore patterns, parsers of lock files."""
_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)
_CODE = (".py", ".scm", ".json", ".toml", ".cpp", ".h", ".zip", ".ts", ".xz")


@cache
def extractor_version() -> str:
    """Return the digest of everything that decides facts."""
    return _digest(_EXTRACTION, _PARSING)


@cache
def texts_version() -> str:
    """Return the digest of everything that decides terms."""
    return _digest(_COUNTING, ("PyStemmer", "msgspec"))


@cache
def indexer_version() -> str:
    """Return the digest of everything that decides a graph: code, score profiles, schema, libraries, interpreter."""
    return _digest(_INDEXING, _COMPUTING)


def facts_key(path: str, content_hash: bytes) -> bytes:
    return hashlib.sha256(f"{extractor_version()}\0{path}\0".encode() + content_hash).digest()


def load_cached_facts(hashes: Mapping[str, bytes], sources: SourceStore) -> dict[str, bytes]:
    """Load the cached facts of source files by path, from their hashes by path."""
    keys = {path: facts_key(path, found) for path, found in hashes.items()}
    known = sources.load_derived(list(keys.values()))
    return {path: known[key] for path, key in keys.items() if key in known}


def texts_key(path: str, content_hash: bytes) -> bytes:
    return hashlib.sha256(f"{texts_version()}\0".encode() + facts_key(path, content_hash)).digest()


def _digest(places: Sequence[str], distributions: Sequence[str]) -> str:
    versions = [(name, _version(name)) for name in distributions]
    found = hashlib.sha256(repr((versions, sys.version_info[:2], FACTS_VERSION)).encode())
    for name in places:
        place = _PACKAGE / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in _CODE:
                found.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _version(name: str) -> str:
    """Return the version of a distribution, empty if it is missing, from its own metadata file alone."""
    try:
        metadata = distribution(name).read_text("METADATA") or ""
    except PackageNotFoundError:
        return ""
    found = _VERSION.search(metadata)
    return found[1] if found else ""


_NAME = "stamps"
_ROUNDED_NS = 2_000_000_000
"""Largest step of modification times on a file system in use (FAT), in nanoseconds."""


class FileStamp(msgspec.Struct, array_like=True, frozen=True):
    state: tuple[int, int, int, int]
    """Size, modification and status change time (ns), inode."""
    digest: bytes
    """SHA-256 of the content."""
    refused: str
    """Reason for which the content is not indexed; empty if it is indexed."""
    blob: str
    """Git's blob hash, if the content was found equal to the commit's; otherwise empty."""
    generated: bool
    """True if a comment marks the file as generated."""
    imports: tuple[str, ...] | None = None
    """Paths that the file's imports name; None while no generated file made them known."""


class FileStamps(msgspec.Struct, array_like=True, frozen=True):
    """Fingerprints of one reading, which started at `taken_ns`, under the selection rules `rules`."""

    rules: str = ""
    taken_ns: int = 0
    files: dict[str, FileStamp] = {}
    manifests: bytes = b""
    """Digest of all manifests."""
    packages: bytes = b""
    """What the manifests declare, encoded."""

    def of(self, file: SelectedFile) -> FileStamp | None:
        """Return the stamp of an unchanged file; None if the file must be read."""
        found = self.files.get(file.path)
        if found is None or found.state != file.state or max(file.state[1:3]) + _ROUNDED_NS > self.taken_ns:
            return None
        return found

    def save(self, sources: SourceStore, snapshot: int) -> None:
        sources.put_artifact(snapshot, _NAME, compress(msgspec.msgpack.encode(self)))


def load_stamps(sources: SourceStore, repository: str, settings: IngestSettings) -> FileStamps:
    """Load the stamps of the published snapshot; empty if the selection rules have changed since."""
    data = sources.artifact(repository, _NAME) if sources.published_snapshot(repository) is not None else None
    if data is not None:
        stamps = msgspec.msgpack.decode(decompress(data), type=FileStamps)
        if stamps.rules == _rules(settings):
            return stamps
    return _UNKNOWN


def now_ns() -> int:
    """Return the time of the clock that file systems use for stamps."""
    return time.time_ns()


def _rules(settings: IngestSettings) -> str:
    """Return the digest of everything besides content that decides whether a file is indexed."""
    limits = (settings.index_generated, settings.max_file_bytes, settings.max_document_bytes)
    return repr((indexer_version(), limits))


_UNKNOWN = FileStamps()


@dataclass(frozen=True)
class SkippedFiles:
    """Skipped files and their reasons."""

    files: Sequence[SkippedPath] = ()
    unsupported: Mapping[str, int] = field(default_factory=dict)
    """Number of files in unsupported languages by suffix."""

    @property
    def count(self) -> int:
        return len(self.files) + sum(self.unsupported.values())

    def told(self) -> list[SkippedPath]:
        """List skipped files in path order, then unsupported files counted by suffix."""
        entries = sorted(self.files, key=lambda entry: (entry.path, entry.reason))
        counted = sorted(self.unsupported.items(), key=lambda item: (-item[1], item[0]))
        return entries + [
            SkippedPath(f"*{suffix}", f"unsupported language: {count_noun(count, 'file')}") for suffix, count in counted
        ]

    def sources(self) -> dict[str, str]:
        """Return the reasons of skipped source files by path."""
        return {entry.path: entry.reason for entry in self.files if is_source(entry.path)}


@dataclass(frozen=True)
class HashedTree:
    files: Sequence[SelectedFile]
    hashes: Mapping[str, bytes]
    """SHA-256 by path."""
    left_out: SkippedFiles = field(default_factory=SkippedFiles)
    packages: Packages = field(default_factory=Packages)
    generated: frozenset[str] = frozenset()
    dirty: bool = False
    """True if a file differs from the checked-out commit."""
    configuration: dict[str, bytes] = field(default_factory=dict)
    """Content by path of files that configure import resolution."""
    stamps: FileStamps = field(repr=False, default=_UNKNOWN)
    stamps_held: bool = False
    """True if all stamps and ignore rules of the previous run still hold, so that no new ones need to be stored."""
    others: Sequence[str] = ()
    """Paths of files without a language or document format that may be text."""
    ignore_reader: IgnoreReader = field(repr=False, default_factory=IgnoreReader)

    def save_stamps(self, sources: SourceStore, snapshot: int) -> None:
        """Store stamps and ignore rules, which spare the next run reading and parsing."""
        self.stamps.save(sources, snapshot)
        self.ignore_reader.save(sources, snapshot)


def hash_tree(
    inputs: IndexInputs, meter: RunMonitor, known: FileStamps = _UNKNOWN, ignore_reader: IgnoreReader | None = None
) -> HashedTree:
    """Select and hash the files of a tree; unchanged files among `known` are not read.

    Raises: EmptyRepositoryError, IngestCancelledError.
    """
    checkout, settings = inputs.checkout, inputs.settings
    ignore_reader = ignore_reader or IgnoreReader()
    taken_ns = now_ns()
    tree = GitTree.of(checkout.root, has_history=checkout.history)
    selection = select_files(checkout.root, settings, tree.blobs if tree else (), meter.cancelled, ignore_reader)
    meter.check()
    absent = [
        SkippedPath(*entry) for entry in (tree.absent if tree else ()) if entry[0].endswith("/") or is_source(entry[0])
    ]
    hashing = _TreeHasher(inputs, tree, [*checkout.left_out, *selection.left_out, *absent], known)
    for number, file in enumerate(selection.files):
        meter.step(number, len(selection.files), file.path)
        stamp = known.of(file)
        if stamp is None or not hashing.take_known(file, stamp):
            hashing.read(file)
    if not any(file.kind == "source" for file in hashing.files):
        found = replace(selection, left_out=tuple(hashing.left_out)).describe_nothing()
        raise EmptyRepositoryError(f"{checkout.source} holds no source file of a supported language; {found}")
    hashing.take_imported()
    held = all(known.of(file) is not None for file in hashing.files) and not hashing.has_read_imports
    held = held and ignore_reader.read.keys() <= ignore_reader.known.keys()
    stamps = FileStamps(_rules(settings), taken_ns, hashing.stamps)
    return replace(hashing.hashed(selection, stamps, stamps_held=held), ignore_reader=ignore_reader)


class _TreeHasher:
    def __init__(
        self, inputs: IndexInputs, tree: GitTree | None, left_out: list[SkippedPath], known: FileStamps
    ) -> None:
        self._inputs = inputs
        self._tree = tree
        self._known = known
        self.left_out = left_out
        self.files: list[SelectedFile] = []
        self._hashes: dict[str, bytes] = {}
        self._generated: set[str] = set()
        self._marked: list[SelectedFile] = []
        """Generated files that are indexed if an indexed file imports them."""
        self.has_read_imports = False
        self._differs = False
        self._manifests: dict[str, bytes] = {}
        self._configuration: dict[str, bytes] = {}
        self.stamps: dict[str, FileStamp] = {}

    def take_known(self, file: SelectedFile, stamp: FileStamp) -> bool:
        """Reuse the stamp of an unchanged file; return whether its content is not needed."""
        expected = self._tree.blobs.get(file.path, "") if self._tree is not None else ""
        is_read = is_manifest(file.path) or is_configuration(file.path)
        if is_read or (not stamp.refused and self._tree is not None and stamp.blob != expected):
            return False
        self.stamps[file.path] = stamp
        if stamp.refused:
            self._leave(file, SkippedPath(file.path, stamp.refused))
        elif self._is_set_aside(stamp):
            self._marked.append(file)
        else:
            self._take(file, stamp)
        return True

    def read(self, file: SelectedFile) -> None:
        content = read_selected_file(self._inputs, file)
        if isinstance(content, SkippedPath):
            self._leave(file, content)
            if content.reason in REFUSALS:
                self.stamps[file.path] = FileStamp(file.state, b"", content.reason, "", generated=False)
            return
        digest = hashlib.sha256(content).digest()
        generated = file.kind == "source" and is_marked_generated(content)
        blob = self._tree.blobs[file.path] if self._tree is not None and self._is_committed(file, content) else ""
        stamp = self.stamps[file.path] = FileStamp(file.state, digest, "", blob, generated)
        if self._is_set_aside(stamp):
            self._marked.append(file)
            return
        if is_manifest(file.path):
            self._manifests[file.path] = content
        if is_configuration(file.path):
            self._configuration[file.path] = content
        self._take(file, stamp)

    def take_imported(self) -> None:
        """Take the generated files that taken ones import, directly or through other generated files; leave the others out."""
        importers, named = [file for file in self.files if file.kind == "source"] if self._marked else [], set[str]()
        while importers:
            for file in importers:
                named.update(self._imports(file))
            importers = [file for file in self._marked if is_imported(file.path, named)]
            self._marked = [file for file in self._marked if file not in importers]
            for file in importers:
                self._take(file, self.stamps[file.path])
        for file in self._marked:
            self._leave(file, SkippedPath(file.path, "generated"))
        self.files.sort(key=lambda file: file.path)

    def _imports(self, file: SelectedFile) -> tuple[str, ...]:
        stamp = self.stamps[file.path]
        if stamp.imports is None:
            content = read_selected_file(self._inputs, file)
            named = (
                content if isinstance(content, SkippedPath) else read_bounded(file.path, list_imported_paths, content)
            )
            imports = () if isinstance(named, SkippedPath) else tuple(named)
            stamp = self.stamps[file.path] = msgspec.structs.replace(stamp, imports=imports)
            self.has_read_imports = True
        return stamp.imports or ()

    def _is_set_aside(self, stamp: FileStamp) -> bool:
        return stamp.generated and not self._inputs.settings.index_generated

    def hashed(self, selection: FileSelection, stamps: FileStamps, *, stamps_held: bool) -> HashedTree:
        digest = hashlib.sha256(msgspec.msgpack.encode([indexer_version(), self._manifests], order="sorted")).digest()
        known = self._known.packages if self._known.manifests == digest else b""
        packages = msgspec.msgpack.decode(known, type=Packages) if known else self._read_packages()
        stamps = msgspec.structs.replace(stamps, manifests=digest, packages=msgspec.msgpack.encode(packages))
        left_out = self.left_out + [
            SkippedPath(path, "a manifest that cannot be understood") for path in packages.unreadable
        ]
        lacks = self._tree is not None and self._tree.lacks(self._hashes, [entry.path for entry in left_out])
        return HashedTree(
            files=self.files,
            hashes=self._hashes,
            left_out=SkippedFiles(left_out, selection.unsupported),
            packages=packages,
            generated=frozenset(self._generated),
            dirty=self._differs or lacks,
            configuration=self._configuration,
            stamps=stamps,
            stamps_held=stamps_held,
            others=selection.others,
        )

    def _read_packages(self) -> Packages:
        # Lazy import: a run without changed manifests starts no worker.
        from repoquarry.ingest.files.manifest_reader import read_bounded_packages

        return read_bounded_packages(self._manifests, self._inputs.settings)

    def _leave(self, file: SelectedFile, skipped: SkippedPath) -> None:
        if file.kind != "setting" and skipped.reason != ONLY_INSTALLED:
            self.left_out.append(skipped)

    def _is_committed(self, file: SelectedFile, content: bytes) -> bool:
        """Return whether the commit has this content, with what is left out of the indexed content."""
        if self._tree is None:
            return False
        if self._tree.holds(file.path, content):
            return True
        if not is_altered(file.path):
            return False
        whole = read_beneath(self._inputs.checkout.root, file.path, 0)
        return not isinstance(whole, SkippedPath) and self._tree.holds(file.path, whole)

    def _take(self, file: SelectedFile, stamp: FileStamp) -> None:
        self.files.append(file)
        self._hashes[file.path] = stamp.digest
        self._differs = self._differs or (self._tree is not None and not stamp.blob)
        if stamp.generated:
            self._generated.add(file.path)


def inputs_digest(inputs: IndexInputs, hashed: HashedTree, providers: Sequence[object] = ()) -> str:
    """Return the digest of all inputs of a graph: equal digests give equal graphs. `providers` are repositories whose interfaces are
    used, with their revisions."""
    checkout, settings = inputs.checkout, inputs.settings
    told = (
        indexer_version(), checkout.source, checkout.kind, checkout.commit, checkout.branch, checkout.ref, checkout.history,
        hashed.dirty, settings.history_commits, settings.resolver_steps, settings.score_profile, settings.core_classes,
        settings.index_generated, hashed.left_out.told(), [*providers], [index.digest for index in inputs.scip],
    )  # fmt: skip
    digest = hashlib.sha256(repr(told).encode())
    for path in sorted(hashed.hashes):
        digest.update(path.encode() + b"\0" + hashed.hashes[path])
    return digest.hexdigest()


def read_selected_file(inputs: IndexInputs, file: SelectedFile) -> bytes | SkippedPath:
    """Return the bytes of a selected file, or the reason for which it is skipped; imports decide about generated files."""
    settings = replace(inputs.settings, index_generated=True)
    content = read_indexed(inputs.checkout.root, file.path, max_bytes(file.path, file.kind, settings))
    if isinstance(content, SkippedPath):
        return content
    reason = exclusion_reason(file.path, content, settings)
    return SkippedPath(file.path, reason) if reason else content
