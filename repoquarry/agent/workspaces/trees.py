"""Where a task gets the whole tree of a repository from: the service's part, for the agent knows graphs and not sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol


class LeftOut(Protocol):
    """Something of the revision that is not in its tree."""

    @property
    def path(self) -> str: ...
    @property
    def reason(self) -> str: ...


class Tree(Protocol):
    """The whole tree of one indexed revision, shared and not to be changed."""

    @property
    def root(self) -> Path: ...
    @property
    def commit(self) -> str: ...
    @property
    def files(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def left_out(self) -> Sequence[LeftOut]: ...


class Trees(Protocol):
    """Gives trees of indexed revisions."""

    def open(self, repository: str, cancelled: Callable[[], bool]) -> AbstractContextManager[Tree]:
        """The tree, kept while the block runs. Raises: ToolError when the source no longer has the indexed revision."""
        ...
