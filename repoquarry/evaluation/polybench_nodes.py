"""Mapping of changed lines to the enclosing classes and functions (nodes of SWE-PolyBench), by corrected or by published rules.

A node is the innermost class, function, method or constructor of a changed line, named `path:Outer.name`. A function that is a value has
the name of the variable that it is bound to.

The published rules reproduce published figures. A name joins all identifiers that are direct children, so a Java method includes its
return type. The first of several nodes that start on a line wins. Functions as values are ignored. A file without a final line break
lacks its last line. A definition without a name invalidates the complete prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath

from tree_sitter import Language, Node, Parser, Tree

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import load_tables

_TABLES = load_tables("polybench")
PUBLISHED_SUFFIXES: Mapping[str, str] = _TABLES["published_suffixes"]
"""Suffixes of the benchmark's published code, without TSX and ES modules."""
SUFFIXES: Mapping[str, str] = {**PUBLISHED_SUFFIXES, **_TABLES["further_suffixes"]}


def grammar_of(path: str, *, published: bool) -> str:
    """Return the grammar of a file, or an empty string."""
    return (PUBLISHED_SUFFIXES if published else SUFFIXES).get(PurePosixPath(path).suffix, "")


def parse(grammar: str, source: bytes) -> Tree:
    """Parse a source file; syntax errors become error nodes."""
    return Parser(_language(grammar)).parse(source)


@cache
def _language(grammar: str) -> Language:
    module, name = _TABLES["grammars"][grammar]
    return Language(getattr(import_module(module), name)())


def text_of(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


_CLASSES = frozenset(_TABLES["corrected"]["classes"])
_FUNCTIONS = frozenset(_TABLES["corrected"]["functions"])
_BINDERS: Mapping[str, str] = _TABLES["corrected"]["binders"]
"""Nodes that name a function or class, and the field of the name."""


def corrected_nodes_of_lines(path: str, source: bytes, lines: Iterable[int]) -> frozenset[str]:
    """Return `path:Qualified.name` of the innermost named definition of each 1-based line; lines outside definitions are ignored."""
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
        if (node.type in _CLASSES or node.type in _FUNCTIONS) and (name := _corrected_name(node)):
            parts.append(name)
        node = _child_on(node, row)
    return ".".join(parts)


def _child_on(node: Node, row: int) -> Node | None:
    """Return the child that covers a row: preferably one that contains a definition, otherwise the last."""
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


def _corrected_name(node: Node) -> str:
    """Return the name of a definition; empty if it is unbound, such as a callback."""
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
    owner, _, name = (text_of(target) if target is not None else "").rpartition(".")
    owner, _, prototype = owner.rpartition(".")
    return f"{owner}.{name}" if prototype == "prototype" and owner else name.strip("'\"#")


_TOP = frozenset({"module", "program"})
_DEFINITIONS = frozenset(_TABLES["published"]["definitions"])
_NAMES = frozenset(_TABLES["published"]["names"])


class UnnamedNodeError(EvaluationError):
    """Definition without a name, for which the published code discards the complete prediction."""


def published_nodes_of_lines(path: str, source: bytes, lines: Iterable[int]) -> frozenset[str]:
    """Return `path->module->class_definition:C->…` of the innermost definition of each 1-based line. Raises: UnnamedNodeError."""
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
    """Return the innermost definition on a row by the published rules; a pair never counts by itself."""
    while True:
        holders = [child for child in node.children if child.start_point.row <= row <= child.end_point.row]
        answers = next((child for child in holders if _answers(child, row)), None)
        if answers is None:
            return node if node.type in _DEFINITIONS and node.type != "pair" else None
        node = answers


def _answers(node: Node, row: int) -> bool:
    """Return whether a node or a descendant on this row is a definition; a pair counts if a function is its direct child."""
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
    """Return the ancestors of a node, outermost first; the walk stops where a name repeats."""
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
    """Return the nearest enclosing definition or file, otherwise the outermost node; None for the outermost node itself."""
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
