"""Compressed columns: what belongs to number n lies in `flat[first[n]:first[n + 1]]`."""

from __future__ import annotations

import numpy as np

from repoquarry.graphstore.search.index.terms.vocabulary import Integers


def runs(numbers: Integers, first: Integers) -> tuple[Integers, Integers]:
    """Return the positions of each number's run in the flat column, and how long each run is."""
    repeats = first[numbers + 1] - first[numbers]
    return np.repeat(first[numbers], repeats) + _ramp(repeats), repeats


def _ramp(lengths: Integers) -> Integers:
    """Return 0..n-1 for each length n, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return (np.arange(total) - np.repeat(ends - lengths, lengths)).astype(np.int32)
