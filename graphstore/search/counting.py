"""Counts the words of source texts by the place that they belong to.

A file is cut into words once, line breaks among them, so that the words of any stretch of lines are a slice; all counting happens
on number arrays, because a Python object for each of several million words would cost more than the rest of indexing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphstore.search.compounds import WORD
from graphstore.search.vocabulary import Integers, WordNumbers

_BREAK: Final = "\n"
_TOKEN: Final = re.compile(f"{WORD}|{_BREAK}")
_BLOCK_WORDS: Final = 1 << 20


@dataclass(frozen=True)
class WordCounts:
    """How often each word occurs in the lines of each place; one row for each such pair, or several."""

    owners: Integers
    words: Integers
    counts: Integers
    known: WordNumbers


class WordCounter:
    """Counts (place, word) pairs block by block, so that memory does not grow with the repository's text."""

    def __init__(self) -> None:
        self.known = WordNumbers()
        self._break = self.known[_BREAK]
        self._block: list[NDArray[np.int64]] = []
        self._waiting = 0
        self._counted: list[tuple[Integers, Integers, Integers]] = []

    def add(self, text: str, owners: Integers) -> None:
        """Count the words of a file; `owners` names the place that each of its lines belongs to."""
        words = np.array([self.known[word] for word in _TOKEN.findall(text)], dtype=np.int64)
        breaks = words == self._break
        keys = (owners.astype(np.int64) << 32)[np.cumsum(breaks)] | words
        self._block.append(keys[~breaks])
        self._waiting += len(words)
        if self._waiting > _BLOCK_WORDS:
            self._flush()

    def _flush(self) -> None:
        keys, counts = np.unique(np.concatenate(self._block), return_counts=True)
        numbers = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32)
        self._counted.append(numbers)
        self._block, self._waiting = [], 0

    def finish(self) -> WordCounts:
        """Return what was counted; nothing may be added afterwards."""
        if self._block:
            self._flush()
        empty = np.zeros(0, dtype=np.int32)
        owners, words, counts = map(np.concatenate, zip(*self._counted or [(empty, empty, empty)], strict=True))
        self._counted = []
        return WordCounts(owners, words, counts, self.known)
