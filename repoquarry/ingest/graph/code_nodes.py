"""Modules, classes and functions as nodes, with DEFINES between them: the part of assembly that reads definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from repoquarry.graphstore.model.records import Cell
from repoquarry.ingest.files.documents import first_sentences
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Nodes, Place, Relationships, code_id, known
from repoquarry.ingest.scores.importance import ClassScore
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.registry import load

_MAX_DOCSTRING = 1_000
_MAX_SIGNATURE = 2_000
_MAX_SUMMARY = 200


@dataclass(frozen=True)
class Places:
    """Where the things that resolution talks of stand in the graph."""

    by_symbol: tuple[Place | None, ...]
    """For each of `Resolution.symbols`; None for what is no longer among the files."""
    by_key: Mapping[tuple[str, str], Place]
    """(path, key) -> node; the key is empty for the module."""


@dataclass(frozen=True)
class _Calls:
    """Call sites by (path, key)."""

    incoming: Mapping[tuple[str, str], int]
    outgoing: Mapping[tuple[str, str], int]


def add_code(parts: Parts, nodes: Nodes, relationships: Relationships) -> Places:
    """Add all modules and what they define."""
    names = {module.path: module.name for module in parts.resolution.modules}
    calls = _count_calls(parts)
    entries = _entry_points(parts)
    by_key: dict[tuple[str, str], Place] = {}
    for facts in parts.files:
        by_key[facts.path, ""] = _add_module(
            parts, facts, names.get(facts.path, ""), entries.get((facts.path, ""), []), nodes
        )
        test = facts.path in parts.tests
        for definition in facts.definitions:
            place = facts.path, definition.key
            node_id = code_id(parts.origin.repository, facts.path, definition.key)
            common = _common(facts, definition, test, entries.get(place, []))
            if definition.kind == "class":
                own = _class_properties(parts.classes[place], definition)
                by_key[place] = nodes.add("Class", node_id, definition.name, **common, **own)
            else:
                own = _function_properties(facts, definition, calls)
                by_key[place] = nodes.add("Function", node_id, definition.name, **common, **own)
            relationships.add("DEFINES", by_key[facts.path, definition.parent], by_key[place])
    symbols = tuple(by_key.get((symbol.path, symbol.key)) for symbol in parts.resolution.symbols)
    return Places(symbols, by_key)


def _add_module(parts: Parts, facts: FileFacts, name: str, entries: list[str], nodes: Nodes) -> Place:
    score = parts.modules[facts.path]
    counts = module_counts(facts)
    commits = len(parts.history.commits_of(facts.path)) if parts.history.commits else None
    return nodes.add(
        "Module",
        code_id(parts.origin.repository, facts.path),
        name or facts.path,
        path=facts.path,
        start_line=1,
        end_line=max(1, facts.loc),
        language=facts.language,
        calls_resolved=load(facts.language).has_calls,
        is_test=facts.path in parts.tests,
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
                "docstring": _first_paragraph(facts.docstring),
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


def _common(facts: FileFacts, definition: Definition, test: bool, entries: list[str]) -> dict[str, Cell]:
    """Properties that classes and functions share."""
    return {
        "path": facts.path,
        "start_line": definition.start_line,
        "end_line": definition.end_line,
        "qualname": definition.qualname,
        "language": facts.language,
        "is_test": test,
        **known(
            {
                "docstring": _first_paragraph(definition.docstring),
                "summary": first_sentence(definition.docstring),
                "decorators": [decorator.text for decorator in definition.decorators],
                "entry_points": entries,
            }
        ),
    }


def _class_properties(score: ClassScore, definition: Definition) -> dict[str, Cell]:
    return {
        "kind": definition.form or definition.kind,
        "methods": score.methods,
        "calls_in": score.calls_in,
        "importance": score.importance,
        "is_core": score.is_core,
        **known({"bases": list(definition.bases)}),
    }


def _function_properties(facts: FileFacts, definition: Definition, calls: _Calls) -> dict[str, Cell]:
    place = facts.path, definition.key
    return {
        "kind": definition.form or definition.kind,
        "signature": definition.signature[:_MAX_SIGNATURE],
        "is_async": definition.is_async,
        "is_generator": definition.is_generator,
        "is_abstract": definition.is_abstract,
        "branches": definition.branches,
        "calls_in": calls.incoming.get(place, 0),
        "calls_out": calls.outgoing.get(place, 0),
        **known({"overloads": [signature[:_MAX_SIGNATURE] for signature in definition.overloads]}),
    }


def _count_calls(parts: Parts) -> _Calls:
    sites = parts.sites
    return _Calls(dict(sites.places(sites.incoming())), dict(sites.places(sites.outgoing())))


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
    return first_sentences(f"Defines {', '.join(names[:5])}{rest}.", _MAX_SUMMARY)


def first_sentence(docstring: str) -> str | None:
    """The first sentence of a docstring, on one line; None when it is empty."""
    paragraph = " ".join(_paragraph(docstring).split())
    end = paragraph.find(". ")
    return first_sentences(paragraph[: end + 1] if end > 0 else paragraph, _MAX_SUMMARY) or None


def _first_paragraph(docstring: str) -> str | None:
    return _paragraph(docstring)[:_MAX_DOCSTRING] or None


def _paragraph(docstring: str) -> str:
    return docstring.strip().split("\n\n", 1)[0].strip()
