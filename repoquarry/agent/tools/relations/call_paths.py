"""Tool `call_paths`: the ways along calls from one thing to another, through overriding methods too."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.graphstore.reading.records import CallPath
from repoquarry.graphstore.reading.traversals import call_paths


class CallPathsArguments(Arguments, frozen=True):
    """From where to where."""

    starts: Annotated[
        list[str],
        Meta(description="where it starts: names, dotted names, paths, `path::qualname` or `path:line`", min_length=1),
    ]
    ends: Annotated[list[str], Meta(description="where it ends, in the same forms", min_length=1)]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    hops: Annotated[int, Meta(description="longest path", ge=1, le=10)] = 8


def run(context: ToolContext, arguments: CallPathsArguments) -> ToolResult:
    starts = [item for name in arguments.starts for item in context.resolve(name, arguments.repository)]
    ends = [item for name in arguments.ends for item in context.resolve(name, arguments.repository)]
    paths = call_paths(context.reader, starts, ends, arguments.hops)
    lines = [describe(path) for path in paths]
    places = {step.id: Place.of(step) for path in paths for step in path.steps}
    heading = f"call paths from {', '.join(arguments.starts)} to {', '.join(arguments.ends)}"
    summary = f"{len(paths)} paths" if paths else f"no path of at most {arguments.hops} resolved calls"
    return ToolResult(rows(heading, lines or [summary]), summary, tuple(places.values()), tuple(paths))


def describe(path: CallPath) -> str:
    """A path on one line: names with places, and the line of each call."""
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


TOOL = Tool(
    "call_paths",
    "The shortest ways along calls (and overriding methods) from one function, class or file to another.",
    CallPathsArguments,
    run,
)
