"""Tool `context`: the launchpad text of a repository: README, top modules, core classes, the rest by folder."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.reading.context import ContextRequest, build_context


class ContextArguments(Arguments, frozen=True):
    """Of which repository, how long, and for what."""

    repository: Annotated[str, Meta(description="repository id")]
    tokens: Annotated[int, Meta(description="budget of the text", ge=200, le=32_000)] = 7_500
    task: Annotated[str, Meta(description="task to choose the blocks for; empty for the repository as a whole")] = ""


def run(context: ToolContext, arguments: ContextArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    try:
        built = build_context(
            context.reader.store, ContextRequest(repository, arguments.tokens, arguments.task or None)
        )
    except GraphStoreError as error:
        raise ToolError(str(error)) from error
    ids = [item for block in built.blocks if block.name in ("code", "modules") for item in block.ids]
    found = context.reader.definitions(ids)
    view = ToolView(ViewKind.DOCUMENT, built.text, f"context of {repository}")
    summary = f"{built.tokens} tokens: " + ", ".join(f"{block.name} {block.tokens}" for block in built.blocks)
    return ToolResult(view, summary, tuple(Place.of(item) for item in found), tuple(found))


TOOL = Tool(
    "context",
    "The launchpad text of a repository within a token budget: README, top modules, core classes, other files.",
    ContextArguments,
    run,
)
