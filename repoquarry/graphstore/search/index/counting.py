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

from repoquarry.graphstore.search.index.bigrams import BigramCounter
from repoquarry.graphstore.search.index.compounds import WORD
from repoquarry.graphstore.search.index.filters import Mask
from repoquarry.graphstore.search.index.postings import Triples
from repoquarry.graphstore.search.index.vocabulary import Integers, WordNumbers

_BREAK: Final = "\n"
_TOKEN: Final = re.compile(f"{WORD}|{_BREAK}")
_BLOCK_WORDS: Final = 1 << 20


@dataclass(frozen=True)
class WordCounts:
    """How often each word occurs in the lines of each place, documentation apart; one row for each such pair, or several."""

    owners: Integers
    words: Integers
    counts: Integers
    documented: Mask
    known: WordNumbers

    @property
    def rows(self) -> Triples:
        return self.owners, self.words, self.counts

    @property
    def code_rows(self) -> Triples:
        """Rows of what is not documentation."""
        code = ~self.documented
        return self.owners[code], self.words[code], self.counts[code]


class WordCounter:
    """Counts (place, word) pairs block by block, so that memory does not grow with the repository's text."""

    def __init__(self) -> None:
        self.known = WordNumbers()
        self.bigrams = BigramCounter(self.known)
        self._break = self.known[_BREAK]
        self._words: list[Integers] = []
        self._owners: list[Integers] = []
        self._documented: list[Mask] = []
        self._waiting = 0
        self._counted: list[NDArray[np.int64]] = []
        self._counts: list[Integers] = []

    def add(self, text: str, owners: Integers, documented: Mask) -> None:
        """Count the words of a file; for each of its lines, `owners` names the place and `documented` says what it is."""
        words = np.array([self.known[word] for word in _TOKEN.findall(text)], dtype=np.int32)
        line = np.cumsum(words == self._break)
        self._words += [words, np.array([self._break], dtype=np.int32)]
        self._owners += [owners[line], owners[-1:]]
        self._documented += [documented[line], documented[-1:]]
        self._waiting += len(words) + 1
        if self._waiting > _BLOCK_WORDS:
            self._flush()

    def _flush(self) -> None:
        words, owners = np.concatenate(self._words), np.concatenate(self._owners)
        documented = np.concatenate(self._documented)
        lines = np.cumsum(words == self._break)
        kept = words != self._break
        code = kept & ~documented
        self.bigrams.add(owners[code], words[code], lines[code])
        keys = (owners[kept].astype(np.int64) << 32) | (words[kept].astype(np.int64) << 1) | documented[kept]
        keys, counts = np.unique(keys, return_counts=True)
        self._counted.append(keys)
        self._counts.append(counts.astype(np.int32))
        self._words, self._owners, self._documented, self._waiting = [], [], [], 0

    def finish(self) -> WordCounts:
        """Return what was counted; nothing may be added afterwards."""
        if self._words:
            self._flush()
        keys = np.concatenate([np.zeros(0, dtype=np.int64), *self._counted])
        counts = np.concatenate([np.zeros(0, dtype=np.int32), *self._counts])
        self._counted, self._counts = [], []
        words = ((keys & 0xFFFFFFFF) >> 1).astype(np.int32)
        return WordCounts((keys >> 32).astype(np.int32), words, counts, (keys & 1).astype(np.bool_), self.known)
