"""Builder of the code part of the graph: nodes of modules and definitions; calls, imports, inheritance and other resolved edges.

Two nodes have one relationship per type: edges of several rules are merged with all their sites, under the most
confident rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, pairwise
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec
import numpy as np

from repoquarry.graphstore.model.call_views import SCIP
from repoquarry.graphstore.model.graph_tables import Cell, RelationshipTable
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.ingest.files.documents import DocumentFacts
from repoquarry.ingest.files.hashing import HashedTree, SkippedFiles
from repoquarry.ingest.graph.import_rings import find_import_rings
from repoquarry.ingest.graph.lambda_names import name_functions
from repoquarry.ingest.graph.outline import ENDS, NO_NAME, DefinitionOutline, ResolutionIndex
from repoquarry.ingest.graph.table_builder import (
    Columns,
    NodeRef,
    NodeTableBuilder,
    RelationshipTableBuilder,
    code_id,
)
from repoquarry.ingest.importance import ModuleScore, RepositoryScores
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolution.model import (
    CallEdge,
    CallTable,
    EntryPoint,
    ImportEdge,
    InheritanceEdge,
    Numbers,
    ReferenceEdge,
    UnresolvedCall,
)
from repoquarry.ingest.sources.source import Checkout
from repoquarry.languages.facts import FileFacts, Variable
from repoquarry.languages.manifests.packages import Packages
from repoquarry.languages.source_text import word_of

if TYPE_CHECKING:
    from repoquarry.ingest.scip.merge import ScipReport


@dataclass(frozen=True)
class GraphInputs:
    checkout: Checkout
    commit_date: str | None
    indexed_at: str
    hashed: HashedTree
    files: Sequence[FileFacts]
    """Facts of source files in path order."""
    outline: DefinitionOutline
    outline_columns: Columns
    """Columns of the outline's tables."""
    stored_columns: Columns
    """Columns of the stored graph; empty if it cannot be read."""
    documents: Sequence[DocumentFacts]
    """Documents in path order."""
    hashes: Mapping[str, str]
    """SHA-256 (hexadecimal) of the file's bytes by path."""
    resolution: Resolution
    resolution_content: bytes
    """Digest of the resolution."""
    scores: RepositoryScores
    history: GitHistory
    left_out: SkippedFiles
    scip: Sequence[ScipReport] = ()
    other_words: bytes = b""
    """Hashed names of functions that occur in files other than sources."""

    @property
    def repository(self) -> str:
        return self.checkout.name

    @property
    def packages(self) -> Packages:
        return self.hashed.packages


_FEATURES = tuple(feature.name for feature in fields(ModuleScore))


def add_definitions(
    parts: GraphInputs, symbols: Mapping[str, Numbers], nodes: NodeTableBuilder, relationships: RelationshipTableBuilder
) -> None:
    """Add all modules and their definitions; `symbols` are the result of `map_rows_to_symbols`."""
    entries, outline = _entry_points(parts), parts.outline
    _add_modules(parts, entries, nodes)
    _add_classes(parts, entries, nodes)
    _add_functions(parts, symbols["Function"], entries, nodes)
    _add_variables(parts, nodes)
    for labels, (starts, ends) in outline.defines.items():
        relationships.add_all("DEFINES", labels, starts, ends)


def _add_modules(parts: GraphInputs, entries: Mapping[tuple[str, str], list[str]], nodes: NodeTableBuilder) -> None:
    rows, scores, history = parts.outline.modules, parts.scores, parts.history
    paths = [path for path, _ in rows.keys]
    # Without readable files there are no columns either.
    if not paths:
        return
    names = {module.path: module.name for module in parts.resolution.modules}
    own = [scores.modules[path] for path in paths]
    rings = _import_rings(parts)
    nodes.add_all(
        "Module",
        {
            **rows.columns,
            "name": [names.get(path) or path for path in paths],
            "is_test": [path in scores.tests for path in paths],
            "hash": [parts.hashes[path] for path in paths],
            "is_generated": [path in parts.hashed.generated for path in paths],
            "commits": [len(history.commits_of(path)) if history.commits else None for path in paths],
            "last_changed": [history.last_changed(path) for path in paths],
            "owner": [next((owner.name for owner in history.owners([path])), None) for path in paths],
            "entry_points": [entries.get(key) or None for key in rows.keys],
            "import_ring": [rings.get(path) for path in paths],
            **{feature: [getattr(score, feature) for score in own] for feature in _FEATURES},
        },
    )


def _import_rings(parts: GraphInputs) -> dict[str, str]:
    """Map the paths of modules that import each other to the first of them."""
    found: dict[str, str] = {}
    for ring in find_import_rings(parts.resolution.imports):
        paths = sorted(place[0] for module in ring if (place := parts.resolution.path_key(module)))
        found.update(dict.fromkeys(paths, paths[0]) if paths else {})
    return found


def _add_classes(parts: GraphInputs, entries: Mapping[tuple[str, str], list[str]], nodes: NodeTableBuilder) -> None:
    rows = parts.outline.classes
    # Without readable files there are no columns either.
    if not rows.keys:
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


def _add_functions(
    parts: GraphInputs, symbols: Numbers, entries: Mapping[tuple[str, str], list[str]], nodes: NodeTableBuilder
) -> None:
    rows, sites = parts.outline.functions, parts.scores.sites
    if not rows.keys:
        return
    names = name_functions(parts.files, parts.resolution, rows)
    nodes.add_all(
        "Function",
        {
            **rows.columns,
            "name": names,
            "is_mentioned": _find_mentioned(parts, rows.keys, names),
            "calls_in": sites.incoming()[symbols].tolist(),
            "calls_out": sites.outgoing()[symbols].tolist(),
            "is_test": [path in parts.scores.tests for path, _ in rows.keys],
            "entry_points": [entries.get(key) or None for key in rows.keys],
        },
    )


def _find_mentioned(parts: GraphInputs, keys: Sequence[tuple[str, str]], names: Sequence[Cell]) -> list[Cell]:
    """Return of each function whether its name, or a beginning of it that code completes, occurs besides its definition."""
    beginnings = {word for facts in parts.files for word in facts.beginnings}
    computing = {facts.path for facts in parts.files if "_" in facts.beginnings}
    hashes = [np.frombuffer(facts.words, np.uint32) for facts in parts.files]
    hashed = np.unique(np.concatenate([*hashes, np.frombuffer(parts.other_words, np.uint32)]))
    texts = [word_of(str(name)) for name in names]
    own = np.array([crc32(text.encode("utf-8", "surrogatepass")) for text in texts], np.uint32)
    counts, isolated = Counter(texts), ~np.isin(own, hashed)
    return [
        not alone
        or counts[text] > 1
        or (text.startswith("_") and path in computing)
        or any(
            text[:end] in beginnings and (text[end - 1] == "_" or text[end].isupper()) for end in range(2, len(text))
        )
        for alone, text, (path, _) in zip(isolated.tolist(), texts, keys, strict=True)
    ]


def _add_variables(parts: GraphInputs, nodes: NodeTableBuilder) -> None:
    """Add constants and fields; an attribute that methods assign and nothing uses has no node."""
    symbols = parts.resolution.symbols
    used = {(*msgspec.structs.astuple(symbols[one.owner]), one.name) for one in parts.resolution.uses}
    rows = [
        (facts, variable, facts.definitions[variable.owner].key if variable.owner >= 0 else "")
        for facts in parts.files
        for variable in facts.variables
    ]
    rows = [row for row in rows if not row[1].is_received or (row[0].path, row[2], row[1].name) in used]
    if not rows:
        return
    keys = [f"{owner}.{one.name}" if owner else one.name for _, one, owner in rows]
    lines = [one.line for _, one, _ in rows]
    nodes.add_all(
        "Variable",
        {
            "id": [code_id(parts.repository, facts.path, key) for (facts, _, _), key in zip(rows, keys, strict=True)],
            "name": [one.name for _, one, _ in rows],
            "path": [facts.path for facts, _, _ in rows],
            "start_line": [*lines],
            "end_line": [*lines],
            "qualname": [*keys],
            "language": [facts.language for facts, _, _ in rows],
            "kind": [_variable_kind(one) for _, one, _ in rows],
        },
    )


def _variable_kind(variable: Variable) -> str:
    return "constant" if variable.name.isupper() else "field" if variable.owner >= 0 else "variable"


def _entry_points(parts: GraphInputs) -> dict[tuple[str, str], list[str]]:
    """Map definitions to their entry points, found by resolution or declared as scripts in manifests."""
    found: dict[tuple[str, str], set[str]] = {}
    titles = _suite_titles(parts)
    for entry in parts.resolution.entry_points:
        if place := parts.resolution.path_key(entry.target):
            suites = titles.get(place, ()) if entry.kind in _TITLED else ()
            name = " > ".join((*suites, _title(entry, place[1])))
            found.setdefault(place, set()).add(f"{entry.kind}: {name}" if name else entry.kind)
    defined = {*parts.outline.classes.keys, *parts.outline.functions.keys}
    paths = {module.name: module.path for module in parts.resolution.modules}
    paths_of_files = set(paths.values()) | {facts.path for facts in parts.files}
    for script, target in parts.packages.scripts.items():
        module, _, attribute = target.split("[")[0].strip().partition(":")
        if module in paths:
            place = (paths[module], attribute.strip())
            # The target may be an object, as an app of Typer or a group of Click: its module is the entry point.
            place = place if place in defined else (paths[module], "")
            found.setdefault(place, set()).add(f"console_script: {script}")
    for (kind, name), path in parts.packages.programs.items():
        if path in paths_of_files:
            found.setdefault((path, ""), set()).add(f"{kind}: {name}")
    return {place: sorted(entries) for place, entries in found.items()}


def _title(entry: EntryPoint, key: str) -> str:
    """Return the name of an entry point; for a test whose title is too long for a constant the beginning in its function's name."""
    found = _TITLE.search(key)
    return found["words"] if found is not None and found["runner"] == entry.name else entry.name


def _suite_titles(parts: GraphInputs) -> dict[tuple[str, str], tuple[str, ...]]:
    """Map definitions to the titles of the test suites around them, outermost first."""
    own = {
        place: _title(entry, place[1])
        for entry in parts.resolution.entry_points
        if entry.kind == "suite" and (place := parts.resolution.path_key(entry.target)) is not None
    }
    if not own:
        return {}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for facts in parts.files:
        for definition in facts.definitions:
            parent = facts.path, definition.parent
            title = (own[parent],) if parent in own else ()
            found[facts.path, definition.key] = (*found.get(parent, ()), *title)
    return found


_TITLED = frozenset({"suite", "test"})
_TITLE = re.compile(r"<(?P<runner>\w+): (?P<words>[^<>]+)>\Z")
"""End of the key of a function that a test runner is given behind a title."""
_MAX_LINES = 100
_IMPORT_CONFIDENCE = {"import": 1.0, "from": 1.0, "typing": 1.0, "star": 0.95, "dynamic": 0.9}
"""Confidence by kind of import: star imports may be overridden, dynamic imports may be conditional."""
_REFERENCE_CONFIDENCE = 0.9
_USE_PRECEDENCE = ("write", "read", "import")
_USE_CONFIDENCE = {"name": 0.98, "self": 0.97, "receiver": 0.95}
_REFERENCE_KIND_PRECEDENCE = (
    "decorator",
    "raises",
    "route",
    "command",
    "handler",
    "value",
    "annotation",
    "import",
    SCIP,
)
"""Kinds of references; the first kind between two nodes becomes the relationship's."""


def build_edge_tables(resolved: ResolutionIndex) -> list[RelationshipTable]:
    """Build all relationships that a resolution holds."""
    edges = _EdgeCollector(resolved)
    edges.imports()
    edges.calls()
    edges.unresolved()
    edges.inheritance()
    edges.references()
    edges.uses()
    return edges.found.tables()


class _EdgeCollector:
    def __init__(self, resolved: ResolutionIndex) -> None:
        self._resolved = resolved
        self._resolution: Resolution = resolved.resolution
        self._labels = resolved.labels.tolist()
        self.found = RelationshipTableBuilder()

    def imports(self) -> None:
        merged: dict[tuple[int, int], ImportEdge] = {}
        for edge in self._resolution.imports:
            pair = edge.source, edge.target
            other = merged.get(pair)
            merged[pair] = edge if other is None else _merged_imports(other, edge)
        for edge in merged.values():
            start, end = self._place(edge.source), self._place(edge.target)
            if start and end:
                self.found.add(
                    "IMPORTS",
                    start,
                    end,
                    lines=_lines(edge.lines),
                    names=list(edge.names) or None,
                    type_only=edge.how == "typing",
                    deferred=edge.deferred,
                    how=edge.how,
                    confidence=_import_confidence(edge),
                )

    def calls(self) -> None:
        calls = _each_pair_once(self._resolution.calls)
        starts, ends = self._resolved.labels[calls.callers], self._resolved.labels_of(calls.callees)
        joined = np.where((starts < 0) | (ends < 0), -1, starts.astype(np.int64) * len(ENDS) + ends)
        for pair in np.unique(joined[joined >= 0]).tolist():
            rows = np.flatnonzero(joined == pair)
            chosen = calls.chosen(rows, calls.callers[rows], calls.callees[rows])
            rules = [chosen.rules[rule] for rule in chosen.rule_of.tolist()]
            self.found.add_all(
                "CALLS",
                (ENDS[pair // len(ENDS)], ENDS[pair % len(ENDS)]),
                list(map(self._resolved.id_of, chosen.callers.tolist())),
                list(map(self._resolved.id_of, chosen.callees.tolist())),
                count=chosen.counts.tolist(),
                lines=_lines_of(chosen),
                how=[how for how, _, _ in rules],
                confidence=[confidence for _, confidence, _ in rules],
                targets=[targets for _, _, targets in rules],
            )

    def unresolved(self) -> None:
        merged: dict[tuple[int, str], list[UnresolvedCall]] = {}
        for call in self._resolution.unresolved:
            merged.setdefault((call.caller, call.name or NO_NAME), []).append(call)
        for (caller, name), calls in merged.items():
            start = self._place(caller)
            if start:
                self.found.add(
                    "UNRESOLVED",
                    start,
                    NodeRef("Name", self._resolved.name_id(name)),
                    count=sum(call.count for call in calls),
                    lines=_lines(*(call.lines for call in calls)),
                    reason=max(calls, key=lambda call: call.count).reason,
                )

    def inheritance(self) -> None:
        merged: dict[tuple[int, int], list[InheritanceEdge]] = {}
        for edge in self._resolution.inherits:
            merged.setdefault((edge.cls, edge.base), []).append(edge)
        for (cls, base), edges in merged.items():
            start, end = self._place(cls), self._place(base)
            if start and end and end.label in ("Class", "External"):
                position, lines = edges[0].position, _lines([one.line for one in edges])
                self.found.add("INHERITS", start, end, position=position, lines=lines, how="base class", confidence=1.0)
        pairs = dict.fromkeys((override.method, override.overridden) for override in self._resolution.overrides)
        for method, overridden in pairs:
            start, end = self._place(method), self._place(overridden)
            if start and end:
                self.found.add("OVERRIDES", start, end)

    def references(self) -> None:
        merged: dict[tuple[int, int], list[ReferenceEdge]] = {}
        imported = (
            ReferenceEdge(one.source, one.owner, len(one.lines), one.lines, "import")
            for one in self._resolution.uses
            if not one.name
        )
        for edge in chain(self._resolution.references, imported):
            merged.setdefault((edge.source, edge.target), []).append(edge)
        for (source, target), edges in merged.items():
            start, end = self._place(source), self._place(target)
            if start and end:
                kinds = sorted({edge.how for edge in edges})
                self.found.add(
                    "REFERENCES",
                    start,
                    end,
                    kind=min(kinds, key=_REFERENCE_KIND_PRECEDENCE.index),
                    kinds=kinds,
                    lines=_lines(*(edge.lines for edge in edges)),
                    how=SCIP if kinds == [SCIP] else "name",
                    confidence=_REFERENCE_CONFIDENCE,
                )

    def uses(self) -> None:
        symbols, repository = self._resolution.symbols, self._resolved.repository
        for one in self._resolution.uses:
            start, owner = self._place(one.source), symbols[one.owner]
            if start and one.name:
                end = code_id(repository, owner.path, f"{owner.key}.{one.name}" if owner.key else one.name)
                self.found.add(
                    "REFERENCES",
                    start,
                    NodeRef("Variable", end),
                    kind=min(one.kinds, key=_USE_PRECEDENCE.index),
                    kinds=list(one.kinds),
                    lines=_lines(one.lines),
                    how=one.how,
                    confidence=_USE_CONFIDENCE[one.how],
                )

    def _place(self, target: int) -> NodeRef | None:
        """Return the node of a symbol or external symbol."""
        label = self._labels[target] if target >= 0 else ENDS.index("External")
        return NodeRef(ENDS[label], self._resolved.id_of(target)) if label >= 0 else None


def _lines_of(calls: CallTable) -> list[Cell]:
    lines, starts = calls.lines.tolist(), calls.starts.tolist()
    return [[lines[start]] if end - start == 1 else _lines(lines[start:end]) for start, end in pairwise(starts)]


def _merged_imports(one: ImportEdge, other: ImportEdge) -> ImportEdge:
    """Merge two imports of the same module, under the more confident kind; those for type checkers count only alone."""
    surer = max(one, other, key=lambda edge: (edge.how != "typing", _import_confidence(edge)))
    names = tuple(sorted({*one.names, *other.names}))
    running = [edge for edge in (one, other) if edge.how != "typing"] or [one, other]
    deferred = all(edge.deferred for edge in running)
    return ImportEdge(one.source, one.target, names, one.lines + other.lines, surer.how, deferred)


def _each_pair_once(calls: CallTable) -> CallTable:
    """Merge edges of the same pair, under the most confident rule; the input is sorted."""
    callers, callees = calls.callers, calls.callees
    if not ((callers[1:] == callers[:-1]) & (callees[1:] == callees[:-1])).any():
        return calls
    merged: dict[tuple[int, int], CallEdge] = {}
    for edge in calls:
        other = merged.setdefault((edge.caller, edge.callee), edge)
        if other is not edge:
            merged[edge.caller, edge.callee] = _merged_calls(other, edge)
    return CallTable.of(merged.values())


def _merged_calls(one: CallEdge, other: CallEdge) -> CallEdge:
    """Merge two edges of the same pair, under the more confident rule."""
    surer = max(one, other, key=lambda edge: edge.confidence)
    lines = one.lines + other.lines
    return CallEdge(one.caller, one.callee, one.count + other.count, lines, surer.how, surer.confidence, surer.targets)


def _import_confidence(edge: ImportEdge) -> float:
    return _IMPORT_CONFIDENCE.get(edge.how, _REFERENCE_CONFIDENCE)


def _lines(*found: Sequence[int]) -> list[int]:
    """Return distinct lines in ascending order, at most a hundred."""
    if len(found) == 1 and len(found[0]) == 1:
        return [found[0][0]]
    return sorted({line for lines in found for line in lines})[:_MAX_LINES]
