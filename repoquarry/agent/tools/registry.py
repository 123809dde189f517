"""The lazy table of tools: adding one is a file in a room of this folder and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

from repoquarry.agent.tools.base import Tool
from repoquarry.execution.errors import UnknownNameError

_FILES: Final = (
    "overview.repositories",
    "overview.choose_repository",
    "overview.context",
    "overview.tree",
    "finding.search",
    "finding.constants",
    "finding.locate",
    "finding.definitions",
    "source.view_file",
    "source.view_class",
    "source.view_function",
    "relations.callers",
    "relations.callees",
    "relations.call_paths",
    "relations.between",
    "relations.impact",
    "finding.duplicates",
    "relations.imports",
    "relations.importers",
    "relations.subclasses",
    "overview.entry_points",
    "finding.cypher",
    "workspace.checkout",
    "workspace.read_file",
    "workspace.write_file",
    "workspace.edit_file",
    "commands.run_command",
    "commands.provision",
    "commands.install",
    "commands.read_log",
    "recall",
)
"""Below this folder, in the order in which tools are listed."""

TOOLS: Final[Mapping[str, str]] = {file.rpartition(".")[2]: f"{__package__}.{file}" for file in _FILES}


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
