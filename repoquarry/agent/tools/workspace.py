"""Tools that read and write files in the workspace of a task."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError

_MAX_LISTED = 10


class CheckoutArguments(Arguments, frozen=True):
    """Which repository, and where to."""

    repository: Annotated[str, Meta(description="repository id")]
    folder: Annotated[str, Meta(description="new folder of the workspace; empty for one named like the repository")] = (
        ""
    )


def run_checkout(context: ToolContext, arguments: CheckoutArguments) -> ToolResult:
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
        left[_MAX_LISTED:] = [f"… and {len(left) - _MAX_LISTED} more"] if len(left) > _MAX_LISTED else []
    return ToolResult(ToolView(ViewKind.ROWS, "\n".join([f"{summary}:", *left] if left else [summary])), summary)


class ReadFileArguments(Arguments, frozen=True):
    """Which file."""

    path: Annotated[str, Meta(description="path in the workspace")]


def run_read_file(context: ToolContext, arguments: ReadFileArguments) -> ToolResult:
    text = context.folder().read(arguments.path)
    view = ToolView(ViewKind.CODE, text, f"workspace {arguments.path}", 1, path=arguments.path)
    return ToolResult(view, f"{arguments.path}, {text.count(chr(10)) + 1} lines", records=(text,))


class WriteFileArguments(Arguments, frozen=True):
    """Where and what."""

    path: Annotated[str, Meta(description="path in the workspace; folders are made")]
    text: Annotated[str, Meta(description="the whole content")]


def run_write_file(context: ToolContext, arguments: WriteFileArguments) -> ToolResult:
    size = context.folder().write(arguments.path, arguments.text)
    summary = f"wrote {size} bytes to {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


class EditFileArguments(Arguments, frozen=True):
    """Where, what, and by what."""

    path: Annotated[str, Meta(description="path in the workspace")]
    old: Annotated[
        str, Meta(description="text to replace; it has to occur exactly once, line breaks and spaces included")
    ]
    new: Annotated[str, Meta(description="text that takes its place")]


def run_edit_file(context: ToolContext, arguments: EditFileArguments) -> ToolResult:
    line = context.folder().edit(arguments.path, arguments.old, arguments.new)
    summary = f"replaced the text at line {line} of {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


TOOLS = (
    Tool(
        "checkout",
        "Write the whole tree of a repository into the workspace, with the files that are not indexed.",
        CheckoutArguments,
        run_checkout,
        Effect.WRITES,
    ),
    Tool("read_file", "Show a file of the workspace.", ReadFileArguments, run_read_file, Effect.WRITES),
    Tool("write_file", "Write a file of the workspace whole.", WriteFileArguments, run_write_file, Effect.WRITES),
    Tool(
        "edit_file",
        "Replace one piece of text in a file of the workspace.",
        EditFileArguments,
        run_edit_file,
        Effect.WRITES,
    ),
)
