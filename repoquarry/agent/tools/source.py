"""Tools that show stored source: files, classes and functions."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext, several
from repoquarry.agent.views.file_view import build_file_view
from repoquarry.agent.views.view import DefinitionSpan, ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.files import find_file, read_source
from repoquarry.graphstore.reading.records import DefinitionRecord

_MAX_SHOWN = 3
"""Maximum number of meanings of a name that are shown with source; the others are listed."""


def show_file(context: ToolContext, path: str, repository: str, start_line: int, end_line: int) -> ToolResult:
    repository, path = find_file(context.reader, path.strip("/"), context.chosen(repository))
    try:
        source = read_source(context.reader, repository, path, start_line, end_line)
    except ValueError as error:
        raise ToolError(f"{path}: {error}") from error
    first, last = source.start_line, source.end_line
    module = context.reader.module(repository, path)
    spans = _spans(context.reader.inside(repository, path) if module else (), first, last)
    view = build_file_view(path, source.text.removesuffix("\n"), f"{repository} {path}:{first}-{last}", first, spans)
    place = Place(repository, path, "", first, last)
    summary = f"{path}, lines {first}-{last} of {source.total_lines}"
    return ToolResult(view, summary, (place,), (module,) if module else ())


def _spans(inside: Sequence[DefinitionRecord], first: int, last: int) -> tuple[DefinitionSpan, ...]:
    return tuple(
        DefinitionSpan(item.qualname, item.start_line, item.end_line)
        for item in inside
        if first <= item.start_line and item.end_line <= last
    )


def show_definitions(context: ToolContext, target: str, found: Sequence[DefinitionRecord]) -> ToolResult:
    """Show the source of the first definitions that a name can refer to."""
    note = several(target, found)
    views = [_definition_view(context, item) for item in found[:_MAX_SHOWN]]
    view = views[0]
    if len(views) > 1:
        view = ToolView(ViewKind.CODE, "\n\n".join(item.render() for item in views), note)
    summary = note or f"{found[0].title}, {found[0].where()}"
    return ToolResult(view, summary, tuple(Place.of(item) for item in found), tuple(found))


def _definition_view(context: ToolContext, definition: DefinitionRecord) -> ToolView:
    text = "\n".join(context.reader.lines(definition))
    inside = context.reader.inside(definition.repository, definition.path)
    spans = _spans(inside, definition.start_line, definition.end_line)
    heading = f"{definition.repository} {definition.where()} {definition.kind} {definition.title}"
    return ToolView(ViewKind.CODE, text, heading, definition.start_line, spans, definition.path)
