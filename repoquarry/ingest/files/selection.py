"""Which files of a tree are indexed, and for every other one why not.

The second stage: it only looks at names and sizes; what must be read to be judged (binary, generated, minified) is judged by
`refusal`, on the bytes that are read anyway (`contents.py`). Links are never followed, so no loop can be met.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from repoquarry.ingest.files.contents import read_beneath
from repoquarry.ingest.files.documents import is_document
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import LeftOut
from repoquarry.languages.manifests import is_manifest
from repoquarry.languages.registry import is_configuration, is_source

_VENDORED = {"node_modules", "bower_components", "site-packages", "vendor", "vendored", "_vendor", "third_party"}
_VENDORED |= {"thirdparty", "3rdparty", ".venv", ".tox", ".nox"}
BOOKKEEPING = {".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
_MINIFIED_NAME = re.compile(r"[.-]min\.[a-z]+$")
_MAX_IGNORE_FILE = 1024 * 1024
_MAX_SEEN = 5_000_000
IgnoreRules = tuple[tuple[str, GitIgnoreSpec], ...]
"""Folder (with a slash at its end, empty for the root) and what its `.gitignore` says, the innermost first."""


@dataclass(frozen=True)
class SelectedFile:
    """A file to be read."""

    path: str
    kind: str
    """`source`, `document` or `manifest` (declares packages, or says how imports are found)."""
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @property
    def state(self) -> tuple[int, int, int, int]:
        """What the file system says of it: equal states, equal content, but for files that were just written."""
        return self.size, self.mtime_ns, self.ctime_ns, self.inode


@dataclass(frozen=True)
class Selection:
    """The files of a tree, divided."""

    files: tuple[SelectedFile, ...]
    """In path order."""
    left_out: tuple[LeftOut, ...]
    """In path order, without `unsupported`."""
    unsupported: Counter[str]
    """Files that no language and no document format claims, counted by suffix."""

    def describe_nothing(self) -> str:
        """What was found instead, for the message about an empty repository."""
        found = [f"{count} {suffix or 'without suffix'}" for suffix, count in self.unsupported.most_common(5)]
        found += [f"{entry.path} ({entry.reason})" for entry in self.left_out[:5]]
        return "found: " + ", ".join(found) if found else "the folder holds no files"


def select(
    root: Path, settings: IngestSettings, tracked: Collection[str] = (), cancelled: Callable[[], bool] = lambda: False
) -> Selection:
    """Divide the files below `root`. `tracked` are paths that are indexed although a `.gitignore` names them."""
    walk = _Walk(root, settings, set(tracked))
    for _ in walk.run():
        if cancelled():
            break
    files = sorted(walk.files, key=lambda file: file.path)
    limit = settings.max_files
    if limit and len(files) > limit:
        walk.left_out.append(LeftOut(".", f"too many: {len(files) - limit:,} files beyond max_files = {limit:,}"))
        files = files[:limit]
    return Selection(tuple(files), tuple(sorted(walk.left_out, key=lambda entry: entry.path)), walk.unsupported)


def concerns_index(path: str, *, may_be_folder: bool) -> bool:
    """Whether a change of this path can change what is indexed; a folder may hold anything that does."""
    *folders, name = path.split("/")
    if not BOOKKEEPING.isdisjoint(folders) or not _VENDORED.isdisjoint(folders) or name in BOOKKEEPING:
        return False
    return may_be_folder or name == ".gitignore" or _kind(path) is not None


class _Walk:
    """One walk over a tree; nested `.gitignore` files are kept along the way down."""

    def __init__(self, root: Path, settings: IngestSettings, tracked: set[str]) -> None:
        self._root = os.fspath(root)
        self._settings = settings
        self._tracked = tracked
        self._tracked_folders = {path[:end] for path in tracked for end in _slashes(path)}
        self.files: list[SelectedFile] = []
        self.left_out: list[LeftOut] = []
        self.unsupported: Counter[str] = Counter()
        self._seen = 0

    def run(self) -> Iterator[None]:
        """Walk; yields once a folder, so that the caller can stop it."""
        waiting: list[tuple[str, IgnoreRules, bool]] = [("", (), False)]
        while waiting:
            folder, rules, ignored = waiting.pop()
            yield
            try:
                with os.scandir(os.path.join(self._root, folder)) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError as exc:
                self.left_out.append(LeftOut(folder or ".", f"unreadable: {exc.strerror}"))
                continue
            self._seen += len(entries)
            if self._seen > _MAX_SEEN:
                self.left_out.append(LeftOut(folder or ".", f"too many: the tree has over {_MAX_SEEN:,} entries"))
                return
            rules = self._with_rules_of(folder, entries, rules)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                below = self._visit(entry, path, rules, ignored)
                if below is not None:
                    waiting.append((path, rules, below))

    def _visit(self, entry: os.DirEntry[str], path: str, rules: IgnoreRules, ignored: bool) -> bool | None:
        """Deal with one entry; for a folder to walk, whether what is in it is ignored."""
        if not _is_utf8(path):
            self._leave(path.encode("utf-8", "backslashreplace").decode(), "its name is not UTF-8")
        elif entry.is_symlink():
            if is_source(path) or is_document(path) or not (ignored or is_ignored(path, rules)):
                self._leave(path, "link")
        elif entry.is_dir(follow_symlinks=False):
            return self._visit_folder(entry, path, ignored or is_ignored(f"{path}/", rules))
        elif path in self._tracked or not (ignored or is_ignored(path, rules)):
            self._visit_file(entry, path)
        elif is_source(path):
            self._leave(path, "ignored by .gitignore")
        return None

    def _visit_folder(self, entry: os.DirEntry[str], path: str, ignored: bool) -> bool | None:
        if entry.name in BOOKKEEPING:
            return None
        if not self._settings.index_vendored:
            if entry.name in _VENDORED:
                self._leave(f"{path}/", "vendored")
                return None
            if os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                self._leave(f"{path}/", "vendored: a virtual environment")
                return None
        if ignored and path not in self._tracked_folders:
            self._leave(f"{path}/", "ignored by .gitignore")
            return None
        return ignored

    def _visit_file(self, entry: os.DirEntry[str], path: str) -> None:
        kind = _kind(path)
        if kind is None:
            self.unsupported[os.path.splitext(entry.name)[1].lower()] += 1
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as exc:
            self._leave(path, f"unreadable: {exc.strerror}")
            return
        limit = self._settings.max_file_bytes if kind == "source" else self._settings.max_document_bytes
        if not stat.S_ISREG(status.st_mode):
            self._leave(path, "no regular file")
        elif limit and status.st_size > limit:
            self._leave(path, f"too large: {status.st_size:,} bytes, limit {limit:,}")
        elif kind == "source" and _MINIFIED_NAME.search(entry.name.lower()):
            self._leave(path, "minified")
        else:
            times = status.st_mtime_ns, status.st_ctime_ns
            self.files.append(SelectedFile(path, kind, status.st_size, *times, status.st_ino))

    def _with_rules_of(self, folder: str, entries: list[os.DirEntry[str]], rules: IgnoreRules) -> IgnoreRules:
        if not any(entry.name == ".gitignore" and entry.is_file(follow_symlinks=False) for entry in entries):
            return rules
        found = with_rules_of(Path(self._root), folder, rules)
        if isinstance(found, LeftOut):
            self.left_out.append(found)
            return rules
        return found

    def _leave(self, path: str, reason: str) -> None:
        self.left_out.append(LeftOut(path, reason))


def with_rules_of(root: Path, folder: str, rules: IgnoreRules) -> IgnoreRules | LeftOut:
    """The rules that hold in a folder with a `.gitignore`, of which `rules` hold above; or why it cannot be read."""
    path = f"{folder}/.gitignore" if folder else ".gitignore"
    content = read_beneath(root, path, _MAX_IGNORE_FILE)
    if isinstance(content, LeftOut):
        return content
    try:
        spec = GitIgnoreSpec.from_lines(content.decode("utf-8", "replace").splitlines())
    except (ValueError, re.error) as exc:
        return LeftOut(path, f"cannot be understood: {exc}")
    return ((f"{folder}/" if folder else "", spec), *rules)


def _kind(path: str) -> str | None:
    if is_source(path):
        return "source"
    if is_manifest(path) or is_configuration(path):
        return "manifest"
    return "document" if is_document(path) else None


def is_ignored(path: str, rules: IgnoreRules) -> bool:
    """The nearest `.gitignore` that says something about `path` decides."""
    for base, spec in rules:
        verdict = spec.check_file(path[len(base) :]).include
        if verdict is not None:
            return verdict
    return False


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _slashes(path: str) -> Iterator[int]:
    end = path.find("/")
    while end >= 0:
        yield end
        end = path.find("/", end + 1)
