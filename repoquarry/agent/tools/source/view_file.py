"""Tool `view_file`: an indexed file or a range of its lines, code or prose."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.views.view import DefinitionSpan, ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.records import parse_name


class ViewFileArguments(Arguments, frozen=True):
    """Which file, and which of its lines."""

    path: Annotated[str, Meta(description="path relative to the root, or the end of it when that is unique")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    start_line: Annotated[int, Meta(description="first line, 1-based; 0 for the beginning", ge=0)] = 0
    end_line: Annotated[int, Meta(description="last line, inclusive; 0 for the end", ge=0)] = 0


def run(context: ToolContext, arguments: ViewFileArguments) -> ToolResult:
    repository, path = _find(context, arguments)
    lines = context.reader.text(repository, path).removesuffix("\n").split("\n")
    first = max(arguments.start_line, 1)
    last = min(arguments.end_line or len(lines), len(lines))
    if first > last:
        raise ToolError(f"{path} has {len(lines)} lines; line {first} is none of them")
    module = context.reader.module(repository, path)
    inside = context.reader.inside(repository, path) if module else []
    spans = tuple(
        DefinitionSpan(item.qualname, item.start_line, item.end_line)
        for item in inside
        if first <= item.start_line and item.end_line <= last
    )
    kind = ViewKind.CODE if module else ViewKind.DOCUMENT
    view = ToolView(kind, "\n".join(lines[first - 1 : last]), f"{repository} {path}:{first}-{last}", first, spans, path)
    place = Place(repository, path, "", first, last)
    return ToolResult(view, f"{path}, lines {first}-{last} of {len(lines)}", (place,), (module,) if module else ())


def _find(context: ToolContext, arguments: ViewFileArguments) -> tuple[str, str]:
    """The one file that is meant. Raises: ToolError when there is none, or several."""
    wanted = parse_name(arguments.path).path or arguments.path.strip("/")
    repositories = context.chosen(arguments.repository)
    files = context.reader.files_ending(wanted, repositories)
    exact = [file for file in files if file[1] == wanted]
    found = exact or files
    if not found:
        raise ToolError(f"no indexed file ends with {wanted!r}; tree shows the folders")
    if len(found) > 1:
        raise ToolError(f"{wanted!r} means {len(found)} files: {', '.join(' '.join(file) for file in found[:10])}")
    return found[0]


TOOL = Tool(
    "view_file",
    "Show an indexed file, or some of its lines; long code is cut to signatures and what fits the task.",
    ViewFileArguments,
    run,
)
