"""Rows in batches of one statement each, bounded by what they hold: a few rows with long texts weigh as much as thousands without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

_Row = TypeVar("_Row")
_SCALAR_BYTES = 9
"""The most that the wire format takes for a number or a truth value."""


@dataclass(frozen=True)
class BatchLimits:
    """What one statement carries at most; a row that is larger than `bytes` goes alone."""

    bytes: int = 2 * 1024 * 1024
    rows: int = 5_000

    def split(self, rows: Iterable[_Row]) -> Iterator[list[_Row]]:
        """The rows in order; no more of them are in memory than one batch."""
        batch: list[_Row] = []
        held = 0
        for row in rows:
            size = size_of(row)
            if batch and (held + size > self.bytes or len(batch) == self.rows):
                yield batch
                batch, held = [], 0
            batch.append(row)
            held += size
        if batch:
            yield batch


def size_of(value: object) -> int:
    """Bytes of a value as it is sent, near enough: texts in UTF-8, with the names of properties."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode(errors="surrogatepass"))
    if isinstance(value, Mapping):
        return sum(len(name) + size_of(item) for name, item in value.items())
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    return _SCALAR_BYTES
