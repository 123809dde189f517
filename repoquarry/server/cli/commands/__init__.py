"""Table of commands, loaded lazily.

The function of a command is `<name>_command` in its module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """One command, not loaded."""

    module: str
    summary: str


COMMANDS = {
    "serve": Command(".serve", "Serve a store over gRPC."),
    "index": Command(".index", "Index repositories: folders, git addresses or archives."),
    "watch": Command(".watch", "Keep the index of folders fresh while their files change."),
    "list": Command(".list", "List the indexed repositories, or jobs or tasks."),
    "query": Command(".query", "Run a read-only Cypher query."),
    "search": Command(".find", "Search code and documents."),
    "locate": Command(".find", "Name the files and definitions that matter for a task or an issue."),
    "show": Command(".show", "Show what a name means: places, source, callers, callees, scores."),
    "batch": Command(".batch", "Follow a list that a server works through, and print its report."),
    "diff": Command(".compare", "Tell what differs between two stored repositories or versions."),
    "impact": Command(".compare", "Tell what a change reaches, and which tests to run."),
    "duplicates": Command(".compare", "Find functions that say the same, between repositories or of one function."),
    "context": Command(".find", "Print a repository's launchpad text within a budget of tokens."),
    "provision": Command(".provision", "Make an environment in which a repository's code can be imported."),
    "mcp": Command(".serve", "Serve the reading tools to agents and editors, over MCP."),
    "ask": Command(".tasks", "Give the agent a question or a task."),
    "choose": Command(".find", "Rank the indexed repositories for a task in words."),
    "task": Command(".tasks", "Put repositories to work: send files, follow the work, get files back."),
    "files": Command(".tasks", "List, fetch or delete the files of a task."),
    "export": Command(".export", "Write a repository's graph in another tool's format."),
    "evaluate": Command("repoquarry.evaluation.command", "Score predictions on a published benchmark."),
    "delete": Command(".list", "Delete repositories from the store."),
    "version": Command(".version", "Print the version."),
}


def load(name: str) -> Callable[..., Any]:
    """The function of a command, imported when it is called for."""
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module, __name__), f"{name}_command")
    return function
