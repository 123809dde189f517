"""Dialect of Neo4j 5, the reference."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.query.cypher.dialect import Dialect, RewriteContext, read_rules
from repoquarry.graphstore.query.cypher.dialects import cost_limits
from repoquarry.graphstore.query.cypher.rewrites.expressions import copy_list_argument
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes


def reverses_list(node: ast.Call, context: RewriteContext) -> bool:
    if node.name.lower() != "reverse":
        return False
    return types.LIST in context.analysis.type_of(node.arguments[0]).kinds


def copy_reversed_list(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Copy a list before reverse(); a string, or anything else, stays."""
    if context.analysis.type_of(written.arguments[0]).kinds == {types.LIST}:
        return copy_list_argument(written, node, context)
    name = ast.Variable(context.new_name())
    call = dataclasses.replace(node, arguments=(name,))
    is_list = ast.IsTyped(name, "LIST<ANY>", negated=False)
    return visitor.bind_once(
        name.name,
        node.arguments[0],
        visitor.case_when((is_list, copy_list_argument(call, call, context)), default=call),
    )


def is_optional_by_count(node: ast.Match, context: RewriteContext) -> bool:
    if not node.optional or node.where is None:
        return False
    return any(isinstance(part, ast.Subquery) and part.kind == "COUNT" for part in iterate_nodes(node.where))


def prevent_null(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Wrap the condition in coalesce(..., false), which is equivalent in a WHERE and prevents the planner from splitting it."""
    if not isinstance(node, ast.Match) or node.where is None:
        raise TypeError("not a MATCH with a condition")
    return dataclasses.replace(node, where=visitor.call("coalesce", node.where, visitor.FALSE))


TOO_LONG = f"range() gives more than {cost_limits.MAX_ITERATIONS:,} numbers"
"""Text in Neo4j's error message when the query encounters such a range."""

_BOUNDED = frozenset({"size", "length"})


def _is_bounded(node: ast.Expression) -> bool:
    """Return whether a number is limited because it is stored or literal."""
    if isinstance(node, ast.Binary):
        return node.operator in ("+", "-") and _is_bounded(node.left) and _is_bounded(node.right)
    return isinstance(node, ast.Literal | ast.Parameter) or (
        isinstance(node, ast.Call) and node.name.lower() in _BOUNDED
    )


def has_computed_range(node: ast.Call, context: RewriteContext) -> bool:
    if not cost_limits.is_range(node) or cost_limits.is_unwind_source(node, context):
        return False
    return not all(_is_bounded(argument) for argument in node.arguments)


def count_range(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Count the numbers of the range before the first of them is created."""
    low, high, *step = node.arguments
    apart = visitor.call("abs", ast.Binary("-", high, low))
    width: ast.Expression = ast.Literal(cost_limits.MAX_ITERATIONS)
    if step:
        width = ast.Binary("*", width, visitor.call("abs", step[0]))
    failure = ast.Property(visitor.call("date", ast.Literal(TOO_LONG)), "year")
    end = visitor.case_when((visitor.compare(apart, ">", width), failure), default=high)
    return dataclasses.replace(node, arguments=(low, end, *step))


DIALECT = Dialect(
    name="neo4j",
    rules=read_rules("neo4j"),
    functions=frozenset(SIGNATURES),
    missing_functions={},
)
