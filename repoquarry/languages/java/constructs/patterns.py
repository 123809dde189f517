"""Patterns of `instanceof` and `switch` -> the reduced tree."""

from __future__ import annotations

from tree_sitter import Node as Syntax

from repoquarry.languages.java import tree
from repoquarry.languages.java.grammar import first, named, text_of
from repoquarry.languages.java.tree import Node
from repoquarry.languages.java.types import TYPES, type_of


def pattern_of(node: Syntax) -> Node:
    """What a pattern asks for, and the names that it binds."""
    if node.type == "pattern":
        inner = named(node)
        return pattern_of(inner[0]) if inner else [tree.PATTERN, None, None, None]
    if node.type == "record_pattern":
        name, body = named(node)[0], first(node, "record_pattern_body")
        type_ = type_of(name) if name.type in TYPES else [text_of(name), None, 0]
        parts = [pattern_of(child) for child in named(body)] if body is not None else []
        return [tree.PATTERN, type_, None, parts]
    children = named(node)
    written = next((child for child in children if child.type in TYPES), None)
    bound = next((child for child in children if child.type == "identifier"), None)
    return [tree.PATTERN, type_of(written) if written else None, text_of(bound) if bound else None, None]
