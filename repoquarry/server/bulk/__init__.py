"""Batch indexing of many repositories; locks on repositories within one process."""

from __future__ import annotations

import threading

INCOMING = "incoming"
"""Folder below the store for what workers of a batch make; nothing in it survives the run."""


class RepositoryLocks:
    """Repositories, each held by one at a time; a holder is known by its resource name."""

    def __init__(self) -> None:
        self._holders: dict[str, str] = {}
        self._guard = threading.Lock()

    def acquire(self, repository: str, holder: str) -> str | None:
        """Hold a repository. Who holds it already, where somebody does; then nothing has changed."""
        with self._guard:
            before = self._holders.get(repository)
            if before is None:
                self._holders[repository] = holder
            return before

    def release(self, repository: str, holder: str) -> None:
        """Let go of what this holder holds; of what another holds, or nobody, nothing changes."""
        with self._guard:
            if self._holders.get(repository) == holder:
                del self._holders[repository]
