"""Tool `locate`: the files and definitions that matter for a task in words."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.reading.records import PlaceHit
from repoquarry.graphstore.search import LocatedPlace, LocateRequest
from repoquarry.graphstore.search import locate as locate_in_store


class LocateArguments(Arguments, frozen=True):
    """What the task is."""

    text: Annotated[str, Meta(description="the task, issue or question, with its names, paths and stack traces")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    files: Annotated[int, Meta(description="files", ge=1, le=50)] = 10
    definitions: Annotated[int, Meta(description="classes and functions", ge=1, le=100)] = 25


def run(context: ToolContext, arguments: LocateArguments) -> ToolResult:
    request = LocateRequest(
        text=arguments.text,
        repositories=context.chosen(arguments.repository),
        max_files=arguments.files,
        max_definitions=arguments.definitions,
    )
    try:
        answer = locate_in_store(context.reader.store, request)
    except GraphStoreError as error:
        raise ToolError(str(error)) from error
    located = (*answer.definitions, *answer.files)
    known = {item.id: item for item in context.reader.definitions(place.id for place in located)}
    hits = tuple(
        PlaceHit(p.repository, p.path, p.score, known.get(p.id), p.start_line, p.end_line, "", p.reasons)
        for p in located
    )
    places = tuple(Place.of(h.definition, "", h.score, h.reasons) for h in hits if h.definition is not None)
    lines = ["definitions:", *map(_line, answer.definitions), "files:", *map(_line, answer.files)]
    summary = f"{len(answer.definitions)} definitions and {len(answer.files)} files"
    return ToolResult(rows(f"places for: {arguments.text[:200]}", lines), summary, places, hits)


def _line(place: LocatedPlace) -> str:
    where = f"{place.repository} {place.path}:{place.start_line}-{place.end_line} {place.qualname}".rstrip()
    return f"  {where}  [{place.score:.2f}] {', '.join(place.reasons)}"


TOOL = Tool(
    "locate",
    "Find the files and definitions that matter for a task or issue, by names, words, meaning and the graph.",
    LocateArguments,
    run,
)
