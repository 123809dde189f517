"""Pairs of words that stand side by side in code: a task that says two of them in a row is nearly always about that place.

Source of the idea: the ordered bigrams of Metzler and Croft, A Markov Random Field Model for Term Dependencies, 2005. Code
breaks at the end of a line only, as what is said in prose as "field choices" may be a name, a call or an assignment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.terms.compounds import words as split_words
from repoquarry.graphstore.search.index.terms.pairs import PairIndex
from repoquarry.graphstore.search.index.terms.vocabulary import Digests, Reals, digests
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
        wanted = join(digests(first for first, _ in said), digests(second for _, second in said))
        numbers = self.vocabulary.of_digests(wanted)
        scores = np.zeros(len(self.postings.lengths), dtype=np.float32)
        for number, weight, rarity in zip(
            numbers.tolist(), weights.values(), self.postings.rarity(numbers).tolist(), strict=True
        ):
            if number >= 0:
                scores[self.postings.holders(number)] += weight * rarity
        return scores


def join(first: Digests, second: Digests) -> Digests:
    """One digest for each ordered pair."""
    return first * _ODD + second
