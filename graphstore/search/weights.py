"""The weights of localisation, in one table: fitted by tests/benchmarks/fit_localisation.py, cross-validated by repository.

A score is the sum of weight times feature. Features are between 0 and 1: word scores as shares of the best place's, names by
their rarity. The fit is a softmax over each issue's candidates, so the difference of two scores is the logarithm of the odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FILE_WEIGHTS: Final[Mapping[str, float]] = {
    "words_of_definitions": 5.6,
    "words_of_best_definition": 0.8,
    "words_of_file": 0.7,
    "title_words_of_file": 2.1,
    "prose_words_of_file": 0.2,
    "title_words_of_names": 1.0,
    "path": 1.0,
    "frame": 2.0,
    "dotted": 0.4,
    "stem": 0.4,
    "quoted_definition": 0.3,
    "phrase": 1.6,
    "graph": 1.0,
    "meaning": 1.0,
    "spoken_of": 0.5,
    "changed_with": 0.5,
    "bigrams": 0.0,
}
"""Of files. Tests, prose and generated files are demoted beside, see DEMOTIONS."""

DEFINITION_WEIGHTS: Final[Mapping[str, float]] = {
    "words": 2.97,
    "title_words_of_names": 0.89,
    "title_coverage": 0.72,
    "marked_name": 0.51,
    "frame": 1.5,
    "dotted": 0.39,
    "quoted_definition": 0.44,
    "phrase": 1.31,
    "bigrams": 1.96,
    "graph": 0.49,
    "calls_named": 0.81,
    "in_base_of_named": 1.04,
    "file": 0.35,
    "class": -2.9,
    "nested": -1.55,
    "size": 1.37,
    "meaning": 1.72,
    "spoken_of": 1.34,
}
"""Of classes and functions; `file` is the score of the file around, as a share."""

DEMOTIONS: Final[Mapping[str, float]] = {"test": -6.0, "prose": -6.0, "generated": -3.0, "sample": -2.0}
"""Added to the score of what is rarely the place to change. Not fitted: the development issues never name such places."""

ZONES: Final[Mapping[str, float]] = {"title": 2.0, "prose": 1.0, "code": 0.6}
"""How much a word counts by the part of the task that says it."""

QUOTING: Final[Mapping[str, float]] = {"title": 1.0, "prose": 1.0, "trace": 1.0, "code": 0.5}
"""How much a pair of words counts as a quoted message by the part of the task that says it."""

STEPS: Final[Mapping[str, tuple[float, float]]] = {
    "DEFINES": (0.3, 0.6),
    "CALLS": (1.0, 0.6),
    "INHERITS": (0.7, 0.5),
    "OVERRIDES": (0.5, 0.5),
    "REFERENCES": (0.4, 0.2),
    "IMPORTS": (0.3, 0.1),
}
"""Weight of one relationship when the graph is walked along it and against it."""
