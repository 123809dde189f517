"""Table of commands and their modules, loaded lazily.

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
    example: str
    """Arguments of one typical call."""


GROUPS = {
    "Index": {
        "index": CommandEntry(".index", "Index repositories: folders, git addresses, archives or packages.", "."),
        "watch": CommandEntry(".index", "Keep the index of folders or branches up to date.", "."),
        "list": CommandEntry(".list", "List the indexed repositories, or jobs, batches or tasks.", "--json"),
        "delete": CommandEntry(".list", "Delete repositories from the store.", "scrapy@2.12"),
        "batch": CommandEntry(
            ".batch", "Follow a batch of a server, and print its report.", "batches/ID --server 127.0.0.1:50151"
        ),
    },
    "Read code": {
        "explore": CommandEntry(
            ".find", "Print source, callers, tests and documentation for a name or a question.", "Request.replace"
        ),
        "show": CommandEntry(
            ".show",
            "Show the definitions of a name: places, source, callers, callees, scores.",
            "Request.replace --callers --hops 2",
        ),
        "search": CommandEntry(".find", "Search code and documents.", '"retry a failed request" --repository scrapy'),
        "locate": CommandEntry(
            ".find",
            "Rank the files and definitions that matter for a task or an issue.",
            '"RetryMiddleware ignores RETRY_HTTP_CODES"',
        ),
        "impact": CommandEntry(
            ".compare", "List the definitions that a change affects, and the tests to run.", "--range main..HEAD"
        ),
        "diff": CommandEntry(".compare", "Compare two indexed repositories or versions.", "scrapy@2.12 scrapy@2.13"),
        "duplicates": CommandEntry(
            ".compare", "Find duplicate functions across repositories, or the copies of one function.", "--limit 20"
        ),
        "context": CommandEntry(
            ".find", "Print the overview text of a repository within a token budget.", "scrapy --tokens 4000"
        ),
        "choose": CommandEntry(
            ".find", "Rank the indexed repositories for a task in natural language.", '"extract tables from a PDF"'
        ),
    },
    "Query and export": {
        "query": CommandEntry(
            ".query", "Run a read-only Cypher query.", '"MATCH (c:Class) RETURN c.qualname LIMIT 10" --format csv'
        ),
        "queries": CommandEntry(".rules", "List the named queries and rules, or show one.", "longest-functions"),
        "check": CommandEntry(
            ".rules",
            "Check repositories by rules: queries that must return no rows.",
            "rules.cypher --repository scrapy",
        ),
        "export": CommandEntry(
            ".export",
            "Export the graph of a repository in the format of another tool.",
            "scrapy --format graphml --output scrapy.graphml",
        ),
        "ui": CommandEntry(".ui", "Open the page: indexed code in a browser.", "--change HEAD~1..HEAD"),
    },
    "Agents and tasks": {
        "ask": CommandEntry(".tasks", "Ask the agent a question.", '"Who calls Request.replace?" --repository scrapy'),
        "task": CommandEntry(
            ".tasks",
            "Give the agent a task with files: upload, follow, download.",
            '"Extract the text" --input report.pdf --output results --policy chat',
        ),
        "files": CommandEntry(".tasks", "List, download or delete the files of a task.", "tasks/ID --output results"),
        "provision": CommandEntry(
            ".provision", "Build an environment with the dependencies of a repository.", ". --tests"
        ),
        "mcp": CommandEntry(".serve", "Serve the reading tools to agents and editors over MCP.", "--repository scrapy"),
        "install": CommandEntry(
            ".install", "Make an agent host use this program: MCP entry and instructions.", "claude"
        ),
        "uninstall": CommandEntry(".install", "Remove what `install` wrote.", "claude"),
    },
    "Service": {
        "serve": CommandEntry(".serve", "Serve a store over gRPC.", "--listen 127.0.0.1:50151"),
        "evaluate": CommandEntry(
            "repoquarry.evaluation.command", "Score predictions on a published benchmark.", "mle --scores scores.json"
        ),
        "version": CommandEntry(".version", "Print the version.", ""),
    },
}
"""Commands by subject, in the order of the help."""

COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}


def load(name: str) -> Callable[..., Any]:
    """Import the function of a command."""
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module, __name__), f"{name}_command")
    return function
