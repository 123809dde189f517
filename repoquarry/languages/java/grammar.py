"""The tree-sitter grammar of Java."""

from __future__ import annotations

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Tree

_LANGUAGE = Language(tree_sitter_java.language())


def parse(text: bytes) -> Tree:
    """The syntax tree of a file."""
    return Parser(_LANGUAGE).parse(text)


def text_of(node: Node) -> str:
    """Source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def line_of(node: Node) -> int:
    """1-based line on which a node begins."""
    return node.start_point[0] + 1


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [child for child in node.named_children if child.type not in ("line_comment", "block_comment")]


def first(node: Node, *types: str) -> Node | None:
    """The first named child of one of the types."""
    return next((child for child in node.named_children if child.type in types), None)
