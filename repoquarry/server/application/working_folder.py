"""Note that a local command runs in another working tree of an indexed repository than the indexed one.

A worktree or clone has its own edits: an answer from the indexed tree is not wrong, but it is about another folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from repoquarry.graphstore.model.values import Value, get_str

_SECONDS: Final = 10.0


class WorkingFolder:
    """Folder in which a command runs, compared with the folders of the repositories of its answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._root = next((path for path in (folder, *folder.parents) if (path / ".git").exists()), None)
        self._relations: dict[str, str] = {}

    @classmethod
    def current(cls) -> WorkingFolder | None:
        """Return the working folder of this process, None if it was deleted."""
        try:
            return cls(Path.cwd())
        except OSError:
            return None

    def describe(self, repositories: Iterable[Mapping[str, Value]]) -> str:
        """Describe the working tree of the folder if only another tree of its repository is indexed; empty otherwise."""
        indexed = [properties for properties in repositories if get_str(properties.get("source_kind")) == "folder"]
        around = {str(path) for path in (self._folder, *self._folder.parents)}
        if self._root is None or any(get_str(properties.get("source")) in around for properties in indexed):
            return ""
        for properties in indexed:
            if relation := self._relation(get_str(properties.get("commit"))):
                name = get_str(properties.get("id"))
                return f"this folder ({self._root.name}, {relation} of {name}) is not indexed; `repoquarry index .` adds it"
        return ""

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
