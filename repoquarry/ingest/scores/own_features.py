"""What scores take from each file's facts alone, made while the resolver is at work: the part of scoring that need not wait for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from repoquarry.ingest.scores.tests_apart import TestSigns
from repoquarry.languages.facts import FileFacts

Place = tuple[str, str]
"""(path, key) of a definition."""

_BRANCHES: Final = 50.0
_INDENT, _LEVELS, _DEPTH_WEIGHT = 4.0, 5.0, 0.3
_KEY_WORD_IN: Final = re.compile("main|core|engine|api|service|processor|factory|builder|scheduler|config")
_DOC_LENGTH, _DOC_WEIGHT = 200.0, 0.7
_DOC_PARTS: Final = (
    (re.compile(r"^\s*(?:args|arguments|param(?:eter)?s)\b\s*:?\s*$|[:@]param\b|\bargs:", re.I | re.M), 0.15),
    (re.compile(r"^\s*returns?\b\s*:|^\s*returns?\s*$|[:@]returns?\b", re.I | re.M), 0.15),
    (re.compile(r"^\s*examples?\b\s*:|^\s*examples?\s*$|@example\b|^\s*>>> ", re.I | re.M), 0.1),
)
_NEVER_CORE: Final = frozenset({"namespace", "anonymous class"})


@dataclass(frozen=True)
class OwnFeatures:
    """Of all files; the dictionaries of places have classes, or classes and their methods, in the files' order."""

    complexity: Mapping[str, float]
    """By path."""
    documentation: Mapping[str, float]
    """By path."""
    telling: frozenset[str]
    """Paths of files that have a function whose name holds a key word."""
    methods: Mapping[Place, int]
    """Of every class how many methods it has."""
    owner: Mapping[Place, Place]
    """The class of every class, and of every method of a class that stands before it."""
    members: frozenset[Place]
    """All classes and methods."""
    never_core: frozenset[Place]
    """Classes that are none of the core classes: a namespace, as it only holds what is, and one without a name."""
    tests: TestSigns

    @classmethod
    def of(cls, files: Sequence[FileFacts]) -> OwnFeatures:
        found = _Classes()
        for facts in files:
            found.add(facts)
        return cls(
            {facts.path: _complexity(facts) for facts in files},
            {facts.path: documentation(facts.docstring) for facts in files},
            frozenset(facts.path for facts in files if _has_telling_function(facts)),
            found.methods,
            found.owner,
            frozenset(found.members),
            frozenset(found.never_core),
            TestSigns.of(files),
        )


@dataclass
class _Classes:
    methods: dict[Place, int] = field(default_factory=dict)
    owner: dict[Place, Place] = field(default_factory=dict)
    members: set[Place] = field(default_factory=set)
    never_core: set[Place] = field(default_factory=set)

    def add(self, facts: FileFacts) -> None:
        path, methods = facts.path, self.methods
        for definition in facts.definitions:
            if definition.kind not in ("class", "method"):
                continue
            place, above = (path, definition.key), (path, definition.parent)
            self.members.add(place)
            if definition.kind == "class":
                methods[place] = 0
                self.owner[place] = place
                if definition.form in _NEVER_CORE:
                    self.never_core.add(place)
            elif above in methods:
                methods[above] += 1
                self.owner[place] = above


def documentation(docstring: str) -> float:
    """Length up to 200 characters, and whether parameters, results and examples are told."""
    if not docstring:
        return 0.0
    parts = sum(worth for pattern, worth in _DOC_PARTS if pattern.search(docstring))
    return min(min(len(docstring) / _DOC_LENGTH, 1.0) * _DOC_WEIGHT + parts, 1.0)


def has_key_word(name: str) -> bool:
    """Whether a name holds one of the words by which the paper knows what is central."""
    return _KEY_WORD_IN.search(name.lower()) is not None


def _complexity(facts: FileFacts) -> float:
    depth = min(facts.deepest_indent / _INDENT / _LEVELS, 1.0) * _DEPTH_WEIGHT
    return min(facts.branches / _BRANCHES, 1.0) + depth


def _has_telling_function(facts: FileFacts) -> bool:
    return any(
        has_key_word(definition.name) for definition in facts.definitions if definition.kind in ("function", "method")
    )
