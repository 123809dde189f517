"""Runner of git commands that executes no program named by a repository's configuration; reader of the commit history.

A repository is untrusted: its configuration can name programs (hooks, file system monitors, filters, transports, signature
checkers). Every command here switches those off, has a time limit, and is terminated together with its child processes.
Commands that apply filters to file contents (`status`, `diff` with the working tree) are never used.

One `git log --name-only` serves all files, because a call for each file is four hundred times slower. Paths are bytes in git;
they are decoded with `surrogateescape`, and paths that are not UTF-8 are dropped, because such files are not indexed either.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from repoquarry.graphstore.storage.git_history import UNREADABLE, Commit, GitHistory
from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.sources.source import Cancelled, hide_credentials
from repoquarry.processes.programs import OutputTooLargeError, ProgramProcess

_SAFE_CONFIG = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "protocol.ext.allow=never",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
    "i18n.logOutputEncoding=UTF-8",
    "advice.detachedHead=false",
)
_NO_TRANSPORT = "none"
_READ_SECONDS = 120.0
_READ_MEMORY_BYTES = 2 << 30
_MAX_OUTPUT = 512 << 20
"""Limits of a command that reads a repository on this machine: its files are untrusted."""
_MAX_SHALLOW = 16 << 20
"""Bytes of the file that lists the boundary of a shallow clone."""


class GitFailedError(SourceNotFoundError):
    """Git exited with an error; the message has the end of its output, without credentials."""

    reason = "GIT_FAILED"


def run_git(
    arguments: Sequence[str],
    *,
    seconds: float = _READ_SECONDS,
    cwd: Path | None = None,
    given: bytes | None = None,
    transports: str = _NO_TRANSPORT,
    configuration: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] | None = None,
    within: Callable[[], None] | None = None,
) -> bytes:
    """Run `git ARGUMENTS` with `given` as its input, and return its output.

    `transports` are the allowed protocols, separated by colons; none by default. `configuration` is passed by
    environment, which other users cannot read. `within` is called twice a second and may raise to end the command.

    Raises: GitFailedError, SourceRejectedError after the time limit, IngestCancelledError.
    """
    safe = [option for pair in _SAFE_CONFIG for option in ("-c", pair)]
    command = ["git", "--no-pager", "--no-optional-locks", *safe, *arguments]
    try:
        environment = _environment(transports, configuration or {})
        is_local = transports == _NO_TRANSPORT
        program = ProgramProcess(
            command,
            cwd=cwd,
            environment=environment,
            given=given,
            memory_bytes=_READ_MEMORY_BYTES if is_local else 0,
            max_output=_MAX_OUTPUT if is_local else 0,
        )
    except FileNotFoundError as exc:
        raise GitFailedError("the git command is not installed: install it, or index a folder or an archive") from exc

    def look() -> None:
        if cancelled is not None and cancelled():
            raise IngestCancelledError(f"cancelled during git {arguments[0]}")
        if within is not None:
            within()

    try:
        ended = program.finish(seconds, look)
    except TimeoutError:
        remedy = "" if transports == _NO_TRANSPORT else "; raise git_seconds or lower git_depth"
        raise SourceRejectedError(f"git {arguments[0]} took more than {seconds:g} seconds{remedy}") from None
    except OutputTooLargeError as exc:
        raise GitFailedError(f"git {arguments[0]} failed: {exc}") from exc
    if ended.code != 0:
        said = hide_credentials(ended.errors.decode("utf-8", "replace")).strip()[-500:]
        raise GitFailedError(f"git {arguments[0]} failed: {said or f'exit status {ended.code}'}")
    return ended.output


def commit_date(folder: Path, seconds: float = 20.0) -> datetime | None:
    """Return the date of the checked-out commit; None outside git."""
    try:
        text = (
            run_git(["-C", str(folder), "log", "-1", "--format=%ct"], seconds=seconds)
            .decode("ascii", "replace")
            .strip()
        )
    except (SourceNotFoundError, SourceRejectedError):
        return None
    return datetime.fromtimestamp(_parse_time(text), UTC) if text.isdecimal() else None


def _environment(transports: str, configuration: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith("GIT_SSL")}
    kept.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_ALLOW_PROTOCOL=transports,
        GIT_LFS_SKIP_SMUDGE="1",
        GIT_NO_LAZY_FETCH="1",
        GIT_SSH_COMMAND="ssh -oBatchMode=yes" if transports != _NO_TRANSPORT else "false",
        GIT_ASKPASS="true",
        SSH_ASKPASS="true",
        LC_ALL="C.UTF-8",
        GIT_CONFIG_COUNT=str(len(configuration)),
    )
    for number, (key, value) in enumerate(configuration.items()):
        kept[f"GIT_CONFIG_KEY_{number}"] = key
        kept[f"GIT_CONFIG_VALUE_{number}"] = value
    return kept


_FIELD = "\x1f"
LAYOUT = f"--format=%x01%H{_FIELD}%ct{_FIELD}%aN{_FIELD}%s"
"""Log format that `parse_log` reads, with `--name-only -z`."""
_MAX_SUBJECT = 300
_MAX_AUTHOR = 100
_MAX_TIME = 253_402_300_799
"""Last second of the year 9999; a commit may claim any later time."""


def _parse_time(digits: str) -> int:
    return min(int(digits), _MAX_TIME)


def read_history(root: Path, *, commits: int, cancelled: Cancelled) -> GitHistory:
    """Read the newest `commits` commits below `root`; merges, which name no files, are omitted.

    Raises: IngestCancelledError. A log that cannot be read gives an empty history with the reason.
    """
    if not commits:
        return GitHistory([], [], "not read: history_commits is 0")
    # Without --full-history git omits side branches whose changes a merge undid.
    options = ["--name-only", "-z", "--no-renames", "--no-merges", "--full-history"]
    options += ["--no-ext-diff", "--no-textconv", "--relative"]
    try:
        raw = run_git(
            ["log", LAYOUT, *options, f"--max-count={commits}", "HEAD", "--", "."],
            cwd=root,
            cancelled=cancelled,
        )
        boundary = _shallow_boundary(root)
    except GitFailedError as exc:
        return GitHistory([], [], f"{UNREADABLE}: {exc}; run `git fsck` in {root}, or clone it again")
    history = parse_log(raw.decode("utf-8", "surrogateescape"), boundary)
    missing = ""
    if boundary:
        missing = f"a shallow clone: only the newest {len(history.commits):,} commits are there"
    elif len(history.commits) >= commits:
        missing = f"only the newest {commits:,} commits were read (history_commits)"
    return GitHistory(history.paths, history.commits, missing)


def parse_log(text: str, without: Collection[str] = ()) -> GitHistory:
    """Parse the output of `git log --name-only -z`, except the commits in `without`."""
    found: list[tuple[str, int, str, str, list[str]]] = []
    for record in text.split("\x01")[1:]:
        head, *names = record.split("\0")
        parts = head.split(_FIELD, 3)
        if len(parts) != 4 or not parts[1].isdecimal() or parts[0] in without:
            # Skip records that a control character in a file name has split.
            continue
        files = [name.removeprefix("\n") for name in names]
        author, subject = _utf8(parts[2])[:_MAX_AUTHOR], _utf8(parts[3])[:_MAX_SUBJECT]
        found.append((parts[0], _parse_time(parts[1]), author, subject, [file for file in files if _is_path(file)]))
    paths = sorted({file for *_, files in found for file in files})
    index = {path: number for number, path in enumerate(paths)}
    commits = [
        Commit(commit, time, subject, tuple(sorted({index[file] for file in files})), author)
        for commit, time, author, subject, files in found
        if files
    ]
    return GitHistory(paths, commits)


def _shallow_boundary(root: Path) -> frozenset[str]:
    """Return the boundary commits of a shallow clone: git lists them as if they had added every file."""
    shallow = run_git(["rev-parse", "--git-path", "shallow"], cwd=root).decode().strip()
    try:
        with (root / shallow).open("rb") as file:
            content = file.read(_MAX_SHALLOW + 1)
        return frozenset(content.decode("ascii").split()) if len(content) <= _MAX_SHALLOW else frozenset()
    except (OSError, UnicodeDecodeError):
        return frozenset()


def _is_path(name: str) -> bool:
    return bool(name) and _utf8(name) == name


def _utf8(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
