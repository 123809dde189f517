"""Cache of complete source trees of indexed revisions, fetched again from their sources for tasks of the agent.

Indexing stores texts only, so the tree is fetched from the source: git for the indexed commit, an archive by
unpacking again, a package by downloading again, a folder as it is. A tree without exactly the bytes of all indexed files is rejected.

A tree is published by one rename, so that a killed process leaves no incomplete tree and processes do not disturb
each other. When the cache exceeds its limit, the least recently used trees are removed; an older revision is replaced
by the next.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError, IngestError, SourceRejectedError
from repoquarry.ingest.files.ignore_rules import IgnoreReader, is_ignored
from repoquarry.ingest.files.selection import (
    BOOKKEEPING,
    InheritedRules,
    extend_ignore_rules,
    is_utf8,
    list_folders,
    read_indexed,
)
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import Cancelled, NetworkPolicy, RepositorySource, archive
from repoquarry.ingest.sources.checkout import GitTree, clone_repository, open_folder
from repoquarry.ingest.sources.network_policy import EVERYWHERE
from repoquarry.ingest.sources.source import ARCHIVE, FOLDER, GIT, PACKAGE, Checkout, SkippedPath
from repoquarry.processes.confined_files import open_beneath
from repoquarry.processes.scratch import ScratchFolder

_NAMED = 3
_VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})


@dataclass(frozen=True)
class CopyReport:
    """Result of `copy_tree`."""

    files: int
    bytes: int
    left_out: tuple[SkippedPath, ...]


@dataclass(frozen=True)
class IndexedRevision:
    """Identity of an indexed revision."""

    source: RepositorySource
    commit: str
    """Full hash; empty outside git."""

    dirty: bool
    """True if the working tree differed from the commit."""

    entries: Mapping[str, FileEntry]
    """Indexed files by path."""

    @classmethod
    def of(
        cls, properties: Mapping[str, Value], entries: Mapping[str, FileEntry], source: RepositorySource | None
    ) -> IndexedRevision:
        """Read the identity from the properties of the repository's node. `source` has credentials, which the
        graph lacks."""
        kind, location = str(properties["source_kind"]), str(properties["source"])
        known = source or RepositorySource(kind, location, str(properties.get("ref") or ""))
        return cls(known, str(properties.get("commit") or ""), bool(properties.get("dirty")), entries)


def check_out_revision(
    indexed: IndexedRevision,
    target: Path,
    settings: IngestSettings,
    cancelled: Cancelled,
    reach: NetworkPolicy = EVERYWHERE,
) -> CopyReport:
    """Write the tree to `target`, a folder that does not exist.

    Raises: SourceNotFoundError, SourceRejectedError if the source no longer has that revision, IngestCancelledError.
    """
    failures = []
    for opened in _ways(indexed, settings, cancelled, reach):
        try:
            with opened() as checkout:
                copied = copy_tree(checkout, target, settings, cancelled)
            _verify(indexed.entries, target)
        except IngestCancelledError:
            raise
        except IngestError as error:
            shutil.rmtree(target, ignore_errors=True)
            failures.append(error)
        else:
            return copied
    raise failures[-1]


def _ways(
    indexed: IndexedRevision, settings: IngestSettings, cancelled: Cancelled, reach: NetworkPolicy
) -> Iterator[Callable[[], AbstractContextManager[Checkout]]]:
    """Yield the sources of the revision, the most faithful first."""
    source, shallow = indexed.source, replace(settings, git_depth=1)
    if source.kind == ARCHIVE:
        yield lambda: archive.acquire(source, settings, cancelled, whole=True)
        return
    if source.kind == PACKAGE:
        from repoquarry.ingest.sources import packages

        yield lambda: packages.acquire(source, settings, cancelled, reach, whole=True)
        return
    if source.kind == FOLDER:
        root = Path(source.location)
        if indexed.commit and not indexed.dirty and (root / ".git").exists():
            # The git folder is on this machine.
            committed = RepositorySource(GIT, root.as_uri(), indexed.commit)
            yield lambda: clone_repository(committed, shallow, cancelled, EVERYWHERE)
        yield lambda: open_folder(source)
        return
    if indexed.commit:
        yield lambda: clone_repository(replace(source, ref=indexed.commit), shallow, cancelled, reach)
    # Some servers serve only branches and tags.
    yield lambda: clone_repository(source, shallow, cancelled, reach)


def _verify(entries: Mapping[str, FileEntry], target: Path) -> None:
    """Raise SourceRejectedError if an indexed file is missing or different."""
    changed = []
    for path, entry in entries.items():
        content = read_indexed(target, path, 0)
        if isinstance(content, SkippedPath) or hashlib.sha256(content).digest() != entry.hash:
            changed.append(path)
    if changed:
        named = ", ".join(changed[:_NAMED]) + (" …" if len(changed) > _NAMED else "")
        raise SourceRejectedError(
            f"the source no longer has the indexed revision: {len(changed)} indexed files differ ({named}); re-index it"
        )


def copy_tree(checkout: Checkout, target: Path, settings: IngestSettings, cancelled: Cancelled) -> CopyReport:
    """Copy files, executable bits and inner links of a tree; ignored files of a folder are skipped.

    Raises: SourceRejectedError beyond the limits `git_bytes` and `archive_entries`, IngestCancelledError.
    """
    tracked: Collection[str] = ()
    if checkout.kind == FOLDER and (tree := GitTree.of(checkout.root, has_history=checkout.history)) is not None:
        tracked = tree.blobs
    copying = _TreeCopier(checkout.root, target, settings, frozenset(tracked), ignoring=checkout.kind == FOLDER)
    for _ in copying.run():
        if cancelled():
            raise IngestCancelledError("cancelled while copying the tree")
    return CopyReport(copying.files, copying.bytes, (*checkout.left_out, *copying.left_out))


@dataclass
class _TreeCopier:
    """Copier of one tree, which opens nothing through a link."""

    root: Path
    target: Path
    settings: IngestSettings
    tracked: frozenset[str]
    ignoring: bool
    files: int = 0
    bytes: int = 0
    left_out: list[SkippedPath] = field(default_factory=list)
    _links: list[tuple[str, str]] = field(default_factory=list)
    _ignore_reader: IgnoreReader = field(default_factory=IgnoreReader)

    def run(self) -> Iterator[None]:
        """Copy the tree; yield once per entry, so that the caller can stop."""
        self._kept_folders = list_folders(self.tracked)
        waiting: list[tuple[str, InheritedRules, bool]] = [("", (), False)]
        while waiting:
            name, rules, ignored = waiting.pop()
            (self.target / name).mkdir(parents=True, exist_ok=True)
            with os.scandir(self.root / name) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            if self.ignoring:
                inherited = rules, ignored
                rules, ignored, _ = extend_ignore_rules(
                    self.root, name, entries, inherited, self.tracked, self._ignore_reader
                )
            for entry in entries:
                yield
                path = f"{name}/{entry.name}" if name else entry.name
                below = self._visit(entry, path, rules, ignored)
                if below is not None:
                    waiting.append((path, rules, below))
        # Links come last: nothing is written through one.
        for path, points_to in self._links:
            self._link(path, points_to)

    def _visit(self, entry: os.DirEntry[str], path: str, rules: InheritedRules, ignored: bool) -> bool | None:
        """Copy one entry; for a folder to walk, return whether its contents are ignored."""
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name in _VERSION_CONTROL or (self.ignoring and self._is_made_here(entry, path)):
            return None
        if not is_utf8(path):
            self._leave(path.encode("utf-8", "backslashreplace").decode(), "its name is not UTF-8")
            return None
        hidden = ignored or is_ignored(f"{path}/" if is_folder else path, rules)
        if is_folder:
            return None if hidden and path not in self._kept_folders else hidden
        if hidden and path not in self.tracked:
            return None
        if entry.is_symlink():
            self._links.append((path, os.readlink(entry.path)))
        else:
            self._copy(path)
        return None

    def _is_made_here(self, entry: os.DirEntry[str], path: str) -> bool:
        """Return whether a folder holds generated files of this machine: caches, a virtual environment."""
        if entry.name in BOOKKEEPING:
            return True
        if not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
            return False
        self._leave(f"{path}/", "a virtual environment")
        return True

    def _copy(self, path: str) -> None:
        try:
            source = open_beneath(self.root, path)
        except OSError as exc:
            self._leave(path, f"unreadable: {exc.strerror}")
            return
        with os.fdopen(source, "rb") as reading:
            status = os.fstat(source)
            if not stat.S_ISREG(status.st_mode):
                self._leave(path, "no regular file")
                return
            self._count(path, status.st_size)
            target = self.target / path
            with target.open("xb") as writing:
                shutil.copyfileobj(reading, writing)
            target.chmod(0o755 if status.st_mode & stat.S_IXUSR else 0o644)

    def _count(self, path: str, size: int) -> None:
        self.files += 1
        self.bytes += size
        limits = (
            ("git_bytes", self.bytes, self.settings.git_bytes),
            ("archive_entries", self.files, self.settings.archive_entries),
        )
        for name, used, limit in limits:
            if limit and used > limit:
                raise SourceRejectedError(f"the tree passes {limit:,} ({name}) at {path!r}", limit=name)

    def _link(self, path: str, points_to: str) -> None:
        """Create a link that stays inside the tree, wherever links on its path lead."""
        end = os.path.realpath(self.root / path)
        if os.path.isabs(points_to) or not Path(end).is_relative_to(self.root):
            self._leave(path, f"a link to {points_to!r}, which leaves the repository")
            return
        (self.target / path).symlink_to(points_to)

    def _leave(self, path: str, reason: str) -> None:
        self.left_out.append(SkippedPath(path, reason))


_TREE, _NOTES = "tree", "notes.json"


@dataclass(frozen=True)
class RevisionTree:
    """Complete tree of one indexed revision. Read-only and shared: copy it before changes."""

    repository: str
    revision: str
    root: Path
    commit: str
    """Full hash; empty outside git."""

    files: int
    bytes: int
    left_out: tuple[SkippedPath, ...]
    """Links that leave the repository, and other skipped entries."""


class TreeCache:
    """Cache of trees in a folder of this process. `most_bytes` limits unused trees; 0 means no limit."""

    def __init__(
        self, folder: Path, store: Store, settings: IngestSettings, reach: NetworkPolicy, most_bytes: int = 0
    ) -> None:
        self._folder = folder
        self._store = store
        self._settings = settings
        self._reach = reach
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._readers: Counter[Path] = Counter()

    @contextmanager
    def open(
        self, repository: str, cancelled: Cancelled, source: RepositorySource | None = None
    ) -> Iterator[RevisionTree]:
        """Open the tree of a repository's indexed revision, pinned inside the block.

        `source` overrides the source of the graph. Raises: NotFoundError; SourceNotFoundError, SourceRejectedError if
        the source no longer has the revision; IngestCancelledError.
        """
        properties = self._store.repository(repository)
        revision = str(properties["revision"])
        place = self._folder / repository / revision
        with self._lock:
            making = self._making.setdefault(repository, threading.Lock())
            self._readers[place] += 1
        try:
            with making:
                indexed = IndexedRevision.of(properties, self._store.sources.files(repository, revision), source)
                if (tree := _read_intact(repository, revision, place, indexed)) is None:
                    shutil.rmtree(place, ignore_errors=True)
                    self._make(place, indexed, cancelled)
                    tree = _read(repository, revision, place, indexed.commit)
            os.utime(place)
            yield tree
        finally:
            with self._lock:
                self._readers[place] -= 1
            self._make_room()

    def _make(self, place: Path, indexed: IndexedRevision, cancelled: Cancelled) -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            scratch = ScratchFolder("tree", self._folder)
        except OSError as exc:
            raise SourceRejectedError(f"no tree can be kept in {self._folder}: {exc.strerror}") from exc
        unfinished = scratch.path
        try:
            copied = check_out_revision(indexed, unfinished / _TREE, self._settings, cancelled, self._reach)
            (unfinished / _NOTES).write_bytes(msgspec.json.encode(copied))
            try:
                unfinished.rename(place)
            except OSError:  # Another process may have published it first.
                if not (place / _NOTES).exists():
                    raise
        except OSError as exc:
            raise SourceRejectedError(f"the tree cannot be kept in {self._folder}: {exc.strerror}") from exc
        finally:
            scratch.close()

    def _make_room(self) -> None:
        """Remove trees of other revisions, of missing repositories, and the least recently used ones beyond the
        limit."""
        stored = set(self._store.repositories())
        with self._lock:
            kept: list[tuple[float, int, Path]] = []
            for place in self._folder.glob("[!.]*/*"):
                if self._readers[place]:
                    continue
                if place.parent.name not in stored or place.name != self._revision(place.parent.name):
                    shutil.rmtree(place, ignore_errors=True)
                    continue
                with contextlib.suppress(OSError, msgspec.MsgspecError):
                    size = msgspec.json.decode((place / _NOTES).read_bytes(), type=CopyReport).bytes
                    kept.append((place.stat().st_mtime, size, place))
            over = sum(size for _, size, _ in kept) - self._most_bytes if self._most_bytes else 0
            for _, size, place in sorted(kept):
                if over <= 0:
                    return
                shutil.rmtree(place, ignore_errors=True)
                over -= size

    def _revision(self, repository: str) -> str:
        return str(self._store.repository(repository)["revision"])


def _read_intact(repository: str, revision: str, place: Path, indexed: IndexedRevision) -> RevisionTree | None:
    """Read a cached tree; None where its metadata or a file is missing, damaged, or written after the metadata."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, SourceRejectedError):
        tree = _read(repository, revision, place, indexed.commit)
        found = [path.stat() for path in tree.root.rglob("*") if path.is_file() and not path.is_symlink()]
        is_new = any(status.st_mtime_ns > (place / _NOTES).stat().st_mtime_ns for status in found)
        if (len(found), sum(status.st_size for status in found), is_new) == (tree.files, tree.bytes, False):
            _verify(indexed.entries, tree.root)
            return tree
    return None


def _read(repository: str, revision: str, place: Path, commit: str) -> RevisionTree:
    notes = msgspec.json.decode((place / _NOTES).read_bytes(), type=CopyReport)
    return RevisionTree(repository, revision, place / _TREE, commit, notes.files, notes.bytes, notes.left_out)
