"""A resolution beside the nodes that its numbers stand for, and the pairs that it joins as arrays.

Relationships, their counts, the edges of the search index and the difference between two resolutions are all read from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.index.gathering import NumberedEdges
from repoquarry.graphstore.search.index.places import EDGES
from repoquarry.ingest.graph.ids import code_id
from repoquarry.ingest.graph.outline import Outline
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolution.calls import Numbers

ENDS: Final = ("Module", "Class", "Function", "External", "Name")
"""Labels of what resolution joins."""
NO_NAME: Final = "<expression>"
_EXTERNAL, _NAME = ENDS.index("External"), ENDS.index("Name")


class Records(NamedTuple):
    """A list of `Resolution`, sorted by its first end, whose records become relationships of one type."""

    name: str
    start: str
    end: str
    """Empty where the other end is a text and no number."""
    rest: tuple[str, ...]
    """Fields that relationships are made of beside their ends."""


RECORDS: Final[Mapping[str, Records]] = {
    "IMPORTS": Records("imports", "source", "target", ("names", "lines", "how")),
    "UNRESOLVED": Records("unresolved", "caller", "", ("name", "count", "lines", "reason")),
    "INHERITS": Records("inherits", "cls", "base", ("position",)),
    "OVERRIDES": Records("overrides", "method", "overridden", ()),
    "REFERENCES": Records("references", "source", "target", ("lines", "how")),
}


class Pairs(NamedTuple):
    """What one type joins: each pair of nodes once, by start and end."""

    starts: Numbers
    ends: Numbers
    sites: NDArray[np.int64]
    """Of each, as far as they are calls; 1 for all else."""

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True)
class Resolved:
    """Everything about one resolution that names nodes."""

    repository: str
    resolution: Resolution
    labels: NDArray[np.int8]
    """Of each of its symbols, as positions in `ENDS`; -1 for what is no longer among the files."""

    @classmethod
    def of(cls, repository: str, resolution: Resolution, rows: Mapping[str, Numbers]) -> Resolved:
        """`rows` as `symbols_of_rows` gives them."""
        labels = np.full(len(resolution.symbols), -1, dtype=np.int8)
        for label, symbols in rows.items():
            labels[symbols] = ENDS.index(label)
        return cls(repository, resolution, labels)

    @cached_property
    def ids(self) -> list[str]:
        """Of each symbol."""
        return [code_id(self.repository, symbol.path, symbol.key) for symbol in self.resolution.symbols]

    @cached_property
    def _external_ids(self) -> list[str]:
        return list(map(self.external_id, self.resolution.externals))

    def id_of(self, target: int) -> str:
        """Of a symbol or an external."""
        return self.ids[target] if target >= 0 else self._external_ids[~target]

    def external_id(self, dotted: str) -> str:
        return f"{self.repository}:external:{dotted}"

    def name_id(self, name: str) -> str:
        return f"{self.repository}:name:{name}"

    @cached_property
    def names(self) -> list[str]:
        """What calls that stay open are called, each name once."""
        return list(dict.fromkeys(call.name or NO_NAME for call in self.resolution.unresolved))

    @cached_property
    def ends(self) -> Mapping[str, tuple[Numbers, Numbers]]:
        """Both ends of each record, by type; the second of UNRESOLVED is a place in `names`."""
        calls, number = self.resolution.calls, {name: at for at, name in enumerate(self.names)}
        found = {"CALLS": (calls.callers, calls.callees)}
        for kind, given in RECORDS.items():
            records = getattr(self.resolution, given.name)
            ends = (
                map(attrgetter(given.end), records) if given.end else (number[one.name or NO_NAME] for one in records)
            )
            found[kind] = _numbers(map(attrgetter(given.start), records)), _numbers(ends)
        return found

    @cached_property
    def rest(self) -> Mapping[str, NDArray[Any]]:
        """What a relationship takes from each record beside its ends, by type."""
        found = {}
        for kind, given in RECORDS.items():
            if given.rest:
                records = getattr(self.resolution, given.name)
                found[kind] = np.fromiter(map(attrgetter(*given.rest), records), dtype=object, count=len(records))
        return found

    @cached_property
    def pairs(self) -> Mapping[str, Pairs]:
        """What becomes a relationship, by type."""
        return {kind: self._pairs(kind) for kind in self.ends}

    def counts(self) -> dict[str, int]:
        """Relationships by type, where there are any."""
        return {kind: len(pairs) for kind, pairs in self.pairs.items() if len(pairs)}

    def edges(self) -> NumberedEdges:
        """What it joins inside the repository."""
        found = {}
        for kind, pairs in self.pairs.items():
            inside = pairs.ends >= 0
            if kind in EDGES:
                found[kind] = pairs.starts[inside], pairs.ends[inside], pairs.sites[inside]
        return NumberedEdges(self.ids, found)

    def externals(self) -> list[str]:
        """Dotted names of what is used from outside, sorted."""
        used = [ends[ends < 0] for kind, (_, ends) in self.ends.items() if kind != "UNRESOLVED"]
        return sorted({self.resolution.externals[~number] for number in np.unique(np.concatenate(used)).tolist()})

    def chosen(self, symbols: NDArray[np.bool_]) -> Resolved:
        """The same with the records of chosen symbols only."""
        calls = self.resolution.calls
        rows = np.flatnonzero(symbols[calls.callers])
        kept: dict[str, Any] = {"calls": calls.chosen(rows, calls.callers[rows], calls.callees[rows])}
        for kind, given in RECORDS.items():
            records = getattr(self.resolution, given.name)
            kept[given.name] = [records[row] for row in np.flatnonzero(symbols[self.ends[kind][0]]).tolist()]
        return replace(self, resolution=msgspec.structs.replace(self.resolution, **kept))

    def labels_of(self, targets: Numbers) -> NDArray[np.int8]:
        """As `labels`, of symbols and externals."""
        found = np.full(len(targets), _EXTERNAL, dtype=np.int8)
        found[targets >= 0] = self.labels[targets[targets >= 0]]
        return found

    def _pairs(self, kind: str) -> Pairs:
        starts, ends = self.ends[kind]
        ends_are = np.full(len(ends), _NAME) if kind == "UNRESOLVED" else self.labels_of(ends)
        known = (self.labels[starts] >= 0) & (ends_are >= 0)
        if kind == "INHERITS":
            known &= np.isin(ends_are, (ENDS.index("Class"), _EXTERNAL))
        joined = (starts[known].astype(np.int64) << 32) + (ends[known].astype(np.int64) + (1 << 31))
        distinct, number = np.unique(joined, return_inverse=True)
        sites = np.ones(len(distinct), dtype=np.int64)
        if kind == "CALLS":
            sites = np.bincount(number, self.resolution.calls.counts[known], len(distinct)).astype(np.int64)
        found = (distinct >> 32).astype(np.int32), ((distinct & 0xFFFFFFFF) - (1 << 31)).astype(np.int32)
        return Pairs(*found, sites)


def symbols_of_rows(resolution: Resolution, outline: Outline) -> dict[str, Numbers]:
    """The symbol of each row of the outline, by label."""
    modules = {path: start for path, start, _ in resolution.runs()}
    first = _numbers(modules[path] for path in outline.paths)
    rows = {"Module": outline.modules, "Class": outline.classes, "Function": outline.functions}
    return {
        label: first[np.array(found.file, dtype=np.int32)] + np.array(found.at, dtype=np.int32)
        for label, found in rows.items()
    }


def _numbers(numbers: Iterable[int]) -> Numbers:
    return np.fromiter(numbers, dtype=np.int32)
