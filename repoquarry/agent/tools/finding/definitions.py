"""Tool `definitions`: everything that a name means, without its source."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.graphstore.reading.records import DefinitionRecord, Meaning


class DefinitionsArguments(Arguments, frozen=True):
    """Which names."""

    names: Annotated[
        list[str], Meta(description="names, dotted names, paths, `path::qualname` or `path:line`", min_length=1)
    ]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


def run(context: ToolContext, arguments: DefinitionsArguments) -> ToolResult:
    repositories = context.chosen(arguments.repository)
    found: dict[str, list[DefinitionRecord]] = {
        name: context.reader.resolve(name, repositories) for name in dict.fromkeys(arguments.names)
    }
    lines = []
    for name, meanings in found.items():
        lines.append(
            f"{name}: {len(meanings)} definitions" if meanings else f"{name}: nothing is defined under this name"
        )
        lines += [f"  {item.repository} {item.where()} {item.kind} {item.title}{item.signature}" for item in meanings]
    everything = {item.id: item for meanings in found.values() for item in meanings}
    places = tuple(Place.of(item) for item in everything.values())
    known = sum(bool(meanings) for meanings in found.values())
    summary = f"{known} of {len(found)} names are defined, {len(everything)} definitions"
    return ToolResult(
        rows("definitions", lines), summary, places, tuple(Meaning(name, tuple(m)) for name, m in found.items())
    )


TOOL = Tool(
    "definitions", "Everything that names mean: where each is defined, without its source.", DefinitionsArguments, run
)
