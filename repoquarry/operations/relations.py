"""Operations `relations` (callers, callees, imports, subclasses, all uses), `paths` between two names, and `impact` of a change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Final, Literal

from msgspec import Meta

from repoquarry.code.calls import find_callees, find_callers, find_external_callers
from repoquarry.code.impact import CodeChange, analyze_impact, find_code_change
from repoquarry.code.patches import parse_patch
from repoquarry.code.paths import PathStep, find_call_paths, find_relation_paths
from repoquarry.code.records import (
    AffectedDefinition,
    CallPath,
    DefinitionRecord,
    EdgeRecord,
    UnresolvedSite,
)
from repoquarry.code.regression_tests import RankedFile
from repoquarry.code.relations import (
    USES,
    RelationRequest,
    find_external_subclasses,
    find_importers,
    find_subclasses,
    list_relations,
)
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import count_noun, get_int_list, get_str_list
from repoquarry.languages.registry import unknown_calls
from repoquarry.operations.base import (
    Operation,
    OperationScope,
    RepositoryId,
    ResolvedTarget,
    Target,
    heading,
    rows,
    short_names,
)
from repoquarry.operations.result import OperationResult, Place

_MAX_TESTS_SHOWN: Final = 5
_MAX_IMPORT_PATHS: Final = 24


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
        return short_names(self.target, *(place.qualname for place in result.places))


def _list_callers(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    try:
        targets = target.require("Function", "Class")
    except NotFoundError:
        return _list_external_callers(scope, target)
    report = find_callers(scope.reader, targets, target.repositories, hops=hops, callers_in=scope.repositories)
    edges, elsewhere = report.edges, report.cross_repository
    lines = [
        f"{f'hop {hop}: ' if len(edges) > 1 else ''}{edge.start.where()} {edge.start.title} calls {edge.end.title} "
        f"at {_at(edge.lines)} {_grade(edge)}"
        for hop, level in enumerate(edges, 1)
        for edge in level
    ]
    lines += [
        f"in repository {edge.start.repository}: {edge.start.where()} {edge.start.title} calls {edge.end.title} of "
        f"{edge.end.repository} at {_at(edge.lines)} {_grade(edge)}"
        for edge in elsewhere
    ]
    lines += [f"related by overriding: {item.where()} {item.title}" for item in report.override_family]
    callers, sites = len({edge.start.id for edge in report.direct}), sum(edge.count for edge in report.direct)
    possible = sum(site.count for site in report.possible)
    summary = f"{count_noun(callers, 'caller')}, {count_noun(sites, 'resolved call site')}, {possible} possible ones"
    if elsewhere:
        summary += f", {sum(edge.count for edge in elsewhere)} in other repositories"
    title = heading(f"callers of {target.name}", target, unknown_calls(item.path for item in targets))
    places = tuple(Place.of(edge.start) for level in (*edges, elsewhere) for edge in level)
    return OperationResult(rows(title, [*lines, *_possible_lines(report.possible)]), summary, places, report.possible)


def _list_external_callers(scope: OperationScope, target: ResolvedTarget) -> OperationResult:
    name, report = target.name, find_external_callers(scope.reader, target.name, target.repositories)
    found, possible = report.external, report.possible
    lines = [f"{call.caller.where()} {call.caller.title} calls {call.qualname} at {_at(call.lines)}" for call in found]
    summary = f"{count_noun(len(found), 'caller')} of {name}, which is defined outside; {len(possible)} possible ones"
    view = rows(f"callers of {name}", [*lines, *_possible_lines(possible)])
    return OperationResult(view, summary, tuple(Place.of(call.caller) for call in found), possible)


def _possible_lines(possible: Sequence[UnresolvedSite]) -> list[str]:
    return [
        f"possible: {site.caller.where()} {site.caller.title} calls .{site.name} at {_at(site.lines)} ({site.reason})"
        for site in possible
    ]


def _grade(edge: EdgeRecord) -> str:
    return f"({edge.how}, confidence {edge.confidence:.2f})"


def _at(lines: Sequence[int]) -> str:
    more = " …" if len(lines) > 8 else ""
    return f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines[:8]))}{more}"


def _list_callees(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    targets = target.require()
    report = find_callees(scope.reader, targets)
    lines = [
        f"{edge.start.title} calls {edge.end.title} ({edge.end.where()}) {count_noun(edge.count, 'time')}, first at line "
        f"{edge.lines[0] if edge.lines else '?'} {_grade(edge)}"
        for edge in report.edges
    ]
    lines += [f"outside: {name.qualname}, {count_noun(name.count, 'time')}" for name in report.external]
    lines += [f"unresolved: {site.caller.title} calls .{site.name} ({site.reason})" for site in report.unresolved]
    counts = len(report.edges), len(report.external), len(report.unresolved)
    summary = "{} callees inside, {} outside, {} unresolved names".format(*counts)
    title = heading(f"callees of {target.name}", target, unknown_calls(item.path for item in targets))
    return OperationResult(rows(title, lines), summary, tuple(Place.of(edge.end) for edge in report.edges))


def _list_imports(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    ids = [item.id for item in target.require("Module")]
    inside, external = scope.reader.imports_from(ids), scope.reader.external_imports(ids)
    lines = [
        f"{edge.start.path}:{edge.lines[0] if edge.lines else '?'} {edge.end.path}: {edge.how or 'whole module'}"
        for edge in inside
    ]
    lines += [f"outside: {name.qualname}" for name in external]
    summary = f"{count_noun(len(inside), 'module')} of the repository, {count_noun(len(external), 'name')} from outside"
    view = rows(f"imports of {target.name}", lines)
    return OperationResult(view, summary, tuple(Place.of(edge.end) for edge in inside))


def _list_importers(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    found = find_importers(scope.reader, target.require("Module"))
    lines = [
        f"{item.module.path}  coupling {item.weight:.1f}  imports "
        f"{item.imports.how if item.imports else 'nothing directly'}"
        for item in found
    ]
    return OperationResult(
        rows(f"importers of {target.name}", lines),
        f"{count_noun(len(found), 'file')} {'depends' if len(found) == 1 else 'depend'} on it",
        tuple(Place.of(item.module) for item in found),
    )


def _list_subclasses(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    name = target.name
    try:
        report = find_subclasses(scope.reader, target.require("Class"), hops)
    except NotFoundError:
        report = find_external_subclasses(scope.reader, name, target.repositories, hops)
    lines = [f"base: {edge.end.where()} {edge.end.title}" for edge in report.bases]
    lines += [f"level 1: {item.where()} {item.title} inherits from {name}" for name, item in report.external]
    lines += [
        f"level {level}: {edge.start.where()} {edge.start.title} inherits from {edge.end.title}"
        for level, edges in enumerate(report.levels, 2 if report.external else 1)
        for edge in edges
    ]
    below = {edge.start.id: edge.start for edges in report.levels for edge in edges}
    below |= {item.id: item for _, item in report.external}
    title = heading(f"subclasses of {name}", target)
    return OperationResult(rows(title, lines), f"{len(below)} subclasses", tuple(map(Place.of, below.values())))


_USES: Final = {"CALLS": "calls", "REFERENCES": "uses", "INHERITS": "inherits from", "IMPORTS": "imports"}


def _list_references(scope: OperationScope, target: ResolvedTarget, hops: int) -> OperationResult:
    """List every use, production code first."""
    name, report = target.name, list_relations(scope.reader, target.nodes, RelationRequest(USES, outgoing=False))
    reached = [item for one in report.by_node for item in one.reached]
    records = {record.id: record for record in scope.reader.definitions({item.node.id for item in reached})}
    uses = [
        (record, _USES[item.relation.type], item.relation.properties)
        for item in reached
        if (record := records.get(item.node.id))
    ]
    uses.sort(key=lambda use: (use[0].is_test, use[0].path, use[0].start_line, use[1]))
    lines = []
    for record, verb, properties in uses:
        kinds = ", ".join(get_str_list(properties.get("kinds")))
        at = _at(get_int_list(properties.get("lines")) or (record.start_line,))
        lines.append(f"{record.path} {record.title} {verb} it at {at}{f' ({kinds})' if kinds else ''}")
    summary = f"{count_noun(len(uses), 'definition')} {'uses' if len(uses) == 1 else 'use'} {name}"
    places = tuple(Place.of(record) for record, *_ in uses)
    return OperationResult(rows(f"references to {name}", lines or [summary]), summary, places)


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
        return OperationResult(rows(title, lines or [summary]), summary, tuple(map(Place.of, steps.values())))

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
    return f"imports at {_at(at)} {steps[step.end].path}"


class ImpactCall(Operation, frozen=True):
    name = "impact"
    summary = "List what a change affects and the tests to run."

    target: Annotated[str, Meta(description="what is changed, as in `view`; empty with `patch`")] = ""
    patch: Annotated[str, Meta(description="unified diff of the indexed revision, instead")] = ""
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 30

    def run(self, scope: OperationScope) -> OperationResult:
        change = self._read_change(scope)
        report = analyze_impact(scope.reader, change, scope.repositories)
        shown, tests = report.affected[: self.limit], report.test_files[: self.limit]
        lines = [f"changed: {item.repository} {item.where()} {item.title}" for item in change.definitions]
        lines += [*map(_format_affected, shown), *map(_format_tests, tests)]
        files = f"{len(report.test_files)} of {report.indexed_test_files} files of tests to run"
        summary = f"{count_noun(len(report.affected), 'definition')} affected, {files}"
        places = [Place.of(item.definition, "", item.confidence) for item in shown]
        places += [Place.of(file.module, "", file.confidence) for file in tests]
        return OperationResult(
            rows("\n".join(("impact of the change", summary, *report.notes)), lines), summary, tuple(places)
        )

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


def _format_affected(item: AffectedDefinition) -> str:
    where = f"{item.definition.repository} {item.definition.where()} {item.definition.title}"
    return f"affected {item.confidence:.2f}: {where} ({item.how}, hop {item.hops})"


def _format_tests(file: RankedFile) -> str:
    names = ", ".join(test.definition.title for test in file.tests[:_MAX_TESTS_SHOWN])
    more = f" and {len(file.tests) - _MAX_TESTS_SHOWN} more" if len(file.tests) > _MAX_TESTS_SHOWN else ""
    return f"test {file.confidence:.2f}: {file.module.repository} {file.module.path} {names}{more} ({file.how})"
