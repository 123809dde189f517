"""The lazy table of tools: adding one is a file in this folder and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

from repoquarry.agent.errors import UnknownNameError
from repoquarry.agent.tools.base import Tool

TOOLS: Final[Mapping[str, str]] = {
    name: f"repoquarry.agent.tools.{name}"
    for name in (
        "repositories",
        "choose_repository",
        "context",
        "tree",
        "search",
        "constants",
        "locate",
        "definitions",
        "view_file",
        "view_class",
        "view_function",
        "callers",
        "callees",
        "call_paths",
        "between",
        "impact",
        "duplicates",
        "imports",
        "importers",
        "subclasses",
        "entry_points",
        "cypher",
        "checkout",
        "read_file",
        "write_file",
        "edit_file",
        "run_command",
        "provision",
        "install",
        "read_log",
        "recall",
    )
}


def load_tool(name: str) -> Tool:
    """Return the tool of that name. Raises: UnknownNameError, which lists the known ones."""
    if name not in TOOLS:
        raise UnknownNameError("tool", name, TOOLS)
    tool = importlib.import_module(TOOLS[name]).TOOL
    if not isinstance(tool, Tool):
        raise TypeError(f"{TOOLS[name]}.TOOL is no Tool")
    return tool


def available_tools(*, workspace: bool, task: bool = True) -> list[Tool]:
    """All tools that a task may call, with or without a workspace; without a task those that make sense outside one."""
    tools = [load_tool(name) for name in TOOLS]
    return [tool for tool in tools if (workspace or not tool.needs_workspace) and (task or not tool.of_task)]
