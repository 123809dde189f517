"""Tool `read_file`: a file of the workspace."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind


class ReadFileArguments(Arguments, frozen=True):
    """Which file."""

    path: Annotated[str, Meta(description="path in the workspace")]


def run(context: ToolContext, arguments: ReadFileArguments) -> ToolResult:
    text = context.folder().read(arguments.path)
    view = ToolView(ViewKind.CODE, text, f"workspace {arguments.path}", 1, path=arguments.path)
    return ToolResult(view, f"{arguments.path}, {text.count(chr(10)) + 1} lines", records=(text,))


TOOL = Tool("read_file", "Show a file of the workspace.", ReadFileArguments, run, Effect.WRITES)
