"""In-memory LRU cache of values computed from a repository's stored revision, shared by all readers of a store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

Result = TypeVar("Result")

_MAX_REVISIONS: Final = 8
"""Maximum number of repositories with cached values; the least recently used one is dropped."""


class _RevisionEntry:
    """Values of one revision by their builders; each is built once, also by parallel readers."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self._lock = threading.RLock()
        self._values: dict[Callable[..., Any], Any] = {}

    def get(self, build: Callable[..., Result], *arguments: object) -> Result:
        with self._lock:
            if build not in self._values:
                self._values[build] = build(*arguments)
            return cast("Result", self._values[build])


class RevisionCache:
    """Cache of immutable values by repository, revision and builder. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, _RevisionEntry] = {}

    def get(self, repository: str, revision: str, build: Callable[..., Result], *arguments: object) -> Result:
        """Return `build(*arguments)`, from the cache where the revision is still the stored one."""
        with self._lock:
            entry = self._entries.pop(repository, None)
            if entry is None or entry.revision != revision:
                entry = _RevisionEntry(revision)
            self._entries[repository] = entry
            if len(self._entries) > _MAX_REVISIONS:
                self._entries.pop(next(iter(self._entries)))
        return entry.get(build, *arguments)
