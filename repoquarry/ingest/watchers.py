"""Watchers of folders (file events) and of git branches (polling).

Hosts are asked one after the other, never more often than every interval, and one that does not answer less and less often.
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
from repoquarry.ingest.sources.checkout import COMMIT, remote_tip

_GIT_STATE = (".git/HEAD", ".git/refs/heads", ".git/packed-refs")
"""Where git writes when another commit is checked out: the graph records the commit."""
_MAX_DEBOUNCE_PERIODS = 20
"""While events keep coming, a batch is given after so many debounce times."""
_TICK_MILLISECONDS = 250


@dataclass(frozen=True)
class FolderChange:
    """What changed below one watched folder since the last time, once nothing has changed for the debounce time."""

    folder: Path
    paths: tuple[str, ...]
    """Relative paths with forward slashes, sorted; `.git` stands for a commit that was checked out or made."""


def watch_folders(
    folders: Sequence[Path], *, debounce_seconds: float, poll: bool = False, stop: Event | None = None
) -> Iterator[FolderChange]:
    """Follow the folders until `stop` is set; a burst of events gives one `FolderChange` for each folder that it touches.

    The first `FolderChange` of each folder has no paths: it says that events are being recorded from now on, so that whoever indexes the
    folder then misses none. `poll` compares the tree again and again instead of asking the system for events, for file systems
    that send none.
    Raises: SourceNotFoundError for a folder that is not there.
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
    """The path of an event relative to `root`, empty where it is elsewhere or says nothing to the index."""
    try:
        path = Path(text).relative_to(root).as_posix()
    except ValueError:
        return ""
    if path.startswith(_GIT_STATE) and not path.endswith(".lock"):
        return ".git"
    gone_or_folder = kind is Change.deleted or Path(text).is_dir()
    return path if path != "." and affects_index(path, may_be_folder=gone_or_folder) else ""


MIN_INTERVAL_SECONDS = 10.0
"""Least interval between two questions to another machine."""

_MAX_SKIPPED_ROUNDS = 63
"""Rounds that a source which fails is left alone at most."""


@dataclass
class _WatchedBranch:
    source: RepositorySource
    commit: str = ""
    """Where it was when it was last indexed; empty before."""
    failures: int = 0
    skip: int = 0
    """Rounds for which it is not asked."""


def watch_branches(
    sources: Sequence[RepositorySource],
    settings: IngestSettings,
    reach: NetworkPolicy,
    *,
    moved: Callable[[RepositorySource, str, str], bool],
    failed: Callable[[RepositorySource, IngestError, int], None],
    wait: Callable[[], bool],
) -> None:
    """Ask all sources, round after round, until `wait` says to end.

    `moved` is told the commit before (empty at first) and the commit now, and says whether it is dealt with: else it is told again in
    the next round. `failed` is told what went wrong and for how many rounds the source is then left alone.
    Raises: SourceRejectedError for a ref that cannot move.
    """
    for source in sources:
        if COMMIT.fullmatch(source.ref):
            raise SourceRejectedError(f"{source.ref} is a commit, which never moves: name a branch", ref=source.ref)
    followed = [_WatchedBranch(source) for source in sources]
    while True:
        for one in followed:
            _look(one, settings, reach, moved, failed)
        if not wait():
            return


def _look(
    one: _WatchedBranch,
    settings: IngestSettings,
    reach: NetworkPolicy,
    moved: Callable[[RepositorySource, str, str], bool],
    failed: Callable[[RepositorySource, IngestError, int], None],
) -> None:
    if one.skip:
        one.skip -= 1
        return
    try:
        commit = remote_tip(one.source, settings, reach)
    except IngestError as exc:
        one.skip = min(2**one.failures - 1, _MAX_SKIPPED_ROUNDS)
        one.failures += 1
        failed(one.source, exc, one.skip)
        return
    one.failures = 0
    if commit != one.commit and moved(one.source, one.commit, commit):
        one.commit = commit
