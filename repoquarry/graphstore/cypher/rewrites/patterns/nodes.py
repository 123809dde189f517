"""Nodes that went through a list, a map or a function: the engine keeps a copy of them, with a key `title` of its own.

A variable of a pattern is the node itself, and so is what `nodes(path)` holds; anything else may be such a copy.
"""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.values import kinds
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.walk import walk

_OWN_KEY = ast.Literal("title")


def bound_by_patterns(query: ast.Query) -> frozenset[str]:
    """Variables that are nodes of patterns, or other names of such, wherever the query uses them."""
    bound: set[str] = set()
    copied: set[str] = set()
    renamed: list[tuple[str, str]] = []
    for node in walk(query):
        if isinstance(node, ast.NodePattern) and node.variable is not None:
            bound.add(node.variable)
        elif isinstance(node, ast.ListComprehension | ast.Quantifier):
            (bound if _are_nodes(node.source) else copied).add(node.variable)
        elif isinstance(node, ast.Reduce):
            (bound if _are_nodes(node.source) else copied).add(node.variable)
            copied.add(node.accumulator)
        elif isinstance(node, ast.Unwind):
            (bound if _are_nodes(node.source) else copied).add(node.variable)
        elif isinstance(node, ast.Item) and node.alias is not None:
            if isinstance(node.expression, ast.Variable):
                renamed.append((node.alias, node.expression.name))
            else:
                copied.add(node.alias)
    for _ in renamed:
        copied |= {new for new, old in renamed if old in copied}
        bound |= {new for new, old in renamed if old in bound}
    return frozenset(bound - copied)


def _are_nodes(source: ast.Expression) -> bool:
    return isinstance(source, ast.Call) and source.name.lower() == "nodes"


def may_be_copy(node: ast.Expression, context: Context) -> bool:
    """Whether its value may be such a copy of a node."""
    if types.NODE not in context.analysis.type_of(node).kinds:
        return False
    return not (isinstance(node, ast.Variable) and node.name in bound_by_patterns(context.query))


def lists_keys_of_copy(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "keys" and may_be_copy(node.arguments[0], context)


def own_keys(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """keys(x) without the engine's own key where x is a node."""
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    subject = node.arguments[0]
    if not kinds.is_cheap(subject):
        name = ast.Variable(context.new_name())
        return build.let(name.name, subject, _without_own_key(name, written, context))
    return _without_own_key(subject, written, context)


def _without_own_key(subject: ast.Expression, written: ast.Call, context: Context) -> ast.Expression:
    item = ast.Variable(context.new_name())
    all_keys = build.call("keys", subject)
    own = ast.ListComprehension(item.name, all_keys, build.compare(item, "<>", _OWN_KEY), item)
    if context.analysis.type_of(written.arguments[0]).kinds == {types.NODE}:
        return own
    return build.choose((ast.IsTyped(subject, "NODE", negated=False), own), default=all_keys)


def takes_all_of_copy(node: ast.Node, context: Context) -> bool:
    """properties(x) or x {.*} of what may be such a copy."""
    if isinstance(node, ast.Call):
        return node.name.lower() == "properties" and may_be_copy(node.arguments[0], context)
    if not isinstance(node, ast.MapProjection):
        return False
    return any(key == "*" for key, _ in node.entries) and may_be_copy(node.subject, context)
