"""Reading of C# with conditional groups that the grammar cannot read where they stand."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node, Tree

from repoquarry.languages.structural.repairs import choose_branches, count_unread


def read(source: bytes, parse: Callable[[bytes], Tree]) -> Node:
    """Return the tree of a file; where it has errors, that of the first branch of each group. Positions are those of the source."""
    root = parse(source).root_node
    if not root.has_error:
        return root
    chosen = parse(choose_branches(source)).root_node
    return chosen if count_unread(chosen) < count_unread(root) else root
