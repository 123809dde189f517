"""Where the definitions of one file stand: what its text is cut along, known from its facts as well as from the finished graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from repoquarry.graphstore.search.index.terms.vocabulary import Integers

MODULUS = (1 << 31) - 1


@dataclass(frozen=True)
class Standing:
    """The definitions of a file, outer ones first. Inside a file its places are numbered: 0 is the file, then its definitions."""

    path: str
    keys: Sequence[str]
    """What follows `::` in the id."""
    summaries: Sequence[str]
    """How the documentation of each begins; empty where there is none."""
    start_lines: Integers
    end_lines: Integers
    parents: Integers
    """Number of the place around each."""
    functions: Integers
    """1 for functions, 0 for classes."""

    def __len__(self) -> int:
        """Places: the file and its definitions."""
        return 1 + len(self.keys)

    def qualname(self, place: int) -> str:
        """Empty for the file itself."""
        return self.keys[place - 1].split("#", 1)[0] if place else ""

    def owners(self, lines: int) -> Integers:
        """(lines,) the innermost place of each line."""
        owners = np.zeros(lines, dtype=np.int32)
        for place, (start, end) in enumerate(zip(self.start_lines.tolist(), self.end_lines.tolist(), strict=True), 1):
            owners[start - 1 : end] = place
        return owners

    def digest(self) -> int:
        """A number of the lines and of what holds what: texts that were cut along another standing are recognised by it."""
        rows = (self.start_lines, self.end_lines, self.parents, self.functions)
        return int(mixed(*(row.astype(np.int64) for row in rows), np.arange(1, len(self))).sum() % MODULUS)


def line_starts(text: str) -> list[int]:
    """Where each line of a text begins, and one behind where a further one would."""
    raw = text.encode() if text.isascii() else text.encode("utf-32-le", "surrogatepass")
    breaks = np.flatnonzero(np.frombuffer(raw, np.uint8 if text.isascii() else "<u4") == ord("\n"))
    return [0, *(breaks + 1).tolist(), len(text) + 1]


def mixed(*columns: np.ndarray) -> np.ndarray:
    """One number for each row, for sums that tell sets of rows apart."""
    total = np.zeros(len(columns[0]), dtype=np.int64)
    for factor, column in zip((1_000_003, 65_599, 8_191, 131, 31), columns, strict=True):
        total = (total + column * factor) * 37 % MODULUS
    return total
