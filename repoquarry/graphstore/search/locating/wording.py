"""What the words of a task say: weighted terms of its parts, how much of them a place covers, and words said in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.terms import bigrams, phrases
from repoquarry.graphstore.search.index.terms.compounds import query_terms
from repoquarry.graphstore.search.index.terms.postings import Postings, inverse_frequency
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Reals
from repoquarry.graphstore.search.mentions import Mentions
from repoquarry.graphstore.search.weights import QUOTING, ZONES

_MOST_RARE: Final = 9.0
"""A term's rarity is capped here when coverage is measured: one odd word must not decide."""


@dataclass(frozen=True)
class Terms:
    """Weighted terms of a part of the task."""

    numbers: Integers
    weights: Reals
    rarity: Reals

    def score(self, field: Postings) -> Reals:
        return field.score(self.numbers, self.weights)


@dataclass(frozen=True)
class Wording:
    """The words of a task as an index knows them."""

    said: Mapping[str, float]
    """Every term with its weight, rarity left out."""
    everything: Terms
    title: Terms
    prose: Terms
    messages: Mapping[str, float]
    """Pairs of words as string literals hold them."""
    pairs: Mapping[str, float]
    """Pairs of words as code holds them."""


def read_wording(index: SearchIndex, mentions: Mentions) -> Wording:
    """Look up the words of a task, each weighted by the parts that say it."""
    zones = {
        "title": _counted(mentions.title),
        "prose": _counted(mentions.prose),
        "code": _counted(f"{mentions.code}\n{mentions.trace}"),
    }
    said: dict[str, float] = {}
    for zone, terms in zones.items():
        for term, weight in terms.items():
            said[term] = said.get(term, 0.0) + ZONES[zone] * weight
    return Wording(
        said=said,
        everything=_weighted(index, said),
        title=_weighted(index, zones["title"]),
        prose=_weighted(index, zones["prose"]),
        messages=_said_in_a_row(mentions, phrases.pairs),
        pairs=_said_in_a_row(mentions, bigrams.pairs),
    )


def coverage(index: SearchIndex, terms: Terms) -> Reals:
    """Return for each place how much of what the terms say, by rarity, it holds at all, in its text or its names."""
    covered = np.zeros(len(index.places), dtype=np.float32)
    rarity = np.minimum(terms.rarity, _MOST_RARE)
    for number, weight in zip(terms.numbers.tolist(), rarity.tolist(), strict=True):
        if number < 0:
            continue
        in_text, in_names = index.body.holders(number), index.names.holders(number)
        covered[in_text] += weight
        covered[np.setdiff1d(in_names, in_text, assume_unique=True)] += weight
    share: Reals = covered / np.float32(float(rarity.sum()) or 1.0)
    return share


def _counted(text: str) -> dict[str, float]:
    """The terms of a text; one that is said more than once counts a little more."""
    return {term: 1.0 + float(np.log(count)) for term, count in Counter(query_terms(text)).items()}


def _weighted(index: SearchIndex, weights: Mapping[str, float]) -> Terms:
    numbers = index.vocabulary.numbers(list(weights))
    held = np.maximum(index.body.frequencies(numbers), index.names.frequencies(numbers))
    rarity = inverse_frequency(held, len(index.places))
    return Terms(numbers, (rarity * np.array(list(weights.values()), dtype=np.float32)).astype(np.float32), rarity)


def _said_in_a_row(mentions: Mentions, pairs: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """Pairs of words of a task, each weighted by the part that says it best."""
    said: dict[str, float] = {}
    for zone, weight in QUOTING.items():
        for pair in pairs(getattr(mentions, zone)):
            said[pair] = max(said.get(pair, 0.0), weight)
    return said
