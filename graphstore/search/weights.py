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
}
"""Of files. Tests, prose and generated files are demoted beside, see DEMOTIONS."""

DEFINITION_WEIGHTS: Final[Mapping[str, float]] = {
    "words": 3.4,
    "title_words": 0.1,
    "prose_words": 0.8,
    "title_words_of_names": 0.6,
    "title_coverage": 1.7,
    "marked_name": 0.3,
    "title_name": 0.0,
    "title_name_of_class": 0.2,
    "frame": 1.8,
    "dotted": 0.5,
    "quoted_definition": 0.2,
    "phrase": 1.8,
    "graph": 1.2,
    "file": 2.3,
    "class": -2.3,
    "nested": -1.0,
    "size": 1.0,
    "meaning": 0.7,
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
