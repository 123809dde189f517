"""Tool `constants`: constants, settings and defaults with their values, by words."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.graphstore.search.text_analysis import terms


class ConstantsArguments(Arguments, frozen=True):
    """Which constants."""

    text: Annotated[str, Meta(description="words that their names or comments hold")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    numeric: Annotated[bool, Meta(description="whether their value has to be a number")] = False
    limit: Annotated[int, Meta(description="constants", ge=1, le=100)] = 15


def run(context: ToolContext, arguments: ConstantsArguments) -> ToolResult:
    wanted = terms(arguments.text)
    found = context.reader.constants(wanted, context.chosen(arguments.repository))
    fitting = [item for item in found if item.is_numeric or not arguments.numeric][: arguments.limit]
    lines = [f"{item.repository} {item.path}:{item.line} {item.name} = {item.value}" for item in fitting]
    heading = f"constants for: {arguments.text[:200]}"
    return ToolResult(rows(heading, lines), f"{len(fitting)} of {len(found)} constants", (), tuple(fitting))


TOOL = Tool(
    "constants",
    "Constants, settings and defaults with the values that the code gives them, by words in their names and comments.",
    ConstantsArguments,
    run,
)
