"""Tool `callees`: what something calls: inside the repository, outside, and what could not be resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord, ExternalName, UnresolvedSite
from repoquarry.languages.registry import unknown_calls


class CalleesArguments(Arguments, frozen=True):
    """Whose calls."""

    name: Annotated[
        str, Meta(description="function, class or file: name, dotted name, `path::qualname` or `path:line`")
    ]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


@dataclass(frozen=True)
class CalleeReport:
    """What everything that a name means calls."""

    targets: tuple[DefinitionRecord, ...]
    edges: tuple[EdgeRecord, ...]
    outside: tuple[ExternalName, ...]
    unresolved: tuple[UnresolvedSite, ...]


def run(context: ToolContext, arguments: CalleesArguments) -> ToolResult:
    targets = context.resolve(arguments.name, arguments.repository)
    ids = [item.id for item in targets]
    for item in targets:
        if item.label != "Function":  # a class or file calls what the code in it calls
            inside = context.reader.inside(item.repository, item.path)
            ids += [part.id for part in inside if not item.qualname or part.qualname.startswith(item.qualname + ".")]
    edges = context.reader.calls_from(ids)
    outside, unresolved = context.reader.outside_calls(ids), context.reader.unresolved_from(ids)
    report = CalleeReport(tuple(targets), tuple(edges), tuple(outside), tuple(unresolved))
    lines = [
        f"{edge.start.title} calls {edge.end.title} ({edge.end.where()}) {edge.count} times, first at line "
        f"{edge.lines[0] if edge.lines else '?'} ({edge.how}, confidence {edge.confidence:.2f})"
        for edge in edges
    ]
    lines += [f"outside: {name.qualname}, {name.count} times" for name in outside]
    lines += [f"unresolved: {site.caller.title} calls .{site.name} ({site.reason})" for site in unresolved]
    summary = f"{len(edges)} callees inside, {len(outside)} outside, {len(unresolved)} unresolved names"
    notes = (several(arguments.name, targets), unknown_calls(item.path for item in targets))
    heading = "\n".join((f"callees of {arguments.name}", *filter(None, notes)))
    return ToolResult(rows(heading, lines), summary, tuple(Place.of(edge.end) for edge in edges), (report,))


TOOL = Tool(
    "callees",
    "What a function, class or file calls: inside the repository, outside it, and unresolved calls with the reason.",
    CalleesArguments,
    run,
)
