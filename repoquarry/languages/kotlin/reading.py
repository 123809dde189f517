"""Reading of Kotlin that the grammar cannot read as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node, Tree

from repoquarry.languages.structural.repairs import count_unread

_ONE_LINE = re.compile(rb"^(?=[^\n]*\b(?:class|interface|object)\b)([^\n]*\{[^\n]*?[^\s{]) (\}+)[ \t]*$", re.MULTILINE)
"""A class whose body stands on one line: the grammar ends its last member at a line break or semicolon only."""
_DELEGATION = re.compile(
    rb"^((?=[^\n]*\b(?:class|object)\b|[ \t]*\))[^\n{=]*:[^\n{=]*?)(\bby[ \t]+[\w.]+)(?=[ \t]*\{)", re.MULTILINE
)
"""`class A : B by c {`: the grammar sees a call of `c` with a function literal."""


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
    return other if count_unread(other) <= count_unread(root) else root
