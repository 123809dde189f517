"""Pairs of words that stand side by side in code: a task that says two of them in a row is nearly always about that place.

Source of the idea: the ordered bigrams of Metzler and Croft, A Markov Random Field Model for Term Dependencies, 2005. Code
breaks at the end of a line only, as what is said in prose as "field choices" may be a name, a call or an assignment. Counting
works on number arrays, since there are as many pairs as words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.compounds import words as split_words
from repoquarry.graphstore.search.index.pairs import PairIndex
from repoquarry.graphstore.search.index.postings import collect
from repoquarry.graphstore.search.index.runs import runs
from repoquarry.graphstore.search.index.vocabulary import Digests, Integers, Reals, Vocabulary, WordNumbers, digests
from repoquarry.graphstore.text import word_terms

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2 to the 64th over the golden ratio: what a pair's first term is multiplied by, so that order matters."""


def pairs(text: str) -> Iterator[str]:
    """Pairs of the terms of a text that follow each other in a line, function words left out."""
    for line in text.split("\n"):
        terms = [term for word in split_words(line) for term in word_terms(word)]
        yield from (f"{first} {second}" for first, second in pairwise(terms))


class Bigrams(PairIndex):
    """Which places hold which pairs."""

    NAME = "bigrams"

    def score(self, weights: Mapping[str, float]) -> Reals:
        """Return (places,) the sum of weight times rarity of the pairs that each place holds."""
        said = [pair.split(" ") for pair in weights]
        wanted = _join(digests(first for first, _ in said), digests(second for _, second in said))
        numbers = self.vocabulary.of_digests(wanted)
        scores = np.zeros(len(self.postings.lengths), dtype=np.float32)
        for number, weight, rarity in zip(
            numbers.tolist(), weights.values(), self.postings.rarity(numbers).tolist(), strict=True
        ):
            if number >= 0:
                scores[self.postings.holders(number)] += weight * rarity
        return scores


class BigramCounter:
    """Collects the pairs of blocks of words; keeps each pair of a place once."""

    def __init__(self, known: WordNumbers) -> None:
        self._known = known
        self._terms = WordNumbers()
        self._digests = digests(())
        self._first, self._flat = array("i", [0]), array("i")
        self._owners: list[Integers] = []
        self._pairs: list[Digests] = []

    def add(self, owners: Integers, words: Integers, lines: Integers) -> None:
        """Count the pairs of words in their order; `lines` tells the lines of a block apart."""
        self._learn()
        chosen, repeats = runs(words, np.array(self._first, dtype=np.int32))
        terms = self._digests[np.array(self._flat, dtype=np.int32)[chosen]]
        owners, lines = np.repeat(owners, repeats), np.repeat(lines, repeats)
        side_by_side = np.flatnonzero(lines[1:] == lines[:-1])
        found, holders = _join(terms[side_by_side], terms[side_by_side + 1]), owners[side_by_side]
        _, kept = np.unique(_join(found, holders.astype(np.uint64)), return_index=True)
        self._owners.append(holders[kept])
        self._pairs.append(found[kept])

    def finish(self, places: int) -> Bigrams:
        """What was counted, for places numbered up to `places`."""
        owners = np.concatenate([np.zeros(0, dtype=np.int32), *self._owners])
        found = np.concatenate([np.zeros(0, dtype=np.uint64), *self._pairs])
        distinct, numbers = np.unique(found, return_inverse=True)
        ones = np.ones(len(owners), dtype=np.int32)
        postings = collect(owners, numbers.astype(np.int32), ones, (places, len(distinct)))
        return Bigrams(Vocabulary(distinct), postings)

    def _learn(self) -> None:
        """Take the terms of words that are new since the last block."""
        for word in islice(self._known, len(self._first) - 1, None):
            self._flat.extend(map(self._terms.__getitem__, word_terms(word)))
            self._first.append(len(self._flat))
        new = list(islice(self._terms, len(self._digests), None))
        self._digests = np.concatenate([self._digests, digests(new)])


def _join(first: Digests, second: Digests) -> Digests:
    """One digest for each ordered pair."""
    return first * _ODD + second
