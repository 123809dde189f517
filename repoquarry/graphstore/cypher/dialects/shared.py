"""Rules that hold on every engine, because they bound what a query may cost."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context, Rule
from repoquarry.graphstore.cypher.dialects import costs
from repoquarry.graphstore.cypher.syntax import ast


def _unbounded(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Length) and node.high is None


def _bound(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.Length):
        raise TypeError("only lengths are bounded")
    context.cut_path_bound = context.path_hops
    low = node.low if node.low is not None else 1
    return dataclasses.replace(node, low=low, high=max(context.path_hops, low))


SHARED_RULES: tuple[Rule, ...] = (
    *costs.RULES,
    Rule(
        construct="variable-length path without an upper bound",
        kind=ast.Length,
        applies=_unbounded,
        why="a path may be as long as the graph has relationships; the setting `path_hops` bounds it and the answer "
        "says so",
        example="MATCH (a:Class {id: $id})-[:INHERITS*]->(b:Class) RETURN b.qualname",
        change=_bound,
    ),
)
