"""Batch indexing of many repositories; locks on repositories within one process."""

from __future__ import annotations

import threading

INCOMING = "incoming"
"""Folder below the store for the results of batch workers; it is removed after the run."""


class RepositoryLocks:
    """Locks on repositories, each held by one holder at a time; a holder is identified by its resource name."""

    def __init__(self) -> None:
        self._holders: dict[str, str] = {}
        self._guard = threading.Lock()

    def acquire(self, repository: str, holder: str) -> str | None:
        """Lock a repository. Returns the current holder, without a change, if there is one."""
        with self._guard:
            before = self._holders.get(repository)
            if before is None:
                self._holders[repository] = holder
            return before

    def release(self, repository: str, holder: str) -> None:
        """Unlock a repository if this holder has locked it."""
        with self._guard:
            if self._holders.get(repository) == holder:
                del self._holders[repository]
