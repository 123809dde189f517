"""Two resolutions of one repository -> the files whose relationships may differ between them.

Numbers of symbols and externals move with every definition that comes or goes, so those of the older resolution are told in numbers of the
newer one first. Then a file whose records are equal, one after the other, has equal relationships; any other may have different ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repoquarry.ingest.graph.resolved import RECORDS, Resolved
from repoquarry.ingest.resolution.calls import Calls, Numbers

_GONE: Final = -(1 << 31)
"""Stands for what the newer resolution does not have; no symbol or external has this number."""

Chosen = NDArray[np.bool_]


def differing(old: Resolved, new: Resolved) -> tuple[Chosen, Chosen]:
    """For the symbols of each resolution whether they lie in a file whose relationships may differ."""
    files = _Files.of(old, new)
    moved = _Moved(files.symbols, _moved_externals(old.resolution.externals, new.resolution.externals))
    _compare_calls(files, moved, old.resolution.calls, new.resolution.calls)
    for kind, given in RECORDS.items():
        (before, before_ends), (after, after_ends) = old.ends[kind], new.ends[kind]
        rows = files.rows(before, after)
        files.compare(rows, moved(before), after)
        if given.end:
            files.compare(rows, moved(before_ends), after_ends)
        if given.rest:
            files.compare(rows, old.rest[kind], new.rest[kind])
    return files.unequal()


class _Rows(NamedTuple):
    """Rows of the one resolution, each beside that of the other which stands at its place in the same file."""

    old: NDArray[np.int64]
    new: NDArray[np.int64]
    file: NDArray[np.int64]


@dataclass(frozen=True)
class _Files:
    """The files that both have with equal definitions, and which of them were equal in all that was compared."""

    old: NDArray[np.int64]
    """Where each begins and ends among the old symbols: (files, 2)."""
    new: NDArray[np.int64]
    """As `old`, among the new ones."""
    symbols: Numbers
    """For each old symbol its new number, also of those in other files; `_GONE` for what is not the same any more."""
    among: int
    """How many new symbols there are in all."""
    equal: NDArray[np.bool_]

    @classmethod
    def of(cls, old: Resolved, new: Resolved) -> _Files:
        now = {path: (start, end) for path, start, end in new.resolution.runs()}
        moved = np.full(len(old.labels), _GONE, dtype=np.int32)
        found: list[tuple[int, int, int, int]] = []
        for path, start, end in old.resolution.runs():
            first, last = now.get(path, (0, 0))
            if old.resolution.symbols[start:end] == new.resolution.symbols[first:last]:
                numbers = np.arange(first, last, dtype=np.int32)
                moved[start:end] = np.where(old.labels[start:end] == new.labels[first:last], numbers, _GONE)
                found.append((start, end, first, last))
            else:
                _move_some(moved, old, new, range(start, end), range(first, last))
        bounds = np.array(found, dtype=np.int64).reshape(-1, 4)
        return cls(bounds[:, :2], bounds[:, 2:], moved, len(new.labels), np.ones(len(bounds), dtype=np.bool_))

    def rows(self, old: Numbers, new: Numbers) -> _Rows:
        """The rows of equal files, given by the symbols that they belong to; with another number of rows a file is not equal."""
        orders = [_order(symbols) for symbols in (old, new)]
        cuts = [
            np.searchsorted(symbols[order], bounds)
            for symbols, order, bounds in zip((old, new), orders, (self.old, self.new), strict=True)
        ]
        sizes = [found[:, 1] - found[:, 0] for found in cuts]
        self.equal[sizes[0] != sizes[1]] = False
        files = np.flatnonzero(self.equal)
        size = sizes[0][files]
        inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        before, after = (
            order[np.repeat(found[files, 0], size) + inside] for order, found in zip(orders, cuts, strict=True)
        )
        return _Rows(before, after, np.repeat(files, size))

    def compare(self, rows: _Rows, old: NDArray[Any], new: NDArray[Any]) -> None:
        """A file is equal no longer where a row of it has another value."""
        self.equal[rows.file[old[rows.old] != new[rows.new]]] = False

    def unequal(self) -> tuple[Chosen, Chosen]:
        """The symbols of all other files on either side."""
        found = np.ones(len(self.symbols), dtype=np.bool_), np.ones(self.among, dtype=np.bool_)
        for chosen, bounds in zip(found, (self.old, self.new), strict=True):
            for start, end in bounds[self.equal].tolist():
                chosen[start:end] = False
        return found


def _order(symbols: Numbers) -> NDArray[np.int64]:
    """The rows by symbol; sorted already, as a rule."""
    if (symbols[1:] >= symbols[:-1]).all():
        return np.arange(len(symbols))
    return np.argsort(symbols, kind="stable")


class _Moved(NamedTuple):
    """New numbers of what the older resolution numbers."""

    symbols: Numbers
    externals: Numbers

    def __call__(self, numbers: Numbers) -> Numbers:
        found = np.empty(len(numbers), dtype=np.int32)
        inside = numbers >= 0
        found[inside] = self.symbols[numbers[inside]]
        found[~inside] = self.externals[~numbers[~inside]]
        return found


def _compare_calls(files: _Files, moved: _Moved, old: Calls, new: Calls) -> None:
    rows = files.rows(old.callers, new.callers)
    rules = {rule: at for at, rule in enumerate(dict.fromkeys((*old.rules, *new.rules)))}
    one, two = (np.array([rules[rule] for rule in calls.rules], dtype=np.int32)[calls.rule_of] for calls in (old, new))
    for before, after in (
        (moved(old.callers), new.callers),
        (moved(old.callees), new.callees),
        (one, two),
        (old.counts, new.counts),
    ):
        files.compare(rows, before, after)
    rows = files.rows(old.callers, new.callers)  # those of equal files have as many lines each
    lines = [calls.lines_of(at)[1] for calls, at in ((old, rows.old), (new, rows.new))]
    at = np.arange(len(lines[0]))
    files.compare(_Rows(at, at, np.repeat(rows.file, old.counts[rows.old])), *lines)


def _move_some(moved: Numbers, old: Resolved, new: Resolved, before: range, after: range) -> None:
    """New numbers of those symbols of a file that it still has, as what they were."""
    now = {new.resolution.symbols[at].key: at for at in after}
    for at in before:
        found = now.get(old.resolution.symbols[at].key, _GONE)
        if found != _GONE and old.labels[at] == new.labels[found]:
            moved[at] = found


def _moved_externals(old: Sequence[str], new: Sequence[str]) -> Numbers:
    """The same for externals; the second of a name, which another family of languages knows too, becomes the second."""
    now: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(new):
        now[name].append(~at)
    return np.fromiter((now[name].pop(0) if now[name] else _GONE for name in old), dtype=np.int32, count=len(old))
