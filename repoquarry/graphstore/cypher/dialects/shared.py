"""Rules that hold on every engine, because they bound what a query may cost."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher import ast
from repoquarry.graphstore.cypher.dialect import Context, Rule
from repoquarry.graphstore.cypher.walk import children


def _unbounded(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Length) and node.high is None


def _bound(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.Length):
        raise TypeError("only lengths are bounded")
    context.cut_path_bound = context.path_hops
    low = node.low if node.low is not None else 1
    return dataclasses.replace(node, low=low, high=max(context.path_hops, low))


_MOST_TURNS = 10_000_000
"""Turns of the loops inside one expression; engines look at the clock between rows only."""

_Loop = ast.ListComprehension | ast.Quantifier | ast.Reduce


def _turns(node: ast.Node) -> int:
    """How often the innermost loop of an expression runs, as far as written ranges tell."""
    inner = max((_turns(child) for child in children(node)), default=1)
    return inner * max(1, _written_size(node.source)) if isinstance(node, _Loop) else inner


def _written_size(source: ast.Expression) -> int:
    if not isinstance(source, ast.Call) or source.name.lower() != "range":
        return 1
    numbers = [_whole(argument) for argument in source.arguments]
    low, high, step = (*numbers, 1)[:3]
    return 1 if low is None or high is None or not step else (high - low) // step + 1


def _whole(node: ast.Expression) -> int | None:
    if isinstance(node, ast.Unary) and node.operator == "-":
        value = _whole(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Literal) and isinstance(node.value, int) else None


def _runs_long(node: ast.Node, context: Context) -> bool:
    return _turns(node) > _MOST_TURNS


def _loop(construct: str, kind: type[ast.Node], example: str) -> Rule:
    return Rule(
        construct=f"{construct} that runs over ten million times",
        kind=kind,
        applies=_runs_long,
        why="no engine can end an expression in its middle",
        example=example,
        instead="UNWIND, whose rows are counted and timed",
        reason="too_much_work",
    )


SHARED_RULES: tuple[Rule, ...] = (
    _loop(
        "a list comprehension",
        ast.ListComprehension,
        "RETURN [a IN range(1, 10000) | [b IN range(1, 10000) | a * b]] AS x",
    ),
    _loop("all(), any(), none(), single()", ast.Quantifier, "RETURN any(x IN range(1, 1000000000) WHERE x < 0) AS x"),
    _loop("reduce()", ast.Reduce, "RETURN reduce(s = 0, x IN range(1, 1000000000) | s + x) AS x"),
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
