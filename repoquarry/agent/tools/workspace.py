"""Tools that read and write files in the workspace of a task."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.file_view import build_file_view
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError

_MAX_LISTED = 10


class CheckoutArguments(Arguments, frozen=True):
    repository: Annotated[str, Meta(description="repository id")]
    folder: Annotated[str, Meta(description="new folder of the workspace; defaults to the name of the repository")] = ""


def run_checkout(context: ToolContext, arguments: CheckoutArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    workspace = context.folder()
    if context.trees is None:
        raise ToolError("this process cannot reach the sources of repositories")
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
    path: Annotated[str, Meta(description="path in the workspace")]
    about: Annotated[str, Meta(description="subject; decides what stays of a long file")] = ""


def run_read_file(context: ToolContext, arguments: ReadFileArguments) -> ToolResult:
    text = context.folder().read(arguments.path)
    view = build_file_view(arguments.path, text, f"workspace {arguments.path}")
    return ToolResult(view, f"{arguments.path}, {text.count(chr(10)) + 1} lines", records=(text,))


class WriteFileArguments(Arguments, frozen=True):
    path: Annotated[str, Meta(description="path in the workspace; missing folders are created")]
    text: Annotated[str, Meta(description="complete content")]


def run_write_file(context: ToolContext, arguments: WriteFileArguments) -> ToolResult:
    size = context.folder().write(arguments.path, arguments.text)
    summary = f"wrote {size} bytes to {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


class EditFileArguments(Arguments, frozen=True):
    path: Annotated[str, Meta(description="path in the workspace")]
    old: Annotated[str, Meta(description="text to replace; occurs exactly once, line breaks and spaces included")]
    new: Annotated[str, Meta(description="replacement")]


def run_edit_file(context: ToolContext, arguments: EditFileArguments) -> ToolResult:
    line = context.folder().edit(arguments.path, arguments.old, arguments.new)
    summary = f"replaced the text at line {line} of {arguments.path}"
    return ToolResult(ToolView(ViewKind.ROWS, summary), summary)


TOOLS = (
    Tool(
        "checkout",
        "Write the complete tree of a repository into the workspace, with files that are not indexed.",
        CheckoutArguments,
        run_checkout,
        Effect.WRITES,
    ),
    Tool("read_file", "Show a file of the workspace.", ReadFileArguments, run_read_file, Effect.WRITES),
    Tool("write_file", "Write a complete file of the workspace.", WriteFileArguments, run_write_file, Effect.WRITES),
    Tool(
        "edit_file",
        "Replace one piece of text in a file of the workspace.",
        EditFileArguments,
        run_edit_file,
        Effect.WRITES,
    ),
)
