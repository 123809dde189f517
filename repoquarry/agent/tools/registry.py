"""Lazy table of tools: a new tool is an entry of `TOOLS` in a module of this package and a name here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

from repoquarry.agent.tools.base import Tool
from repoquarry.execution.errors import UnknownNameError

_READING: Final = "code_tools"
_NAMES_BY_MODULE: Final = {
    _READING: (
        *("explore", "search", "view", "relations", "impact", "constants", "tree", "cypher"),
        *("paths", "repositories", "context", "duplicates"),
    ),
    "workspace": ("checkout", "read_file", "write_file", "edit_file"),
    "commands": ("run_command", "provision", "install", "read_log"),
    "recall": ("recall",),
}
_MODULE_BY_NAME: Final = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

TOOLS: Final[Mapping[str, str]] = {name: f"{__package__}.{module}" for name, module in _MODULE_BY_NAME.items()}
"""Module of each tool by its name, in the order in which tools are listed."""


def load_tool(name: str) -> Tool:
    """Return the tool of that name. Raises: UnknownNameError, which lists the known ones."""
    if name not in TOOLS:
        raise UnknownNameError("tool", name, TOOLS)
    tools: tuple[Tool, ...] = importlib.import_module(TOOLS[name]).TOOLS
    return next(tool for tool in tools if tool.name == name)


def available_tools(*, workspace: bool, task: bool = True, exploration: bool = True) -> list[Tool]:
    """List the tools that a task may call, with or without a workspace; without a task those that make sense outside one.

    Without `exploration` the reading tools are omitted.
    """
    tools = [load_tool(name) for name, module in _MODULE_BY_NAME.items() if exploration or module != _READING]
    return [tool for tool in tools if (workspace or not tool.needs_workspace) and (task or not tool.of_task)]
