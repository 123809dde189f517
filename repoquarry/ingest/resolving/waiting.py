"""A resolver's process that is started before there is anything to resolve, so that its start and its imports are not waited for."""

from __future__ import annotations

from types import TracebackType

from repoquarry.ingest.worker import start
from repoquarry.processes.worker import Worker


class WaitingResolver:
    """At most one process that nobody has taken yet; it is ended with the block, if it was not needed."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._process: Worker | None = None

    def begin(self) -> None:
        """Start it, where it is not there. Raises: WorkerLostError."""
        if self._process is None:
            self._process = start("repoquarry.ingest.resolving.resolver", self._memory_bytes)

    def take(self) -> Worker:
        """The process, which is the caller's to end; a new one where none waits. Raises: WorkerLostError."""
        self.begin()
        taken, self._process = self._process, None
        assert taken is not None  # noqa: S101 - begun above
        return taken

    def __enter__(self) -> WaitingResolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
