"""Table of commands, loaded lazily.

The function of a command is `<name>_command` in its module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class CommandEntry(NamedTuple):
    """Command that is not loaded yet."""

    module: str
    summary: str


COMMANDS = {
    "serve": CommandEntry(".serve", "Serve a store over gRPC."),
    "ui": CommandEntry(".ui", "Open the page: indexed code in a browser."),
    "index": CommandEntry(".index", "Index repositories: folders, git addresses or archives."),
    "watch": CommandEntry(".index", "Keep the index of folders or branches up to date."),
    "list": CommandEntry(".list", "List the indexed repositories, or jobs, batches or tasks."),
    "query": CommandEntry(".query", "Run a read-only Cypher query."),
    "queries": CommandEntry(".rules", "List the named queries and rules, or show one."),
    "check": CommandEntry(".rules", "Check repositories by rules: queries that must return no rows."),
    "search": CommandEntry(".find", "Search code and documents."),
    "locate": CommandEntry(".find", "Rank the files and definitions that matter for a task or an issue."),
    "explore": CommandEntry(".find", "Print source, callers, tests and documentation for a name or a question."),
    "show": CommandEntry(".show", "Show the definitions of a name: places, source, callers, callees, scores."),
    "batch": CommandEntry(".batch", "Follow a batch of a server, and print its report."),
    "diff": CommandEntry(".compare", "Compare two indexed repositories or versions."),
    "impact": CommandEntry(".compare", "List the definitions that a change affects, and the tests to run."),
    "duplicates": CommandEntry(
        ".compare", "Find duplicate functions across repositories, or the copies of one function."
    ),
    "context": CommandEntry(".find", "Print the overview text of a repository within a token budget."),
    "provision": CommandEntry(".provision", "Build an environment with the dependencies of a repository."),
    "mcp": CommandEntry(".serve", "Serve the reading tools to agents and editors over MCP."),
    "install": CommandEntry(".install", "Make an agent host use this program: MCP entry and instructions."),
    "uninstall": CommandEntry(".install", "Remove what `install` wrote."),
    "ask": CommandEntry(".tasks", "Ask the agent a question."),
    "choose": CommandEntry(".find", "Rank the indexed repositories for a task in natural language."),
    "task": CommandEntry(".tasks", "Give the agent a task with files: upload, follow, download."),
    "files": CommandEntry(".tasks", "List, download or delete the files of a task."),
    "export": CommandEntry(".export", "Export the graph of a repository in the format of another tool."),
    "evaluate": CommandEntry("repoquarry.evaluation.command", "Score predictions on a published benchmark."),
    "delete": CommandEntry(".list", "Delete repositories from the store."),
    "version": CommandEntry(".version", "Print the version."),
}


def load(name: str) -> Callable[..., Any]:
    """Import the function of a command."""
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module, __name__), f"{name}_command")
    return function
