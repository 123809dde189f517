"""What every kind of source hands on: a tree on disk, where it came from, and what could not be taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
    ref: str = ""
    """Branch, tag or commit that was asked for; empty for what was there, or the default branch."""


def slug(name: str) -> str:
    """A repository id made of a folder's, address's or archive's name: lower case, digits, `.`, `_`, `-` and `@`."""
    return re.sub(r"[^a-z0-9._@-]+", "-", name.lower()).strip("-.@") or "repository"
