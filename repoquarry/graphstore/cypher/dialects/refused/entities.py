"""Nodes and relationships as values: keys that the engine answers from its own data, ends of relationships, their order."""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.dialects.refused.clashes import known
from repoquarry.graphstore.cypher.rewrites.values import kinds
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import EVERY
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.walk import walk

_ENGINE_KEYS = frozenset({"title", "type", "label", "node_type"})
"""Keys that kglite answers on every node and relationship from its own data."""


def engine_key(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Property) or node.key not in _ENGINE_KEYS:
        return False
    return context.analysis.type_of(node.subject).kinds <= {types.NODE, types.RELATIONSHIP}


def doubtful_engine_key(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Property) or node.key not in _ENGINE_KEYS:
        return False
    kinds = context.analysis.type_of(node.subject).kinds
    return not kinds <= {types.NODE, types.RELATIONSHIP} and bool(kinds & {types.NODE, types.RELATIONSHIP})


def as_null(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    return build.NULL


def computed_key(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Index):
        return False
    kinds = context.analysis.type_of(node.subject).kinds
    if kinds == EVERY or not kinds & {types.NODE, types.RELATIONSHIP}:
        return False
    return not isinstance(node.index, ast.Literal) or node.index.value in _ENGINE_KEYS


def _is_endpoint(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in ("startnode", "endnode")


def loose_endpoint(node: ast.Node, context: Context) -> bool:
    """startNode(r) anywhere but below `.`, labels(), a comparison and the like, where the engine sees a node."""
    if not isinstance(node, ast.Query):
        return False
    held: set[int] = set()
    for part in walk(node):
        if isinstance(part, ast.Property | ast.HasLabels):
            held.add(id(part.subject))
        elif isinstance(part, ast.Comparison):
            held |= {id(part.first), *(id(operand) for _, operand in part.rest)}
        elif isinstance(part, ast.Call) and part.name.lower() in ("labels", "properties", "keys"):
            held.add(id(part.arguments[0]))
        elif isinstance(part, ast.IsNull):
            held.add(id(part.operand))
    return any(_is_endpoint(part) and id(part) not in held for part in walk(node))


def endpoint_of_other(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or not _is_endpoint(node):
        return False
    return bool(kinds.outside(node.arguments[0], frozenset({types.RELATIONSHIP}), context))


def all_of_map(node: ast.Node, context: Context) -> bool:
    return (
        isinstance(node, ast.MapProjection)
        and context.analysis.type_of(node.subject).kinds not in ({types.NODE}, {types.RELATIONSHIP})
        and any(key == "*" for key, _ in node.entries)
    )


def sorts_entities(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Sort):
        return False
    found = context.analysis.type_of(node.expression)
    return known(found) and found.holds(types.NODE, types.RELATIONSHIP, types.PATH)
