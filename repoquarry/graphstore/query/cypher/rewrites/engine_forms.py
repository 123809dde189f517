"""Last rewrites for the embedded engine: forms that its matcher cuts too early or its parser misreads. They see the result of all other rules.

The engine takes the first candidates of a pattern under EXISTS or LIMIT before it drops those that follow one relationship twice, and
then answers false or gives too few rows. With a WHERE, even `WHERE true`, it drops them first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import combinations

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, plain_names, transform_children


def needs_early_uniqueness(node: ast.Query, context: RewriteContext) -> bool:
    """Return whether the complete query may cut the candidates of a pattern that can repeat a relationship."""
    return node is context.query and any(
        _can_repeat(part.patterns) if isinstance(part, ast.Match) else _can_repeat((part.pattern,))
        for part in iterate_nodes(node)
        if isinstance(part, ast.Match | ast.PatternPredicate)
    )


def check_uniqueness_early(written: ast.Query, node: ast.Query, context: RewriteContext) -> ast.Node:
    """Add `WHERE true` to such patterns of EXISTS, of pattern predicates, and of a query with LIMIT."""
    has_limit = any(isinstance(part, ast.Projection) and part.limit is not None for part in iterate_nodes(node))

    def change(part: ast.Node, in_exists: bool) -> ast.Node:
        inside = in_exists or (isinstance(part, ast.Subquery) and part.kind == "EXISTS")
        part = transform_children(part, lambda child: change(child, inside))
        if isinstance(part, ast.Match) and part.where is None and (inside or has_limit) and _can_repeat(part.patterns):
            return dataclasses.replace(part, where=visitor.TRUE)
        if isinstance(part, ast.PatternPredicate) and _can_repeat((part.pattern,)):
            match = ast.Match((part.pattern,), visitor.TRUE)
            return ast.Subquery("EXISTS", ast.Query((ast.SingleQuery((match,)),)))
        return part

    return change(node, False)


def _can_repeat(paths: Iterable[ast.PathPattern]) -> bool:
    """Return whether two steps of a MATCH may follow one relationship: a step without types may follow any."""
    steps = [step for path in paths for step in path.steps]
    if any(step.length is not None and (step.length.high is None or step.length.high > 1) for step in steps):
        return True
    types = [plain_names(step.types) for step in steps]
    return any(not one or not other or one & other for one, other in combinations(types, 2))


def is_unnamed_shortest_path(node: ast.PathPattern, context: RewriteContext) -> bool:
    return bool(node.shortest) and node.variable is None


def name_path(written: ast.PathPattern, node: ast.PathPattern, context: RewriteContext) -> ast.Node:
    return dataclasses.replace(node, variable=node.variable or context.new_name())


def _star(part: ast.SingleQuery) -> bool:
    first = part.clauses[0]
    return isinstance(first, ast.Projection) and not first.is_return and first.star and not first.items


def imports_everything(node: ast.CallSubquery, context: RewriteContext) -> bool:
    """Return whether every part of a CALL of the older form begins with `WITH *`."""
    return node.imports is None and all(map(_star, node.query.parts))


def import_everything(written: ast.CallSubquery, node: ast.CallSubquery, context: RewriteContext) -> ast.Node:
    parts = tuple(dataclasses.replace(part, clauses=part.clauses[1:]) for part in node.query.parts)
    return dataclasses.replace(node, query=dataclasses.replace(node.query, parts=parts), imports=(), import_all=True)


def has_leading_subquery(node: ast.Query, context: RewriteContext) -> bool:
    """Return whether an operand of the complete query begins with a subquery, before or after the other rules."""
    kinds = ast.Subquery | ast.PatternPredicate
    return node is context.query and any(isinstance(part, kinds) for part in iterate_nodes(node))


def guard_leading_subqueries(written: ast.Query, node: ast.Query, context: RewriteContext) -> ast.Node:
    """Rewrite `COUNT { } > 1` as `0 + COUNT { } > 1`, `EXISTS { } AND x` as `true = EXISTS { } AND x`."""

    def change(part: ast.Node) -> ast.Node:
        part = transform_children(part, change)
        match part:
            case ast.Binary():
                return dataclasses.replace(part, left=_shielded(part.left))
            case ast.Comparison():
                return dataclasses.replace(part, first=_shielded(part.first))
            case ast.IsNull() | ast.IsTyped():
                return dataclasses.replace(part, operand=_shielded(part.operand))
        return part

    return change(node)


def _shielded(node: ast.Expression) -> ast.Expression:
    if not isinstance(node, ast.Subquery):
        return node
    if node.kind == "COUNT":
        return ast.Binary("+", ast.Literal(0), node)
    return visitor.compare(visitor.TRUE, "=", node) if node.kind == "EXISTS" else node
