"""Parts that every extractor shares: definition allocation, syntax errors, recursion limit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tree_sitter import Node

from repoquarry.languages.constraints import ConstraintGraphBuilder
from repoquarry.languages.facts import Definition, ParseError


class DefinitionAllocator:
    """Gives definitions their index, key and qualified name, in the order of the source."""

    def __init__(self, definitions: list[Definition], graph: ConstraintGraphBuilder) -> None:
        self._definitions = definitions
        self._graph = graph
        self._seen: dict[str, int] = {}

    def allocate(self, name: str, owner: int) -> tuple[int, str, str, str]:
        """Return a place inside `owner` (-1: the file): index, key, qualified name, key of the definition around."""
        index, parent, qualname = len(self._definitions), "", name
        if owner >= 0:
            around = self._definitions[owner]
            parent, qualname = around.key, f"{around.qualname}.{name}"
        seen = self._seen[qualname] = self._seen.get(qualname, 0) + 1
        key = qualname if seen == 1 else f"{qualname}#{seen}"
        self._definitions.append(
            Definition(key, "", name, qualname, parent, 0, 0, 0, "", "", (), (), 0, 0, 0, False, False)
        )
        self._graph.functions.append([])
        return index, key, qualname, parent


MAX_PARSE_ERRORS: Final = 20
"""More broken places of a file than this are not listed one by one."""


def find_syntax_errors(root: Node, most: int = MAX_PARSE_ERRORS) -> list[ParseError]:
    """Places that the grammar could not read, by line; at most that many, the first ones met."""
    found: list[ParseError] = []
    pending = [root] if root.has_error else []
    while pending and len(found) < most:
        node = pending.pop()
        if node.is_missing:
            found.append(ParseError(node.start_point.row + 1, f"syntax error: {node.type} expected"))
        elif node.is_error:
            found.append(ParseError(node.start_point.row + 1, "syntax error"))
        else:
            pending.extend(child for child in reversed(node.children) if child.has_error)
    return sorted(found, key=lambda error: (error.line, error.message))


@contextmanager
def raise_recursion_limit(depth: int) -> Iterator[None]:
    """Lets functions call each other that deep. Frames of Python functions live on the heap, so this costs memory, not stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
