"""Tool `view_class`: the source of a class, with all that its name may mean."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.tools.source.code_view import show_definitions


class ViewClassArguments(Arguments, frozen=True):
    """Which class."""

    name: Annotated[str, Meta(description="name, dotted name, `path::qualname` or `path:line`")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


def run(context: ToolContext, arguments: ViewClassArguments) -> ToolResult:
    found = context.resolve(arguments.name, arguments.repository, ("Class",))
    return show_definitions(context, arguments.name, found)


TOOL = Tool(
    "view_class",
    "Show the source of a class by name; a name that means several is answered with all of them.",
    ViewClassArguments,
    run,
)
