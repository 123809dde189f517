"""What edges take from facts alone: made while the kernel solves, which leaves Python and another core alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from repoquarry.ingest.resolution.imports import symbols_of
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import load

Entry = tuple[int, str, str]
"""(symbol, kind, name), as `EntryPoint`."""


class Imported(NamedTuple):
    """One import as it is written."""

    source: int
    """Symbol of its module."""
    how: str
    name: str
    line: int


class Member(NamedTuple):
    """What a definition in a class is started as; that follows from whether the class is one of tests."""

    parent: int
    plain: tuple[Entry, ...]
    in_test: tuple[Entry, ...]


class Beforehand:
    """Symbols, imports and entry points of files, as far as they do not follow from values."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.symbols = symbols_of(files)
        self.imports: list[Imported] = []
        self.started: set[Entry] = set()
        self.members: list[Member] = []
        module = 0
        for facts in files:
            self._add_entry_points(facts, module)
            self.imports += [Imported(module, one.how, one.name, one.line) for one in facts.imports]
            module += 1 + len(facts.definitions)

    def _add_entry_points(self, facts: FileFacts, module: int) -> None:
        self.started.update((module, kind, text) for kind, text, _ in facts.entry_points)
        entry_points = load(facts.language).entry_points
        keys: dict[str, int] = {}
        for symbol, definition in enumerate(facts.definitions, module + 1):
            keys[definition.key] = symbol
            plain = tuple((symbol, kind, text) for kind, text in entry_points(facts, definition, False))
            parent = keys.get(definition.parent)
            if parent is None:
                self.started.update(plain)
                continue
            in_test = tuple((symbol, kind, text) for kind, text in entry_points(facts, definition, True))
            if plain or in_test:
                self.members.append(Member(parent, plain, in_test))

    def entry_points(self, test_classes: set[int]) -> set[Entry]:
        """What is started by its name and place."""
        found = self.started.copy()
        for parent, plain, in_test in self.members:
            found.update(in_test if parent in test_classes else plain)
        return found
