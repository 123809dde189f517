"""Tells why a place was located: its strongest features in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from repoquarry.graphstore.search.locating.features import Evidence
from repoquarry.graphstore.search.weights import DEFINITION_WEIGHTS, FILE_WEIGHTS

MOST: Final = 4
_LEAST: Final = 0.15
"""Weighted evidence below which a reason is not worth telling."""

_EXACT: Final = frozenset({"path", "frame", "dotted", "stem", "quoted_definition", "marked_name"})
"""Told before the others: what the task says by name is the easiest to check."""

_OF_FILES: Final[Mapping[str, str]] = {
    "words_of_definitions": "its definitions share words with the task",
    "words_of_best_definition": "one of its definitions shares many words with the task",
    "words_of_file": "its text shares words with the task",
    "title_words_of_file": "its text holds words of the title",
    "prose_words_of_file": "its text holds words of the description",
    "title_words_of_names": "its path holds words of the title",
    "path": "the task names its path",
    "frame": "it is in the stack trace",
    "dotted": "a dotted name in the task means it",
    "stem": "the task says its name",
    "quoted_definition": "the task quotes one of its definitions",
    "phrase": "the task quotes a message in it",
    "bigrams": "its code has words in a row that the task says in a row",
    "graph": "what the task points at is near to it in the graph",
    "meaning": "it is close in meaning",
    "spoken_of": "messages of commits that touched it share words with the task",
    "changed_with": "it was changed together with other likely files",
    "twin": "the file beside it of the same name is likely",
}
_OF_DEFINITIONS: Final[Mapping[str, str]] = {
    "words": "it shares words with the task",
    "title_words_of_names": "its name or path holds words of the title",
    "title_coverage": "it covers the words of the title",
    "marked_name": "the task names it",
    "frame": "it is in the stack trace",
    "dotted": "a dotted name in the task means it",
    "quoted_definition": "the task quotes it",
    "phrase": "the task quotes a message in it",
    "bigrams": "its code has words in a row that the task says in a row",
    "graph": "what the task points at is near to it in the graph",
    "calls_named": "it calls what the task names",
    "in_base_of_named": "it is in a base class of what the task names",
    "meaning": "it is close in meaning",
    "spoken_of": "messages of commits that touched its file share words with the task",
}


def reasons(evidence: Evidence, place: int, *, is_file: bool) -> tuple[str, ...]:
    """Return at most MOST reasons: names first, then the weightiest."""
    features, weights, words = (
        (evidence.files, FILE_WEIGHTS, _OF_FILES) if is_file else (evidence.places, DEFINITION_WEIGHTS, _OF_DEFINITIONS)
    )
    found = [(name not in _EXACT, -weights[name] * float(features[name][place]), words[name]) for name in words]
    return tuple(text for _, weight, text in sorted(found) if -weight >= _LEAST)[:MOST]
