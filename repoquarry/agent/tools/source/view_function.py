"""Tool `view_function`: the source of a function, with all that its name may mean."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.tools.source.code_view import show_definitions


class ViewFunctionArguments(Arguments, frozen=True):
    """Which function."""

    name: Annotated[str, Meta(description="name, dotted name, `path::qualname` or `path:line`")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


def run(context: ToolContext, arguments: ViewFunctionArguments) -> ToolResult:
    found = context.resolve(arguments.name, arguments.repository, ("Function",))
    return show_definitions(context, arguments.name, found)


TOOL = Tool(
    "view_function",
    "Show the source of a function by name; a name that means several is answered with all of them.",
    ViewFunctionArguments,
    run,
)
