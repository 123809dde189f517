"""Syntax nodes of changed lines as a reader of the code would name them: the corrected counterpart of `published_nodes`.

A node is the innermost class, function, method or constructor of a changed line, called `path:Outer.name`; functions that are values
bear the name that they are bound to.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from repoquarry.agent.evaluation.polybench.syntax import grammar_of, parse, text_of

_CLASSES = frozenset(
    {
        "class_definition",
        "class_declaration",
        "abstract_class_declaration",
        "class",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
        "internal_module",
    }
)
_FUNCTIONS = frozenset(
    {
        "function_definition",
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "method_declaration",
        "method_definition",
        "constructor_declaration",
        "compact_constructor_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
    }
)
_BINDERS = {
    "variable_declarator": "name",
    "pair": "key",
    "assignment_expression": "left",
    "public_field_definition": "name",
    "field_definition": "property",
}
"""Nodes that give a function or class its name, and the field that holds it."""


def nodes_of_lines(path: str, source: bytes, lines: Iterable[int]) -> frozenset[str]:
    """`path:Qualified.name` of the innermost named definition of each 1-based line; nothing for lines outside of any."""
    grammar = grammar_of(path, published=False)
    if not grammar:
        return frozenset()
    root = parse(grammar, source).root_node
    names = (_qualified(root, line - 1) for line in lines)
    return frozenset(f"{path}:{name}" for name in names if name)


def _qualified(root: Node, row: int) -> str:
    parts: list[str] = []
    node: Node | None = root
    while node is not None:
        if (node.type in _CLASSES or node.type in _FUNCTIONS) and (name := _name(node)):
            parts.append(name)
        node = _child_on(node, row)
    return ".".join(parts)


def _child_on(node: Node, row: int) -> Node | None:
    """The child that covers a row: of several, one that holds a definition, else the last."""
    covering = [child for child in node.named_children if child.start_point.row <= row <= child.end_point.row]
    if len(covering) < 2:
        return covering[0] if covering else None
    return next((child for child in covering if _holds_definition(child, row)), covering[-1])


def _holds_definition(node: Node, row: int) -> bool:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.start_point.row <= row <= current.end_point.row:
            if current.type in _CLASSES or current.type in _FUNCTIONS:
                return True
            waiting.extend(current.named_children)
    return False


def _name(node: Node) -> str:
    """The name of a definition, empty for one that is bound to nothing, as a callback."""
    named = node.child_by_field_name("name")
    if named is not None:
        return text_of(named).strip("'\"")
    binder = node.parent
    while binder is not None and binder.type == "parenthesized_expression":
        binder = binder.parent
    if binder is None:
        return ""
    if binder.type == "export_statement":
        return "default"
    target = binder.child_by_field_name(_BINDERS.get(binder.type, "")) if binder.type in _BINDERS else None
    return text_of(target).rpartition(".")[2].strip("'\"#") if target is not None else ""
