"""Modules, classes and functions as columns, as far as they follow from facts alone: the part of assembly that need not wait for resolution.

It is made while the resolver is at work, whole columns at a time; `code_nodes` adds what resolution and scores say of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.ingest.files.documents import DocumentFacts, first_sentences
from repoquarry.ingest.graph.columns import Columns, columns_of
from repoquarry.ingest.graph.docstrings import MAX_SUMMARY, first_paragraph, first_sentence
from repoquarry.ingest.graph.ids import code_id
from repoquarry.ingest.graph.tables import Place
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.registry import load

MODULE_COUNTS = ("import_count", "class_count", "function_count", "call_count")
_MAX_SIGNATURE = 2_000


@dataclass
class Rows:
    """Nodes of one label, in path order and then as the facts have them."""

    keys: list[tuple[str, str]] = field(default_factory=list)
    """(path, key) of each."""
    file: list[int] = field(default_factory=list)
    """Of each the number of its file."""
    at: list[int] = field(default_factory=list)
    """Of each its place in the file: 0 for the module, then definitions as the facts have them."""
    columns: dict[str, list[Cell]] = field(default_factory=dict)

    def extend(self, **cells: Sequence[Cell]) -> None:
        """Add rows; each call gives the same columns."""
        for name, more in cells.items():
            self.columns.setdefault(name, []).extend(more)


@dataclass(frozen=True)
class Outline:
    """What the files of a repository define."""

    paths: Sequence[str]
    """Of the files, by their numbers."""
    modules: Rows
    classes: Rows
    functions: Rows
    documents: Rows
    defines: Mapping[tuple[str, str], tuple[list[str], list[str]]]
    """Ids of what defines and of what is defined, by their labels."""

    def columns(self, repository: str, before: Columns) -> Columns:
        """All of its columns; `before` as for `columns_of`."""
        defines = [RelationshipTable("DEFINES", *labels, *ends, {}) for labels, ends in self.defines.items()]
        return columns_of(RepositoryGraph(repository, self.nodes(), defines), {}, before)

    def nodes(self) -> list[NodeTable]:
        """What is known of nodes that texts are cut along."""
        rows = {"Module": self.modules, "Class": self.classes, "Function": self.functions, "Document": self.documents}
        return [NodeTable(label, found.columns) for label, found in rows.items() if found.keys]


def outline_of(
    repository: str, files: Sequence[FileFacts], documents: Sequence[DocumentFacts], hashes: Mapping[str, str]
) -> Outline:
    """The outline of all files and documents, which are in path order; `hashes` as in `Parts`."""
    classes, functions = Rows(), Rows()
    defines: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for file, facts in enumerate(files):
        own = {"": Place("Module", code_id(repository, facts.path))}
        for one in facts.definitions:
            label = "Class" if one.kind == "class" else "Function"
            place = own[one.key] = Place(label, code_id(repository, facts.path, one.key))
            above = own[one.parent]
            starts, ends = defines.setdefault((above.label, label), ([], []))
            starts.append(above.id)
            ends.append(place.id)
        for rows, add, of_classes in ((classes, _add_classes, True), (functions, _add_functions, False)):
            at = [at for at, one in enumerate(facts.definitions, 1) if (one.kind == "class") == of_classes]
            rows.at += at
            rows.file += [file] * len(at)
            add(rows, facts, own, [facts.definitions[number - 1] for number in at])
    prose = _documents(repository, documents, hashes)
    return Outline([facts.path for facts in files], _modules(repository, files), classes, functions, prose, defines)


def _modules(repository: str, files: Sequence[FileFacts]) -> Rows:
    rows = Rows([(facts.path, "") for facts in files], [*range(len(files))], [0] * len(files))
    counts = [module_counts(facts) for facts in files]
    rows.extend(
        id=[code_id(repository, facts.path) for facts in files],
        path=[facts.path for facts in files],
        start_line=[1] * len(files),
        end_line=[max(1, facts.loc) for facts in files],
        language=[facts.language for facts in files],
        calls_resolved=[load(facts.language).has_calls for facts in files],
        lines=[facts.loc for facts in files],
        parse_errors=[len(facts.parse_errors) for facts in files],
        parses=[not facts.parse_errors for facts in files],
        branches=[facts.branches for facts in files],
        docstring=[first_paragraph(facts.docstring) or None for facts in files],
        summary=[_module_summary(facts) or None for facts in files],
        exports=[list(facts.exports or ()) or None for facts in files],
        **{name: [one[name] for one in counts] for name in MODULE_COUNTS},
    )
    return rows


def _documents(repository: str, documents: Sequence[DocumentFacts], hashes: Mapping[str, str]) -> Rows:
    rows = Rows([(document.path, "") for document in documents])
    rows.extend(
        id=[code_id(repository, document.path) for document in documents],
        name=[document.path.rsplit("/", 1)[-1] for document in documents],
        path=[document.path for document in documents],
        start_line=[1] * len(documents),
        end_line=[max(1, document.lines) for document in documents],
        format=[document.format for document in documents],
        heading=[first_sentences(one.heading, 200) if one.heading else None for one in documents],
        lines=[document.lines for document in documents],
        hash=[hashes[document.path] for document in documents],
    )
    return rows


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
    found = (
        sum(entry.at_module_level for entry in facts.imports),
        len(classes),
        len(functions),
        sum(definition.calls for definition in functions.values()),
    )
    return dict(zip(MODULE_COUNTS, found, strict=True))


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


def _add_classes(rows: Rows, facts: FileFacts, own: Mapping[str, Place], chosen: Sequence[Definition]) -> None:
    _add_common(rows, facts, own, chosen)
    rows.extend(bases=[list(one.bases) or None for one in chosen])


def _add_functions(rows: Rows, facts: FileFacts, own: Mapping[str, Place], chosen: Sequence[Definition]) -> None:
    _add_common(rows, facts, own, chosen)
    rows.extend(
        signature=[one.signature[:_MAX_SIGNATURE] for one in chosen],
        is_async=[one.is_async for one in chosen],
        is_generator=[one.is_generator for one in chosen],
        is_abstract=[one.is_abstract for one in chosen],
        branches=[one.branches for one in chosen],
        body_hash=_bodies(facts),
        overloads=[[signature[:_MAX_SIGNATURE] for signature in one.overloads] or None for one in chosen],
    )


def _bodies(facts: FileFacts) -> list[str | None]:
    """Hashes of the bodies of what is no class."""
    hashes = facts.bodies or ("",) * len(facts.definitions)
    return [found or None for one, found in zip(facts.definitions, hashes, strict=True) if one.kind != "class"]


def _add_common(rows: Rows, facts: FileFacts, own: Mapping[str, Place], chosen: Sequence[Definition]) -> None:
    """Properties that classes and functions share."""
    rows.keys += [(facts.path, one.key) for one in chosen]
    rows.extend(
        id=[own[one.key].id for one in chosen],
        name=[one.name for one in chosen],
        path=[facts.path] * len(chosen),
        start_line=[one.start_line for one in chosen],
        end_line=[one.end_line for one in chosen],
        qualname=[one.qualname for one in chosen],
        language=[facts.language] * len(chosen),
        kind=[one.form or one.kind for one in chosen],
        docstring=[first_paragraph(one.docstring) for one in chosen],
        summary=[first_sentence(one.docstring) for one in chosen],
        decorators=[[decorator.text for decorator in one.decorators] or None for one in chosen],
    )
