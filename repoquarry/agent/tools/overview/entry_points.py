"""Tool `entry_points`: how the code is reached from outside: commands, routes, registered handlers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.graphstore.reading.records import DefinitionRecord

_KINDS_FIRST = ("console_script", "script", "main", "command", "route")


class EntryPointsArguments(Arguments, frozen=True):
    """Of which repository."""

    repository: Annotated[str, Meta(description="repository id; empty for all of the task's")] = ""


def run(context: ToolContext, arguments: EntryPointsArguments) -> ToolResult:
    found = sorted(context.reader.entry_points(context.chosen(arguments.repository)), key=_rank)
    lines = [f"{item.repository} {item.where()} {item.title}: {', '.join(item.entry_points)}" for item in found]
    places = tuple(Place.of(item, ", ".join(item.entry_points)) for item in found)
    return ToolResult(rows("entry points", lines), f"{len(found)} entry points", places, tuple(found))


def _rank(item: DefinitionRecord) -> tuple[int, str]:
    """What a person starts comes before what a framework calls."""
    kinds = [point.partition(":")[0] for point in item.entry_points]
    return (min(_KINDS_FIRST.index(kind) if kind in _KINDS_FIRST else len(_KINDS_FIRST) for kind in kinds), item.id)


TOOL = Tool(
    "entry_points",
    "How the code is reached from outside: console scripts, __main__, commands, routes, registered handlers.",
    EntryPointsArguments,
    run,
)
