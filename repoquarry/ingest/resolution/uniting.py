"""Several families' resolutions as that of one repository: the numbers of the largest stay, those of the others go on behind them.

So the lists stay sorted, as each record begins with a symbol, and nothing is made anew of the family that most records are of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import msgspec
import numpy as np

from repoquarry.ingest.resolution.calls import Calls, Numbers, united
from repoquarry.ingest.resolution.model import (
    EntryPoint,
    Export,
    ImportEdge,
    Inherits,
    Override,
    Reference,
    Resolution,
    UnresolvedCall,
)


class _List(NamedTuple):
    """A list of records of `Resolution`."""

    record: Callable[..., Any]
    numbers: tuple[str, ...]
    """The fields that are symbols or externals."""


_LISTS = {
    "imports": _List(ImportEdge, ("source", "target")),
    "unresolved": _List(UnresolvedCall, ("caller",)),
    "inherits": _List(Inherits, ("cls", "base")),
    "overrides": _List(Override, ("method", "overridden")),
    "references": _List(Reference, ("source", "target")),
    "exports": _List(Export, ("module", "target")),
    "entry_points": _List(EntryPoint, ("target",)),
}


class _Behind(NamedTuple):
    """A part, and how many symbols and externals stand before its own."""

    part: Resolution
    symbols: int
    externals: int

    def number(self, number: int) -> int:
        return number + self.symbols if number >= 0 else number - self.externals

    def numbers(self, numbers: Numbers) -> bytes:
        return np.where(numbers >= 0, numbers + self.symbols, numbers - self.externals).astype(np.int32).tobytes()


def unite(parts: Sequence[Resolution]) -> Resolution:
    """The resolution of all files, each of which is in one of the parts."""
    if len(parts) == 1:
        return parts[0]
    ordered = sorted(parts, key=lambda part: -len(part.symbols))
    symbols = accumulate((len(part.symbols) for part in ordered), initial=0)
    externals = accumulate((len(part.externals) for part in ordered), initial=0)
    behind = list(map(_Behind, ordered, symbols, externals))
    return Resolution(
        symbols=list(chain.from_iterable(part.symbols for part in ordered)),
        externals=list(chain.from_iterable(part.externals for part in ordered)),
        modules=sorted(chain.from_iterable(part.modules for part in parts), key=lambda info: info.path),
        calls=united([_calls(one) for one in behind]),
        budget_hit=any(part.budget_hit for part in parts),
        **{name: [record for one in behind for record in _records(one, name)] for name in _LISTS},
    )


def _calls(behind: _Behind) -> Calls:
    calls = behind.part.calls
    if not behind.symbols:
        return calls
    return msgspec.structs.replace(
        calls, caller_bytes=behind.numbers(calls.callers), callee_bytes=behind.numbers(calls.callees)
    )


def _records(behind: _Behind, name: str) -> Iterator[Any]:
    records = getattr(behind.part, name)
    if not behind.symbols:
        yield from records
        return
    for record in records:
        moved: dict[str, Any] = {field: behind.number(getattr(record, field)) for field in _LISTS[name].numbers}
        if isinstance(record, UnresolvedCall):
            moved["candidates"] = tuple(map(behind.number, record.candidates))
        yield msgspec.structs.replace(record, **moved)
