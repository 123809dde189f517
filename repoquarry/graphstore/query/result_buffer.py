"""Result rows as bytes: encoding, memory budget, spilling to disk.

MessagePack with extensions for nodes, relationships and paths, because it keeps 64-bit integers, NaN and every string apart
from each other without escaping.

A query's place is free as soon as its rows are here, however slowly they are read. Rows stay the bytes that the engine's side
encoded (a third of what they take as objects) and are decoded a batch at a time as the reader takes them.
"""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import IO, Any

import msgspec

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value

_NODE, _RELATIONSHIP, _PATH = 1, 2, 3
_SCALARS = (bool, int, float, str, type(None))

_encoder = msgspec.msgpack.Encoder()


def encode_row(row: Sequence[Value]) -> bytes:
    """One row as bytes; its length is what `QueryLimits.bytes` counts."""
    return _encoder.encode([_plain(value) for value in row])


def decode_row(row: bytes) -> tuple[Value, ...]:
    """The row that `encode_row` was given."""
    values: list[Value] = _decoder.decode(row)
    return tuple(values)


def encode_parameters(parameters: Mapping[str, Value]) -> dict[str, Any]:
    """Parameters as what any MessagePack encoder takes. Raises: TypeError for what is not a value."""
    return {name: _plain(value) for name, value in parameters.items()}


def encode_scope(scope: QueryScope) -> list[Any]:
    """A scope as what any encoder takes."""
    names = None if scope.repositories is None else sorted(scope.repositories)
    return [names, scope.links, scope.directory]


def decode_scope(found: list[Any]) -> QueryScope:
    """The scope that `encode_scope` was given."""
    names, links, directory = found
    return QueryScope(None if names is None else frozenset(names), links, directory)


BATCH_BYTES = 256 * 1024
"""Size from which a batch of rows is closed; a batch of one row may be larger."""

_BATCH_ROWS = 1_000


def encode_batch(rows: Sequence[bytes]) -> bytes:
    """Encoded rows as one message."""
    return _encoder.encode(rows)


def decode_batch(batch: bytes) -> list[tuple[Value, ...]]:
    """The rows of `encode_batch`."""
    return [decode_row(row) for row in msgspec.msgpack.decode(batch)]


class RowBatcher:
    """Cuts rows at the limits of a query and hands them on in batches; `truncated` names the limit that cut them."""

    def __init__(self, limits: QueryLimits, send: Callable[[bytes], None]) -> None:
        self._limits = limits
        self._send = send
        self.rows = 0
        self.truncated: str | None = None

    def take(self, rows: Iterable[tuple[Value, ...]]) -> None:
        """Take rows until a limit is reached; asks for one row more than it keeps, so that an exact fit is complete."""
        size, waiting, weight = 0, list[bytes](), 0
        for row in rows:
            if self._limits.rows and self.rows >= self._limits.rows:
                self.truncated = "rows"
                break
            encoded = encode_row(row)
            size += len(encoded)
            if self._limits.bytes and size > self._limits.bytes:
                self.truncated = "bytes"
                break
            self.rows += 1
            waiting.append(encoded)
            weight += len(encoded)
            if weight >= BATCH_BYTES or len(waiting) >= _BATCH_ROWS:
                self._send(encode_batch(waiting))
                waiting, weight = [], 0
        if waiting:
            self._send(encode_batch(waiting))


def collect_rows(rows: Iterable[tuple[Value, ...]], limits: QueryLimits) -> tuple[list[tuple[Value, ...]], str | None]:
    """Rows up to the limits as they are, and the limit that cut them."""
    if not limits.bytes:
        most = limits.rows or None
        kept = list(islice(rows, most + 1 if most else None))
        return kept[:most], "rows" if most and len(kept) > most else None
    kept = []
    batches = RowBatcher(limits, lambda batch: kept.extend(decode_batch(batch)))
    batches.take(rows)
    return kept, batches.truncated


def _plain(value: Value) -> Any:
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return _extension(value)


def _extension(value: Node | Relationship | Path) -> msgspec.msgpack.Ext:
    if isinstance(value, Node):
        return msgspec.msgpack.Ext(_NODE, _encoder.encode([value.id, value.labels, _plain(value.properties)]))
    if isinstance(value, Relationship):
        ends = [value.type, value.start_id, value.start_label, value.end_id, value.end_label]
        return msgspec.msgpack.Ext(_RELATIONSHIP, _encoder.encode([*ends, _plain(value.properties)]))
    if isinstance(value, Path):
        nodes = [_plain(node) for node in value.nodes]
        return msgspec.msgpack.Ext(_PATH, _encoder.encode([nodes, [_plain(step) for step in value.relationships]]))
    raise TypeError(f"{type(value).__name__} is not a value of the stored graph")


def _from_extension(code: int, data: memoryview) -> Node | Relationship | Path:
    parts: Any = _decoder.decode(data)
    if code == _NODE:
        return Node(parts[0], tuple(parts[1]), parts[2])
    if code == _RELATIONSHIP:
        return Relationship(*parts)
    return Path(tuple(parts[0]), tuple(parts[1]))


_decoder: Any = msgspec.msgpack.Decoder(Any, ext_hook=_from_extension)


@dataclass(frozen=True)
class ResultBufferSettings:
    """What all results together may hold while they are read."""

    memory_bytes: int = 64 * 1024 * 1024
    """Memory of all results that wait for readers, in bytes; more goes to temporary files. 0 keeps none in memory."""

    disk_bytes: int = 4 * 1024 * 1024 * 1024
    """Temporary files of all results that wait for readers, in bytes; a result beyond is refused. One client may use half. 0 means no limit."""


class ResultBufferBudget:
    """What the results of one store hold, counted. Used by any number of threads."""

    def __init__(self, settings: ResultBufferSettings) -> None:
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


class BufferedRows:
    """The rows of one result: written whole by the engine's side, then read once. Not shared between threads at one time."""

    def __init__(self, budget: ResultBufferBudget, client: str) -> None:
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

    def __enter__(self) -> BufferedRows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
