"""Tool `checkout`: puts the whole tree of a repository into the workspace, so that commands can use it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError

_NAMED = 10


class CheckoutArguments(Arguments, frozen=True):
    """Which repository, and where to."""

    repository: Annotated[str, Meta(description="repository id")]
    folder: Annotated[str, Meta(description="new folder of the workspace; empty for one named like the repository")] = (
        ""
    )


def run(context: ToolContext, arguments: CheckoutArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    workspace = context.folder()
    if context.trees is None:
        raise ToolError("this process has no way to the sources of repositories")
    folder = arguments.folder or repository
    with context.trees.open(repository, context.cancelled) as tree:
        workspace.put_tree(tree, folder)
        commit = f" at commit {tree.commit}" if tree.commit else ""
        summary = f"{tree.files} files of {repository}{commit} are in {folder}/"
        left = [f"left out: {item.path} ({item.reason})" for item in tree.left_out]
    if left:
        summary += f"; {len(left)} left out"
        left[_NAMED:] = [f"… and {len(left) - _NAMED} more"] if len(left) > _NAMED else []
    return ToolResult(ToolView(ViewKind.ROWS, "\n".join([f"{summary}:", *left] if left else [summary])), summary)


TOOL = Tool(
    "checkout",
    "Write the whole tree of a repository into the workspace, with the files that are not indexed.",
    CheckoutArguments,
    run,
    Effect.WRITES,
)
