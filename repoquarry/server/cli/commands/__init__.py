"""The commands by name: where each is, and its summary, so that help loads none of them.

A command is `<folder>/<name>.py` beside this with a function `command`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """One command, not loaded."""

    folder: str
    summary: str


COMMANDS = {
    "serve": Command("serving", "Serve a store over gRPC."),
    "index": Command("indexing", "Index repositories: folders, git addresses or archives."),
    "watch": Command("indexing", "Keep the index of folders fresh while their files change."),
    "list": Command("indexing", "List the indexed repositories, or jobs or tasks."),
    "query": Command("reading", "Run a read-only Cypher query."),
    "search": Command("reading", "Search code and documents."),
    "locate": Command("reading", "Name the files and definitions that matter for a task or an issue."),
    "show": Command("reading", "Show what a name means: places, source, callers, callees, scores."),
    "batch": Command("indexing", "Follow a list that a server works through, and print its report."),
    "diff": Command("reading", "Tell what differs between two stored repositories or versions."),
    "impact": Command("reading", "Tell what a change reaches, and which tests to run."),
    "duplicates": Command("reading", "Find functions that say the same, between repositories or of one function."),
    "context": Command("reading", "Print a repository's launchpad text within a budget of tokens."),
    "provision": Command("tasks", "Make an environment in which a repository's code can be imported."),
    "mcp": Command("serving", "Serve the reading tools to agents and editors, over MCP."),
    "ask": Command("tasks", "Give the agent a question or a task."),
    "choose": Command("reading", "Rank the indexed repositories for a task in words."),
    "task": Command("tasks", "Put repositories to work: send files, follow the work, get files back."),
    "files": Command("tasks", "List, fetch or delete the files of a task."),
    "export": Command("reading", "Write a repository's graph in another tool's format."),
    "evaluate": Command("tasks", "Score predictions on a published benchmark."),
    "delete": Command("indexing", "Delete repositories from the store."),
    "version": Command("serving", "Print the version."),
}


def load(name: str) -> Callable[..., Any]:
    """The function of a command, imported when it is called for."""
    function: Callable[..., Any] = import_module(f"{__name__}.{COMMANDS[name].folder}.{name}").command
    return function
