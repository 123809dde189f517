"""Modules, classes and functions as nodes, with DEFINES between them: what resolution and scores say of each beside its outline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Nodes, Relationships
from repoquarry.ingest.resolution.calls import Numbers
from repoquarry.ingest.scores.importance import ModuleScore

_FEATURES = tuple(feature.name for feature in fields(ModuleScore))


def add_code(parts: Parts, symbols: Mapping[str, Numbers], nodes: Nodes, relationships: Relationships) -> None:
    """Add all modules and what they define; `symbols` as `symbols_of_rows` gives them."""
    entries, outline = _entry_points(parts), parts.outline
    _add_modules(parts, entries, nodes)
    _add_classes(parts, entries, nodes)
    _add_functions(parts, symbols["Function"], entries, nodes)
    for labels, (starts, ends) in outline.defines.items():
        relationships.add_all("DEFINES", labels, starts, ends)


def _add_modules(parts: Parts, entries: Mapping[tuple[str, str], list[str]], nodes: Nodes) -> None:
    rows, scores, history = parts.outline.modules, parts.scores, parts.history
    paths = [path for path, _ in rows.keys]
    if not paths:  # nor columns, where no file could be read
        return
    names = {module.path: module.name for module in parts.resolution.modules}
    own = [scores.modules[path] for path in paths]
    nodes.add_all(
        "Module",
        {
            **rows.columns,
            "name": [names.get(path) or path for path in paths],
            "is_test": [path in scores.tests for path in paths],
            "hash": [parts.hashes[path] for path in paths],
            "is_generated": [path in parts.generated for path in paths],
            "commits": [len(history.commits_of(path)) if history.commits else None for path in paths],
            "entry_points": [entries.get(key) or None for key in rows.keys],
            **{feature: [getattr(score, feature) for score in own] for feature in _FEATURES},
        },
    )


def _add_classes(parts: Parts, entries: Mapping[tuple[str, str], list[str]], nodes: Nodes) -> None:
    rows = parts.outline.classes
    if not rows.keys:  # nor columns, where no file could be read
        return
    scores = [parts.scores.classes[key] for key in rows.keys]
    nodes.add_all(
        "Class",
        {
            **rows.columns,
            "methods": [score.methods for score in scores],
            "calls_in": [score.calls_in for score in scores],
            "importance": [score.importance for score in scores],
            "is_core": [score.is_core for score in scores],
            "is_test": [path in parts.scores.tests for path, _ in rows.keys],
            "entry_points": [entries.get(key) or None for key in rows.keys],
        },
    )


def _add_functions(parts: Parts, symbols: Numbers, entries: Mapping[tuple[str, str], list[str]], nodes: Nodes) -> None:
    rows, sites = parts.outline.functions, parts.scores.sites
    if not rows.keys:
        return
    nodes.add_all(
        "Function",
        {
            **rows.columns,
            "calls_in": sites.incoming()[symbols].tolist(),
            "calls_out": sites.outgoing()[symbols].tolist(),
            "is_test": [path in parts.scores.tests for path, _ in rows.keys],
            "entry_points": [entries.get(key) or None for key in rows.keys],
        },
    )


def _entry_points(parts: Parts) -> dict[tuple[str, str], list[str]]:
    """How definitions are reached from outside: what resolution saw, and the scripts that manifests declare."""
    targets: dict[int, set[str]] = {}
    for entry in parts.resolution.entry_points:
        targets.setdefault(entry.target, set()).add(f"{entry.kind}: {entry.name}" if entry.name else entry.kind)
    found = {place: told for target, told in targets.items() if (place := parts.resolution.path_key(target))}
    paths = {module.name: module.path for module in parts.resolution.modules}
    paths_of_files = set(paths.values()) | {facts.path for facts in parts.files}
    for script, target in parts.packages.scripts.items():
        module, _, attribute = target.split("[")[0].strip().partition(":")
        if module in paths:
            found.setdefault((paths[module], attribute.strip()), set()).add(f"console_script: {script}")
    for (kind, name), path in parts.packages.programs.items():
        if path in paths_of_files:
            found.setdefault((path, ""), set()).add(f"{kind}: {name}")
    return {place: sorted(entries) for place, entries in found.items()}
