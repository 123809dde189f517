"""What every walk over a syntax tree needs: the places that the grammar could not read, and room for deep nesting."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tree_sitter import Node

from repoquarry.languages.facts import ParseError

MAX_PARSE_ERRORS: Final = 20
"""More broken places of a file than this are not listed one by one."""


def broken_places(root: Node, most: int = MAX_PARSE_ERRORS) -> list[ParseError]:
    """What the grammar could not read, by line; at most that many, the first ones met."""
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
def deep_recursion(depth: int) -> Iterator[None]:
    """Lets functions call each other that deep. Frames of Python functions live on the heap, so this costs memory, not stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
