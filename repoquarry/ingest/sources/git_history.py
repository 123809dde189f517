"""The git log of a repository in one pass: which commits touched which files, when, and what they say.

One `git log --name-only` for all files, because a call for each file is four hundred times slower. Paths are bytes to git;
they come as `surrogateescape` text, and what is no UTF-8 is dropped, as such files are not indexed either.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from repoquarry.graphstore.folder.history import Commit, History
from repoquarry.ingest.sources.base import Cancelled
from repoquarry.ingest.sources.git_command import GitFailedError, run_git

_FIELD = "\x1f"
LAYOUT = f"--format=%x01%H{_FIELD}%ct{_FIELD}%aN{_FIELD}%s"
"""Of the log that `parse_log` reads, with `--name-only -z`."""
_MAX_SUBJECT = 300
_MAX_AUTHOR = 100


def read_history(root: Path, *, commits: int, seconds: float, cancelled: Cancelled) -> History:
    """The newest `commits` commits below `root`, a git working tree; merges name no files and are left out.

    Raises: IngestCancelledError. A log that cannot be read gives an empty history that says why.
    """
    if not commits:
        return History([], [], "not read: history_commits is 0")
    options = ["--name-only", "-z", "--no-renames", "--no-merges", "--no-ext-diff", "--no-textconv", "--relative"]
    try:
        raw = run_git(
            ["log", LAYOUT, *options, f"--max-count={commits}", "HEAD", "--", "."],
            cwd=root,
            seconds=seconds,
            cancelled=cancelled,
        )
        boundary = _shallow_boundary(root, seconds)
    except GitFailedError as exc:
        return History([], [], str(exc))
    history = parse_log(raw.decode("utf-8", "surrogateescape"), boundary)
    missing = ""
    if boundary:
        missing = f"a shallow clone: only the newest {len(history.commits):,} commits are there"
    elif len(history.commits) >= commits:
        missing = f"only the newest {commits:,} commits were read (history_commits)"
    return History(history.paths, history.commits, missing)


def parse_log(text: str, without: Collection[str] = ()) -> History:
    """The output of `git log --name-only -z` in our layout, but for the commits in `without`."""
    found: list[tuple[str, int, str, str, list[str]]] = []
    for record in text.split("\x01")[1:]:
        head, *names = record.split("\0")
        parts = head.split(_FIELD, 3)
        if len(parts) != 4 or not parts[1].isdigit() or parts[0] in without:
            continue  # the first two: a control character inside a file's name cut a record apart
        files = [name.removeprefix("\n") for name in names]
        author, subject = _utf8(parts[2])[:_MAX_AUTHOR], _utf8(parts[3])[:_MAX_SUBJECT]
        found.append((parts[0], int(parts[1]), author, subject, [file for file in files if _is_path(file)]))
    paths = sorted({file for *_, files in found for file in files})
    index = {path: number for number, path in enumerate(paths)}
    commits = [
        Commit(commit, time, subject, tuple(sorted({index[file] for file in files})), author)
        for commit, time, author, subject, files in found
        if files
    ]
    return History(paths, commits)


def _shallow_boundary(root: Path, seconds: float) -> frozenset[str]:
    """Commits where a shallow clone was cut off: git shows them as if they had added every file."""
    shallow = run_git(["rev-parse", "--git-path", "shallow"], cwd=root, seconds=seconds).decode().strip()
    try:
        return frozenset((root / shallow).read_text("ascii").split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def _is_path(name: str) -> bool:
    return bool(name) and _utf8(name) == name


def _utf8(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
