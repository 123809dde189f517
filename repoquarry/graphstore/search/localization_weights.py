"""Fitted weights of localization, and the reasons of its features.

A score is the sum of weight times feature. Features are between 0 and 1: word scores relative to the best place, names by their rarity.
The fit is a softmax over each issue's candidates, so the difference of two scores is the logarithm of the odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final


def _read_features(text: str, section: str) -> tuple[Mapping[str, float], Mapping[str, str]]:
    """Read the weights and the reasons by feature of a section of localization.tsv."""
    lines = text.partition(f"[{section}]\n")[2].partition("[")[0].splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: float(weight) for name, weight, _ in rows}, {name: reason for name, _, reason in rows if reason}


_TEXT = Path(__file__).with_name("localization.tsv").read_text("utf-8")
FILE_WEIGHTS, FILE_REASONS = _read_features(_TEXT, "files")
"""Weights of files. DEMOTIONS lowers tests, prose and generated files."""

DEFINITION_WEIGHTS, DEFINITION_REASONS = _read_features(_TEXT, "definitions")
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
