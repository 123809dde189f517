"""Aggregations inside CASE, IS NULL, reduce() and the like, for an engine that aggregates only under plain operators.

`RETURN k, CASE WHEN count(*) > 1 THEN 'many' END AS c` becomes
`WITH k AS k, count(*) AS g RETURN k, CASE WHEN g > 1 THEN 'many' END AS c`: first group, then compute.
"""

from __future__ import annotations

import dataclasses

from graphstore.cypher import ast, grouping
from graphstore.cypher.dialect import Context
from graphstore.cypher.walk import children, rebuild

_OPEN = (ast.Call, ast.Index, ast.Slice)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


def splits(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.SingleQuery)


def split(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The query with every such projection in two steps."""
    if not isinstance(node, ast.SingleQuery):
        raise TypeError("not a query")
    if not any(isinstance(clause, ast.Projection) and _must_split(clause) for clause in node.clauses):
        return node
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        if isinstance(clause, ast.Projection) and _must_split(clause):
            clauses += _two_steps(clause, context)
        else:
            clauses.append(clause)
    return dataclasses.replace(node, clauses=tuple(clauses))


def _must_split(clause: ast.Projection) -> bool:
    return any(_is_closed_in(item.expression) for item in clause.items)


def _is_closed_in(node: ast.Node, closed: bool = False) -> bool:
    """Whether an aggregation stands inside something other than functions, indexes and arithmetic."""
    if grouping.is_aggregation(node):
        return closed
    if isinstance(node, ast.Subquery):
        return False
    is_open = isinstance(node, _OPEN) or (isinstance(node, ast.Binary) and node.operator in _ARITHMETIC)
    inside = closed or not is_open
    return any(_is_closed_in(child, inside) for child in children(node))


def _two_steps(clause: ast.Projection, context: Context) -> list[ast.Clause]:
    grouped: list[ast.Item] = []
    names: dict[ast.Expression, str] = {}
    for item in clause.items:
        if not grouping.has_aggregation(item.expression):
            alias = item.alias if item.alias is not None else _variable_name(item.expression)
            grouped.append(ast.Item(item.expression, alias))
            names[item.expression] = alias
    aggregates: dict[ast.Expression, str] = {}

    def change(node: ast.Node) -> ast.Node:
        if isinstance(node, ast.Expression) and node in names:
            return ast.Variable(names[node])
        if isinstance(node, ast.Expression) and grouping.is_aggregation(node):
            return ast.Variable(aggregates.setdefault(node, f"_a{len(aggregates)}_{context.new_name()}"))
        return rebuild(node, change)

    items = []
    for item in clause.items:
        expression = change(item.expression)
        if not isinstance(expression, ast.Expression):
            raise TypeError("an expression became something else")
        items.append(dataclasses.replace(item, expression=expression, alias=item.alias or _name_of(item)))
    grouped += [ast.Item(node, name) for node, name in aggregates.items()]
    first = ast.Projection(False, False, False, tuple(grouped), (), None, None, None)
    return [first, dataclasses.replace(clause, items=tuple(items))]


def _variable_name(node: ast.Expression) -> str:
    if isinstance(node, ast.Variable):
        return node.name
    raise TypeError("an expression without a name")


def _name_of(item: ast.Item) -> str | None:
    return item.expression.name if isinstance(item.expression, ast.Variable) else None
