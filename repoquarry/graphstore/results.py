"""Results that wait for their readers: encoded, within one budget of memory for all of them, beyond it in temporary files.

A query's place is free as soon as its rows are here, however slowly they are read. Rows stay the bytes that the engine's side
encoded (a third of what they take as objects) and are decoded a batch at a time as the reader takes them.
"""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.sandbox.wire import decode_batch


@dataclass(frozen=True)
class ResultSettings:
    """What all results together may hold while they are read."""

    memory_bytes: int = 64 * 1024 * 1024
    """Memory of all results that wait for readers, in bytes; more goes to temporary files. 0 keeps none in memory."""

    disk_bytes: int = 4 * 1024 * 1024 * 1024
    """Temporary files of all results that wait for readers, in bytes; a result beyond is refused. One client may use half. 0 means no limit."""


class ResultBudget:
    """What the results of one store hold, counted. Used by any number of threads."""

    def __init__(self, settings: ResultSettings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._memory = 0
        self._disk: dict[str, int] = {}

    @property
    def memory_bytes(self) -> int:
        """Bytes in memory now."""
        return self._memory

    @property
    def disk_bytes(self) -> int:
        """Bytes in temporary files now."""
        with self._guard:
            return sum(self._disk.values())

    def take_memory(self, size: int) -> bool:
        """Whether there is room for `size` more bytes in memory; then they are counted."""
        with self._guard:
            if self._memory + size > self._settings.memory_bytes:
                return False
            self._memory += size
            return True

    def take_disk(self, client: str, size: int) -> None:
        """Count bytes of a temporary file. Raises: QueryLimitError when there is no room for them."""
        most = self._settings.disk_bytes
        with self._guard:
            mine = self._disk.get(client, 0)
            if most and (sum(self._disk.values()) + size > most or mine + size > most // 2):
                raise QueryLimitError(
                    "results that wait for their readers fill the room that is set aside for them: read them, or ask for less",
                    limit="results.disk_bytes",
                )
            self._disk[client] = mine + size

    def give_back(self, client: str, memory: int, disk: int) -> None:
        with self._guard:
            self._memory -= memory
            left = self._disk.get(client, 0) - disk
            if left > 0:
                self._disk[client] = left
            else:
                self._disk.pop(client, None)


class HeldRows:
    """The rows of one result: written whole by the engine's side, then read once. Not shared between threads at one time."""

    def __init__(self, budget: ResultBudget, client: str) -> None:
        self._budget = budget
        self._client = client
        self._batches: deque[bytes] = deque()
        self._memory = 0
        self._file: IO[bytes] | None = None
        self._sizes: deque[int] = deque()

    def add(self, batch: bytes) -> None:
        """Keep a batch of `wire.encode_batch`. Raises: QueryLimitError when all results together are too large."""
        if self._file is None and self._budget.take_memory(len(batch)):
            self._memory += len(batch)
            self._batches.append(batch)
            return
        self._budget.take_disk(self._client, len(batch))
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="repoquarry-rows-")  # noqa: SIM115 - closed by close()
        self._sizes.append(len(batch))
        self._file.write(batch)

    def clear(self) -> None:
        """Forget the rows, because the query begins again."""
        self.close()

    def batches(self) -> Iterator[list[tuple[Value, ...]]]:
        """The rows, a batch at a time; each is freed as the next is asked for, and all when the iterator ends or is closed."""
        try:
            while self._batches:
                batch = self._batches.popleft()
                self._memory -= len(batch)
                self._budget.give_back(self._client, len(batch), 0)
                yield decode_batch(batch)
            if self._file is not None:
                self._file.seek(0)
                for size in tuple(self._sizes):
                    yield decode_batch(self._file.read(size))
        finally:
            self.close()

    def close(self) -> None:
        """Free everything; may be called again."""
        self._budget.give_back(self._client, self._memory, sum(self._sizes))
        self._memory = 0
        self._batches.clear()
        self._sizes.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        self.close()  # whoever was to read them may be gone before the first row

    def __enter__(self) -> HeldRows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
