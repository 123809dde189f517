"""Tool `repositories`: which repositories there are and what they are about."""

from __future__ import annotations

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows


class RepositoriesArguments(Arguments, frozen=True):
    """None."""


def run(context: ToolContext, arguments: RepositoriesArguments) -> ToolResult:
    found = [item for item in context.reader.repositories() if item.id in context.repositories]
    lines = [
        f"{item.id}: {item.summary or 'no description'} ({', '.join(item.languages) or 'no code'}, {item.files} files, "
        f"{item.lines} lines, {item.unresolved_calls} unresolved calls, README {item.readme or 'none'})"
        for item in found
    ]
    return ToolResult(rows("repositories", lines), f"{len(found)} repositories", records=tuple(found))


TOOL = Tool(
    "repositories",
    "List the repositories that this task may use, with what each is about.",
    RepositoriesArguments,
    run,
)
