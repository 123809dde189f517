"""Tool `checkout`: puts the indexed files of a repository into the workspace, so that commands can use them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext, ToolResult
from repoquarry.agent.views import View, ViewKind


class CheckoutArguments(Arguments, frozen=True):
    """Which files, and where to."""

    repository: Annotated[str, Meta(description="repository id")]
    folder: Annotated[str, Meta(description="folder of the workspace; empty for one named like the repository")] = ""


def run(context: ToolContext, arguments: CheckoutArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    workspace, reader = context.folder(), context.reader
    folder = arguments.folder or repository
    files = reader.files_ending("", (repository,))
    for _, path in files:
        workspace.write(f"{folder}/{path}", reader.text(repository, path))
    summary = f"{len(files)} indexed text files of {repository} are in {folder}/; files that were left out are not"
    return ToolResult(View(ViewKind.ROWS, summary), summary, records=tuple(path for _, path in files))


TOOL = Tool(
    "checkout",
    "Write the indexed text files of a repository into the workspace.",
    CheckoutArguments,
    run,
    Effect.WRITES,
)
