"""Lazy table of the operations on code. Agent, MCP, RPC and command line derive their tools and commands from it.

One argument name means one thing in every operation: `target` is a name, path, `path:line` or id; `text` are words. A target that fits
several things is answered with the candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from repoquarry.execution.errors import UnknownNameError
from repoquarry.operations.base import Operation

OPERATIONS: Final[Mapping[str, str]] = {
    "explore": "search.ExploreCall",
    "search": "search.SearchCall",
    "view": "structure.ViewCall",
    "relations": "relations.RelationsCall",
    "impact": "relations.ImpactCall",
    "constants": "search.ConstantsCall",
    "tree": "structure.TreeCall",
    "cypher": "search.CypherCall",
    "paths": "relations.PathsCall",
    "repositories": "structure.RepositoriesCall",
    "context": "structure.ContextCall",
    "duplicates": "search.DuplicatesCall",
    "unused_imports": "relations.UnusedImportsCall",
}
"""Module and class of each operation, in the order in which operations are listed: a new one is a class and a line here."""


def load_operation(name: str) -> type[Operation]:
    """Return the operation of that name. Raises: UnknownNameError, which lists the known ones."""
    if name not in OPERATIONS:
        raise UnknownNameError("tool", name, OPERATIONS)
    module, _, kind = OPERATIONS[name].partition(".")
    return cast(type[Operation], getattr(import_module(f"{__package__}.{module}"), kind))
