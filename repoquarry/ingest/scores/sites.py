"""The calls and imports that join two places of a repository, as number arrays.

Scores and counts sum up a hundred thousand calls in several ways; on arrays each sum costs a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from repoquarry.ingest.resolution import LIKELY, Resolution, Symbol

Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Sites:
    """Calls whose callee is inside the repository, as sure as `LIKELY` at least; `callers` and `callees` are numbers of `symbols`."""

    symbols: Sequence[Symbol]
    """As in the resolution."""
    paths: Sequence[str]
    """The files that symbols lie in, sorted."""
    file_of: Numbers
    """For each symbol the number of its file in `paths`."""
    callers: Numbers
    callees: Numbers
    counts: Numbers
    """Call sites."""

    @classmethod
    def of(cls, resolution: Resolution) -> Sites:
        runs = list(resolution.runs())
        paths = sorted(path for path, _, _ in runs)
        number = {path: position for position, path in enumerate(paths)}
        files = np.array([number[path] for path, _, _ in runs], dtype=np.int64)
        file_of = np.repeat(files, np.array([end - start for _, start, end in runs], dtype=np.int64))
        calls = resolution.calls
        sure = np.flatnonzero((calls.callees >= 0) & (calls.confidences >= LIKELY))
        callers, callees, counts = (
            column[sure].astype(np.int64) for column in (calls.callers, calls.callees, calls.counts)
        )
        return cls(resolution.symbols, paths, file_of, callers, callees, counts)

    @cached_property
    def by_files(self) -> Sequence[tuple[tuple[str, str], int]]:
        """((calling path, called path), call sites) of each such pair of files."""
        pairs = self.file_of[self.callers] * len(self.paths) + self.file_of[self.callees]
        distinct, number = np.unique(pairs, return_inverse=True)
        counts = np.bincount(number, weights=self.counts, minlength=len(distinct)).astype(np.int64).tolist()
        callers, callees = (part.tolist() for part in divmod(distinct, max(1, len(self.paths))))
        return [
            ((self.paths[one], self.paths[two]), count)
            for one, two, count in zip(callers, callees, counts, strict=True)
        ]

    def incoming(self) -> Numbers:
        """For each symbol how many sites call it."""
        return self._summed(self.callees, self.counts)

    def outgoing(self) -> Numbers:
        """For each symbol how many of its sites call something inside the repository."""
        return self._summed(self.callers, self.counts)

    def incoming_between_files(self) -> Numbers:
        """For each symbol how many sites in other files call it."""
        across = self.file_of[self.callers] != self.file_of[self.callees]
        return self._summed(self.callees[across], self.counts[across])

    def places(self, counts: Numbers) -> Iterator[tuple[tuple[str, str], int]]:
        """((path, key), count) of the symbols that a count by symbol is not 0 for."""
        numbers = np.flatnonzero(counts)
        for number, count in zip(numbers.tolist(), counts[numbers].tolist(), strict=True):
            symbol = self.symbols[number]
            yield (symbol.path, symbol.key), count

    def _summed(self, symbols: Numbers, counts: Numbers) -> Numbers:
        # sums of whole numbers in floats are exact
        return np.bincount(symbols, weights=counts, minlength=len(self.file_of)).astype(np.int64)
