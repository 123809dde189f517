"""Tools that find code: by words, task, name, constant, query or duplicate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext, heading, rows
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value, get_int, get_str
from repoquarry.graphstore.reading.constants import find_constants
from repoquarry.graphstore.reading.duplicates import DuplicateGroup, DuplicateRequest, find_duplicates
from repoquarry.graphstore.reading.records import PlaceHit
from repoquarry.graphstore.search import (
    LocatedPlace,
    LocateRequest,
    SearchHit,
    SearchMode,
    SearchRequest,
    locate,
    search,
)

_MAX_COPIES_SHOWN = 6
_MAX_FILES = 10
_MAX_DEFINITIONS = 25


def search_places(context: ToolContext, text: str, mode: str, repository: str, path: str, limit: int) -> ToolResult:
    request = SearchRequest(
        text=text,
        mode=SearchMode(mode),
        repositories=context.chosen(repository),
        path_globs=(path,) if path else (),
        page_size=limit,
    )
    page = search(context.reader.store, request, context.cancelled)
    known = {item.id: item for item in context.reader.definitions(hit.id for hit in page.hits)}
    hits = tuple(
        PlaceHit(
            hit.repository,
            hit.path,
            hit.score,
            known.get(hit.id),
            hit.start_line,
            hit.end_line,
            hit.snippet.text if hit.snippet else "",
            tuple(name for name, _ in sorted(hit.parts, key=lambda part: -part[1])),
        )
        for hit in page.hits
    )
    places = tuple(Place(h.repository, h.path, h.qualname, h.start_line, h.end_line, h.score) for h in page.hits)
    more = "" if page.total is None else f" of {page.total}"
    lines = [_format_hit(hit) for hit in page.hits]
    return ToolResult(rows(f"search {mode}: {text}", lines), f"{len(hits)}{more} hits", places, hits)


def _format_hit(hit: SearchHit) -> str:
    where = f"{hit.repository} {hit.path}:{hit.start_line}-{hit.end_line} {hit.qualname or hit.kind}  [{hit.score:.2f}]"
    if hit.snippet is None:
        return where
    shown = "\n".join(f"    {hit.snippet.line + n} {line}" for n, line in enumerate(hit.snippet.text.split("\n")[:5]))
    return f"{where}\n{shown}"


def locate_places(context: ToolContext, text: str, repository: str) -> ToolResult:
    request = LocateRequest(
        text=text,
        repositories=context.chosen(repository),
        max_files=_MAX_FILES,
        max_definitions=_MAX_DEFINITIONS,
    )
    answer = locate(context.reader.store, request)
    located = (*answer.definitions, *answer.files)
    known = {item.id: item for item in context.reader.definitions(place.id for place in located)}
    hits = tuple(
        PlaceHit(p.repository, p.path, p.score, known.get(p.id), p.start_line, p.end_line, "", p.reasons)
        for p in located
    )
    places = tuple(Place.of(h.definition, "", h.score, h.reasons) for h in hits if h.definition is not None)
    lines = ["definitions:", *map(_format_place, answer.definitions), "files:", *map(_format_place, answer.files)]
    summary = f"{len(answer.definitions)} definitions and {len(answer.files)} files"
    return ToolResult(rows(f"places for: {text[:200]}", lines), summary, places, hits)


def _format_place(place: LocatedPlace) -> str:
    where = f"{place.repository} {place.path}:{place.start_line}-{place.end_line} {place.qualname}".rstrip()
    return f"  {where}  [{place.score:.2f}] {', '.join(place.reasons)}"


def list_constants(context: ToolContext, text: str, repository: str, limit: int) -> ToolResult:
    found = find_constants(context.reader, text, context.chosen(repository))
    matching = found[:limit]
    lines = [f"{item.repository} {item.path}:{item.line} {item.name} = {item.value}" for item in matching]
    title = f"constants for: {text[:200]}"
    return ToolResult(rows(title, lines), f"{len(matching)} of {len(found)} constants", (), tuple(matching))


def list_duplicates(context: ToolContext, name: str, repository: str, limit: int) -> ToolResult:
    context.chosen(repository)
    functions = tuple(context.resolve(name, repository, ("Function",))) if name else None
    request = DuplicateRequest(context.repositories, functions, repository, limit=limit)
    report = find_duplicates(context.reader, request)
    lines = [line for group in report.groups for line in _format_group(group)]
    places = tuple(Place.of(item) for group in report.groups for item in group.definitions)
    summary = "; ".join((f"{len(report.groups)} groups of functions with the same code", *report.notes))
    title = f"same code as {name}" if name else f"code that {repository or 'one repository'} and others have"
    view = rows(heading(title, name, functions or (), summary), lines)
    return ToolResult(view, summary, places, report.groups)


def _format_group(group: DuplicateGroup) -> list[str]:
    shown = [f"  {item.repository} {item.where()} {item.title}" for item in group.definitions[:_MAX_COPIES_SHOWN]]
    more = group.copies - len(shown)
    return [group.heading(), *shown, *([f"  and {more} more"] if more else [])]


def query_graph(context: ToolContext, query: str, parameters: Mapping[str, Value]) -> ToolResult:
    store, settings = context.reader.store, context.settings
    limits = replace(store.settings.limits, rows=settings.query_rows, seconds=settings.query_seconds)
    result = store.query(query, parameters, limits, context.cancelled, context.client)
    lines = [" | ".join(_format_value(value) for value in row) for row in result.rows]
    if result.truncated:
        lines.append(f"[cut by the limit on {result.truncated}]")
    title = "\n".join([*result.warnings, " | ".join(result.columns)])
    places = tuple(place for row in result.rows for place in _places(row))
    cut = f", cut by the limit on {result.truncated}" if result.truncated else ""
    return ToolResult(rows(title, lines), f"{len(result.rows)} rows{cut}", places, tuple(result.rows))


def _format_value(value: Value) -> str:
    if isinstance(value, Node):
        return f"({':'.join(value.labels)} {value.id})"
    if isinstance(value, Relationship):
        return f"[{value.start_id} {value.type} {value.end_id}]"
    if isinstance(value, Path):
        return " - ".join(_format_value(node) for node in value.nodes)
    if isinstance(value, list):
        return "[" + ", ".join(_format_value(item) for item in value) + "]"
    return "null" if value is None else str(value)


def _places(values: Iterable[Value]) -> list[Place]:
    found = []
    for value in values:
        if isinstance(value, Node) and isinstance(path := value.properties.get("path"), str):
            read = value.properties.get
            lines = get_int(read("start_line")), get_int(read("end_line"))
            found.append(Place(get_str(read("repository")), path, get_str(read("qualname")), *lines))
    return found
