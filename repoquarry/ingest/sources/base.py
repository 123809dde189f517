"""What every kind of source hands on: a tree on disk, where it came from, and what could not be taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from repoquarry.ingest.settings import IngestSettings

Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class LeftOut:
    """Something that is not indexed. `path` is relative to the root; `reason` is for people."""

    path: str
    reason: str


@dataclass(frozen=True)
class Checkout:
    """A tree of files that is ready to be read, as long as the context that gave it is open."""

    root: Path
    """Absolute, links resolved."""
    source: str
    """The folder, address (never with credentials) or archive as it is stored and shown."""
    kind: str
    """`folder`, `git` or `archive`."""
    name: str
    """Proposed repository id."""
    commit: str | None
    branch: str | None
    history: bool
    """Whether `root` is a git working tree with commits, so that its history can be read."""
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class SourceKind:
    """One way to get at a repository."""

    name: str
    claims: Callable[[str], bool]
    """Whether a source, as the user wrote it, is of this kind."""
    acquire: Callable[[str, IngestSettings, Cancelled], AbstractContextManager[Checkout]]
    """Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError."""


def slug(name: str) -> str:
    """A repository id made of a folder's, address's or archive's name: lower case, digits, `.`, `_` and `-`."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.") or "repository"
