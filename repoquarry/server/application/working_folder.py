"""Note that a local command runs in a folder with sources that is not indexed, while its answer is from another folder.

A worktree or clone of an indexed repository has its own edits: an answer from the indexed tree is not wrong, but about another tree.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from repoquarry.languages.registry import is_source

_SECONDS: Final = 10.0


@dataclass(frozen=True)
class IndexedFolder:
    repository: str
    path: str
    commit: str
    """Indexed commit; empty without git."""


class WorkingFolder:
    """Folder in which a command runs, compared with the indexed folders."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._root = next((path for path in (folder, *folder.parents) if (path / ".git").exists()), None)
        self._relations: dict[str, str] = {}
        self._has_sources = self._root is not None or any(is_source(name) for name in _list_names(folder))

    @classmethod
    def current(cls) -> WorkingFolder | None:
        """Return the working folder of this process, None if it was deleted."""
        try:
            return cls(Path.cwd())
        except OSError:
            return None

    def describe(self, indexed: Sequence[IndexedFolder]) -> str:
        """Describe the folder if it has sources and is neither in an indexed folder nor around one; empty otherwise."""
        around = {str(path) for path in (self._folder, *self._folder.parents)}
        paths = [folder.path for folder in indexed]
        if not self._has_sources or any(path in around or self._folder in Path(path).parents for path in paths):
            return ""
        relations = ((self._relation(folder.commit), folder.repository) for folder in indexed)
        related = next((f", {relation} of {repository}" for relation, repository in relations if relation), "")
        return (
            f"this folder ({(self._root or self._folder).name}{related}) is not indexed; `repoquarry index .` adds it"
        )

    def _relation(self, commit: str) -> str:
        """Return how the working tree relates to that of an indexed commit, empty if it does not have the commit."""
        if not commit or self._root is None:
            return ""
        if commit not in self._relations:
            kind = "a worktree" if (self._root / ".git").is_file() else "a clone"
            self._relations[commit] = kind if _has_commit(self._root, commit) else ""
        return self._relations[commit]


def _has_commit(root: Path, commit: str) -> bool:
    # Lazy import: answers outside git working trees start no process.
    from repoquarry.ingest.sources.git import GitFailedError, run_git

    try:
        run_git(["cat-file", "-e", f"{commit}^{{commit}}"], cwd=root, seconds=_SECONDS)
    except GitFailedError:
        return False
    return True


def _list_names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
