"""Table of commands, loaded lazily.

The function of a command is `<name>_command` in its module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class CommandEntry(NamedTuple):
    """One command, not loaded."""

    module: str
    summary: str


COMMANDS = {
    "serve": CommandEntry(".serve", "Serve a store over gRPC."),
    "index": CommandEntry(".index", "Index repositories: folders, git addresses or archives."),
    "watch": CommandEntry(".watch", "Keep the index of folders fresh while their files change."),
    "list": CommandEntry(".list", "List the indexed repositories, or jobs or tasks."),
    "query": CommandEntry(".query", "Run a read-only Cypher query."),
    "search": CommandEntry(".find", "Search code and documents."),
    "locate": CommandEntry(".find", "Name the files and definitions that matter for a task or an issue."),
    "show": CommandEntry(".show", "Show what a name means: places, source, callers, callees, scores."),
    "batch": CommandEntry(".batch", "Follow a list that a server works through, and print its report."),
    "diff": CommandEntry(".compare", "Tell what differs between two stored repositories or versions."),
    "impact": CommandEntry(".compare", "Tell what a change reaches, and which tests to run."),
    "duplicates": CommandEntry(
        ".compare", "Find functions that say the same, between repositories or of one function."
    ),
    "context": CommandEntry(".find", "Print a repository's launchpad text within a budget of tokens."),
    "provision": CommandEntry(".provision", "Make an environment in which a repository's code can be imported."),
    "mcp": CommandEntry(".serve", "Serve the reading tools to agents and editors, over MCP."),
    "ask": CommandEntry(".tasks", "Give the agent a question or a task."),
    "choose": CommandEntry(".find", "Rank the indexed repositories for a task in words."),
    "task": CommandEntry(".tasks", "Put repositories to work: send files, follow the work, get files back."),
    "files": CommandEntry(".tasks", "List, fetch or delete the files of a task."),
    "export": CommandEntry(".export", "Write a repository's graph in another tool's format."),
    "evaluate": CommandEntry("repoquarry.evaluation.command", "Score predictions on a published benchmark."),
    "delete": CommandEntry(".list", "Delete repositories from the store."),
    "version": CommandEntry(".version", "Print the version."),
}


def load(name: str) -> Callable[..., Any]:
    """The function of a command, imported when it is called for."""
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module, __name__), f"{name}_command")
    return function
