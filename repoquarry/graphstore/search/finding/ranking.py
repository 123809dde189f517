"""Scores the places of one index for a query: keywords, meaning, or both together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.filters import Mask
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.terms.compounds import terms as split_terms
from repoquarry.graphstore.search.index.terms.postings import inverse_frequency
from repoquarry.graphstore.search.index.terms.vocabulary import Reals

NAMES_WEIGHT: Final = 0.7
"""Of BM25 over names against BM25 over text."""
SEMANTIC_WEIGHT: Final = 0.5
"""Of meaning against keywords, both as multiples of their standard deviation over the best _POOL places."""
TEST_DISCOUNT: Final = 0.35
"""Share of its score that a place in the tests loses: a test repeats the words of what it tests."""
_POOL: Final = 200


@dataclass(frozen=True)
class Query:
    """The terms of a query with their number and, over all searched indexes, their rarity."""

    text: str
    terms: tuple[str, ...]
    repeats: Reals
    rarity: Reals

    @property
    def weights(self) -> Reals:
        weights: Reals = self.rarity * self.repeats
        return weights

    @property
    def by_term(self) -> Mapping[str, float]:
        return dict(zip(self.terms, self.weights.tolist(), strict=True))


def read_query(text: str, indexes: Sequence[SearchIndex]) -> Query:
    """Split a query; a term that is said more than once counts a little more."""
    counts = Counter(split_terms(text))
    terms = tuple(counts)
    held = np.zeros(len(terms), dtype=np.int32)
    for index in indexes:
        numbers = index.vocabulary.numbers(terms)
        held += np.maximum(index.body.frequencies(numbers), index.names.frequencies(numbers))
    documents = sum(len(index.places) for index in indexes)
    repeats = (1.0 + np.log(np.array(list(counts.values()) or [1], dtype=np.float32)))[: len(terms)]
    return Query(text, terms, repeats.astype(np.float32), inverse_frequency(held, documents))


@dataclass(frozen=True)
class Scores:
    """Parts of the score of each place, in the order in which they are explained; `total` is their sum."""

    parts: Mapping[str, Reals]
    total: Reals = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", np.sum(list(self.parts.values()), axis=0, dtype=np.float32))

    def explain(self, place: int) -> tuple[tuple[str, float], ...]:
        """The parts that are not zero."""
        return tuple((name, float(part[place])) for name, part in self.parts.items() if part[place])


def keyword_scores(index: SearchIndex, query: Query) -> dict[str, Reals]:
    """Return BM25 over names and over text of each place."""
    numbers = index.vocabulary.numbers(query.terms)
    return {
        "names": NAMES_WEIGHT * index.names.score(numbers, query.weights),
        "text": index.body.score(numbers, query.weights),
    }


def fuse(keyword: dict[str, Reals], semantic: Reals | None, mask: Mask) -> Scores:
    """Add keyword parts and meaning on one scale, and drop what the filters do not let through.

    Raw BM25 grows with the query and cosines do not, so each is measured in standard deviations of its best places.
    """
    if semantic is None:
        return Scores({name: np.where(mask, part, 0.0).astype(np.float32) for name, part in keyword.items()})
    scale = _spread(np.where(mask, np.sum(list(keyword.values()), axis=0), 0.0)) if keyword else 1.0
    near = semantic[mask & (semantic > 0)]
    middle, width = (float(near.min()), _spread(near)) if len(near) else (0.0, 1.0)
    share = SEMANTIC_WEIGHT if keyword else 1.0
    parts = {
        name: np.where(mask, (1.0 - share) * part / scale, 0.0).astype(np.float32) for name, part in keyword.items()
    }
    meaning = np.maximum(semantic - middle, 0.0) / width
    parts["meaning"] = np.where(mask, share * meaning, 0.0).astype(np.float32)
    return Scores(parts)


def discount_tests(scores: Scores, is_test: Mask) -> Scores:
    """Take TEST_DISCOUNT off what belongs to the tests, as a part of its own."""
    loss = np.where(is_test, -TEST_DISCOUNT * scores.total, 0.0).astype(np.float32)
    return Scores({**scores.parts, "test": loss})


def _spread(scores: Reals) -> float:
    if not len(scores):
        return 1.0
    best = np.partition(scores, -_POOL)[-_POOL:] if len(scores) > _POOL else scores
    return float(np.std(best)) or 1.0
