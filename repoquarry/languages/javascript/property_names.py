"""Texts and names of properties as they are written."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.reader import Reader


def string_text(reader: Reader, node: Node) -> str | None:
    """Text of a string constant between its quotes; None where it has escapes, or of a template with substitutions."""
    parts = node.named_children
    if any(reader.kind(part) != "string_fragment" for part in parts):
        return None
    raw = reader.text(node)
    return raw[1:-1] if len(raw) >= 2 else None


def property_key(reader: Reader, node: Node, *, computed: bool = False) -> str | None:
    """Name of a property as it is written: `a`, `"a"`, `1`, `["a"]`; None where it is an expression.

    `computed`: the node stands in brackets already.
    """
    kind = reader.kind(node)
    if kind == "computed_property_name":
        inner = reader.parts(node)
        return property_key(reader, inner[0], computed=True) if inner else None
    if kind == "string" or kind == "template_string":
        return string_text(reader, node) or None
    if kind == "number":
        return reader.text(node)
    if computed:
        return _symbol_name(reader.text(node)) if kind == "member_expression" else None
    return reader.text(node)


def _symbol_name(text: str) -> str | None:
    """`Symbol.iterator` as the name of the property that it stands for."""
    return f"@@{text[7:]}" if text.startswith("Symbol.") and text[7:].isidentifier() else None
