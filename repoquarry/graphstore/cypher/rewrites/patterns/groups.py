"""Quantified path groups for an engine without them: a group of one bare step is a quantified relationship.

`((a)-[r:CALLS]->(b)){1,3}` repeats one relationship and asks nothing of the nodes between, so it finds the paths of
`-[r:CALLS]->{1,3}`, and `r` is the same list. The lists of its nodes have no counterpart there, so nothing may use them.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.walk import walk


def is_bare(node: ast.Node, context: Context) -> bool:
    """Whether it is a group that is a quantified relationship in other words."""
    if not isinstance(node, ast.RelationshipPattern) or node.group is None:
        return False
    elements = node.group.elements
    if len(elements) != 3 or any(element.where or element.properties for element in elements) or node.group.where:
        return False
    ends = [element for element in elements if isinstance(element, ast.NodePattern)]
    names = {end.variable for end in ends if end.variable is not None}
    closes = ends[0].variable is not None and ends[0].variable == ends[-1].variable
    return not closes and all(end.labels is None for end in ends) and not _used(names, context.query)


def is_open(node: ast.Node, context: Context) -> bool:
    """Whether it is any other group."""
    return isinstance(node, ast.RelationshipPattern) and node.group is not None and not is_bare(node, context)


def _used(names: set[str], query: ast.Query) -> bool:
    """Whether one of the names may be read anywhere; `*` stands for every name in sight."""
    return bool(names) and any(
        (isinstance(node, ast.Variable) and node.name in names) or (isinstance(node, ast.Projection) and node.star)
        for node in walk(query)
    )


def as_relationship(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The quantified relationship of a bare group."""
    step = node.group.elements[1] if isinstance(node, ast.RelationshipPattern) and node.group is not None else None
    if not isinstance(node, ast.RelationshipPattern) or not isinstance(step, ast.RelationshipPattern):
        raise TypeError("not a quantified path group")
    return dataclasses.replace(step, length=node.length, start=node.start, end=node.end)
