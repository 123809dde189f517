"""Operations `relations` (callers, callees, imports, subclasses, all uses), `paths` between two names, and `impact` of a change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Final, Literal

from msgspec import Meta

from repoquarry.code.calls import find_external_callers, find_override_family
from repoquarry.code.impact import CodeChange, analyze_impact, find_code_change
from repoquarry.code.patches import parse_patch
from repoquarry.code.paths import PathStep, find_call_paths, find_relation_paths
from repoquarry.code.reader import to_definition
from repoquarry.code.records import (
    CallPath,
    DefinitionRecord,
    MeaningRelations,
    Relation,
    RelationKind,
    Site,
    UnresolvedSite,
)
from repoquarry.code.relations import RelationRequest, find_importers, list_relations, traverse
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.base import Operation, OperationScope, RepositoryId, ResolvedTarget, Target, short_names
from repoquarry.operations.render import (
    Table,
    count_relations,
    count_tests,
    format_evidence,
    format_heading,
    format_lines,
    format_name,
    format_place,
    impact_tables,
    relation_tables,
    use_tables,
)
from repoquarry.operations.result import OperationResult, Place

_MAX_IMPORT_PATHS: Final = 24
_MAX_TESTS: Final = 100


class RelationsCall(Operation, frozen=True):
    name = "relations"
    summary = "List callers, callees, subclasses, imports, importers, or references (of constants and fields too), with lines."

    target: Target
    kind: Annotated[
        Literal["callers", "callees", "subclasses", "imports", "importers", "references"],
        Meta(description="what to list"),
    ]
    repository: RepositoryId = ""
    hops: Annotated[int, Meta(description="for callers and subclasses", ge=1, le=5)] = 1

    def run(self, scope: OperationScope) -> OperationResult:
        return _LISTS[self.kind](scope, scope.resolve(self.target, self.repository), self.hops)

    def relevant_names(self, result: OperationResult) -> set[str]:
        """Return the names whose callers are listed: the target, and with more hops its callers."""
        if self.kind != "callers":
            return set()
        return short_names(self.target, *(place.qualname for place in result.places if self.hops > 1))


def _render(
    meanings: Sequence[MeaningRelations],
    kind: RelationKind,
    *further: Table,
    incoming: bool,
    possible: Sequence[UnresolvedSite] = (),
) -> OperationResult:
    tables = [table for one in meanings for table in relation_tables(one, kind, incoming=incoming)]
    summary = "; ".join(dict.fromkeys(count_relations(one, kind, incoming=incoming) for one in meanings))
    places = tuple(Place.of(item.entity) for one in meanings for item in one.relations if item.entity.path)
    return OperationResult.of_tables((*tables, *further), summary, places, possible)


def _list(
    scope: OperationScope, target: ResolvedTarget, kind: RelationKind, *, incoming: bool, hops: int = 1
) -> tuple[MeaningRelations, ...]:
    repositories = tuple(dict.fromkeys((*target.repositories, *scope.repositories)))
    request = RelationRequest(kind, outgoing=not incoming, hops=hops, repositories=repositories)
    return list_relations(scope.reader, target.nodes, request).meanings


def _list_callers(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    if not target.definitions:
        return _list_external_callers(scope, target)
    meanings = _list(scope, target, RelationKind.CALLS, incoming=True, hops=hops)
    called = [item.entity for item in meanings]
    family = [(format_name(item), format_place(item)) for item in find_override_family(scope.reader, called)]
    possible = [site for site, _ in scope.reader.possible_calls(called, target.repositories)]
    related = Table(("RELATED BY OVERRIDING", "PLACE"), family)
    return _render(meanings, RelationKind.CALLS, related, incoming=True, possible=possible)


def _list_external_callers(scope: OperationScope, target: ResolvedTarget) -> OperationResult:
    report = find_external_callers(scope.reader, target.name, target.repositories)
    external = to_definition(target.nodes[0])
    meaning = MeaningRelations(
        external,
        tuple(
            Relation(call.caller, 1, Site(len(call.lines) or 1, call.lines), external.id, RelationKind.CALLS)
            for call in report.external
        ),
        tuple(site.to_relation(external.id) for site in report.possible),
    )
    return _render([meaning], RelationKind.CALLS, incoming=True, possible=report.possible)


def _list_callees(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    """List the calls in a function, or in everything that a class or file defines."""
    inside = [item.id for item in scope.reader.with_members(target.require())]
    reached, _ = traverse(scope.reader.store, inside, RelationRequest(RelationKind.CALLS))
    unresolved = [
        (site.name, format_name(site.caller), format_evidence(Site(site.count, site.lines, reason=site.reason)))
        for site in scope.reader.unresolved_from(inside)
    ]
    meaning = MeaningRelations(target.definitions[0], reached)
    return _render([meaning], RelationKind.CALLS, Table(("UNRESOLVED", "IN", "WHY"), unresolved), incoming=False)


def _list_imports(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    ids = [item.id for item in target.require("Module")]
    inside, external = scope.reader.imports_from(ids), scope.reader.external_imports(ids)
    rows = [(edge.end.path, edge.how or "whole module", format_lines(edge.lines)) for edge in inside]
    rows += [("external", name.qualname, format_lines(name.lines)) for name in external]
    summary = f"{count_noun(len(inside), 'module')} of the repository, {count_noun(len(external), 'name')} from outside"
    title = f"{format_heading(target.definitions[0])}\n  {summary}"
    places = tuple(Place.of(edge.end) for edge in inside)
    return OperationResult.of_tables((Table(("IMPORTS", "NAMES", "LINES"), rows, title),), summary, places)


def _list_importers(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    found = find_importers(scope.reader, target.require("Module"))
    rows = [
        (f"{item.weight:.1f}", item.module.path, item.imports.how if item.imports else "nothing directly")
        for item in found
    ]
    summary = f"{count_noun(len(found), 'file')} {'depends' if len(found) == 1 else 'depend'} on it"
    table = Table(("COUPLING", "PLACE", "IMPORTS"), rows, f"{format_heading(target.definitions[0])}\n  {summary}")
    return OperationResult.of_tables((table,), summary, tuple(Place.of(item.module) for item in found))


def _list_subclasses(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    if target.definitions:
        target.require("Class")
    below = _list(scope, target, RelationKind.INHERITS, incoming=True, hops=hops)
    above = _list(scope, target, RelationKind.INHERITS, incoming=False)
    bases = [(format_name(item.entity), format_place(item.entity)) for one in above for item in one.relations]
    return _render(below, RelationKind.INHERITS, Table(("BASE CLASS", "PLACE"), bases), incoming=True)


def _list_references(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    """List every use, production code first."""
    meanings = _list(scope, target, RelationKind.USES, incoming=True)
    users = {item.entity.id: item.entity for one in meanings for item in one.relations}
    summary = f"{count_noun(len(users), 'definition')} {'uses' if len(users) == 1 else 'use'} {target.name}"
    ranked = sorted(users.values(), key=lambda item: (item.is_test, item.path, item.start_line))
    return OperationResult.of_tables(use_tables(meanings), summary, tuple(map(Place.of, ranked)))


_LISTS: Final[Mapping[str, Callable[[OperationScope, ResolvedTarget, int], OperationResult]]] = {
    "callers": _list_callers,
    "callees": _list_callees,
    "subclasses": _list_subclasses,
    "imports": _list_imports,
    "importers": _list_importers,
    "references": _list_references,
}


class PathsCall(Operation, frozen=True):
    name = "paths"
    summary = "Find call paths from one function to another, or import paths from one file to another."
    rare = True

    start: Target
    end: Annotated[str, Meta(description="where the path leads, in the same forms")]
    kind: Annotated[
        Literal["calls", "imports"], Meta(description="calls between definitions, or imports between their files")
    ] = "calls"
    repository: RepositoryId = ""
    hops: Annotated[int, Meta(description="longest path", ge=1, le=10)] = 8

    def run(self, scope: OperationScope) -> OperationResult:
        start, end = (scope.resolve(name, self.repository) for name in (self.start, self.end))
        starts, ends = start.require(), end.require()
        if self.kind == "calls":
            paths = find_call_paths(scope.reader, starts, ends, self.hops)
            lines = list(map(_format_path, paths))
            steps = {step.id: step for path in paths for step in path.steps}
        else:
            lines, steps = _find_import_paths(scope, starts, ends, self.hops)
        unit = "resolved calls" if self.kind == "calls" else "imports"
        summary = count_noun(len(lines), "path") if lines else f"no path of at most {self.hops} {unit}"
        title = f"{self.kind.removesuffix('s')} paths from {start.name} to {end.name}"
        table = Table((), [(line,) for line in lines or [summary]], title)
        return OperationResult.of_tables((table,), summary, tuple(map(Place.of, steps.values())))

    def relevant_names(self, result: OperationResult) -> set[str]:
        return short_names(self.start, self.end, *(place.qualname for place in result.places))


def _format_path(path: CallPath) -> str:
    """Format a path on one line, with locations and the line of each call."""
    text = f"{path.edges[0].start.title} ({path.edges[0].start.where()})"
    for edge in path.edges:
        step = "is replaced by" if edge.kind == "OVERRIDES" else "calls"
        step = f"calls at line {edge.lines[0]}" if edge.lines else step
        text += f" → {step} {edge.end.title} ({edge.end.where()})"
    return f"{text}  [confidence {path.confidence:.2f}]"


def _find_import_paths(
    scope: OperationScope, starts: Sequence[DefinitionRecord], ends: Sequence[DefinitionRecord], hops: int
) -> tuple[list[str], dict[str, DefinitionRecord]]:
    """Find the shortest import paths between two files; a definition stands for its file."""
    first, last = ([f"{item.repository}:{item.path}" for item in items] for items in (starts, ends))
    paths = find_relation_paths(scope.reader, first, last, ("IMPORTS",), hops, _MAX_IMPORT_PATHS).paths
    ids = dict.fromkeys([*first, *(step.end for path in paths for step in path)])
    steps = {item.id: item for item in scope.reader.definitions(ids)}
    return [
        " → ".join([steps[path[0].start].path, *map(partial(_format_import, steps), path)]) for path in paths
    ], steps


def _format_import(steps: Mapping[str, DefinitionRecord], step: PathStep) -> str:
    lines = step.relation.properties.get("lines")
    at = [line for line in lines if isinstance(line, int)] if isinstance(lines, list) else []
    return f"imports at {format_lines(at)} {steps[step.end].path}"


class ImpactCall(Operation, frozen=True):
    name = "impact"
    summary = "List what a change affects and the tests to run."

    target: Annotated[str, Meta(description="what is changed, as in `view`; empty with `patch`")] = ""
    patch: Annotated[str, Meta(description="unified diff of the indexed revision, instead")] = ""
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 30

    def run(self, scope: OperationScope) -> OperationResult:
        change = self._read_change(scope)
        report = analyze_impact(scope.reader, change, scope.repositories).cut(self.limit, self.limit, _MAX_TESTS)
        summary = f"{count_noun(report.affected_total, 'definition')} affected; {count_tests(report)}"
        places = [Place.of(item.entity, "", item.confidence) for item in report.affected]
        places += [Place.of(file.entity, "", file.confidence) for file in report.test_files]
        title = "\n".join((summary, *report.notes))
        return OperationResult.of_tables((Table((), (), title), *impact_tables(report)), summary, tuple(places))

    def _read_change(self, scope: OperationScope) -> CodeChange:
        if bool(self.target) == bool(self.patch):
            raise ToolError("say what is changed, by names or by a patch, and not by both")
        if self.target:
            return CodeChange((), tuple(scope.resolve(self.target, self.repository).require()))
        try:
            change = find_code_change(scope.reader, scope.one(self.repository), parse_patch(self.patch))
        except ValueError as error:
            raise ToolError(f"the patch cannot be read: {error}") from error
        if not change.definitions:
            raise ToolError("the patch changes no indexed file: its paths are relative to the repository's root")
        return change


class UnusedImportsCall(Operation, frozen=True):
    name = "unused_imports"
    summary = "List the files that import a file and use nothing of it."
    rare = True

    target: Annotated[str, Meta(description="the imported file: a path, module name or id")]
    repository: RepositoryId = ""

    def run(self, scope: OperationScope) -> OperationResult:
        modules = scope.resolve(self.target, self.repository).require("Module")
        ids = [item.id for item in scope.reader.with_members(modules)]
        uses = (*scope.reader.calls_to(ids), *scope.reader.references_to(ids), *scope.reader.subclasses(ids))
        users = {edge.start.path for edge in uses}
        edges = [
            edge for edge in scope.reader.imports_to([item.id for item in modules]) if edge.start.path not in users
        ]
        rows = [(edge.start.path, edge.how or "whole module", format_lines(edge.lines)) for edge in edges]
        summary = f"{count_noun(len(edges), 'file')} without a use"
        title = f"{format_heading(modules[0])}\n  {summary}"
        places = tuple(Place.of(edge.start) for edge in edges)
        return OperationResult.of_tables((Table(("FILE", "NAMES", "LINES"), rows, title),), summary, places)
