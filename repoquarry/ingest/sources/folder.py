"""A folder on this machine, with or without git in it. It is read where it lies and never written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Checkout
from repoquarry.ingest.sources.git_command import GitFailedError, run_git
from repoquarry.ingest.sources.source import FOLDER, Source


@dataclass(frozen=True)
class Head:
    """What a git working tree has checked out."""

    commit: str
    branch: str | None


def read_head(root: Path, seconds: float) -> Head | None:
    """The checked-out commit of the working tree that holds `root`; None where there is none, or none that tracks `root`.

    A folder that merely lies below somebody's working tree, ignored by it, is not taken for a part of that repository.
    """
    if not any((above / ".git").exists() for above in (root, *root.parents)):
        return None
    try:
        commit = run_git(["rev-parse", "--verify", "HEAD^{commit}"], cwd=root, seconds=seconds).decode().strip()
        tracked = run_git(["ls-tree", "-z", "--name-only", "HEAD"], cwd=root, seconds=seconds)
    except GitFailedError:
        return None
    if not tracked:
        return None
    try:
        branch = run_git(["symbolic-ref", "--short", "-q", "HEAD"], cwd=root, seconds=seconds)
    except GitFailedError:
        return Head(commit, None)
    return Head(commit, branch.decode("utf-8", "replace").strip())


@contextmanager
def acquire(source: Source, settings: IngestSettings) -> Iterator[Checkout]:
    """The folder as it lies there. Raises: SourceNotFoundError, SourceRejectedError."""
    try:
        root = Path(source.location).resolve(strict=True)
        next(root.iterdir(), None)
    except PermissionError as exc:
        raise SourceRejectedError(
            f"the folder {source.shown!r} may not be read: {exc.strerror}", source=source.shown
        ) from exc
    except (OSError, RuntimeError) as exc:
        raise SourceNotFoundError(f"no such folder: {source.shown!r}", source=source.shown) from exc
    head = read_head(root, settings.git_read_seconds)
    yield Checkout(
        root=root,
        source=str(root),
        kind=FOLDER,
        name=source.id,
        commit=head.commit if head else None,
        branch=head.branch if head else None,
        history=head is not None,
    )
