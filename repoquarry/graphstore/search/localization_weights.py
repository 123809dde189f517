"""Fitted weights of localization.

A score is the sum of weight times feature. Features are between 0 and 1: word scores relative to the best place, names by their rarity.
The fit is a softmax over each issue's candidates, so the difference of two scores is the logarithm of the odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FILE_WEIGHTS: Final[Mapping[str, float]] = {
    "words_of_definitions": 1.7,
    "words_of_best_definition": 1.9,
    "words_of_file": 0.4,
    "title_words_of_file": 1.6,
    "prose_words_of_file": 1.0,
    "title_words_of_names": 1.0,
    "path": 0.5,
    "frame": 1.1,
    "dotted": 0.9,
    "stem": 0.1,
    "quoted_definition": 0.7,
    "phrase": 0.4,
    "bigrams": 1.5,
    "graph": 0.2,
    "meaning": 1.5,
    "spoken_of": 1.7,
    "changed_with": 0.6,
    "twin": 1.0,
}
"""Weights of files. DEMOTIONS lowers tests, prose and generated files."""

DEFINITION_WEIGHTS: Final[Mapping[str, float]] = {
    "words": 2.2,
    "title_words_of_names": 1.1,
    "title_coverage": 1.2,
    "marked_name": 0.3,
    "frame": 1.0,
    "dotted": 0.8,
    "quoted_definition": 0.8,
    "phrase": 0.5,
    "bigrams": 2.1,
    "graph": 1.0,
    "calls_named": 0.6,
    "in_base_of_named": 0.8,
    "file": 0.5,
    "class": -1.2,
    "bare_class": 1.2,
    "nested": -1.4,
    "size": 1.7,
    "meaning": 1.9,
    "spoken_of": 1.1,
}
"""Weights of classes and functions; `file` is the relative score of the enclosing file."""

DEMOTIONS: Final[Mapping[str, float]] = {"test": -6.0, "prose": -6.0, "generated": -3.0, "sample": -2.0}
"""Added to the score of files that are rarely the place to change. Not fitted: the development issues never name such places."""

ZONES: Final[Mapping[str, float]] = {"title": 2.0, "prose": 1.0, "code": 0.6}
"""Weight of a word by the part of the task that contains it."""

QUOTING: Final[Mapping[str, float]] = {"title": 1.0, "prose": 1.0, "trace": 1.0, "code": 0.5}
"""Weight of a pair of words as a quoted message by the part of the task that contains it."""

STEPS: Final[Mapping[str, tuple[float, float]]] = {
    "DEFINES": (0.3, 0.6),
    "CALLS": (1.0, 0.6),
    "INHERITS": (0.7, 0.5),
    "OVERRIDES": (0.5, 0.5),
    "REFERENCES": (0.4, 0.2),
    "IMPORTS": (0.3, 0.1),
}
"""Weight of one relationship when the graph is walked in its direction and against it."""
