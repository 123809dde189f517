"""Localization: rank files and definitions for a task, with reasons.

Evidence is collected for every place of the selected repositories, weighted by one table, and reported as reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.places import DOCUMENT, LABELS
from repoquarry.graphstore.search.index.postings import Reals
from repoquarry.graphstore.search.index.search_index import SearchIndex, find_semantic_scores
from repoquarry.graphstore.search.index.term_extraction import extract_terms
from repoquarry.graphstore.search.localization_features import (
    DEFINITION_REASONS,
    DEFINITION_WEIGHTS,
    DEMOTIONS,
    FILE_REASONS,
    FILE_WEIGHTS,
    Evidence,
    Features,
    gather,
)
from repoquarry.graphstore.search.mentions import extract_mentions
from repoquarry.graphstore.search.requests import LocateAnswer, LocatedPlace, LocateRequest, RankingFeature
from repoquarry.graphstore.search.retrieval import select_repositories

MAX_REASONS: Final = 4
_MIN_EVIDENCE: Final = 0.15
"""Minimum weighted evidence of a reported reason."""

_EXACT: Final = frozenset({"path", "frame", "dotted", "stem", "quoted_definition", "marked_name"})
"""Reported first: explicit names in the task are the easiest to verify."""


def reasons(evidence: Evidence, place: int, *, is_file: bool) -> tuple[str, ...]:
    """Return at most MAX_REASONS reasons: names first, then the highest weights."""
    features, weights, words = (
        (evidence.files, FILE_WEIGHTS, FILE_REASONS)
        if is_file
        else (evidence.places, DEFINITION_WEIGHTS, DEFINITION_REASONS)
    )
    found = [(name not in _EXACT, -weights[name] * float(features[name][place]), words[name]) for name in words]
    return tuple(text for _, weight, text in sorted(found) if -weight >= _MIN_EVIDENCE)[:MAX_REASONS]


_FAR_BEHIND: Final = 5.0
"""Score difference to the best file beyond which a file contributes nothing to its definitions."""


_BEST_DEFINITION: Final = "best_definition"
_JOINT_WEIGHT: Final = 0.5
"""Weight of the best definition of a file among the evidence for the file."""


@dataclass(frozen=True)
class LocalizationScores:
    """Scores of one index: of its files (files,) and of all its places (places,), with their evidence."""

    index: SearchIndex
    evidence: Evidence
    files: Reals
    places: Reals
    derived: Evidence
    """Features that follow from scores or kinds of files: demotions, the file of a definition, the best definition of a file."""

    def explain(self, place: int) -> tuple[RankingFeature, ...]:
        """Return all features of a file or definition in the order of the tables."""
        if place < self.index.places.file_count:
            weights, features = FILE_WEIGHTS, {**self.evidence.files, **self.derived.files}
        else:
            weights, features = DEFINITION_WEIGHTS, {**self.evidence.places, **self.derived.places}
        known = {**weights, **DEMOTIONS, _BEST_DEFINITION: _JOINT_WEIGHT}
        return tuple(
            RankingFeature(name, float(features[name][place]), weight)
            for name, weight in known.items()
            if name in features
        )


def locate(library: SearchBackend, request: LocateRequest) -> LocateAnswer:
    """Return the files and definitions that are relevant for a task, best first.

    Raises: QueryRefusedError for an empty text; NotFoundError for an unknown repository.
    """
    if not request.text.strip():
        raise QueryRefusedError("the task is empty", reason="empty_query")
    names = select_repositories(library, request.repositories, list(dict.fromkeys(extract_terms(request.text))))
    rankings = [rank(library, library.indexes.open(name), request.text) for name in names]
    files = [place for ranking in rankings for place in _best_files(ranking, request)]
    definitions = [place for ranking in rankings for place in _best_definitions(ranking, request)]
    return LocateAnswer(
        tuple(sorted(files, key=lambda place: (-place.score, place.id))[: request.max_files]),
        tuple(sorted(definitions, key=lambda place: (-place.score, place.id))[: request.max_definitions]),
        tuple(names),
    )


def rank(library: SearchBackend, index: SearchIndex, text: str) -> LocalizationScores:
    mentions = extract_mentions(text)
    meaning = find_semantic_scores(library, index, mentions.title)
    return rank_by(index, gather(index, mentions, meaning))


def rank_by(index: SearchIndex, evidence: Evidence) -> LocalizationScores:
    count, demoted = index.places.file_count, _demotions(index)
    demotion = weighted_sum(demoted, DEMOTIONS)
    files = weighted_sum(evidence.files, FILE_WEIGHTS) + demotion[:count]
    best = float(files.max(initial=0.0))
    of_file = np.maximum(1.0 - (best - files) / _FAR_BEHIND, 0.0).astype(np.float32)[index.places.file]
    places = weighted_sum({**evidence.places, "file": of_file}, DEFINITION_WEIGHTS) + demotion
    joint = _joint(index, places)
    derived = Evidence(
        {**{name: values[:count] for name, values in demoted.items()}, _BEST_DEFINITION: joint},
        {**demoted, "file": of_file},
    )
    return LocalizationScores(index, evidence, files + np.float32(_JOINT_WEIGHT) * joint, places, derived)


def _joint(index: SearchIndex, places: Reals) -> Reals:
    """Return the evidence of definitions for their files: the best definition of each file relative to the first of all."""
    first = index.places.file_count
    if first == len(index.places):
        return np.zeros(first, dtype=np.float32)
    best = np.full(first, -np.inf, dtype=np.float32)
    np.maximum.at(best, index.places.file[first:], places[first:])
    joint: Reals = np.maximum(best - float(places[first:].max()), -_FAR_BEHIND).astype(np.float32)
    return joint


def weighted_sum(features: Features, weights: Mapping[str, float]) -> Reals:
    parts = [weight * features[name] for name, weight in weights.items() if weight]
    total: Reals = np.sum(parts, axis=0, dtype=np.float32)
    return total


def _demotions(index: SearchIndex) -> Features:
    """Return 1 for each place of a kind that is rarely the place to change, by the kinds of DEMOTIONS."""
    places, names = index.places, index.names_lookup
    kinds = {
        "test": places.is_test,
        "prose": places.label == DOCUMENT,
        "generated": places.is_generated,
        "sample": names.samples[places.file],
        "bundled": names.bundled[places.file] | names.wrappers,
    }
    return {name: mask.astype(np.float32) for name, mask in kinds.items()}


def _best_files(ranking: LocalizationScores, request: LocateRequest) -> list[LocatedPlace]:
    order = np.argsort(-ranking.files, kind="stable")[: request.max_files]
    return [_located(ranking, place, float(ranking.files[place]), request) for place in order.tolist()]


def _best_definitions(ranking: LocalizationScores, request: LocateRequest) -> list[LocatedPlace]:
    first = ranking.index.places.file_count
    order = first + np.argsort(-ranking.places[first:], kind="stable")[: request.max_definitions]
    return [_located(ranking, place, float(ranking.places[place]), request) for place in order.tolist()]


def _located(ranking: LocalizationScores, place: int, score: float, request: LocateRequest) -> LocatedPlace:
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
        features=ranking.explain(place) if request.explain else (),
    )
