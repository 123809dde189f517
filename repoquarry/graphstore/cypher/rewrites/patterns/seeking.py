"""Nodes sought by a list of ids, for an engine that finds a node by `{id: ...}` at once and scans them all for `n.id IN list`.

`MATCH (n)-->(m) WHERE n.id IN list` gives the rows of `UNWIND list AS id WITH DISTINCT id MATCH (n {id: id})-->(m)`: a node has
one id, so that each row comes once. Only at the head of the query, where nothing is bound that DISTINCT could merge.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.patterns.anchoring import conjuncts
from repoquarry.graphstore.cypher.rewrites.values.equality import same_size
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build


@dataclasses.dataclass(frozen=True)
class _Sought:
    """A variable of the pattern, and the condition that lists its id, as written."""

    variable: str
    condition: ast.Binary


def seeks(node: ast.Node, context: Context) -> bool:
    """Whether the query, or a part of its UNION, begins with a MATCH whose WHERE lists the ids of a node."""
    at_head = isinstance(node, ast.SingleQuery) and any(part is node for part in context.query.parts)
    return at_head and isinstance(node, ast.SingleQuery) and _sought(node, context) is not None


def seek(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The query with its ids in front."""
    if not isinstance(node, ast.SingleQuery) or not isinstance(written, ast.SingleQuery):
        raise TypeError("not a query")
    found, first = _sought(written, context), node.clauses[0]
    if found is None or not isinstance(first, ast.Match) or _place(first, found.variable) is None:
        return node  # another rewrite has put something in front of the MATCH
    name = context.new_name()
    unwind = ast.Unwind(found.condition.right, name)
    once = ast.Projection(False, True, False, (ast.Item(ast.Variable(name), None),), (), None, None, None)
    first = _with_id(first, found.variable, name)
    exactly = same_size(ast.Variable(name), "=", found.condition.left)  # the engine takes '["x"]' for 'x'
    others = [part for part in conjuncts(first.where) if not _is_rewritten(part, found.condition)]
    first = dataclasses.replace(first, where=build.all_of([*others, exactly]))
    return dataclasses.replace(node, clauses=(unwind, once, first, *node.clauses[1:]))


def _is_rewritten(node: ast.Expression, condition: ast.Binary) -> bool:
    """Whether it is the condition, as it is or guarded by a search through the list, whose cost grows with its length."""
    if isinstance(node, ast.Case) and node.whens:
        return node.whens[0].tests == (condition,)
    return node == condition


def _sought(query: ast.SingleQuery, context: Context) -> _Sought | None:
    first = query.clauses[0]
    if not isinstance(first, ast.Match) or first.optional:
        return None
    for condition in conjuncts(first.where):
        if not isinstance(condition, ast.Binary) or condition.operator != "IN":
            continue
        left, right = condition.left, condition.right
        if not isinstance(left, ast.Property) or left.key != "id" or not isinstance(left.subject, ast.Variable):
            continue
        if _lists_texts(right, context) and _place(first, left.subject.name) is not None:
            return _Sought(left.subject.name, condition)
    return None


def _lists_texts(node: ast.Expression, context: Context) -> bool:
    """Whether it is a list of texts that does not depend on anything bound."""
    if isinstance(node, ast.ListLiteral):
        return all(isinstance(item, ast.Literal) and isinstance(item.value, str) for item in node.items)
    found = context.analysis.type_of(node)
    return isinstance(node, ast.Parameter) and found.kinds == {types.LIST} and found.items.kinds == {types.STRING}


def _place(match: ast.Match, variable: str) -> tuple[int, int] | None:
    """Path and element of the node pattern that can be given the id."""
    for at, path in enumerate(match.patterns):
        for place, element in enumerate(path.elements):
            if isinstance(element, ast.NodePattern) and element.variable == variable:
                return (at, place) if element.properties is None and not path.shortest else None
    return None


def _with_id(match: ast.Match, variable: str, name: str) -> ast.Match:
    place = _place(match, variable)
    if place is None:
        raise ValueError(variable)
    path = match.patterns[place[0]]
    elements = tuple(
        dataclasses.replace(element, properties=ast.MapLiteral((("id", ast.Variable(name)),)))
        if at == place[1] and isinstance(element, ast.NodePattern)
        else element
        for at, element in enumerate(path.elements)
    )
    changed = dataclasses.replace(path, elements=elements)
    patterns = (*match.patterns[: place[0]], changed, *match.patterns[place[0] + 1 :])
    return dataclasses.replace(match, patterns=patterns)
