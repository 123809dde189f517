"""WITH, RETURN and UNION for an engine that sorts and filters only by projected names, and joins UNION by position."""

from __future__ import annotations

import dataclasses

from graphstore.cypher import ast, grouping
from graphstore.cypher.dialect import Context


def _items(node: ast.Projection) -> dict[ast.Expression, str]:
    return {
        item.expression: item.alias
        for item in node.items
        if item.alias is not None and not isinstance(item.expression, ast.Literal)
    }


def _grouped(node: ast.Projection) -> bool:
    return node.distinct or any(grouping.has_aggregation(item.expression) for item in node.items)


def sorts_by_projected_expressions(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Projection) or not _grouped(node):
        return False
    items = _items(node)
    parts = [sort.expression for sort in node.order] + ([node.where] if node.where is not None else [])
    return any(grouping.with_aliases(part, items) is not part for part in parts)


def sort_by_names(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """ORDER BY and WHERE of a grouped projection, by the names of what is projected."""
    if not isinstance(node, ast.Projection):
        raise TypeError("not a projection")
    items = _items(node)
    order = tuple(dataclasses.replace(s, expression=grouping.with_aliases(s.expression, items)) for s in node.order)
    where = grouping.with_aliases(node.where, items) if node.where is not None else None
    return dataclasses.replace(node, order=order, where=where)


def _names(part: ast.SingleQuery) -> list[str]:
    last = part.clauses[-1]
    if not isinstance(last, ast.Projection) or last.star:
        return []
    return [_name(item) for item in last.items]


def _name(item: ast.Item) -> str:
    if item.alias is not None:
        return item.alias
    return item.expression.name if isinstance(item.expression, ast.Variable) else ""


def union_order_differs(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Query) or len(node.parts) < 2:
        return False
    first = _names(node.parts[0])
    return any(_names(part) != first and sorted(_names(part)) == sorted(first) for part in node.parts[1:])


def align_union(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """Every arm of a UNION with its columns in the order of the first one."""
    if not isinstance(node, ast.Query):
        raise TypeError("not a query")
    first = _names(node.parts[0])
    parts = [node.parts[0]]
    for part in node.parts[1:]:
        last = part.clauses[-1]
        if isinstance(last, ast.Projection) and sorted(_names(part)) == sorted(first):
            by_name = {_name(item): item for item in last.items}
            last = dataclasses.replace(last, items=tuple(by_name[name] for name in first))
        parts.append(dataclasses.replace(part, clauses=(*part.clauses[:-1], last)))
    return dataclasses.replace(node, parts=tuple(parts))
