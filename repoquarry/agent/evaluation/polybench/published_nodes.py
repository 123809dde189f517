"""Syntax nodes of changed lines by the rules of the benchmark's published code, its peculiarities included.

They are kept because published figures rest on them: a name joins all identifiers that are direct children, so that a Java method
has its return type in it; of nodes that begin on one line the first wins; functions as values are not seen; a file that does not end
in a line break lacks its last line; a definition without a name makes the whole prediction count as empty.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.evaluation.polybench.syntax import grammar_of, parse, text_of

_TOP = frozenset({"module", "program"})
_DEFINITIONS = frozenset(
    {
        "pair",
        "function_definition",
        "class_definition",
        "function_declaration",
        "method_declaration",
        "method_definition",
        "class_declaration",
        "constructor_declaration",
    }
)
_NAMES = frozenset({"identifier", "property_identifier", "type_identifier", "computed_property_name"})


class UnnamedNodeError(EvaluationError):
    """A definition has no name; the published code gives up on the whole prediction here."""


def nodes_of_lines(path: str, source: bytes, lines: Iterable[int]) -> frozenset[str]:
    """`path->module->class_definition:C->…` of the innermost definition of each 1-based line. Raises: UnnamedNodeError."""
    grammar = grammar_of(path, published=True)
    if not grammar:
        return frozenset()
    root = parse(grammar, source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).root_node
    found = set()
    for line in lines:
        if line <= root.end_point.row and (node := _innermost(root, line - 1)) is not None:
            found.add("->".join((path, *_chain(node), f"{node.type}:{_name(node)}")))
    return frozenset(found)


def _innermost(node: Node, row: int) -> Node | None:
    """The definition on a row that the first child with an answer leads to; a pair stands for nothing by itself."""
    while True:
        holders = [child for child in node.children if child.start_point.row <= row <= child.end_point.row]
        answers = next((child for child in holders if _answers(child, row)), None)
        if answers is None:
            return node if node.type in _DEFINITIONS and node.type != "pair" else None
        node = answers


def _answers(node: Node, row: int) -> bool:
    """Whether a node or something in it on this row is a definition; a pair is one where a function is its direct child."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if not current.start_point.row <= row <= current.end_point.row:
            continue
        if current.type == "pair":
            if any(child.type in ("function", "function_expression") and child.is_named for child in current.children):
                return True
        elif current.type in _DEFINITIONS:
            return True
        waiting.extend(current.children)
    return False


def _chain(node: Node) -> list[str]:
    """What stands around a node, outermost first; the way up ends where a name repeats."""
    chain: list[str] = []
    parent = _around(node)
    while parent is not None:
        name = parent.type if parent.type in _TOP else f"{parent.type}:{_name(parent)}"
        if name in chain:
            break
        chain.append(name)
        parent = _around(parent)
    return chain[::-1]


def _around(node: Node) -> Node | None:
    """The nearest definition or file around a node, else the outermost node; None for the outermost itself."""
    parent = node.parent
    while (
        parent is not None and parent.type not in _TOP and parent.type not in _DEFINITIONS and parent.parent is not None
    ):
        parent = parent.parent
    return parent


def _name(node: Node) -> str:
    names = [text_of(child) for child in node.children if child.type in _NAMES]
    if names:
        return "_".join(names)
    if node.type == "pair":
        return "[]"
    raise UnnamedNodeError(f"a {node.type} in line {node.start_point.row + 1} has no name")
