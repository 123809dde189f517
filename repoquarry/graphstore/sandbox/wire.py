"""Values as bytes: how rows travel from the query sandbox, and what their size is for the byte limit of every engine.

MessagePack with extensions for nodes, relationships and paths, because it keeps 64-bit integers, NaN and every string apart
from each other without escaping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from repoquarry.graphstore.engine import QueryLimits
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


@dataclass
class Cut:
    """Rows up to the row and byte limits, as they are and as bytes; `truncated` names the limit that cut them."""

    rows: list[tuple[Value, ...]] = field(default_factory=list)
    encoded: list[bytes] = field(default_factory=list)
    truncated: str | None = None


def cut(rows: Iterable[tuple[Value, ...]], limits: QueryLimits) -> Cut:
    """Take rows until a limit is reached; asks for one row more than it keeps, so that an exact fit is complete."""
    kept = Cut()
    size = 0
    for row in rows:
        if limits.rows and len(kept.rows) >= limits.rows:
            kept.truncated = "rows"
            break
        encoded = encode_row(row)
        size += len(encoded)
        if limits.bytes and size > limits.bytes:
            kept.truncated = "bytes"
            break
        kept.rows.append(row)
        kept.encoded.append(encoded)
    return kept


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
