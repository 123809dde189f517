"""What speaks for each file and definition of one index in a task, as named features: the input of localisation's weights.

Words, names and structure are kept apart here and only weighed in `weights.py`, so that every reason can be told and every
weight fitted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from graphstore.search import lookup
from graphstore.search.compounds import query_terms
from graphstore.search.filters import Mask
from graphstore.search.index import SearchIndex
from graphstore.search.lookup import Names
from graphstore.search.mentions import Mentions
from graphstore.search.phrases import pairs
from graphstore.search.places import CLASS, FUNCTION, Places
from graphstore.search.postings import Postings, inverse_frequency
from graphstore.search.spread import spread
from graphstore.search.vocabulary import Integers, Reals
from graphstore.search.weights import FILE_WEIGHTS, QUOTING, ZONES

_TOP: Final = 3
"""Definitions of a file whose words count for the file."""
_SEEDS: Final = 150
"""Places from which evidence spreads."""
_TEST_SEED: Final = 0.5
"""Evidence of a test against that of code: tests speak the language of issues, and call what they test."""
_MOST_RARE: Final = 9.0
"""A term's rarity is capped here when coverage is measured: one odd word must not decide."""
_FAINT: Final = 8.0
"""BM25 that a best place must reach to count in full: one common word in an otherwise wordless trace is no evidence."""
_LIKEWISE: Final = ("phrase", "meaning", "frame", "dotted", "quoted_definition")
"""Features that a file has from the best of its places."""
_TEMPLATE: Final = re.compile(r"\b(?:def|class|function|func|fn|interface|void)\s+(\w+)")

Features = Mapping[str, Reals]


@dataclass(frozen=True)
class Evidence:
    """Features of the files (files,) and of all places (places,) of one index."""

    files: Features
    places: Features


@dataclass(frozen=True)
class Terms:
    """Weighted terms of a part of the task."""

    numbers: Integers
    weights: Reals
    rarity: Reals

    def score(self, field: Postings) -> Reals:
        return field.score(self.numbers, self.weights)


def gather(index: SearchIndex, mentions: Mentions, meaning: Reals | None) -> Evidence:
    """Collect everything that the task says about each place; `meaning` is the cosine of each place with it."""
    zones = {
        "title": query_terms(mentions.title),
        "prose": query_terms(mentions.prose),
        "code": query_terms(f"{mentions.code}\n{mentions.trace}"),
    }
    names = index.names_lookup
    places = index.places
    live = names.live
    everything = _weighted(index, _said(zones))
    raw = everything.score(index.body) + everything.score(index.names)
    title, prose = _zone(index, zones["title"]), _zone(index, zones["prose"])
    of_places: dict[str, Reals] = {
        "words": _share(raw, live, _FAINT),
        "title_words": _share(title.score(index.body), live, _FAINT),
        "prose_words": _share(prose.score(index.body), live, _FAINT),
        "title_words_of_names": _share(title.score(index.names), live, _FAINT),
        "title_coverage": _coverage(index, title),
        **_named(names, mentions),
        "class": (places.label == CLASS).astype(np.float32),
        "nested": _nested(places),
        "size": (np.log1p(np.maximum(places.end_line - places.start_line, 0)) / 8.0).astype(np.float32),
        "phrase": _quoted(index, mentions, live),
        "meaning": _meaning(meaning, live),
    }
    whole = everything.score(index.whole)
    files = places.file_count
    of_files: dict[str, Reals] = {
        "words_of_definitions": _share(_best_of_file(places, raw, _TOP), live[:files], _FAINT),
        "words_of_best_definition": _share(_best_of_file(places, raw, 1), live[:files], _FAINT),
        "words_of_file": _share(whole, live[:files], _FAINT),
        "title_words_of_file": _share(title.score(index.whole), live[:files], _FAINT),
        "prose_words_of_file": _share(prose.score(index.whole), live[:files], _FAINT),
        "title_words_of_names": of_places["title_words_of_names"][:files],
        "path": lookup.paths(names, mentions),
        "stem": lookup.stems(names, mentions.title_words + mentions.prose_words),
        **{name: _best_of_file(places, of_places[name], 1) for name in _LIKEWISE},
    }
    _add_graph(index, of_places, of_files, live)
    _add_past(index, zones, of_files, live[:files])
    return Evidence(of_files, of_places)


def _named(names: Names, mentions: Mentions) -> dict[str, Reals]:
    """Features of exact look-ups."""
    title_name = lookup.named(names, mentions.title_words)
    return {
        "marked_name": lookup.named(names, mentions.marked_words),
        "title_name": title_name,
        "title_name_of_class": lookup.classes_named(names, title_name),
        "code_name": lookup.named(names, mentions.code_words),
        "frame": lookup.frames(names, mentions),
        "dotted": lookup.dotted(names, mentions),
        "quoted_definition": lookup.named(names, _TEMPLATE.findall(mentions.code)),
    }


def _quoted(index: SearchIndex, mentions: Mentions, live: Mask) -> Reals:
    """How well each place's string literals fit what the task quotes, by pairs of words."""
    said: dict[str, float] = {}
    for zone, weight in QUOTING.items():
        for pair in pairs(getattr(mentions, zone)):
            said[pair] = max(said.get(pair, 0.0), weight)
    return _share(index.phrases.score(said), live, _FAINT)


def _zone(index: SearchIndex, terms: list[str]) -> Terms:
    counts = Counter(terms)
    return _weighted(index, {term: 1.0 + float(np.log(count)) for term, count in counts.items()})


def _weighted(index: SearchIndex, weights: Mapping[str, float]) -> Terms:
    numbers = index.vocabulary.numbers(list(weights))
    held = np.maximum(index.body.frequencies(numbers), index.names.frequencies(numbers))
    rarity = inverse_frequency(held, len(index.places))
    return Terms(numbers, (rarity * np.array(list(weights.values()), dtype=np.float32)).astype(np.float32), rarity)


def _share(scores: Reals, live: Mask, least: float = 0.0) -> Reals:
    """Scores as shares of the best live place's, or of `least` where that is more; what is not live is cut at 1."""
    best = max(float(np.max(scores, where=live, initial=0.0)), least)
    return np.minimum(scores / best, 1.0).astype(np.float32) if best > 0 else np.zeros_like(scores, dtype=np.float32)


def _coverage(index: SearchIndex, terms: Terms) -> Reals:
    """How much of what the terms say, by rarity, each place holds at all, in its text or its names."""
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


def _best_of_file(places: Places, scores: Reals, count: int) -> Reals:
    """Sum of the best `count` scores in each file."""
    rows = np.flatnonzero(scores > 0)
    order = rows[np.lexsort((-scores[rows], places.file[rows]))]
    files = places.file[order]
    rank = np.arange(len(order)) - np.searchsorted(files, files)
    kept = rank < count
    return np.bincount(files[kept], weights=scores[order][kept], minlength=places.file_count).astype(np.float32)


def _nested(places: Places) -> Reals:
    around = np.maximum(places.parent, 0)
    nested: Reals = ((places.parent >= 0) & (places.label[around] == FUNCTION)).astype(np.float32)
    return nested


def _meaning(meaning: Reals | None, live: Mask) -> Reals:
    """Cosines of the near places as shares of the way from the farthest of them to the best live one."""
    near = meaning[meaning > 0] if meaning is not None else np.zeros(0, dtype=np.float32)
    if meaning is None or not len(near):
        return np.zeros(len(live), dtype=np.float32)
    return _share(np.maximum(meaning - near.min(), 0.0), live)


def _add_graph(index: SearchIndex, of_places: dict[str, Reals], of_files: dict[str, Reals], live: Mask) -> None:
    """Let the evidence so far spread, and add what arrives as the feature `graph` of both."""
    places = index.places
    seeds = of_places["words"] * np.where(live, 1.0, np.where(places.is_test, _TEST_SEED, 0.0))
    for name, weight in (
        ("title_name", 1.0),
        ("marked_name", 1.0),
        ("code_name", 0.5),
        ("frame", 1.0),
        ("dotted", 1.0),
    ):
        seeds = seeds + weight * of_places[name]
    seeds[: places.file_count] += np.where(live[: places.file_count], of_files["path"] + of_files["stem"], 0.0)
    if len(seeds) > _SEEDS:
        seeds = np.where(seeds >= np.partition(seeds, -_SEEDS)[-_SEEDS], seeds, 0.0)
    evidence = seeds**2
    total = float(evidence.sum())
    reached = spread(index.steps, (evidence / total).astype(np.float32)) if total else seeds
    reached = np.where(live, reached, 0.0).astype(np.float32)
    of_places["graph"] = _share(np.sqrt(reached), live)
    of_file = np.bincount(places.file, weights=reached, minlength=places.file_count).astype(np.float32)
    of_files["graph"] = _share(np.sqrt(of_file), live[: places.file_count])


def _add_past(index: SearchIndex, zones: Mapping[str, list[str]], of_files: dict[str, Reals], live: Mask) -> None:
    """Add what git remembers: messages of commits that fit the task, and files that changed with the likely ones."""
    spoken = np.where(live, index.past.spoken_of(_said(zones)), 0.0).astype(np.float32)
    likely: Reals = np.sum([FILE_WEIGHTS[name] * values for name, values in of_files.items()], axis=0, dtype=np.float32)
    odds = np.where(live, np.exp(likely - likely.max(initial=0.0)), 0.0)
    changed = index.past.changed_with((odds / max(float(odds.sum()), 1e-9)).astype(np.float32))
    of_files["spoken_of"] = _share(spoken, live, _FAINT)
    of_files["changed_with"] = _share(np.sqrt(np.where(live, changed, 0.0)), live)


def _said(zones: Mapping[str, list[str]]) -> dict[str, float]:
    """The terms of a task, each weighted by the parts that say it."""
    weights: dict[str, float] = {}
    for zone, terms in zones.items():
        for term, count in Counter(terms).items():
            weights[term] = weights.get(term, 0.0) + ZONES[zone] * (1.0 + float(np.log(count)))
    return weights
