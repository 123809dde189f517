"""Several families' resolutions as that of one repository: symbols and externals get the numbers that they have in the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import msgspec
import numpy as np

from repoquarry.ingest.resolution.calls import Calls, renumbered, united
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

Row = tuple[Any, ...]
Renumber = Callable[[int], int]


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


def unite(parts: Sequence[Resolution]) -> Resolution:
    """The resolution of all files, in path order; each file is in one of the parts, which are in that order too."""
    if len(parts) == 1:
        return parts[0]
    infos = {info.path: info for part in parts for info in part.modules}
    symbols = _symbols(parts, sorted(infos))
    numbers = {(symbol.path, symbol.key): number for number, symbol in enumerate(symbols)}
    externals = sorted({name for part in parts for name in part.externals})
    outside = {name: ~number for number, name in enumerate(externals)}
    rows: dict[str, list[Row]] = {name: [] for name in _LISTS}
    calls = []
    for part in parts:
        renumber = _renumbering(part, numbers, outside)
        calls.append(_calls(part.calls, renumber))
        for name, one in _LISTS.items():
            rows[name] += _renumbered(getattr(part, name), one.numbers, renumber)
    return Resolution(
        symbols=symbols,
        externals=externals,
        modules=[infos[path] for path in sorted(infos)],
        calls=united(calls),
        budget_hit=any(part.budget_hit for part in parts),
        **{name: list(starmap(_LISTS[name].record, sorted(found))) for name, found in rows.items()},
    )


def _symbols(parts: Sequence[Resolution], paths: Sequence[str]) -> list[Symbol]:
    """The symbols of all parts by these paths, those of a file as its part has them."""
    by_path: dict[str, list[Symbol]] = {path: [] for path in paths}
    for part in parts:
        for symbol in part.symbols:
            by_path[symbol.path].append(symbol)
    return [symbol for symbols in by_path.values() for symbol in symbols]


def _renumbering(part: Resolution, numbers: dict[tuple[str, str], int], outside: dict[str, int]) -> Renumber:
    inside = [numbers[symbol.path, symbol.key] for symbol in part.symbols]
    beyond = [outside[name] for name in part.externals]
    return lambda number: inside[number] if number >= 0 else beyond[~number]


def _calls(calls: Calls, renumber: Renumber) -> Calls:
    every = np.ones(len(calls), dtype=np.bool_)
    ends = renumbered(calls.callers, every, renumber), renumbered(calls.callees, every, renumber)
    return calls.chosen(np.arange(len(calls)), *ends)


def _renumbered(edges: Sequence[msgspec.Struct], fields: Sequence[str], renumber: Renumber) -> Iterator[Row]:
    """The fields of records, in their order, with other numbers."""
    if not edges:
        return
    names = edges[0].__struct_fields__
    chosen = [names.index(name) for name in fields]
    candidates = names.index("candidates") if "candidates" in names else -1
    for edge in edges:
        row = list(msgspec.structs.astuple(edge))
        for at in chosen:
            row[at] = renumber(row[at])
        if candidates >= 0:
            row[candidates] = tuple(sorted(map(renumber, row[candidates])))
        yield tuple(row)
