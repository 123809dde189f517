"""Tool `edit_file`: replaces one piece of text in a file of the workspace."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind


class EditFileArguments(Arguments, frozen=True):
    """Where, what, and by what."""

    path: Annotated[str, Meta(description="path in the workspace")]
    old: Annotated[
        str, Meta(description="text to replace; it has to occur exactly once, line breaks and spaces included")
    ]
    new: Annotated[str, Meta(description="text that takes its place")]


def run(context: ToolContext, arguments: EditFileArguments) -> ToolResult:
    line = context.folder().edit(arguments.path, arguments.old, arguments.new)
    summary = f"replaced the text at line {line} of {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


TOOL = Tool("edit_file", "Replace one piece of text in a file of the workspace.", EditFileArguments, run, Effect.WRITES)
