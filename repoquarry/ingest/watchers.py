"""Watchers that report changed sources for re-indexing: local folders by file events, git branches by polling.

Branches are polled one after the other, at most once per interval; failing sources are polled less and less often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from watchfiles import Change, watch

from repoquarry.ingest.errors import IngestError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.files.selection import affects_index
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import NetworkPolicy, RepositorySource
from repoquarry.ingest.sources.checkout import remote_tip
from repoquarry.ingest.sources.source import COMMIT

_GIT_STATE = (".git/HEAD", ".git/refs/heads", ".git/packed-refs")
"""Paths that git writes when another commit is checked out."""
_MAX_DEBOUNCE_PERIODS = 20
"""Maximum debounce periods before a batch is emitted while events continue."""
_TICK_MILLISECONDS = 250


@dataclass(frozen=True)
class FolderChange:
    """Change of one watched folder, after a debounce period without events."""

    folder: Path
    paths: tuple[str, ...]
    """Relative paths with forward slashes, sorted; `.git` means that a commit was made or checked out."""


def watch_folders(
    folders: Sequence[Path], *, debounce_seconds: float, poll: bool = False, stop: Event | None = None
) -> Iterator[FolderChange]:
    """Watch folders until `stop` is set; a burst of events yields one `FolderChange` per folder.

    The first `FolderChange` of each folder has no paths: events are recorded from then on, so indexing afterwards
    misses none. `poll` compares the tree periodically, for file systems without events.

    Raises: SourceNotFoundError for a missing folder.
    """
    roots = [folder.resolve() for folder in folders]
    for root in roots:
        if not root.is_dir():
            raise SourceNotFoundError(f"no such folder: {str(root)!r}; name a folder to watch", source=str(root))
    quiet = max(1, int(debounce_seconds * 1000))
    batches = watch(
        *roots,
        watch_filter=None,
        debounce=max(quiet * _MAX_DEBOUNCE_PERIODS, 2_000),
        step=quiet,
        stop_event=stop,
        rust_timeout=_TICK_MILLISECONDS,
        yield_on_timeout=True,
        force_polling=poll,
        raise_interrupt=True,
        ignore_permission_denied=True,
    )
    started = False
    for batch in batches:
        if not started:
            started = True
            yield from (FolderChange(root, ()) for root in roots)
        yield from _by_folder(roots, batch)


def _by_folder(roots: Sequence[Path], batch: set[tuple[Change, str]]) -> Iterator[FolderChange]:
    for root in roots:
        paths = sorted({path for path in (_relevant(root, kind, text) for kind, text in batch) if path})
        if paths:
            yield FolderChange(root, tuple(paths))


def _relevant(root: Path, kind: Change, text: str) -> str:
    """Return the path of an event relative to `root`; empty if it does not affect the index."""
    try:
        path = Path(text).relative_to(root).as_posix()
    except ValueError:
        return ""
    if path.startswith(_GIT_STATE) and not path.endswith(".lock"):
        return ".git"
    gone_or_folder = kind is Change.deleted or Path(text).is_dir()
    return path if path != "." and affects_index(path, may_be_folder=gone_or_folder) else ""


MIN_INTERVAL_SECONDS = 10.0
"""Minimum interval between two requests to another machine."""

_MAX_SKIPPED_ROUNDS = 63
"""Maximum rounds for which a failing source is skipped."""


@dataclass
class _WatchedBranch:
    source: RepositorySource
    commit: str = ""
    """Commit that was last indexed; empty before."""
    failures: int = 0
    skip: int = 0
    """Rounds for which the source is skipped."""


def watch_branches(
    sources: Sequence[RepositorySource],
    settings: IngestSettings,
    reach: NetworkPolicy,
    *,
    moved: Callable[[RepositorySource, str, str], bool],
    failed: Callable[[RepositorySource, IngestError, int], None],
    wait: Callable[[], bool],
) -> None:
    """Poll all sources in rounds until `wait` returns True.

    `moved` receives the old commit (empty at first) and the new one, and returns whether it was handled; otherwise
    the next round repeats it. `failed` receives the error and the number of rounds for which the source is skipped.

    Raises: SourceRejectedError for a ref that cannot move.
    """
    for source in sources:
        if COMMIT.fullmatch(source.ref):
            raise SourceRejectedError(f"{source.ref} is a commit, which never moves: name a branch", ref=source.ref)
    followed = [_WatchedBranch(source) for source in sources]
    while True:
        for one in followed:
            if one.skip:
                one.skip -= 1
                continue
            try:
                commit = remote_tip(one.source, settings, reach)
            except IngestError as exc:
                one.skip = min(2**one.failures - 1, _MAX_SKIPPED_ROUNDS)
                one.failures += 1
                failed(one.source, exc, one.skip)
                continue
            one.failures = 0
            if commit != one.commit and moved(one.source, one.commit, commit):
                one.commit = commit
        if not wait():
            return
