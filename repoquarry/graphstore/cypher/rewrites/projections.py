"""WITH, RETURN and UNION for an engine that sorts and filters only by projected names, and joins UNION by position."""

from __future__ import annotations

import dataclasses
import re

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.semantics import grouping
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.render import expression
from repoquarry.graphstore.cypher.syntax.walk import rebuild

_FRESH = re.compile(r"\b_g\d+\b")
"""Names that rewrites make up; the same expression gets other ones each time."""


def same_text(node: ast.Expression) -> str:
    """A text that is equal for expressions that differ in made-up names only."""
    numbers: dict[str, str] = {}
    return _FRESH.sub(lambda match: numbers.setdefault(match[0], f"_g#{len(numbers)}"), expression(node))


def _items(node: ast.Projection) -> dict[str, str]:
    return {
        same_text(item.expression): item.alias
        for item in node.items
        if item.alias is not None and not isinstance(item.expression, ast.Literal)
    }


def _with_aliases(node: ast.Expression, items: dict[str, str]) -> ast.Expression:
    """The expression with every part that is a projected item replaced by the item's name."""

    def change(part: ast.Node) -> ast.Node:
        if isinstance(part, ast.Expression) and not isinstance(part, ast.Literal) and same_text(part) in items:
            return ast.Variable(items[same_text(part)])
        return rebuild(part, change)

    changed = change(node)
    if not isinstance(changed, ast.Expression):
        raise TypeError("an expression became something else")
    return changed


def _grouped(node: ast.Projection) -> bool:
    return node.distinct or any(grouping.has_aggregation(item.expression) for item in node.items)


def sorts_by_projected_expressions(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Projection) and _grouped(node) and bool(node.order or node.where is not None)


def sort_by_names(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """ORDER BY and WHERE of a grouped projection, by the names of what is projected."""
    if not isinstance(node, ast.Projection):
        raise TypeError("not a projection")
    items = _items(node)
    order = tuple(dataclasses.replace(s, expression=_with_aliases(s.expression, items)) for s in node.order)
    where = _with_aliases(node.where, items) if node.where is not None else None
    unchanged = where is node.where and all(
        a.expression is b.expression for a, b in zip(order, node.order, strict=True)
    )
    return node if unchanged else dataclasses.replace(node, order=order, where=where)


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
