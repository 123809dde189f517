"""Diffs of an indexed repository: changed lines and texts of its working tree, of a range of commits, or of a patch.

The working tree is compared with the indexed texts instead of git, so it works outside git and runs no filters of the
repository's configuration. A range of commits is read by git as a diff of two trees, which runs no filters either.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from repoquarry.code.patches import ChangedLines, apply_hunks, diff_texts, parse_patch, read_patch
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.files.selection import max_bytes, read_bounded, read_indexed
from repoquarry.ingest.freshness import list_changed_paths
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.git import run_git
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.notebook import SUFFIX as NOTEBOOK_SUFFIX
from repoquarry.languages.notebook import is_notebook
from repoquarry.languages.registry import is_source
from repoquarry.languages.source_text import decode_file

_DIFF = (
    "diff", "--unified=0", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


@dataclass(frozen=True)
class SourceChanges:
    """Changed lines by file, with notes on spans that may be inexact."""

    files: tuple[ChangedLines, ...]
    notes: tuple[str, ...] = ()


def diff_working_tree(indexed: Mapping[str, Value], sources: SourceStore, settings: IngestSettings) -> SourceChanges:
    """Compare an indexed folder, given by the properties of its node, with its current state.

    Raises: SourceNotFoundError, SourceRejectedError if it was not indexed from an existing folder; NotFoundError.
    """
    files = _read_changed_files(indexed, sources, settings)
    changes = (diff_texts(one.path, one.old_text or "", one.new_text or "") for one in files)
    return SourceChanges(tuple(change for change in changes if change is not None))


def diff_commit_range(indexed: Mapping[str, Value], commits: str, settings: IngestSettings) -> SourceChanges:
    """Diff two commits: `A..B`, or B and its merge base with A, `A...B`, in lines of the indexed side.

    Raises: SourceNotFoundError (also for an unknown commit), SourceRejectedError; ValueError for another form of
    range.
    """
    root = _folder(indexed)
    before, after = _resolve_range(root, commits)
    patch = run_git([*_DIFF, before, after, "--", "."], cwd=root).decode("utf-8", "surrogateescape")
    stored = indexed.get("commit")
    notes = []
    if stored not in (before, after):
        notes.append(
            f"the indexed commit {str(stored)[:12]} is neither end of {commits}: lines are those of {before[:12]} and may be off"
        )
    return SourceChanges(tuple(parse_patch(patch, new_side=stored == after)), tuple(notes))


def _resolve_range(root: Path, commits: str) -> tuple[str, str]:
    """Return the hashes of both ends of a range. Raises: ValueError for another form of range."""
    first, separator, second = commits.partition("...")
    if not separator:
        first, separator, second = commits.partition("..")
    if not separator or not first or first.startswith("-") or second.startswith("-"):
        raise ValueError(f"{commits!r} is not of the form A..B or A...B")
    before, after = (_commit(root, name or "HEAD") for name in (first, second))
    if "..." in commits:
        before = run_git(["merge-base", before, after], cwd=root).decode().strip()
    return before, after


def _commit(root: Path, name: str) -> str:
    resolved = run_git(["rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}"], cwd=root)
    return resolved.decode().split()[-1]


def _folder(indexed: Mapping[str, Value]) -> Path:
    kind, source = str(indexed["source_kind"]), str(indexed["source"])
    if kind != "folder":
        raise SourceRejectedError(
            f"{indexed['id']} was indexed from {source}, which is not a folder; give the change as a patch, or name the changed definitions",
            source=source,
        )
    root = Path(source)
    if not root.is_dir():
        raise SourceNotFoundError(f"the folder {source} is missing", source=source)
    return root


@dataclass(frozen=True)
class ChangedFile:
    """Texts of one changed file; None on a side without the file."""

    path: str
    old_text: str | None
    new_text: str | None


@dataclass(frozen=True)
class ChangeTexts:
    """Both sides of a change of an indexed repository."""

    title: str
    author: str
    """Empty for a patch and for the working tree."""
    time: int
    """Committer's time of the newest commit, seconds since 1970; 0 without one."""
    files: tuple[ChangedFile, ...]
    is_new_indexed: bool
    """True if the stored graph is that of the new side, False for the old side."""
    notes: tuple[str, ...] = ()


_WITHOUT_TEXT = ("000000", "160000")
"""Modes of a missing file and of a submodule."""
_MAX_FILES = 500
"""Maximum number of changed files whose texts are read."""


def read_working_tree(indexed: Mapping[str, Value], sources: SourceStore, settings: IngestSettings) -> ChangeTexts:
    """Read both sides of the uncommitted difference of an indexed folder. Raises: as `diff_working_tree`."""
    files = islice(_read_changed_files(indexed, sources, settings), _MAX_FILES)
    return ChangeTexts("Working tree", "", 0, tuple(files), is_new_indexed=False)


def _read_changed_files(
    indexed: Mapping[str, Value], sources: SourceStore, settings: IngestSettings
) -> Iterator[ChangedFile]:
    root = _folder(indexed)
    for path in list_changed_paths(root, indexed, sources, settings):
        try:
            old = sources.text(str(indexed["id"]), path, str(indexed["revision"]))
        except NotFoundError:
            old = None
        content = read_indexed(root, path, _max_bytes(path, settings))
        yield ChangedFile(path, old, None if isinstance(content, SkippedPath) else _decode(path, content))


def read_commit_range(indexed: Mapping[str, Value], commits: str, settings: IngestSettings) -> ChangeTexts:
    """Read both sides of `A..B` or `A...B`. Raises: as `diff_commit_range`."""
    root = _folder(indexed)
    before, after = _resolve_range(root, commits)
    blobs = _list_changed_blobs(root, before, after)
    read = dict(islice(blobs.items(), _MAX_FILES))
    contents = _read_blobs(root, {blob for pair in read.values() for blob in pair if blob}, _max_bytes("", settings))

    def decode(path: str, blob: str) -> str | None:
        content = contents.get(blob, b"")
        is_read = blob in contents and len(content) <= _max_bytes(path, settings)
        return _decode(path, content) if is_read else None

    files = [ChangedFile(path, decode(path, old), decode(path, new)) for path, (old, new) in read.items()]
    log = run_git(["log", "-1", "--format=%s%x00%an%x00%ct", after], cwd=root)
    title, author, time = log.decode("utf-8", "replace").strip().split("\0")
    stored = indexed.get("commit")
    notes = []
    if stored not in (before, after):
        notes.append(f"the indexed commit {str(stored)[:12]} is neither end of {commits}: call sites may be off")
    if len(blobs) > _MAX_FILES:
        notes.append(f"{len(blobs) - _MAX_FILES} of {len(blobs)} changed files were not read")
    return ChangeTexts(title, author, int(time), tuple(files), stored == after, tuple(notes))


def _max_bytes(path: str, settings: IngestSettings) -> int:
    """Return the size above which indexing skips a file, that of the largest kind for no path; without a limit, a large number."""
    return max_bytes(path or NOTEBOOK_SUFFIX, "source" if is_source(path) else "document", settings) or sys.maxsize


def _decode(path: str, content: bytes) -> str | None:
    """Decode a text; notebooks are read in a worker with limits, and None is returned beyond them."""
    if not is_notebook(path):
        return decode_file(path, content)
    text = read_bounded(path, decode_file, content)
    return None if isinstance(text, SkippedPath) else text


def _list_changed_blobs(root: Path, before: str, after: str) -> dict[str, tuple[str, str]]:
    """Return the hashes of both texts of each changed file by path; empty on a side without the file."""
    options = ["--raw", "-z", "--no-abbrev", "--no-renames", "--relative"]
    listed = run_git(["diff", *options, before, after, "--", "."], cwd=root)
    fields = [field.decode("utf-8", "surrogateescape") for field in listed.split(b"\0")]
    found = {}
    for head, path in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, _ = head[1:].split(" ")
        sides = ((old_mode, old), (new_mode, new))
        old_blob, new_blob = ("" if mode in _WITHOUT_TEXT else blob for mode, blob in sides)
        found[path] = old_blob, new_blob
    return found


def _read_blobs(root: Path, blobs: set[str], limit: int) -> dict[str, bytes]:
    """Read texts of at most `limit` bytes by hash, all by one process. Raises: GitFailedError."""
    given = "".join(f"{blob}\n" for blob in sorted(blobs)).encode()
    sized = run_git(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], cwd=root, given=given)
    rows = [line.split(" ") for line in sized.decode().splitlines()]
    small = [row[0] for row in rows if row[1:2] == ["blob"] and int(row[2]) <= limit]
    output = run_git(["cat-file", "--batch"], cwd=root, given="".join(f"{blob}\n" for blob in small).encode())
    found, position = {}, 0
    while position < len(output):
        end = output.index(b"\n", position)
        blob, kind, *size = output[position:end].decode().split(" ")
        position = end + 1
        if kind == "blob":
            found[blob] = output[position : position + int(size[0])]
            position += int(size[0]) + 1
    return found


def read_patched_files(text: str, read_old: Callable[[str], str]) -> ChangeTexts:
    """Read both sides of a patch whose old side is indexed; `read_old` returns the text of an indexed path.

    Raises: ValueError where the patch is malformed or a hunk does not match the indexed text.
    """
    files = []
    for patch in read_patch(text):
        try:
            old = read_old(patch.old_path) if patch.old_path else None
        except NotFoundError:
            old = None
        new = apply_hunks(patch, old or "") if patch.new_path else None
        files.append(ChangedFile(patch.old_path or patch.new_path, old, new))
    return ChangeTexts("Patch", "", 0, tuple(files), is_new_indexed=False)
