"""Buffer of query results: encodes rows as bytes, and stores them in memory up to a budget and then in temporary files until read.

Rows are MessagePack with extensions for nodes, relationships and paths, because it preserves 64-bit integers, NaN and all strings without
escaping.

A query's slot is released when its rows have arrived, however slowly they are read. Rows stay in the bytes that the engine's side encoded
(a third of their size as objects) and are decoded in batches as the reader takes them.
"""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any

import msgspec

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value

_NODE, _RELATIONSHIP, _PATH = 1, 2, 3
_SCALARS = (bool, int, float, str, type(None))

_encoder = msgspec.msgpack.Encoder()


def encode_row(row: Sequence[Value]) -> bytes:
    """Encode one row; `QueryLimits.bytes` counts the length of the result."""
    return _encoder.encode([_plain(value) for value in row])


def decode_row(row: bytes) -> tuple[Value, ...]:
    values: list[Value] = _decoder.decode(row)
    return tuple(values)


def encode_parameters(parameters: Mapping[str, Value]) -> dict[str, Any]:
    """Convert parameters for any MessagePack encoder. Raises: TypeError for unsupported values."""
    return {name: _plain(value) for name, value in parameters.items()}


BATCH_BYTES = 256 * 1024
"""Size above which a batch of rows is closed; a batch of one row may be larger."""

_BATCH_ROWS = 1_000


def encode_batch(rows: Sequence[bytes]) -> bytes:
    """Join encoded rows in one message."""
    return _encoder.encode(rows)


def decode_batch(batch: bytes) -> list[tuple[Value, ...]]:
    """Decode the rows of a message."""
    return [decode_row(row) for row in msgspec.msgpack.decode(batch)]


class RowBatcher:
    """Batcher that truncates rows at the limits of a query; `truncated` names the limit that was reached."""

    def __init__(self, limits: QueryLimits, send: Callable[[bytes], None]) -> None:
        self._limits = limits
        self._send = send
        self.rows = 0
        self.truncated: str | None = None

    def take(self, rows: Iterable[tuple[Value, ...]]) -> None:
        """Consume rows up to a limit, and one more to find out whether the result is complete."""
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
    """Collect rows up to the limits without encoding, with the limit that truncated them."""
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
    raise TypeError(f"unsupported value type: {type(value).__name__}")


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
    """Limits of all results together while they are read."""

    memory_bytes: int = 64 * 1024 * 1024
    """Memory of all unread results, in bytes; more goes to temporary files. 0 keeps none in memory."""

    disk_bytes: int = 4 * 1024 * 1024 * 1024
    """Temporary files of all unread results, in bytes; a result beyond is rejected. One client may use half. 0 means no limit."""


class ResultBufferBudget:
    """Resource usage of the results of one store. Thread-safe."""

    def __init__(self, settings: ResultBufferSettings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._memory = 0
        self._disk: dict[str, int] = {}

    @property
    def memory_bytes(self) -> int:
        """Return the current bytes in memory."""
        return self._memory

    @property
    def disk_bytes(self) -> int:
        """Return the current bytes in temporary files."""
        with self._guard:
            return sum(self._disk.values())

    def take_memory(self, size: int) -> bool:
        """Reserve memory for `size` more bytes; return whether the budget allows it."""
        with self._guard:
            if self._memory + size > self._settings.memory_bytes:
                return False
            self._memory += size
            return True

    def take_disk(self, client: str, size: int) -> None:
        """Reserve bytes of a temporary file. Raises: QueryLimitError if the budget is exhausted."""
        most = self._settings.disk_bytes
        with self._guard:
            mine = self._disk.get(client, 0)
            if most and (sum(self._disk.values()) + size > most or mine + size > most // 2):
                raise QueryLimitError(
                    "unread query results exceed results.disk_bytes; read them faster or lower the row limit",
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
    """Rows of one result: written completely by the engine's side, then read once. Not thread-safe."""

    def __init__(self, budget: ResultBufferBudget, client: str) -> None:
        self._budget = budget
        self._client = client
        self._batches: deque[bytes] = deque()
        self._memory = 0
        self._file: IO[bytes] | None = None
        self._sizes: deque[int] = deque()

    def add(self, batch: bytes) -> None:
        """Append a batch of `encode_batch`. Raises: QueryLimitError if all results together are too large."""
        if self._file is None and self._budget.take_memory(len(batch)):
            self._memory += len(batch)
            self._batches.append(batch)
            return
        self._budget.take_disk(self._client, len(batch))
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="repoquarry-rows-")  # noqa: SIM115 - closed by close()
        self._sizes.append(len(batch))
        self._file.write(batch)

    def batches(self) -> Iterator[list[tuple[Value, ...]]]:
        """Yield batches of rows; each is freed when the next is requested, and all when the iterator ends or is closed."""
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
        """Free everything; idempotent."""
        self._budget.give_back(self._client, self._memory, sum(self._sizes))
        self._memory = 0
        self._batches.clear()
        self._sizes.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    clear = close  # The query restarts.

    def __del__(self) -> None:
        self.close()  # The reader may disconnect before the first row.

    def __enter__(self) -> BufferedRows:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
