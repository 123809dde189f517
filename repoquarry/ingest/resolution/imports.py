"""Imports alone, for languages whose calls are not resolved: which file or outside package each of them names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from repoquarry.ingest.resolution.model import Calls, EntryPoint, Export, ImportEdge, Resolution, Symbol
from repoquarry.languages.facts import FileFacts, Import
from repoquarry.languages.modules import Modules
from repoquarry.languages.registry import load


def symbols_of(files: Sequence[FileFacts]) -> list[Symbol]:
    """The symbols of files as `Resolution` numbers them: for each file the module, then its definitions."""
    return [
        Symbol(facts.path, key)
        for facts in files
        for key in ("", *(definition.key for definition in facts.definitions))
    ]


def import_edges(files: Sequence[FileFacts], modules: Modules) -> Resolution:
    """A resolution that holds symbols, modules and what imports lead to, as `modules.targets` says."""
    starts, count = [], 0
    for facts in files:
        starts.append(count)
        count += 1 + len(facts.definitions)
    externals: dict[str, int] = {}
    found: dict[tuple[int, int, str], tuple[set[str], set[int]]] = defaultdict(lambda: (set(), set()))
    for unit, facts in enumerate(files):
        for entry in facts.imports:
            for target in _targets(unit, entry, modules, starts, externals):
                names, lines = found[starts[unit], target, entry.how]
                names.update([entry.name] if entry.name else ())
                lines.add(entry.line)
    imports = [
        ImportEdge(source, target, tuple(sorted(names)), tuple(sorted(lines)), how)
        for (source, target, how), (names, lines) in sorted(found.items())
    ]
    return Resolution(
        symbols=symbols_of(files),
        externals=list(externals),
        modules=list(modules.infos),
        imports=imports,
        calls=Calls.of([]),
        unresolved=[],
        inherits=[],
        overrides=[],
        references=[],
        exports=_exports(files, starts),
        entry_points=_entry_points(files, starts),
        budget_hit=False,
    )


def _targets(unit: int, entry: Import, modules: Modules, starts: Sequence[int], externals: dict[str, int]) -> list[int]:
    """Symbols of the files that an import names, or the complement of an external's number; nothing
    for a folder without members, and where the language says nothing."""
    key = unit, entry.module, entry.level
    if key not in modules.targets:
        return []
    place = modules.targets[key]
    if isinstance(place, int):
        return [starts[place]] if place != unit else []
    if isinstance(place, str):
        return [starts[member] for member in modules.members.get(place, ()) if member != unit]
    return [~externals.setdefault(entry.module, len(externals))] if entry.module else []


def _exports(files: Sequence[FileFacts], starts: Sequence[int]) -> list[Export]:
    """What files say that they export, where they define it."""
    return sorted(
        (
            Export(starts[unit], definition.name, starts[unit] + 1 + at)
            for unit, facts in enumerate(files)
            if facts.exports
            for at, definition in enumerate(facts.definitions)
            if not definition.parent and definition.name in facts.exports
        ),
        key=lambda export: (export.module, export.name, export.target),
    )


def _entry_points(files: Sequence[FileFacts], starts: Sequence[int]) -> list[EntryPoint]:
    """What is started from outside by its name, place or decorators."""
    found: set[tuple[int, str, str]] = set()
    for start, facts in zip(starts, files, strict=True):
        found.update((start, kind, text) for kind, text, _ in facts.entry_points)
        entry_points = load(facts.language).entry_points
        for symbol, definition in enumerate(facts.definitions, start + 1):
            found.update((symbol, kind, text) for kind, text in entry_points(facts, definition, False))
    return [EntryPoint(*entry) for entry in sorted(found)]
