"""Freshness check of an indexed folder: compares its current commit and files with the indexed ones in the store.

Every answer includes the result, so the check must be fast: a file with the indexed size and time counts as unchanged, and only
other files are read. Selection follows the rules of indexing; the network is never used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.files.ignore_rules import IgnoreReader
from repoquarry.ingest.files.selection import exclusion_reason, max_bytes, read_indexed, select_files
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.checkout import GitTree, Head, UnreadableGit, read_head
from repoquarry.ingest.sources.git import GitFailedError, run_git
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.registry import is_source

_UNCHECKED = {"git": "a git address", "archive": "an archive", "package": "a package"}
"""Kinds of sources that are not compared."""


@dataclass(frozen=True)
class Freshness:
    """Comparison of an indexed repository with its source."""

    moved_on: bool | None
    """True if the source has changed; None if unknown, see `note`."""
    current_commit: str | None = None
    commits_behind: int | None = None
    """Commits of the source after the indexed commit; None if they cannot be counted."""
    files_changed: int | None = None
    """Number of changed, added and deleted files that indexing would select."""
    note: str = ""
    git_problem: str = ""
    """Why git cannot read the source, with the remedy; empty if it can, or if there is no `.git`."""


def check_freshness(indexed: Mapping[str, Value], sources: SourceStore, settings: IngestSettings) -> Freshness:
    """Compare a repository, described by the properties of its node, with its source."""
    kind, source = str(indexed["source_kind"]), str(indexed["source"])
    if kind != "folder":
        return Freshness(None, note=f"{_UNCHECKED[kind]} is not checked")
    root = Path(source)
    if not root.is_dir():
        return Freshness(None, note=f"the folder {source} is missing")
    try:
        entries = sources.files(str(indexed["id"]), str(indexed["revision"]))
    except NotFoundError as exc:
        return Freshness(None, note=str(exc))
    ignore_reader = IgnoreReader.load(sources, str(indexed["id"]))
    head = read_head(root)
    if isinstance(head, UnreadableGit):
        changed = len(_changed_files(root, False, entries, indexed, settings, ignore_reader))
        return Freshness(True if changed else None, files_changed=changed, note=head.reason, git_problem=head.reason)
    commit, then = head.commit if head else None, indexed.get("commit")
    changed = len(_changed_files(root, head is not None, entries, indexed, settings, ignore_reader))
    behind = _commits_between(root, str(then), commit) if then and commit else None
    return Freshness(
        moved_on=changed > 0 or commit != then,
        current_commit=commit,
        commits_behind=behind,
        files_changed=changed,
        note="" if not then or behind is not None else f"the indexed commit {then} is no longer in the repository",
    )


def list_changed_paths(
    root: Path, indexed: Mapping[str, Value], sources: SourceStore, settings: IngestSettings
) -> list[str]:
    """List files of a folder that differ from the indexed ones, are new or missing. Raises: NotFoundError."""
    entries = sources.files(str(indexed["id"]), str(indexed["revision"]))
    ignore_reader = IgnoreReader.load(sources, str(indexed["id"]))
    return sorted(_changed_files(root, isinstance(read_head(root), Head), entries, indexed, settings, ignore_reader))


def _changed_files(
    root: Path,
    has_history: bool,
    entries: Mapping[str, FileEntry],
    indexed: Mapping[str, Value],
    settings: IngestSettings,
    ignore_reader: IgnoreReader,
) -> list[str]:
    skipped = indexed.get("left_out_paths")
    left_out = set(skipped) if isinstance(skipped, list | tuple) else set()
    tree = GitTree.of(root, has_history=has_history)
    selection = select_files(root, settings, tree.blobs if tree else (), ignore_reader=ignore_reader)
    present = {file.path: file for file in selection.files}
    changed = [path for path in entries if path not in present]
    for path, file in present.items():
        entry = entries.get(path)
        if entry is None:
            if path not in left_out and _would_be_indexed(root, path, settings):
                changed.append(path)
        elif (file.size, file.mtime_ns) != (entry.size, entry.mtime_ns):
            content = read_indexed(root, path, 0)
            if isinstance(content, SkippedPath) or hashlib.sha256(content).digest() != entry.hash:
                changed.append(path)
    return changed


def _would_be_indexed(root: Path, path: str, settings: IngestSettings) -> bool:
    kind = "source" if is_source(path) else "document"
    content = read_indexed(root, path, max_bytes(path, kind, settings))
    return not isinstance(content, SkippedPath) and exclusion_reason(path, content, settings) is None


def _commits_between(root: Path, then: str, now: str) -> int | None:
    if then == now:
        return 0
    try:
        counted = run_git(["rev-list", "--count", f"{then}..{now}"], cwd=root)
    except GitFailedError:
        return None
    return int(counted)
