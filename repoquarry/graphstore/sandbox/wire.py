"""Values as bytes: how rows travel from the query sandbox, and what their size is for the byte limit of every engine.

MessagePack with extensions for nodes, relationships and paths, because it keeps 64-bit integers, NaN and every string apart
from each other without escaping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from repoquarry.graphstore.engine import QueryLimits, Scope
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


def encode_scope(scope: Scope) -> list[Any]:
    """A scope as what any encoder takes."""
    names = None if scope.repositories is None else sorted(scope.repositories)
    return [names, scope.links, scope.directory]


def decode_scope(found: list[Any]) -> Scope:
    """The scope that `encode_scope` was given."""
    names, links, directory = found
    return Scope(None if names is None else frozenset(names), links, directory)


BATCH_BYTES = 256 * 1024
"""Size from which a batch of rows is closed; a batch of one row may be larger."""

_BATCH_ROWS = 1_000


def encode_batch(rows: Sequence[bytes]) -> bytes:
    """Encoded rows as one message."""
    return _encoder.encode(rows)


def decode_batch(batch: bytes) -> list[tuple[Value, ...]]:
    """The rows of `encode_batch`."""
    return [decode_row(row) for row in msgspec.msgpack.decode(batch)]


class Batches:
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


def collected(rows: Iterable[tuple[Value, ...]], limits: QueryLimits) -> tuple[list[tuple[Value, ...]], str | None]:
    """Rows up to the limits as they are, and the limit that cut them."""
    if not limits.bytes:
        most = limits.rows or None
        kept = list(islice(rows, most + 1 if most else None))
        return kept[:most], "rows" if most and len(kept) > most else None
    kept = []
    batches = Batches(limits, lambda batch: kept.extend(decode_batch(batch)))
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
