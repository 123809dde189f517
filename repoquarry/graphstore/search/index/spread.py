"""Spreads evidence over the graph: personalised PageRank from the places that a task points at.

A callee of what an issue talks about is often the place to change although the issue shares no word with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.places import EDGES, Places
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Reals
from repoquarry.graphstore.search.weights import STEPS

_DAMPING: Final = 0.5
"""Low, as only the near neighbourhood of the evidence matters. Source of the method: Haveliwala, Topic-Sensitive PageRank, 2002."""
_ROUNDS: Final = 8
"""0.5 to the 8th is 0.4 %: what later rounds could still move."""


@dataclass(frozen=True)
class Steps:
    """All steps of the walk: from a place to a place, with the probability of taking it."""

    start: Integers
    end: Integers
    probability: Reals


def steps(places: Places) -> Steps:
    """Make the steps of all edges, both ways; one towards a place that many others point at says less."""
    kinds = np.array([STEPS[kind] for kind in EDGES], dtype=np.float32)[places.edge_kind]
    strength = np.log2(1.0 + places.edge_weight)
    popularity = np.sqrt(np.bincount(places.edge_end, minlength=len(places)))[places.edge_end]
    forward, backward = kinds[:, 0] * strength / np.maximum(popularity, 1.0), kinds[:, 1] * strength
    start = np.concatenate([places.edge_start, places.edge_end])
    end = np.concatenate([places.edge_end, places.edge_start])
    weight = np.concatenate([forward, backward])
    total = np.bincount(start, weights=weight, minlength=len(places))
    return Steps(start, end, (weight / np.maximum(total[start], 1e-9)).astype(np.float32))


def spread(walk: Steps, evidence: Reals) -> Reals:
    """Return how much of the evidence each place has after the walk; `evidence` sums to 1."""
    reached = evidence
    for _ in range(_ROUNDS):
        moved = np.bincount(walk.end, weights=walk.probability * reached[walk.start], minlength=len(evidence))
        reached = ((1.0 - _DAMPING) * evidence + _DAMPING * moved).astype(np.float32)
    return reached
