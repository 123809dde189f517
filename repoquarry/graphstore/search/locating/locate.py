"""From a task in words to the files and definitions that matter, without a language model: the entry point.

Evidence is gathered for every place of the chosen repositories, weighed by one table, and told again as reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.finding.repositories import choose
from repoquarry.graphstore.search.index.meaning import meaning_of
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.places import DOCUMENT, LABELS
from repoquarry.graphstore.search.index.terms.compounds import terms as split_terms
from repoquarry.graphstore.search.index.terms.vocabulary import Reals
from repoquarry.graphstore.search.library import Library
from repoquarry.graphstore.search.locating.features import Evidence, Features, gather
from repoquarry.graphstore.search.locating.reasons import reasons
from repoquarry.graphstore.search.mentions import read_mentions
from repoquarry.graphstore.search.requests import LocateAnswer, LocatedPlace, LocateRequest
from repoquarry.graphstore.search.weights import DEFINITION_WEIGHTS, DEMOTIONS, FILE_WEIGHTS


@dataclass(frozen=True)
class Tables:
    """The weights in use; others than the fitted ones are for measuring what a part of the evidence is worth."""

    files: Mapping[str, float] = field(default_factory=lambda: FILE_WEIGHTS)
    definitions: Mapping[str, float] = field(default_factory=lambda: DEFINITION_WEIGHTS)

    def without(self, *features: str) -> Tables:
        """These tables with the weights of some features set to 0."""
        files, definitions = (
            {name: 0.0 if name in features else weight for name, weight in table.items()}
            for table in (self.files, self.definitions)
        )
        return Tables(files, definitions)


FITTED: Final = Tables()
_FAR_BEHIND: Final = 5.0
"""A file that scores this much less than the best one gives its definitions nothing."""


@dataclass(frozen=True)
class Ranking:
    """Scores of one index: of its files (files,) and of all its places (places,), with what they are made of."""

    index: SearchIndex
    evidence: Evidence
    files: Reals
    places: Reals


def locate(library: Library, request: LocateRequest) -> LocateAnswer:
    """Return the files and definitions that matter for a task, best first.

    Raises: QueryRefusedError for an empty text; NotFoundError for an unknown repository.
    """
    if not request.text.strip():
        raise QueryRefusedError("the task is empty", reason="empty_query")
    names = choose(library, request.repositories, list(dict.fromkeys(split_terms(request.text))))
    rankings = [rank(library, library.indexes.open(name), request.text) for name in names]
    files = [place for ranking in rankings for place in _best_files(ranking, request.max_files)]
    definitions = [place for ranking in rankings for place in _best_definitions(ranking, request.max_definitions)]
    return LocateAnswer(
        tuple(sorted(files, key=lambda place: (-place.score, place.id))[: request.max_files]),
        tuple(sorted(definitions, key=lambda place: (-place.score, place.id))[: request.max_definitions]),
        tuple(names),
    )


def rank(library: Library, index: SearchIndex, text: str) -> Ranking:
    """Score every place of one index for a task."""
    mentions = read_mentions(text)
    meaning = meaning_of(index, mentions.title, library.embedder)
    return rank_by(index, gather(index, mentions, meaning), FITTED)


def rank_by(index: SearchIndex, evidence: Evidence, tables: Tables) -> Ranking:
    """Score every place of one index by its evidence."""
    demotion = _demotion(index)
    files = weigh(evidence.files, tables.files) + demotion[: index.places.file_count]
    best = float(files.max(initial=0.0))
    of_file = np.maximum(1.0 - (best - files) / _FAR_BEHIND, 0.0).astype(np.float32)[index.places.file]
    places = weigh({**evidence.places, "file": of_file}, tables.definitions) + demotion
    return Ranking(index, evidence, files, places)


def weigh(features: Features, weights: Mapping[str, float]) -> Reals:
    """Return the sum of weight times feature."""
    parts = [weight * features[name] for name, weight in weights.items() if weight]
    total: Reals = np.sum(parts, axis=0, dtype=np.float32)
    return total


def _demotion(index: SearchIndex) -> Reals:
    places = index.places
    lost = np.where(places.is_test, DEMOTIONS["test"], 0.0) + np.where(places.is_generated, DEMOTIONS["generated"], 0.0)
    lost = lost + np.where(index.names_lookup.samples[places.file], DEMOTIONS["sample"], 0.0)
    return (lost + np.where(places.label == DOCUMENT, DEMOTIONS["prose"], 0.0)).astype(np.float32)


def _best_files(ranking: Ranking, count: int) -> list[LocatedPlace]:
    order = np.argsort(-ranking.files, kind="stable")[:count]
    return [_located(ranking, place, float(ranking.files[place])) for place in order.tolist()]


def _best_definitions(ranking: Ranking, count: int) -> list[LocatedPlace]:
    first = ranking.index.places.file_count
    order = first + np.argsort(-ranking.places[first:], kind="stable")[:count]
    return [_located(ranking, place, float(ranking.places[place])) for place in order.tolist()]


def _located(ranking: Ranking, place: int, score: float) -> LocatedPlace:
    places = ranking.index.places
    return LocatedPlace(
        id=places.id(place),
        repository=ranking.index.repository,
        label=LABELS[places.label[place]],
        path=places.path(place),
        qualname=places.qualname(place),
        start_line=int(places.start_line[place]),
        end_line=int(places.end_line[place]),
        score=score,
        reasons=reasons(ranking.evidence, place, is_file=place < places.file_count),
    )
