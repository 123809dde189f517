"""Tool `between`: what lies between two sets of definitions along calls, whichever single path is shortest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.traversals import expand_members, rank_intermediates


class BetweenArguments(Arguments, frozen=True):
    """From where to where."""

    starts: Annotated[
        list[str],
        Meta(description="where it starts: names, dotted names, paths, `path::qualname` or `path:line`", min_length=1),
    ]
    ends: Annotated[list[str], Meta(description="where it ends, in the same forms", min_length=1)]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    hops: Annotated[int, Meta(description="calls followed from each end", ge=1, le=6)] = 3
    limit: Annotated[int, Meta(description="definitions", ge=1, le=200)] = 40


@dataclass(frozen=True)
class Passed:
    """A definition that lies between; the likeliest has `score` 1.0."""

    definition: DefinitionRecord
    score: float


def run(context: ToolContext, arguments: BetweenArguments) -> ToolResult:
    starts, ends = (_seeds(context, names, arguments.repository) for names in (arguments.starts, arguments.ends))
    found = rank_intermediates(context.reader, starts, ends, arguments.hops)[: arguments.limit]
    lines = [f"{item.repository} {item.where()} {item.title}  [{score:.2f}]" for item, score in found]
    heading = f"between {', '.join(arguments.starts)} and {', '.join(arguments.ends)}"
    places = tuple(Place.of(item, "", score) for item, score in found)
    records = tuple(Passed(item, score) for item, score in found)
    return ToolResult(rows(heading, lines), f"{len(found)} definitions", places, records)


def _seeds(context: ToolContext, names: list[str], repository: str) -> dict[str, float]:
    """Functions that the names mean, each name of equal weight: a class or file stands for what is defined in it."""
    seeds: dict[str, float] = {}
    for name in names:
        inside = expand_members(context.reader, context.resolve(name, repository))
        code = [item for item in inside if item.label == "Function"] or inside
        for item in code:
            seeds[item.id] = seeds.get(item.id, 0.0) + 1 / len(code)
    return seeds


TOOL = Tool(
    "between",
    "What lies on the way from some functions, classes or files to others along calls, the most central first.",
    BetweenArguments,
    run,
)
