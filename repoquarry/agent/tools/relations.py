"""Tools that follow relations between definitions: calls, imports, inheritance, impact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext, heading, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_int_list, get_str_list
from repoquarry.graphstore.reading.impact import CodeChange, analyze_impact, find_code_change
from repoquarry.graphstore.reading.patches import parse_patch
from repoquarry.graphstore.reading.paths import PathStep, find_call_paths, find_relation_paths
from repoquarry.graphstore.reading.records import AffectedDefinition, CallPath, DefinitionRecord, UnresolvedSite
from repoquarry.graphstore.reading.regression_tests import RankedFile
from repoquarry.graphstore.reading.relations import (
    CallerReport,
    expand,
    find_callees,
    find_callers,
    find_external_callers,
    find_external_subclasses,
    find_importers,
    find_imports,
    find_subclasses,
)
from repoquarry.languages.registry import unknown_calls

_MAX_TESTS_SHOWN = 5
_MAX_IMPORT_PATHS = 24


def list_callers(context: ToolContext, name: str, repository: str, hops: int) -> ToolResult:
    repositories = context.chosen(repository)
    try:
        targets = context.resolve(name, repository, ("Function", "Class"))
    except NotFoundError:
        return _external_callers(context, name, repositories)
    scope = context.repositories
    report = find_callers(context.reader, targets, repositories, hops=hops, callers_in=scope)
    edges, elsewhere = report.edges, report.cross_repository
    direct = sum(edge.count for edge in edges[0]) if edges else 0
    summary = f"{direct} resolved call sites, {sum(site.count for site in report.possible)} possible ones"
    if elsewhere:
        summary += f", {sum(edge.count for edge in elsewhere)} in other repositories"
    title = heading(f"callers of {name}", name, targets, _call_note(targets))
    places = tuple(Place.of(edge.start) for hop in (*edges, elsewhere) for edge in hop)
    return ToolResult(rows(title, _caller_lines(report)), summary, places, (report,))


def _external_callers(context: ToolContext, name: str, repositories: Sequence[str]) -> ToolResult:
    report = find_external_callers(context.reader, name, repositories)
    found, possible = report.external, report.possible
    lines = [f"{call.caller.where()} {call.caller.title} calls {call.qualname} at {_at(call.lines)}" for call in found]
    lines += _possible_lines(possible)
    summary = f"{len(found)} callers of {name}, which is defined outside; {len(possible)} possible ones"
    return ToolResult(rows(f"callers of {name}", lines), summary, tuple(Place.of(c.caller) for c in found), (report,))


def _caller_lines(report: CallerReport) -> list[str]:
    lines = []
    for hop, edges in enumerate(report.edges, 1):
        lines += [
            f"{'hop ' + str(hop) + ': ' if len(report.edges) > 1 else ''}{edge.start.where()} {edge.start.title} calls "
            f"{edge.end.title} at {_at(edge.lines)} ({edge.how}, confidence {edge.confidence:.2f})"
            for edge in edges
        ]
    lines += [
        f"in repository {edge.start.repository}: {edge.start.where()} {edge.start.title} calls {edge.end.title} of "
        f"{edge.end.repository} at {_at(edge.lines)} ({edge.how}, confidence {edge.confidence:.2f})"
        for edge in report.cross_repository
    ]
    lines += [f"related by overriding: {item.where()} {item.title}" for item in report.override_family]
    return lines + _possible_lines(report.possible)


def _possible_lines(possible: Sequence[UnresolvedSite]) -> list[str]:
    return [
        f"possible: {site.caller.where()} {site.caller.title} calls .{site.name} at {_at(site.lines)} ({site.reason})"
        for site in possible
    ]


def _at(lines: Sequence[int]) -> str:
    return (
        ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines[:8])) + (" …" if len(lines) > 8 else "")
    )


def _call_note(targets: Sequence[DefinitionRecord]) -> str:
    return unknown_calls(item.path for item in targets)


_USES = {"CALLS": "calls", "REFERENCES": "uses", "INHERITS": "inherits from", "IMPORTS": "imports"}


def list_references(context: ToolContext, name: str, subject: Sequence[Node]) -> ToolResult:
    """List every use of the nodes that a name refers to, production code first."""
    ids = [node.id for node in subject]
    uses = [
        (
            record,
            verb,
            get_int_list(hop.relation.properties.get("lines")),
            get_str_list(hop.relation.properties.get("kinds")),
        )
        for kind, verb in _USES.items()
        for hop in expand(context.reader.store, ids, kind, outgoing=False)
        for record in context.reader.definitions([hop.other.id])
    ]
    uses.sort(key=lambda use: (use[0].is_test, use[0].path, use[2] or (use[0].start_line,)))
    lines = [
        f"{record.path} {record.title} {verb} it at {_at(at or (record.start_line,))}"
        + (f" ({', '.join(kinds)})" if kinds else "")
        for record, verb, at, kinds in uses
    ]
    places = tuple(Place.of(record) for record, *_ in uses)
    summary = f"{len(uses)} definitions use {name}"
    return ToolResult(rows(f"references to {name}", lines or [summary]), summary, places, tuple(places))


def list_callees(context: ToolContext, name: str, repository: str) -> ToolResult:
    targets = context.resolve(name, repository)
    report = find_callees(context.reader, targets)
    lines = [
        f"{edge.start.title} calls {edge.end.title} ({edge.end.where()}) {edge.count} times, first at line "
        f"{edge.lines[0] if edge.lines else '?'} ({edge.how}, confidence {edge.confidence:.2f})"
        for edge in report.edges
    ]
    lines += [f"outside: {name.qualname}, {name.count} times" for name in report.external]
    lines += [f"unresolved: {site.caller.title} calls .{site.name} ({site.reason})" for site in report.unresolved]
    counts = len(report.edges), len(report.external), len(report.unresolved)
    summary = "{} callees inside, {} outside, {} unresolved names".format(*counts)
    title = heading(f"callees of {name}", name, targets, _call_note(targets))
    return ToolResult(rows(title, lines), summary, tuple(Place.of(edge.end) for edge in report.edges), (report,))


def list_call_paths(context: ToolContext, start: str, end: str, repository: str, hops: int) -> ToolResult:
    starts, ends = context.resolve(start, repository), context.resolve(end, repository)
    paths = find_call_paths(context.reader, starts, ends, hops)
    lines = [_format_path(path) for path in paths]
    places = {step.id: Place.of(step) for path in paths for step in path.steps}
    title = f"call paths from {start} to {end}"
    summary = f"{len(paths)} paths" if paths else f"no path of at most {hops} resolved calls"
    return ToolResult(rows(title, lines or [summary]), summary, tuple(places.values()), tuple(paths))


def _format_path(path: CallPath) -> str:
    """Format a path on one line, with locations and the line of each call."""
    text = f"{path.edges[0].start.title} ({path.edges[0].start.where()})"
    for edge in path.edges:
        step = (
            f"calls at line {edge.lines[0]}"
            if edge.lines
            else "is replaced by"
            if edge.kind == "OVERRIDES"
            else "calls"
        )
        text += f" → {step} {edge.end.title} ({edge.end.where()})"
    return f"{text}  [confidence {path.confidence:.2f}]"


def list_import_paths(context: ToolContext, start: str, end: str, repository: str, hops: int) -> ToolResult:
    """List the shortest import paths between two files; a definition stands for its file."""
    reader = context.reader
    first, last = (
        [f"{item.repository}:{item.path}" for item in context.resolve(name, repository)] for name in (start, end)
    )
    paths = find_relation_paths(reader, first, last, ("IMPORTS",), hops, _MAX_IMPORT_PATHS).paths
    steps = {item.id: item for item in reader.definitions({step.end for path in paths for step in path} | {*first})}
    lines = [" → ".join([steps[path[0].start].path, *map(partial(_format_import, steps), path)]) for path in paths]
    title = f"import paths from {start} to {end}"
    summary = f"{len(paths)} paths" if paths else f"no path of at most {hops} imports"
    return ToolResult(rows(title, lines or [summary]), summary, tuple(Place.of(item) for item in steps.values()))


def _format_import(steps: Mapping[str, DefinitionRecord], step: PathStep) -> str:
    lines = step.relation.properties.get("lines")
    at = [line for line in lines if isinstance(line, int)] if isinstance(lines, list) else []
    return f"imports at {_at(at)} {steps[step.end].path}"


def list_impact(context: ToolContext, name: str, patch: str, repository: str, limit: int) -> ToolResult:
    change = _read_change(context, name, patch, repository)
    report = analyze_impact(context.reader, change, context.repositories)
    shown, tests = report.affected[:limit], report.test_files[:limit]
    lines = [f"changed: {item.repository} {item.where()} {item.title}" for item in change.definitions]
    lines += [*map(_format_affected, shown), *map(_format_tests, tests)]
    files = f"{len(report.test_files)} of {report.indexed_test_files} files of tests to run"
    summary = f"{len(report.affected)} definitions affected, {files}"
    places = [Place.of(item.definition, "", item.confidence) for item in shown]
    places += [Place.of(file.module, "", file.confidence) for file in tests]
    title = "\n".join(("impact of the change", summary, *report.notes))
    return ToolResult(rows(title, lines), summary, tuple(places), (*shown, *tests))


def _read_change(context: ToolContext, name: str, patch: str, repository: str) -> CodeChange:
    if bool(name) == bool(patch):
        raise ToolError("say what is changed, by names or by a patch, and not by both")
    if name:
        return CodeChange((), tuple(context.resolve(name, repository)))
    repository = context.one(repository)
    try:
        change = find_code_change(context.reader, repository, parse_patch(patch))
    except ValueError as error:
        raise ToolError(f"the patch cannot be read: {error}") from error
    if not change.definitions:
        raise ToolError("the patch changes no indexed file: its paths are relative to the repository's root")
    return change


def _format_affected(item: AffectedDefinition) -> str:
    found = item.definition
    return f"affected {item.confidence:.2f}: {found.repository} {found.where()} {found.title} ({item.how}, hop {item.hops})"


def _format_tests(file: RankedFile) -> str:
    names = ", ".join(test.definition.title for test in file.tests[:_MAX_TESTS_SHOWN])
    more = f" and {len(file.tests) - _MAX_TESTS_SHOWN} more" if len(file.tests) > _MAX_TESTS_SHOWN else ""
    return f"test {file.confidence:.2f}: {file.module.repository} {file.module.path} {names}{more} ({file.how})"


def list_imports(context: ToolContext, module: str, repository: str) -> ToolResult:
    modules = context.resolve(module, repository, ("Module",))
    report = find_imports(context.reader, modules)
    lines = [
        f"{edge.start.path}:{edge.lines[0] if edge.lines else '?'} {edge.end.path}: {edge.how or 'whole module'}"
        for edge in report.inside
    ]
    lines += [f"outside: {name.qualname}" for name in report.external]
    title = heading(f"imports of {module}", module, modules)
    summary = f"{len(report.inside)} modules of the repository, {len(report.external)} names from outside"
    return ToolResult(rows(title, lines), summary, tuple(Place.of(edge.end) for edge in report.inside), (report,))


def list_importers(context: ToolContext, module: str, repository: str) -> ToolResult:
    modules = context.resolve(module, repository, ("Module",))
    report = find_importers(context.reader, modules)
    found = report.dependents
    lines = [
        f"{item.module.path}  coupling {item.weight:.1f}  imports {item.imports.how if item.imports else 'nothing directly'}"
        for item in found
    ]
    title = heading(f"importers of {module}", module, modules)
    places = tuple(Place.of(item.module) for item in found)
    return ToolResult(rows(title, lines), f"{len(found)} files depend on it", places, (report,))


def list_subclasses(context: ToolContext, name: str, repository: str, depth: int) -> ToolResult:
    repositories = context.chosen(repository)
    try:
        targets = context.resolve(name, repository, ("Class",))
        report = find_subclasses(context.reader, targets, depth)
    except NotFoundError:
        report = find_external_subclasses(context.reader, name, repositories, depth)
    lines = [f"base: {edge.end.where()} {edge.end.title}" for edge in report.bases]
    lines += [f"level 1: {item.where()} {item.title} inherits from {name}" for name, item in report.external]
    for level, edges in enumerate(report.levels, 2 if report.external else 1):
        lines += [
            f"level {level}: {edge.start.where()} {edge.start.title} inherits from {edge.end.title}" for edge in edges
        ]
    below = {edge.start.id: edge.start for edges in report.levels for edge in edges}
    below |= {item.id: item for _, item in report.external}
    title = heading(f"subclasses of {name}", name, report.targets)
    places = tuple(Place.of(item) for item in below.values())
    return ToolResult(rows(title, lines), f"{len(below)} subclasses", places, (report,))
