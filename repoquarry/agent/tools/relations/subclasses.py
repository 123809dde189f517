"""Tool `subclasses`: which classes inherit from a class, at any depth, and what it inherits from itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord
from repoquarry.graphstore.reading.traversals import descendants


class SubclassesArguments(Arguments, frozen=True):
    """Of which class."""

    name: Annotated[str, Meta(description="class inside the repository or outside: name or dotted name")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    depth: Annotated[int, Meta(description="levels of inheritance", ge=1, le=20)] = 10


@dataclass(frozen=True)
class ClassReport:
    """The hierarchy around everything that a class's name means. `levels[n]` are edges from classes n + 1 levels below."""

    targets: tuple[DefinitionRecord, ...]
    bases: tuple[EdgeRecord, ...]
    levels: tuple[tuple[EdgeRecord, ...], ...]
    outside: tuple[tuple[str, DefinitionRecord], ...] = ()
    """(full name, class) for classes that inherit directly from one outside the repository."""


def run(context: ToolContext, arguments: SubclassesArguments) -> ToolResult:
    repositories = context.chosen(arguments.repository)
    try:
        targets = context.resolve(arguments.name, arguments.repository, ("Class",))
    except ToolError:
        targets = []
    outside = [] if targets else context.reader.subclasses_of_outside(arguments.name, repositories)
    if not targets and not outside:
        raise ToolError(f"no class {arguments.name!r} is defined or inherited from here")
    roots = targets or list({item.id: item for _, item in outside}.values())
    levels = descendants(context.reader, roots, arguments.depth)
    bases = context.reader.bases([item.id for item in targets])
    report = ClassReport(tuple(targets), tuple(bases), levels, tuple(outside))
    lines = [f"base: {edge.end.where()} {edge.end.title}" for edge in bases]
    lines += [f"level 1: {item.where()} {item.title} inherits from {name}" for name, item in outside]
    offset = 2 if outside else 1
    for level, edges in enumerate(levels, offset):
        lines += [
            f"level {level}: {edge.start.where()} {edge.start.title} inherits from {edge.end.title}" for edge in edges
        ]
    below = {edge.start.id: edge.start for edges in levels for edge in edges} | {item.id: item for _, item in outside}
    note = several(arguments.name, targets)
    heading = f"subclasses of {arguments.name}" + (f"\n{note}" if note else "")
    places = tuple(Place.of(item) for item in below.values())
    return ToolResult(rows(heading, lines), f"{len(below)} subclasses", places, (report,))


TOOL = Tool(
    "subclasses",
    "Which classes inherit from a class, at any depth, and its own bases.",
    SubclassesArguments,
    run,
)
