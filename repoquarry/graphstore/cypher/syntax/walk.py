"""Visiting and rebuilding the tree, whatever its nodes: by the fields of the dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from repoquarry.graphstore.cypher.syntax import ast

N = TypeVar("N", bound=ast.Node)
_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(node: ast.Node) -> tuple[str, ...]:
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(f.name for f in dataclasses.fields(node) if f.name not in ("start", "end"))
        _FIELDS[kind] = names
    return names


def children(node: ast.Node) -> Iterator[ast.Node]:
    """The nodes directly below this one, in the order of the text."""
    for name in _fields(node):
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[ast.Node]:
    if isinstance(value, ast.Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(node: ast.Node) -> Iterator[ast.Node]:
    """The node and everything below it, parents first, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


def local_names(node: ast.Node) -> frozenset[str]:
    """Variables that an expression brings along for what is inside it."""
    match node:
        case ast.ListComprehension() | ast.Quantifier():
            return frozenset({node.variable})
        case ast.Reduce():
            return frozenset({node.variable, node.accumulator})
        case ast.PatternComprehension():
            named = [node.pattern.variable, *(element.variable for element in node.pattern.elements)]
            return frozenset(name for name in named if name)
    return frozenset()


def free_variables(node: ast.Node, local: frozenset[str] = frozenset()) -> Iterator[ast.Variable]:
    """Variables that are not the expression's own, such as x of `[x IN list | x]`."""
    if isinstance(node, ast.Variable):
        if node.name not in local:
            yield node
        return
    inner = local | local_names(node)
    for child in children(node):
        yield from free_variables(child, inner)


def depth(node: ast.Node) -> int:
    """Number of nodes on the longest way down."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for parent in level for child in children(parent)]
    return deepest


def rebuild(node: N, change: Callable[[ast.Node], ast.Node]) -> N:
    """The node with `change` applied to each direct child; the same object when nothing changed."""
    changed: dict[str, Any] = {}
    for name in _fields(node):
        old = getattr(node, name)
        new = _changed(old, change)
        if new is not old:
            changed[name] = new
    return dataclasses.replace(node, **changed) if changed else node


def _changed(value: Any, change: Callable[[ast.Node], ast.Node]) -> Any:
    if isinstance(value, ast.Node):
        return change(value)
    if isinstance(value, tuple):
        items = tuple(_changed(item, change) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value
