"""Which changes below a folder concern its index: file events, debounced, and reduced to the paths that indexing looks at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from watchfiles import Change, watch

from repoquarry.ingest.errors import SourceNotFoundError
from repoquarry.ingest.files.selection import concerns_index

_GIT_STATE = (".git/HEAD", ".git/refs/heads", ".git/packed-refs")
"""Where git writes when another commit is checked out: the graph records the commit."""
_LONGEST_BURST = 20
"""While events keep coming, a batch is given after so many debounce times."""
_TICK_MILLISECONDS = 250


@dataclass(frozen=True)
class Changed:
    """What changed below one watched folder since the last time, once nothing has changed for the debounce time."""

    folder: Path
    paths: tuple[str, ...]
    """Relative paths with forward slashes, sorted; `.git` stands for a commit that was checked out or made."""


def changes(
    folders: Sequence[Path], *, debounce_seconds: float, poll: bool = False, stop: Event | None = None
) -> Iterator[Changed]:
    """Follow the folders until `stop` is set; a burst of events gives one `Changed` for each folder that it touches.

    The first `Changed` of each folder has no paths: it says that events are being recorded from now on, so that whoever indexes the
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
        debounce=max(quiet * _LONGEST_BURST, 2_000),
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
            yield from (Changed(root, ()) for root in roots)
        yield from _by_folder(roots, batch)


def _by_folder(roots: Sequence[Path], batch: set[tuple[Change, str]]) -> Iterator[Changed]:
    for root in roots:
        paths = sorted({path for path in (_relevant(root, kind, text) for kind, text in batch) if path})
        if paths:
            yield Changed(root, tuple(paths))


def _relevant(root: Path, kind: Change, text: str) -> str:
    """The path of an event relative to `root`, empty where it is elsewhere or says nothing to the index."""
    try:
        path = Path(text).relative_to(root).as_posix()
    except ValueError:
        return ""
    if path.startswith(_GIT_STATE) and not path.endswith(".lock"):
        return ".git"
    gone_or_folder = kind is Change.deleted or Path(text).is_dir()
    return path if path != "." and concerns_index(path, may_be_folder=gone_or_folder) else ""
