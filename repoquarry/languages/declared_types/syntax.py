"""Reading of syntax trees that the lowerings of all languages share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Node

NOTHING: Final[Node] = [tree.SEVERAL, []]
"""Value of syntax that has none, and runs nothing."""


def text_of(node: Syntax | None) -> str:
    """Return the source text of a node; empty for none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def line_of(node: Syntax) -> int:
    """1-based line on which a node begins."""
    return node.start_point.row + 1


def named(node: Syntax | None) -> list[Syntax]:
    """Named children without comments."""
    return [child for child in node.named_children if not child.type.endswith("comment")] if node is not None else []


def lower_rest(node: Syntax, inside: Sequence[Node | None], literals: Mapping[str, str]) -> Node | None:
    """Lower a node that a language has no rule for: a literal of a type by the node's kind, otherwise the nodes `inside` it."""
    if node.type in literals:
        return [tree.LITERAL, named_type(literals[node.type]), list(inside), line_of(node)]
    known = [one for one in inside if one is not None]
    return [tree.SEVERAL, known] if known else None


def named_type(name: str, *arguments: Node | None) -> Node:
    """Return a type by its plain name."""
    return [tree.NAMED, [name], list(arguments)]
