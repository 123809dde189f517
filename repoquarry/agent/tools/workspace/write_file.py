"""Tool `write_file`: writes a file of the workspace whole."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind


class WriteFileArguments(Arguments, frozen=True):
    """Where and what."""

    path: Annotated[str, Meta(description="path in the workspace; folders are made")]
    text: Annotated[str, Meta(description="the whole content")]


def run(context: ToolContext, arguments: WriteFileArguments) -> ToolResult:
    size = context.folder().write(arguments.path, arguments.text)
    summary = f"wrote {size} bytes to {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


TOOL = Tool("write_file", "Write a file of the workspace whole.", WriteFileArguments, run, Effect.WRITES)
