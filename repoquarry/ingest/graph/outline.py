"""Table of all definitions of a repository, by column, and the index that maps numbers of resolved symbols to graph nodes.

The table (outline) is built while the resolver is running; `code_graph` adds data from resolution and scores. Relationships,
their counts, edges of the search index and the difference of two resolutions are read from the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.search.index.place_extraction import EdgeArrays
from repoquarry.graphstore.search.index.places import EDGES
from repoquarry.ingest.files.documents import (
    DocumentFacts,
    first_paragraph,
    first_sentence,
    first_sentences,
)
from repoquarry.ingest.graph.module_summaries import find_file_mentions, summarize_module
from repoquarry.ingest.graph.table_builder import Columns, NodeRef, code_id, pack_columns
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolution.model import Numbers
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import ExternalOrigin
from repoquarry.languages.registry import load

MODULE_COUNTS = ("import_count", "class_count", "function_count", "call_count")
_MAX_SIGNATURE = 2_000


@dataclass
class OutlineRows:
    """Nodes of one label, in path order, then in the order of the facts."""

    keys: list[tuple[str, str]] = field(default_factory=list)
    """(path, key) of each row."""
    file: list[int] = field(default_factory=list)
    """Number of each row's file."""
    at: list[int] = field(default_factory=list)
    """Position of each row in its file: 0 for the module, then definitions in the order of the facts."""
    columns: dict[str, list[Cell]] = field(default_factory=dict)

    def extend(self, **cells: Sequence[Cell]) -> None:
        """Append rows; every call passes the same columns."""
        for name, more in cells.items():
            self.columns.setdefault(name, []).extend(more)


@dataclass(frozen=True)
class DefinitionOutline:
    """Definitions of all files of a repository."""

    paths: Sequence[str]
    """Paths by file number."""
    modules: OutlineRows
    classes: OutlineRows
    functions: OutlineRows
    documents: OutlineRows
    defines: Mapping[tuple[str, str], tuple[list[str], list[str]]]
    """Ids of defining and defined nodes, by their labels."""

    def columns(self, repository: str, before: Columns) -> Columns:
        """Pack all columns; `before` as for `pack_columns`."""
        defines = [RelationshipTable("DEFINES", *labels, *ends, {}) for labels, ends in self.defines.items()]
        packed = pack_columns(RepositoryGraph(repository, self.nodes(), defines), {}, before)
        # The names of lambdas depend on the callee.
        return {column: cells for column, cells in packed.items() if column != (("Function",), "name")}

    def nodes(self) -> list[NodeTable]:
        """Return the nodes that search texts are split along."""
        rows = {"Module": self.modules, "Class": self.classes, "Function": self.functions, "Document": self.documents}
        return [NodeTable(label, found.columns) for label, found in rows.items() if found.keys]


def build_outline(
    repository: str,
    files: Sequence[FileFacts],
    documents: Sequence[DocumentFacts],
    hashes: Mapping[str, str],
    readme: str = "",
) -> DefinitionOutline:
    """Build the outline of files and documents in path order; `hashes` as in `GraphInputs`, `readme` is its text."""
    classes, functions = OutlineRows(), OutlineRows()
    defines: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for file, facts in enumerate(files):
        own = {"": NodeRef("Module", code_id(repository, facts.path))}
        for one in facts.definitions:
            label = "Class" if one.kind == "class" else "Function"
            place = own[one.key] = NodeRef(label, code_id(repository, facts.path, one.key))
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
    return DefinitionOutline(
        [facts.path for facts in files], _modules(repository, files, readme), classes, functions, prose, defines
    )


def _modules(repository: str, files: Sequence[FileFacts], readme: str) -> OutlineRows:
    mentions = find_file_mentions(readme)
    rows = OutlineRows([(facts.path, "") for facts in files], [*range(len(files))], [0] * len(files))
    counts = [count_module_statistics(facts) for facts in files]
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
        summary=[summarize_module(facts, mentions) for facts in files],
        exports=[list(facts.exports or ()) or None for facts in files],
        **{name: [one[name] for one in counts] for name in MODULE_COUNTS},
    )
    return rows


def _documents(repository: str, documents: Sequence[DocumentFacts], hashes: Mapping[str, str]) -> OutlineRows:
    rows = OutlineRows([(document.path, "") for document in documents])
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


def count_module_statistics(facts: FileFacts) -> dict[str, int]:
    """Count statistics as Table 5 of GitTaskBench does: without asynchronous functions, equal names once.

    The table traverses syntax trees breadth first and keeps the last match: of functions with one name, calls are
    counted for the most deeply indented function, and among several such for the last.
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


def _add_classes(rows: OutlineRows, facts: FileFacts, own: Mapping[str, NodeRef], chosen: Sequence[Definition]) -> None:
    _add_common(rows, facts, own, chosen)
    rows.extend(bases=[list(one.bases) or None for one in chosen])


def _add_functions(
    rows: OutlineRows, facts: FileFacts, own: Mapping[str, NodeRef], chosen: Sequence[Definition]
) -> None:
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
    """Return the body hashes of all definitions except classes."""
    hashes = facts.bodies or ("",) * len(facts.definitions)
    return [found or None for one, found in zip(facts.definitions, hashes, strict=True) if one.kind != "class"]


def _add_common(rows: OutlineRows, facts: FileFacts, own: Mapping[str, NodeRef], chosen: Sequence[Definition]) -> None:
    """Add the properties that classes and functions share."""
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


USES: Final = "USES"
"""Key of the records that become REFERENCES of variables and imported definitions; search and importance do not read them."""
ENDS: Final = ("Module", "Class", "Function", "External", "Name")
"""Labels of the nodes that resolution connects."""
NO_NAME: Final = "<expression>"
_EXTERNAL, _NAME = ENDS.index("External"), ENDS.index("Name")


class RecordSpec(NamedTuple):
    """List of `Resolution`, sorted by its first end, whose records become relationships of one type."""

    name: str
    start: str
    end: str
    """Field of the second end; empty if the end is a string."""
    rest: tuple[str, ...]
    """Other fields that relationships contain."""


RECORDS: Final[Mapping[str, RecordSpec]] = {
    "IMPORTS": RecordSpec("imports", "source", "target", ("names", "lines", "how", "deferred")),
    "UNRESOLVED": RecordSpec("unresolved", "caller", "", ("name", "count", "lines", "reason")),
    "INHERITS": RecordSpec("inherits", "cls", "base", ("position", "line")),
    "OVERRIDES": RecordSpec("overrides", "method", "overridden", ()),
    "REFERENCES": RecordSpec("references", "source", "target", ("lines", "how")),
    USES: RecordSpec("uses", "source", "owner", ("name", "lines", "kinds", "how")),
}


class NodePairs(NamedTuple):
    """Pairs of nodes of one relationship type, each once, sorted by start and end."""

    starts: Numbers
    ends: Numbers
    sites: NDArray[np.int64]
    """Number of call sites per pair; 1 for other types."""

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True)
class ResolutionIndex:
    """Index from one resolution to graph nodes."""

    repository: str
    resolution: Resolution
    labels: NDArray[np.int8]
    """Position in `ENDS` by symbol; -1 for symbols of removed files."""

    @classmethod
    def of(cls, repository: str, resolution: Resolution, rows: Mapping[str, Numbers]) -> ResolutionIndex:
        """Create the index; `rows` is the result of `map_rows_to_symbols`."""
        labels = np.full(len(resolution.symbols), -1, dtype=np.int8)
        for label, symbols in rows.items():
            labels[symbols] = ENDS.index(label)
        return cls(repository, resolution, labels)

    @cached_property
    def ids(self) -> list[str]:
        return [code_id(self.repository, symbol.path, symbol.key) for symbol in self.resolution.symbols]

    @cached_property
    def _external_ids(self) -> list[str]:
        return list(map(self.external_id, self.resolution.externals))

    def id_of(self, target: int) -> str:
        """Return the node id of a symbol or external."""
        return self.ids[target] if target >= 0 else self._external_ids[~target]

    def external_id(self, dotted: str) -> str:
        return f"{self.repository}:external:{dotted}"

    def name_id(self, name: str) -> str:
        return f"{self.repository}:name:{name}"

    @cached_property
    def names(self) -> list[str]:
        """Distinct names of unresolved calls."""
        return list(dict.fromkeys(call.name or NO_NAME for call in self.resolution.unresolved))

    @cached_property
    def ends(self) -> Mapping[str, tuple[Numbers, Numbers]]:
        """Both ends of each record, by type; the second end of UNRESOLVED is a position in `names`."""
        calls, number = self.resolution.calls, {name: at for at, name in enumerate(self.names)}
        found = {"CALLS": (calls.callers, calls.callees)}
        for kind, given in RECORDS.items():
            records = getattr(self.resolution, given.name)
            ends = (
                map(attrgetter(given.end), records) if given.end else (number[one.name or NO_NAME] for one in records)
            )
            found[kind] = _numbers(map(attrgetter(given.start), records)), _numbers(ends)
        return found

    @cached_property
    def rest(self) -> Mapping[str, NDArray[Any]]:
        """Other fields of each record, by type."""
        found = {}
        for kind, given in RECORDS.items():
            if given.rest:
                records = getattr(self.resolution, given.name)
                found[kind] = np.fromiter(map(attrgetter(*given.rest), records), dtype=object, count=len(records))
        return found

    @cached_property
    def pairs(self) -> Mapping[str, NodePairs]:
        """Node pairs by relationship type."""
        return {kind: self._pairs(kind) for kind in self.ends if kind != USES}

    def counts(self) -> dict[str, int]:
        """Return the number of relationships by type; types without any are omitted."""
        found = {kind: len(pairs) for kind, pairs in self.pairs.items()}
        references = {(one.source, one.target) for one in self.resolution.references}
        found["REFERENCES"] += sum(
            bool(one.name) or (one.source, one.owner) not in references for one in self.resolution.uses
        )
        return {kind: count for kind, count in found.items() if count}

    def edges(self) -> EdgeArrays:
        """Return the edges inside the repository."""
        found = {}
        for kind, pairs in self.pairs.items():
            inside = pairs.ends >= 0
            if kind in EDGES:
                found[kind] = pairs.starts[inside], pairs.ends[inside], pairs.sites[inside]
        return EdgeArrays(self.ids, found)

    def externals(self) -> list[str]:
        """Return the dotted names of external symbols, sorted."""
        used = [ends[ends < 0] for kind, (_, ends) in self.ends.items() if kind != "UNRESOLVED"]
        return sorted({self.resolution.externals[~number] for number in np.unique(np.concatenate(used)).tolist()})

    @cached_property
    def origins(self) -> Mapping[str, ExternalOrigin]:
        """Origin of external symbols by name; the first of two families."""
        pairs = zip(self.resolution.externals, self.resolution.origins, strict=True)
        return dict(reversed([*pairs]))

    def chosen(self, symbols: NDArray[np.bool_]) -> ResolutionIndex:
        """Return the index restricted to the records of some symbols."""
        calls = self.resolution.calls
        rows = np.flatnonzero(symbols[calls.callers])
        kept: dict[str, Any] = {"calls": calls.chosen(rows, calls.callers[rows], calls.callees[rows])}
        for kind, given in RECORDS.items():
            records = getattr(self.resolution, given.name)
            kept[given.name] = [records[row] for row in np.flatnonzero(symbols[self.ends[kind][0]]).tolist()]
        return replace(self, resolution=msgspec.structs.replace(self.resolution, **kept))

    def labels_of(self, targets: Numbers) -> NDArray[np.int8]:
        found = np.full(len(targets), _EXTERNAL, dtype=np.int8)
        found[targets >= 0] = self.labels[targets[targets >= 0]]
        return found

    def _pairs(self, kind: str) -> NodePairs:
        starts, ends = self.ends[kind]
        ends_are = np.full(len(ends), _NAME) if kind == "UNRESOLVED" else self.labels_of(ends)
        known = (self.labels[starts] >= 0) & (ends_are >= 0)
        if kind == "INHERITS":
            known &= np.isin(ends_are, (ENDS.index("Class"), _EXTERNAL))
        joined = (starts[known].astype(np.int64) << 32) + (ends[known].astype(np.int64) + (1 << 31))
        distinct, number = np.unique(joined, return_inverse=True)
        sites = np.ones(len(distinct), dtype=np.int64)
        if kind == "CALLS":
            sites = np.bincount(number, self.resolution.calls.counts[known], len(distinct)).astype(np.int64)
        found = (distinct >> 32).astype(np.int32), ((distinct & 0xFFFFFFFF) - (1 << 31)).astype(np.int32)
        return NodePairs(*found, sites)


def map_rows_to_symbols(resolution: Resolution, outline: DefinitionOutline) -> dict[str, Numbers]:
    """Map the rows of the outline to symbols, by label."""
    modules = {path: start for path, start, _ in resolution.runs()}
    first = _numbers(modules[path] for path in outline.paths)
    rows = {"Module": outline.modules, "Class": outline.classes, "Function": outline.functions}
    return {
        label: first[np.array(found.file, dtype=np.int32)] + np.array(found.at, dtype=np.int32)
        for label, found in rows.items()
    }


def _numbers(numbers: Iterable[int]) -> Numbers:
    return np.fromiter(numbers, dtype=np.int32)
