"""Reading of Kotlin that the grammar cannot read as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node, Tree

_ONE_LINE = re.compile(rb"^(?=[^\n]*\b(?:class|interface|object)\b)([^\n]*\{[^\n]*?[^\s{]) (\}+)[ \t]*$", re.MULTILINE)
"""A class whose body stands on one line: the grammar ends its last member at a line break or semicolon only."""
_DELEGATION = re.compile(
    rb"^((?=[^\n]*\b(?:class|object)\b|[ \t]*\))[^\n{=]*:[^\n{=]*?)(\bby[ \t]+[\w.]+)(?=[ \t]*\{)", re.MULTILINE
)
"""`class A : B by c {`: the grammar sees a call of `c` with a function literal."""
_MAX_ERRORS = 1_000_000


def read(source: bytes, parse: Callable[[bytes], Tree]) -> Node:
    """Return the tree of a file; bodies of classes on one line end with a semicolon, delegates are blank.

    All positions are those of the source.
    """
    root = parse(source).root_node
    repaired = _ONE_LINE.sub(rb"\1;\2", source)
    repaired = _DELEGATION.sub(lambda match: match[1] + b" " * len(match[2]), repaired)
    if repaired == source or len(repaired) != len(source):
        return root
    other = parse(repaired).root_node
    return other if _count_errors(other) <= _count_errors(root) else root


def _count_errors(root: Node) -> int:
    """Return the number of bytes in errors, and of missing tokens."""
    count, pending = 0, [root] if root.has_error else []
    while pending and count < _MAX_ERRORS:
        node = pending.pop()
        if node.is_error:
            count += node.end_byte - node.start_byte + 1
        else:
            count += node.is_missing
            pending += [child for child in node.children if child.has_error or child.is_missing]
    return count
