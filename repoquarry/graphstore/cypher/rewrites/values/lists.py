"""A value where a list belongs: Neo4j takes it for a list of one, the engine reads a text for the list it may spell, or fails."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.values import kinds
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build

_LIST = frozenset({types.LIST})


def as_list(value: ast.Expression, context: Context) -> ast.Expression:
    """The value where it is a list or null, else a list of it."""
    if kinds.is_cheap(value):
        return build.choose((kinds.is_one_of(value, _LIST), value), default=ast.ListLiteral((value,)))
    name = ast.Variable(context.new_name())
    body = build.choose((kinds.is_one_of(name, _LIST), name), default=ast.ListLiteral((name,)))
    return build.let(name.name, value, body)


def _source(node: ast.Node) -> ast.Expression | None:
    """What stands where a list belongs."""
    match node:
        case ast.Binary() if node.operator == "IN":
            return node.right
        case ast.Slice():
            return node.subject
        case ast.ListComprehension() | ast.Quantifier() | ast.Reduce():
            return node.source
        case ast.Call() if node.name.lower() == "tail":
            return node.arguments[0]
    return None


def is_open(node: ast.Node, context: Context) -> bool:
    source = _source(node)
    return source is not None and bool(kinds.outside(source, _LIST, context))


def spelt_out(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The same operation on a list in any case."""
    source = _source(node)
    if source is None:
        raise TypeError("nothing that takes a list")
    taken = as_list(source, context)
    match node:
        case ast.Binary():
            return dataclasses.replace(node, right=taken)
        case ast.Slice():
            return dataclasses.replace(node, subject=taken)
        case ast.ListComprehension() if node.where is None and node.result is None:
            return node.source  # Neo4j leaves out such a comprehension, even over a value
        case ast.ListComprehension() | ast.Quantifier() | ast.Reduce():
            return dataclasses.replace(node, source=taken)
        case ast.Call():
            return dataclasses.replace(node, arguments=(taken,))
    return node
