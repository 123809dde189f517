"""Tool `callers`: who calls something: resolved calls, then calls that may mean it, then how many stay unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord, ExternalCall, UnresolvedSite
from repoquarry.graphstore.reading.traversals import callers_by_hops, constructors, find_override_family
from repoquarry.languages.registry import family_name, unknown_calls


class CallersArguments(Arguments, frozen=True):
    """Whose callers, and how far away."""

    name: Annotated[
        str, Meta(description="function, method or class: name, dotted name, `path::qualname` or `path:line`")
    ]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    hops: Annotated[int, Meta(description="1 for direct callers, more for callers of callers", ge=1, le=5)] = 1


@dataclass(frozen=True)
class CallerReport:
    """The callers of everything that a name means. `edges[n]` are those n + 1 hops away."""

    targets: tuple[DefinitionRecord, ...]
    edges: tuple[tuple[EdgeRecord, ...], ...]
    possible: tuple[UnresolvedSite, ...]
    """Calls of the same name whose receiver is not known: each may or may not mean one of the targets."""

    inherited: tuple[DefinitionRecord, ...]
    """Methods that the targets replace or that replace them: a call of these may reach a target."""

    outside: tuple[ExternalCall, ...] = ()
    elsewhere: tuple[EdgeRecord, ...] = ()
    """Calls from other repositories, which use a target as part of a package."""


def run(context: ToolContext, arguments: CallersArguments) -> ToolResult:
    repositories = context.chosen(arguments.repository)
    try:
        targets = context.resolve(arguments.name, arguments.repository, ("Function", "Class"))
    except ToolError:
        return _outside(context, arguments.name, repositories)
    reached = constructors(context.reader, targets)
    related = find_override_family(context.reader, targets)
    edges = callers_by_hops(context.reader, [*targets, *reached], arguments.hops)
    possible = tuple(site for site, _ in context.reader.possible_calls(targets, repositories))
    elsewhere = tuple(
        context.reader.calls_from_elsewhere([item.id for item in (*targets, *reached)], context.repositories)
    )
    report = CallerReport(tuple(targets), edges, possible, tuple(related), elsewhere=elsewhere)
    direct = sum(edge.count for edge in edges[0]) if edges else 0
    summary = f"{direct} resolved call sites, {sum(site.count for site in possible)} possible ones"
    if elsewhere:
        summary += f", {sum(edge.count for edge in elsewhere)} in other repositories"
    notes = (several(arguments.name, targets), unknown_calls(item.path for item in targets))
    heading = "\n".join((f"callers of {arguments.name}", *filter(None, notes)))
    places = tuple(Place.of(edge.start) for hop in (*edges, elsewhere) for edge in hop)
    return ToolResult(rows(heading, _lines(report)), summary, places, (report,))


def _outside(context: ToolContext, name: str, repositories: Sequence[str]) -> ToolResult:
    """Callers of something that is defined outside. Raises: ToolError when nothing of that name is called."""
    found = context.reader.callers_of_outside(name, repositories)
    families = {family_name(call.caller.path) for call in found}
    possible = tuple(
        site
        for site in context.reader.unresolved_named([name.rpartition(".")[2]], repositories)
        if not families or family_name(site.caller.path) in families
    )
    if not found and not possible:
        raise ToolError(f"nothing called {name!r} is defined or called here; search may find it under another name")
    lines = [f"{call.caller.where()} {call.caller.title} calls {call.qualname} at {_at(call.lines)}" for call in found]
    lines += _possible_lines(possible)
    report = CallerReport((), (), possible, (), tuple(found))
    summary = f"{len(found)} callers of {name}, which is defined outside; {len(possible)} possible ones"
    return ToolResult(rows(f"callers of {name}", lines), summary, tuple(Place.of(c.caller) for c in found), (report,))


def _lines(report: CallerReport) -> list[str]:
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
        for edge in report.elsewhere
    ]
    lines += [f"related by overriding: {item.where()} {item.title}" for item in report.inherited]
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


TOOL = Tool(
    "callers",
    "Who calls a function, method or class: resolved calls with lines and confidence, then possible ones.",
    CallersArguments,
    run,
)
