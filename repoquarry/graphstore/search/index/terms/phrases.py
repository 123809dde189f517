"""Messages that code writes, by the pairs of words that follow each other in its string literals.

Who reports an error quotes its message. Its single words are common, two of them in a row are nearly always this message:
pairs find the place that raises it, although a placeholder stands where the report has a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.terms.pairs import PairIndex
from repoquarry.graphstore.search.index.terms.vocabulary import Reals
from repoquarry.graphstore.text import word_terms

_BREAK: Final = re.compile(r"[\n.;:!?|]+")
"""Words on both sides of these do not follow each other."""
_WORD: Final = re.compile(r"[^\W\d_]\w*")


def pairs(text: str) -> Iterator[str]:
    """Pairs of the words of a text that follow each other, function words left out."""
    for part in _BREAK.split(text):
        words = [term for word in _WORD.findall(part) for term in word_terms(word)]
        yield from (f"{first} {second}" for first, second in pairwise(words))


class Phrases(PairIndex):
    """Which places hold which pairs in their string literals."""

    NAME = "phrases"

    def score(self, weights: Mapping[str, float]) -> Reals:
        """Return BM25 of each place for weighted pairs."""
        numbers = self.vocabulary.numbers(list(weights))
        rarity = self.postings.rarity(numbers)
        return self.postings.score(numbers, (rarity * np.array(list(weights.values()))).astype(np.float32))
