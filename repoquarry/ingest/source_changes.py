"""Changed lines of an indexed folder since its indexed revision.

The working tree is compared with the indexed texts instead of git, so it works outside git and runs no filters of the
repository's configuration. A range of commits is read by git as a diff of two trees, which runs no filters either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.reading.patches import ChangedLines, diff_texts, parse_patch
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.files.selection import read_beneath
from repoquarry.ingest.freshness import list_changed_paths
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.git import run_git
from repoquarry.ingest.sources.source import SkippedPath
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
    root = _folder(indexed)
    found = []
    for path in list_changed_paths(root, indexed, sources, settings):
        try:
            old = sources.text(str(indexed["id"]), path, str(indexed["revision"]))
        except NotFoundError:
            old = ""
        content = read_beneath(root, path, 0)
        new = "" if isinstance(content, SkippedPath) else decode_file(path, content)
        change = diff_texts(path, old, new)
        if change is not None:
            found.append(change)
    return SourceChanges(tuple(found))


def diff_commit_range(indexed: Mapping[str, Value], commits: str, settings: IngestSettings) -> SourceChanges:
    """Diff two commits: `A..B`, or B and its merge base with A, `A...B`, in lines of the indexed side.

    Raises: SourceNotFoundError (also for an unknown commit), SourceRejectedError; ValueError for another form of
    range.
    """
    root, seconds = _folder(indexed), settings.git_read_seconds
    first, separator, second = commits.partition("...")
    if not separator:
        first, separator, second = commits.partition("..")
    if not separator or not first or first.startswith("-") or second.startswith("-"):
        raise ValueError(f"{commits!r} is not of the form A..B or A...B")
    before, after = (_commit(root, name or "HEAD", seconds) for name in (first, second))
    if "..." in commits:
        before = run_git(["merge-base", before, after], cwd=root, seconds=seconds).decode().strip()
    patch = run_git([*_DIFF, before, after, "--", "."], cwd=root, seconds=seconds).decode("utf-8", "surrogateescape")
    stored = indexed.get("commit")
    notes = []
    if stored not in (before, after):
        notes.append(
            f"the indexed commit {str(stored)[:12]} is neither end of {commits}: lines are those of {before[:12]} and may be off"
        )
    return SourceChanges(tuple(parse_patch(patch, new_side=stored == after)), tuple(notes))


def _commit(root: Path, name: str, seconds: float) -> str:
    resolved = run_git(["rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}"], cwd=root, seconds=seconds)
    return resolved.decode().split()[-1]


def _folder(indexed: Mapping[str, Value]) -> Path:
    kind, source = str(indexed["source_kind"]), str(indexed["source"])
    if kind != "folder":
        raise SourceRejectedError(
            f"{indexed['id']} was indexed from {source}, which is no folder: give the change as a patch, or name what was changed",
            source=source,
        )
    root = Path(source)
    if not root.is_dir():
        raise SourceNotFoundError(f"the folder {source} is gone", source=source)
    return root
