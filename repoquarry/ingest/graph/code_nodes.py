"""Modules, classes and functions as nodes, with DEFINES between them: the part of assembly that reads definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from repoquarry.ingest.files.documents import first_sentences
from repoquarry.ingest.graph.docstrings import MAX_SUMMARY, first_paragraph, first_sentence
from repoquarry.ingest.graph.ids import code_id
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Nodes, Place, Relationships, known
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.registry import load


@dataclass(frozen=True)
class Places:
    """Where the things that resolution talks of stand in the graph."""

    by_symbol: tuple[Place | None, ...]
    """For each of `Resolution.symbols`; None for what is no longer among the files."""
    by_key: Mapping[tuple[str, str], Place]
    """(path, key) -> node; the key is empty for the module."""


def add_code(parts: Parts, nodes: Nodes, relationships: Relationships) -> Places:
    """Add all modules and what they define."""
    names = {module.path: module.name for module in parts.resolution.modules}
    entries, outline = _entry_points(parts), parts.outline
    for facts in parts.files:
        _add_module(parts, facts, names.get(facts.path, ""), entries.get((facts.path, ""), []), nodes)
    _add_classes(parts, entries, nodes)
    _add_functions(parts, entries, nodes)
    for labels, (starts, ends) in outline.defines.items():
        relationships.add_all("DEFINES", labels, starts, ends)
    symbols = tuple(outline.places.get((symbol.path, symbol.key)) for symbol in parts.resolution.symbols)
    return Places(symbols, outline.places)


def _add_module(parts: Parts, facts: FileFacts, name: str, entries: list[str], nodes: Nodes) -> None:
    score = parts.scores.modules[facts.path]
    counts = module_counts(facts)
    commits = len(parts.history.commits_of(facts.path)) if parts.history.commits else None
    nodes.add(
        "Module",
        code_id(parts.origin.repository, facts.path),
        name or facts.path,
        path=facts.path,
        start_line=1,
        end_line=max(1, facts.loc),
        language=facts.language,
        calls_resolved=load(facts.language).has_calls,
        is_test=facts.path in parts.scores.tests,
        lines=facts.loc,
        hash=parts.hashes[facts.path],
        is_generated=facts.path in parts.generated,
        parse_errors=len(facts.parse_errors),
        parses=not facts.parse_errors,
        branches=facts.branches,
        importance=score.importance,
        dependency=score.dependency,
        complexity=score.complexity,
        usage=score.usage,
        semantic=score.semantic,
        documentation=score.documentation,
        history=score.history,
        inward=score.inward,
        outward=score.outward,
        commits=commits,
        **counts,
        **known(
            {
                "docstring": first_paragraph(facts.docstring),
                "summary": _module_summary(facts),
                "exports": list(facts.exports or ()),
                "entry_points": entries,
            }
        ),
    )


def module_counts(facts: FileFacts) -> dict[str, int]:
    """Statistics as GitTaskBench's Table 5 counts them: asynchronous functions left out, equal names once.

    The table walks syntax trees breadth first and keeps what it meets last: of functions with one name, calls are those of the most deeply
    indented one, and of several such of the last.
    """
    classes: set[str] = set()
    functions: dict[tuple[str, str], Definition] = {}
    inside = {definition.key: definition for definition in facts.definitions}
    for definition in facts.definitions:
        if definition.kind == "class":
            classes.update([definition.name] if definition.form != "namespace" else ())
        elif definition.kind != "lambda" and not definition.is_async:
            parent = inside.get(definition.parent)
            owner = parent.name if parent is not None and parent.kind == "class" else ""
            other = functions.get((owner, definition.name))
            if other is None or definition.indent >= other.indent:
                functions[owner, definition.name] = definition
    return {
        "import_count": sum(entry.at_module_level for entry in facts.imports),
        "class_count": len(classes),
        "function_count": len(functions),
        "call_count": sum(definition.calls for definition in functions.values()),
    }


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


def _add_functions(parts: Parts, entries: Mapping[tuple[str, str], list[str]], nodes: Nodes) -> None:
    rows, sites = parts.outline.functions, parts.scores.sites
    if not rows.keys:
        return
    incoming, outgoing = dict(sites.places(sites.incoming())), dict(sites.places(sites.outgoing()))
    nodes.add_all(
        "Function",
        {
            **rows.columns,
            "calls_in": [incoming.get(key, 0) for key in rows.keys],
            "calls_out": [outgoing.get(key, 0) for key in rows.keys],
            "is_test": [path in parts.scores.tests for path, _ in rows.keys],
            "entry_points": [entries.get(key) or None for key in rows.keys],
        },
    )


def _entry_points(parts: Parts) -> dict[tuple[str, str], list[str]]:
    """How definitions are reached from outside: what resolution saw, and the scripts that manifests declare."""
    found: dict[tuple[str, str], set[str]] = {}
    for entry in parts.resolution.entry_points:
        place = parts.resolution.path_key(entry.target)
        if place:
            found.setdefault(place, set()).add(f"{entry.kind}: {entry.name}" if entry.name else entry.kind)
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


def _module_summary(facts: FileFacts) -> str | None:
    """The docstring's first sentence; without one, what the file mainly defines."""
    if sentence := first_sentence(facts.docstring):
        return sentence
    outer = [definition for definition in facts.definitions if not definition.parent and definition.kind != "lambda"]
    outer.sort(key=lambda definition: (definition.kind != "class", definition.start_line - definition.end_line))
    names = list(dict.fromkeys(definition.name for definition in outer))
    if not names:
        return None
    rest = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return first_sentences(f"Defines {', '.join(names[:5])}{rest}.", MAX_SUMMARY)
