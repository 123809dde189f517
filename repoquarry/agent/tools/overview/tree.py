"""Tool `tree`: the hierarchical code tree: folders and files with their size and purpose, or what one file defines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.records import DefinitionRecord

_FILES = 200


class TreeArguments(Arguments, frozen=True):
    """Where and how deep."""

    path: Annotated[str, Meta(description="folder or file, relative to the root; empty for the root")] = ""
    repository: Annotated[str, Meta(description="repository id; needed when the task has several")] = ""
    depth: Annotated[int, Meta(description="folders below the path that are shown", ge=1, le=10)] = 2


def run(context: ToolContext, arguments: TreeArguments) -> ToolResult:
    repository = _one(context, arguments.repository)
    path = arguments.path.strip("/").removeprefix("./").strip(".")
    if module := context.reader.module(repository, path):
        inside = context.reader.inside(repository, path)
        view = rows(f"{repository}: {path}, {module.headline or 'no documentation'}", _outline(inside))
        places = tuple(Place.of(item) for item in inside[:20])
        return ToolResult(view, f"{path} defines {len(inside)} classes and functions", places, tuple(inside))
    folders = [row for row in context.reader.directories(repository) if _below(str(row["path"]), path, arguments.depth)]
    modules = context.reader.modules((repository,), path, _FILES)
    if not folders and not modules:
        raise ToolError(f"{repository} holds no indexed folder or file {arguments.path!r}")
    lines = [f"{row['path']}/  {row['files']} files, {row['lines']} lines" for row in folders]
    lines += [
        f"{item.path}  importance {item.importance:.1f}  {item.headline}"
        for item in modules
        if _below(item.path, path, arguments.depth)
    ]
    summary = f"{len(folders)} folders and {len(modules)} files below {path or 'the root'}"
    return ToolResult(rows(f"{repository}: {path or '.'}", lines), summary, records=tuple(modules))


def _outline(inside: Sequence[DefinitionRecord]) -> list[str]:
    return [
        f"{'  ' * item.qualname.count('.')}{item.start_line}-{item.end_line} {item.kind} {item.name}{item.signature}"
        f"{'  # ' + item.headline if item.headline else ''}"
        for item in inside
    ]


def _below(path: str, folder: str, depth: int) -> bool:
    if path in (".", folder):
        return path == (folder or ".")
    if folder and not path.startswith(folder + "/"):
        return False
    return path.removeprefix(folder).strip("/").count("/") < depth


def _one(context: ToolContext, repository: str) -> str:
    chosen = context.chosen(repository)
    if len(chosen) != 1:
        raise ToolError(f"name one repository; there are: {', '.join(chosen) or 'none'}")
    return chosen[0]


TOOL = Tool(
    "tree",
    "Show the folders and files of a repository with size and purpose, or what one file defines.",
    TreeArguments,
    run,
)
