"""Joins of two nodes by equal computed strings, such as `toLower(a.name) = toLower(b.name)`.

The engine compares all pairs. Both sides are instead grouped by their string, which takes one pass over each, and the ids of a group are
paired. Conditions on one side are tested before.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.operators import build_size_guard
from repoquarry.graphstore.query.cypher.rewrites.templates import build_clauses
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, split_conjunction, used_names

_Side = tuple[ast.NodePattern, ast.Expression]
"""Node, and its string."""


def join_by_hash(match: ast.Match, context: RewriteContext) -> list[ast.Clause]:
    """Join the two nodes of a MATCH by grouping; return the MATCH itself if they have no equal strings.

    The grouping is a subquery: WITH would drop the variables in scope, and later clauses would carry its lists along.
    """
    sides = _find_sides(match, context)
    if sides is None:
        return [match]
    conditions = split_conjunction(match.where)
    key, number, *ids = (context.new_name() for _ in range(4))
    arms = []
    for place, (node, value) in enumerate(sides):
        own = [part for part in conditions if used_names(part) == {node.variable}]
        found = ast.Match((ast.PathPattern((node,)),), visitor.all_of(own))
        columns = build_clauses(
            "RETURN $value AS key, node.id AS id, $place AS number",
            value=value, place=ast.Literal(place), node=node.variable or "", key=key, id=ids[0], number=number,
        )  # fmt: skip
        arms.append(ast.SingleQuery((found, *columns)))
    grouped = build_clauses(
        """WITH key, collect(CASE WHEN number = 0 THEN first ELSE null END) AS _firsts,
            collect(CASE WHEN number = 1 THEN first ELSE null END) AS _seconds WHERE key IS NOT NULL
            UNWIND _firsts AS first UNWIND _seconds AS second RETURN first, second""",
        context, key=key, number=number, first=ids[0], second=ids[1],
    )  # fmt: skip
    both_sides = ast.CallSubquery(ast.Query(tuple(arms), keep_duplicates=True), ())
    pairs = ast.CallSubquery(ast.Query((ast.SingleQuery((both_sides, *grouped)),)), ())
    nodes = (
        dataclasses.replace(node, properties=ast.MapLiteral((("id", ast.Variable(name)),)))
        for (node, _), name in zip(sides, ids, strict=True)
    )
    rest = visitor.all_of(_find_rest(conditions, sides))
    return [pairs, ast.Match(tuple(ast.PathPattern((node,)) for node in nodes), rest)]


def _find_rest(conditions: list[ast.Expression], sides: tuple[_Side, _Side]) -> list[ast.Expression]:
    """Return the conditions that the groups do not fulfill already."""
    names = [{node.variable} for node, _ in sides]
    values = [value for _, value in sides]
    pairs = (values, values[::-1])
    known = [
        condition
        for one, other in pairs
        for condition in (visitor.compare(one, "=", other), build_size_guard(one, "=", other))
    ]
    return [part for part in conditions if part not in known and used_names(part) not in names]


def _find_sides(match: ast.Match, context: RewriteContext) -> tuple[_Side, _Side] | None:
    """Return the two nodes with the strings that WHERE equates."""
    nodes = [path.elements[0] for path in match.patterns if len(path.elements) == 1 and path.variable is None]
    plain = [node for node in nodes if isinstance(node, ast.NodePattern) and _is_plain(node)]
    if match.optional or len(match.patterns) != 2 or len(plain) != 2:
        return None
    for condition in split_conjunction(match.where):
        if not isinstance(condition, ast.Comparison) or len(condition.rest) != 1 or condition.rest[0][0] != "=":
            continue
        pair = condition.first, condition.rest[0][1]
        for one, other in (pair, pair[::-1]):
            is_split = used_names(one) == {plain[0].variable} and used_names(other) == {plain[1].variable}
            if is_split and all(_is_string(value, context) for value in pair):
                return (plain[0], one), (plain[1], other)
    return None


def _is_plain(node: ast.NodePattern) -> bool:
    return node.variable is not None and isinstance(node.labels, ast.LabelName) and node.properties is None


def _is_string(value: ast.Expression, context: RewriteContext) -> bool:
    """Return whether the value is a string or null, and its evaluation cannot end the query."""
    can_fail = any(isinstance(part, ast.Case) for part in iterate_nodes(value))
    return not can_fail and context.analysis.type_of(value).kinds == {types.STRING}
