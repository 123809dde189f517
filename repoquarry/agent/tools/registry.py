"""Lazy table of tools, and which of them a task may call: a new tool is a class in a module of this package and a name here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

from repoquarry.agent.tools.base import Effect, Tool
from repoquarry.execution.errors import UnknownNameError

READING: Final = {
    "explore": "search_tools",
    "search": "search_tools",
    "view": "structure_tools",
    "relations": "relation_tools",
    "impact": "relation_tools",
    "constants": "search_tools",
    "tree": "structure_tools",
    "cypher": "search_tools",
    "paths": "relation_tools",
    "repositories": "structure_tools",
    "context": "structure_tools",
    "duplicates": "search_tools",
}
"""Module of each reading tool, in the order in which tools are listed.

One argument name means one thing in every tool: `target` is a name, path, `path:line` or id; `text` are words. A target that fits several
things is answered with the candidates.
"""
_WORKING: Final = (
    "checkout",
    "read_file",
    "write_file",
    "edit_file",
    "run_command",
    "provision",
    "install",
    "read_log",
)
TOOLS: Final[Mapping[str, str]] = {
    **READING,
    **dict.fromkeys(_WORKING, "workspace_tools"),
    "index_repository": "structure_tools",
    "recall": "search_tools",
}
"""Module of each tool by its name."""


def load_tool(name: str) -> type[Tool]:
    """Return the tool of that name. Raises: UnknownNameError, which lists the known ones."""
    if name not in TOOLS:
        raise UnknownNameError("tool", name, TOOLS)
    tools: tuple[type[Tool], ...] = importlib.import_module(f"{__package__}.{TOOLS[name]}").TOOLS
    return next(tool for tool in tools if tool.name == name)


def available_tools(
    *, workspace: bool, task: bool = True, exploration: bool = True, indexing: bool = False
) -> list[type[Tool]]:
    """List the tools that a task may call, with or without a workspace; without a task those that make sense outside one.

    Without `exploration` the reading tools are omitted, without `indexing` the tool that adds repositories.
    """
    tools = [load_tool(name) for name in TOOLS if exploration or name not in READING]
    tools = [tool for tool in tools if indexing or tool.effect is not Effect.INDEXES]
    return [tool for tool in tools if (workspace or not tool.effect.needs_workspace) and (task or not tool.of_task)]
