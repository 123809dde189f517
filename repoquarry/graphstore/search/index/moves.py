"""Where places of an earlier index, and of files that were read anew, stand in the next one.

Places are numbered files first, in path order, then definitions file by file. A file that did not change keeps the order of its places, so
an earlier place gets its new number by a shift for each file, and what was sorted by number stays so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from repoquarry.graphstore.search.index.terms.vocabulary import Integers


@dataclass(frozen=True)
class Numbers:
    """Numbers in the next index, of files and of places; -1 for what is not taken over."""

    files: Integers
    places: Integers

    @property
    def taken(self) -> np.ndarray:
        """Places that are taken over, as their earlier numbers."""
        return np.flatnonzero(self.places >= 0)


@dataclass(frozen=True)
class Moves:
    """How two sets of files become one index."""

    sizes: Mapping[str, int]
    """Places of each file of the next index, in path order."""
    earlier: Numbers
    """By the numbers of the earlier index."""
    anew: Numbers
    """By the numbers that the other files have among themselves."""

    @classmethod
    def of(cls, earlier: Mapping[str, int], kept: frozenset[str], anew: Mapping[str, int]) -> Moves:
        """`earlier` and `anew` are files in path order with their places; of the former those in `kept` are taken over."""
        found = {path: size for path, size in earlier.items() if path in kept} | dict(anew)
        sizes = {path: found[path] for path in sorted(found)}
        number = {path: at for at, path in enumerate(sizes)}
        first = _first(list(sizes.values()))
        old = [number[path] if path in kept else -1 for path in earlier]
        return cls(
            sizes,
            _numbers(list(earlier.values()), old, first),
            _numbers(list(anew.values()), [number[path] for path in anew], first),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Files and places of the next index."""
        return len(self.sizes), sum(self.sizes.values())


def _first(sizes: Sequence[int]) -> np.ndarray:
    """Number of each file's first definition."""
    definitions = np.array(sizes, dtype=np.int64) - 1
    first: np.ndarray = len(sizes) + np.cumsum(definitions) - definitions
    return first


def _numbers(sizes: Sequence[int], files: Sequence[int], first: np.ndarray) -> Numbers:
    to = np.array(files, dtype=np.int64)
    definitions = np.array(sizes, dtype=np.int64) - 1
    shift = np.where(to >= 0, first[to] if len(first) else 0, 0) - _first(sizes)
    own = np.arange(len(sizes), len(sizes) + int(definitions.sum()))
    places = np.where(np.repeat(to >= 0, definitions), own + np.repeat(shift, definitions), -1)
    return Numbers(to.astype(np.int32), np.concatenate([to, places]).astype(np.int32))
