"""Forms that the engine lacks or reads otherwise, whatever their types."""

from __future__ import annotations

import math

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.dialects.refused.clashes import known
from repoquarry.graphstore.cypher.rewrites.values import texts
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast


def shortest_value(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.PatternPredicate) and bool(node.pattern.shortest)


def always(node: ast.Node, context: Context) -> bool:
    return True


def no_finite_number(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Literal) and isinstance(node.value, float) and not math.isfinite(node.value)


def splits_into_characters(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "split":
        return False
    by = node.arguments[1]
    found = context.analysis.type_of(by)
    if texts.single_characters(by):
        return False
    return (isinstance(by, ast.Literal) and by.value == "") or (known(found) and types.LIST in found.kinds)


def rebound_list(node: ast.Node, context: Context) -> bool:
    return (
        isinstance(node, ast.RelationshipPattern) and node.length is not None and id(node) in context.analysis.rebound
    )


def written_zero(node: ast.Node, context: Context) -> bool:
    """Division by a zero that is written out: Neo4j folds constants by other rules than it divides values by."""
    if not isinstance(node, ast.Binary) or node.operator != "/":
        return False
    is_zero = isinstance(node.right, ast.Literal) and node.right.value == 0 and node.right.value is not False
    if not is_zero or not isinstance(node.right, ast.Literal):
        return False
    return isinstance(node.right.value, float) or context.analysis.type_of(node.left).may_be(types.FLOAT)


def empty_length(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Length) or node.high is None:
        return False
    return node.high < (node.low if node.low is not None else 1)
