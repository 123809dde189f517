"""What the tools that show code have in common: the source of a definition as a view that knows its own parts."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext, several
from repoquarry.agent.views.view import DefinitionSpan, ToolView, ViewKind
from repoquarry.graphstore.reading.records import DefinitionRecord

_SHOWN = 3  # meanings of one name that are shown whole; the others are listed


def show_definitions(context: ToolContext, target: str, found: Sequence[DefinitionRecord]) -> ToolResult:
    """The source of everything that a name means, as far as it stays readable."""
    shown = found[:_SHOWN]
    note = several(target, found)
    if len(shown) == 1:
        view = definition_view(context, shown[0])
    else:
        parts = [definition_view(context, item).render() for item in shown]
        view = ToolView(ViewKind.CODE, "\n\n".join(parts), note)
    summary = note or f"{found[0].title}, {found[0].where()}"
    return ToolResult(view, summary, tuple(Place.of(item) for item in found), tuple(found))


def definition_view(context: ToolContext, definition: DefinitionRecord) -> ToolView:
    """The source of one definition, under a line that says where it is."""
    lines = context.reader.lines(definition)
    inside = context.reader.inside(definition.repository, definition.path)
    spans = tuple(
        DefinitionSpan(item.qualname, item.start_line, item.end_line)
        for item in inside
        if definition.start_line <= item.start_line and item.end_line <= definition.end_line
    )
    heading = f"{definition.repository} {definition.where()} {definition.kind} {definition.title}"
    return ToolView(ViewKind.CODE, "\n".join(lines), heading, definition.start_line, spans, definition.path)
