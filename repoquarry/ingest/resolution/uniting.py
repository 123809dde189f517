"""Several families' resolutions as that of one repository: symbols and externals get the numbers that they have in the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, starmap
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
    Symbol,
    UnresolvedCall,
)

Table = Sequence[int]
"""Of each symbol its new number, and behind them those of externals from the last to the first: a complement finds its own."""


class _List(NamedTuple):
    """A list of records of `Resolution`."""

    record: Callable[..., Any]
    moved: Callable[[Any, Table], tuple[Any, ...]]
    """The fields of a record in their order, with other numbers."""


_LISTS = {
    "imports": _List(ImportEdge, lambda one, at: (at[one.source], at[one.target], one.names, one.lines, one.how)),
    "unresolved": _List(
        UnresolvedCall,
        lambda one, at: (
            *(at[one.caller], one.name, one.count, one.lines, one.reason),
            tuple(sorted(at[number] for number in one.candidates)),
        ),
    ),
    "inherits": _List(Inherits, lambda one, at: (at[one.cls], at[one.base], one.position)),
    "overrides": _List(Override, lambda one, at: (at[one.method], at[one.overridden])),
    "references": _List(Reference, lambda one, at: (at[one.source], at[one.target], one.count, one.lines, one.how)),
    "exports": _List(Export, lambda one, at: (at[one.module], one.name, at[one.target])),
    "entry_points": _List(EntryPoint, lambda one, at: (at[one.target], one.kind, one.name)),
}


def unite(parts: Sequence[Resolution]) -> Resolution:
    """The resolution of all files, in path order; each file is in one of the parts, which are in that order too."""
    if len(parts) == 1:
        return parts[0]
    symbols, inside = _symbols(parts)
    externals = sorted({name for part in parts for name in part.externals})
    outside = {name: ~number for number, name in enumerate(externals)}
    tables = [
        [*numbers, *(outside[name] for name in reversed(part.externals))]
        for part, numbers in zip(parts, inside, strict=True)
    ]
    return Resolution(
        symbols=symbols,
        externals=externals,
        modules=sorted(chain.from_iterable(part.modules for part in parts), key=lambda info: info.path),
        calls=united([_calls(part.calls, table) for part, table in zip(parts, tables, strict=True)]),
        budget_hit=any(part.budget_hit for part in parts),
        **{name: _united(name, parts, tables) for name in _LISTS},
    )


def _symbols(parts: Sequence[Resolution]) -> tuple[list[Symbol], list[list[int]]]:
    """The symbols of all parts by path, those of a file as its part has them; and for each part the new numbers of its own."""
    files = []
    for number, part in enumerate(parts):
        starts = [at for at, symbol in enumerate(part.symbols) if not symbol.key]
        ends = [*starts[1:], len(part.symbols)]
        files += [(part.symbols[start].path, number, start, end) for start, end in zip(starts, ends, strict=True)]
    symbols: list[Symbol] = []
    inside = [[0] * len(part.symbols) for part in parts]
    for _, number, start, end in sorted(files):
        inside[number][start:end] = range(len(symbols), len(symbols) + end - start)
        symbols += parts[number].symbols[start:end]
    return symbols, inside


def _calls(calls: Calls, table: Table) -> Calls:
    numbers = np.array(table, dtype=np.int32)
    ends: list[Numbers] = [numbers[calls.callers], numbers[calls.callees]] if len(calls) else [calls.callers] * 2
    return msgspec.structs.replace(calls, caller_bytes=ends[0].tobytes(), callee_bytes=ends[1].tobytes())


def _united(name: str, parts: Sequence[Resolution], tables: Sequence[Table]) -> list[Any]:
    """One list of all parts, sorted."""
    record, moved = _LISTS[name]
    rows = [moved(one, table) for part, table in zip(parts, tables, strict=True) for one in getattr(part, name)]
    return list(starmap(record, sorted(rows)))
