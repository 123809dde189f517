"""Rewrites of aggregations that the embedded engine lacks: nested ones, percentiles and standard deviations.

`RETURN k, CASE WHEN count(*) > 1 THEN 'many' END AS c` becomes `WITH k AS k, count(*) AS g RETURN k, CASE WHEN g > 1 THEN 'many' END AS
c`: first group, then compute.

Statistics of properties use the aggregations of the engine, whose time is linear, and restore Neo4j's types and its result for one value.
Those of other values, such as items of lists and numbers above 2^53, collect the values, sorted for a percentile, and compute the result
from the list, whose time is quadratic. Both equal those of Neo4j up to rounding. Source: `PercentileContFunction` and `StdevFunction` of
Neo4j 5.26.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypeGuard

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import type_guards
from repoquarry.graphstore.query.cypher.rewrites.expressions import comparable_text
from repoquarry.graphstore.query.cypher.rewrites.templates import build, build_clauses
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure
from repoquarry.graphstore.query.cypher.semantics import scope, types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import children, iterate_nodes, local_names

_PERCENTILES = frozenset({"percentilecont", "percentiledisc"})
_DEVIATIONS = frozenset({"stdev", "stdevp"})


def _is_statistic(node: ast.Node) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES | _DEVIATIONS


def _is_percentile(node: ast.Node) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES


def has_computed_percentile(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the requested percentile varies by row."""
    return not isinstance(node.arguments[1], ast.Literal | ast.Parameter)


def has_mixed_numbers(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether a percentile mixes integers and floats: engines do not define the order of equal ones."""
    found = context.analysis.type_of(node.arguments[0]).kinds
    return found >= {types.INTEGER, types.FLOAT} and found != types.EVERY


def list_ordered_values(clause: ast.Projection, context: RewriteContext) -> Iterator[ast.Expression]:
    """Yield the values of the percentiles of a projection that are computed from lists."""
    for item in clause.items:
        for node in scope.aggregations(item.expression):
            if _is_percentile(node) and not _is_measure(node.arguments[0], context):
                yield node.arguments[0]


_MEASURES = frozenset({"abs", "size", "length", "tofloat"})
_MAX_LITERAL = 1_000_000


def _is_measure(node: ast.Expression, context: RewriteContext) -> bool:
    """Return whether a value is made of numeric properties and sizes, which the engine's floats hold without loss."""
    kinds = context.analysis.type_of(node).kinds
    return bool(kinds) and len(kinds) == 1 and kinds <= type_guards.NUMBERS and _is_made_of_measures(node)


def _is_made_of_measures(node: ast.Expression) -> bool:
    match node:
        case ast.Property():
            return True
        case ast.Literal():
            return isinstance(node.value, int | float) and abs(node.value) <= _MAX_LITERAL
        case ast.Binary():
            return node.operator in "+-" and all(map(_is_made_of_measures, (node.left, node.right)))
        case ast.Call():
            name = node.name.lower()
            return name in ("size", "length") or (name in _MEASURES and _is_made_of_measures(node.arguments[0]))
    return False


_NATIVE = {
    "percentilecont": "percentile_cont",
    "percentiledisc": "percentile_disc",
    "stdev": "stDev",
    "stdevp": "stDev",
}
_NATIVE_RESULTS = {
    "stdev": "CASE WHEN $n = 1 THEN 0.0 ELSE $native END",
    "stdevp": "CASE WHEN $n = 1 THEN 0.0 ELSE $native * sqrt(toFloat($n - 1) / $n) END",
    "percentiledisc": "$native",
    "percentilecont": "$native",
}
_NATIVE_INTEGERS = {
    "percentiledisc": "toInteger($native)",
    "percentilecont": "CASE WHEN floor($share * ($n - 1)) = $share * ($n - 1) THEN toInteger($native) ELSE $native END",
}
"""Results over integers: the engine's are floats."""
_IS_SHARE = "coalesce($share >= 0 AND $share <= 1, false)"


def compute_statistic(node: ast.Call, values: ast.Variable, context: RewriteContext) -> ast.Expression:
    """Compute the statistic of the collected values."""
    if _is_percentile(node):
        return _percentile(node, values, context)
    divisor = "(size($v) - 1)" if node.name.lower() == "stdev" else "size($v)"
    return build(
        f"""CASE WHEN size($v) = 0 THEN null WHEN size($v) = 1 THEN 0.0
            ELSE [_mean IN [reduce(_sum = 0.0, _x IN $v | _sum + _x) / size($v)] |
                  sqrt(reduce(_sum = 0.0, _x IN $v | _sum + (_x - _mean) * (_x - _mean)) / {divisor})][0] END""",
        context,
        v=values,
    )


_CONTINUOUS = """[_at IN [$share * (size($v) - 1)] |
    CASE WHEN toInteger(floor(_at)) = toInteger(ceil(_at)) THEN $v[toInteger(floor(_at))]
         ELSE $v[toInteger(floor(_at))] * (toInteger(ceil(_at)) - _at)
            + $v[toInteger(ceil(_at))] * (_at - toInteger(floor(_at))) END][0]"""
_DISCRETE = """[_at IN [$share * size($v)] |
    $v[CASE WHEN _at <> toInteger(floor(_at)) OR toInteger(floor(_at)) = 0 THEN toInteger(floor(_at))
            ELSE toInteger(floor(_at)) - 1 END]][0]"""


def _percentile(node: ast.Call, values: ast.Variable, context: RewriteContext) -> ast.Expression:
    share = node.arguments[1]
    checked = "WHEN NOT coalesce($share >= 0 AND $share <= 1, false) THEN $failure"
    if isinstance(share, ast.Literal):
        checked = ""
        share = ast.Literal(float(share.value)) if share.value is not None else share
    between = _CONTINUOUS if node.name.lower() == "percentilecont" else _DISCRETE
    return build(
        f"""CASE {checked} WHEN size($v) = 0 THEN null
            WHEN $share = 1.0 OR size($v) = 1 THEN $v[size($v) - 1] ELSE {between} END""",
        context,
        v=values,
        share=share,
        failure=RuntimeFailure.PERCENTILE,
    )


_OPEN = (ast.Call, ast.Index, ast.Slice)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


def split_projection(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Split every such projection of the query into two steps."""
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        if isinstance(clause, ast.Projection) and _must_split(clause):
            clauses += _Split(clause, context).clauses()
        else:
            clauses.append(clause)
    return dataclasses.replace(node, clauses=tuple(clauses))


def _must_split(clause: ast.Projection) -> bool:
    return any(
        _is_closed_in(i.expression) or any(map(_is_statistic, scope.aggregations(i.expression))) for i in clause.items
    ) or _sorts_by_lists(clause)


def _sorts_by_lists(clause: ast.Projection) -> bool:
    """Return whether a grouped projection is sorted by an expression with its own variables, which the engine would look up in the groups."""
    if not clause.distinct and not _groups(clause):
        return False
    return any(local_names(part) for sort in clause.order for part in iterate_nodes(sort.expression))


def _is_closed_in(node: ast.Node, closed: bool = False) -> bool:
    """Return whether an aggregation is inside anything other than functions, indexes and arithmetic."""
    if scope.is_aggregation(node):
        return closed
    if isinstance(node, ast.Subquery):
        return False
    is_open = isinstance(node, _OPEN) or (isinstance(node, ast.Binary) and node.operator in _ARITHMETIC)
    inside = closed or not is_open
    return any(_is_closed_in(child, inside) for child in children(node))


class _Split:
    """Projection as two: the first groups and collects under generated names, the second computes from those."""

    def __init__(self, clause: ast.Projection, context: RewriteContext) -> None:
        self._clause, self._context = clause, context
        self._grouped: list[ast.Item] = []
        self._names: dict[str, str] = {}
        """Text of a grouping key -> its name."""
        self._aggregates: dict[ast.Expression, str] = {}
        self._sorts: dict[str, ast.Clause] = {}
        self._sorted_by = next(list_ordered_values(clause, context), None)
        self._sort_name = context.new_name() if self._sorted_by is not None else ""
        for item in clause.items:
            if not scope.has_aggregation(item.expression):
                alias = item.name or ""
                self._grouped.append(ast.Item(item.expression, alias))
                self._names[comparable_text(item.expression)] = alias

    def clauses(self) -> list[ast.Clause]:
        items = tuple(self._changed(item) for item in self._clause.items)
        grouped = (*self._grouped, *(ast.Item(node, name) for node, name in self._aggregates.items()))
        # Without an aggregation, DISTINCT groups in the first step; with one, it removes duplicates in the second.
        first = ast.Projection(False, grouped, distinct=not self._aggregates)
        distinct = self._clause.distinct and bool(self._aggregates)
        second = dataclasses.replace(self._clause, items=items, distinct=distinct)
        before: list[ast.Clause] = []
        if self._sorted_by is not None:
            # Rows are sorted before they are collected, which is cheaper than sorting lists that rows carry.
            before += build_clauses("WITH *, $x AS name ORDER BY name", x=self._sorted_by, name=self._sort_name)
        return [*before, first, *self._sorts.values(), second]

    def _changed(self, item: ast.Item) -> ast.Item:
        return dataclasses.replace(visitor.replace_expressions(item, self._replacement), alias=item.name)

    def _replacement(self, node: ast.Expression) -> ast.Expression | None:
        if not isinstance(node, ast.Literal) and comparable_text(node) in self._names:
            return ast.Variable(self._names[comparable_text(node)])
        if _is_statistic(node):
            return self._statistic(node)
        return self._gathered(node) if scope.is_aggregation(node) else None

    def _gathered(self, node: ast.Expression) -> ast.Variable:
        name = f"_a{len(self._aggregates)}_{self._context.new_name()}"
        return ast.Variable(self._aggregates.setdefault(node, name))

    def _native_statistic(self, node: ast.Call) -> ast.Expression:
        """Compute a statistic by the engine's aggregation of the value, and by the number of values."""
        value, *shares = node.arguments
        name = node.name.lower()
        is_integer = self._context.analysis.type_of(value).kinds == {types.INTEGER}
        results = {**_NATIVE_RESULTS, **_NATIVE_INTEGERS} if is_integer else _NATIVE_RESULTS
        given = [build(f"CASE WHEN {_IS_SHARE} THEN $share ELSE 0.0 END", share=share) for share in shares]
        native = self._gathered(ast.Call(_NATIVE[name], (value, *given), node.distinct))
        number = self._gathered(ast.Call("count", (value,), node.distinct))
        share = shares[0] if shares else visitor.NULL
        result = build(results[name], n=number, native=native, share=share)
        if not shares:
            return result
        return build(
            f"CASE WHEN {_IS_SHARE} THEN $result ELSE $failure END",
            share=share, result=result, failure=RuntimeFailure.PERCENTILE,
        )  # fmt: skip

    def _statistic(self, node: ast.Call) -> ast.Expression:
        if _is_measure(node.arguments[0], self._context):
            return self._native_statistic(node)
        if _is_percentile(node) and node.arguments[0] == self._sorted_by:
            values = self._gathered(ast.Call("collect", (ast.Variable(self._sort_name),), node.distinct))
            return compute_statistic(node, values, self._context)
        values = self._gathered(ast.Call("collect", (node.arguments[0],), node.distinct))
        if _is_percentile(node):
            in_order = f"{values.name}_s"
            self._sorts[in_order] = build_clauses(
                "CALL (unsorted) { UNWIND unsorted AS _x WITH _x AS _x ORDER BY _x RETURN collect(_x) AS sorted }",
                self._context, unsorted=values.name, sorted=in_order,
            )[0]  # fmt: skip
            values = ast.Variable(in_order)
        return compute_statistic(node, values, self._context)


def needs_star_expansion(node: ast.Projection, context: RewriteContext) -> bool:
    return node.star and (node.distinct or _groups(node))


def expand_star(written: ast.Projection, node: ast.Projection, context: RewriteContext) -> ast.Node:
    """Name the variables of `*`: the engine would group by hidden ones too."""
    names = context.analysis.stars[id(written)]
    own = (item for item in node.items if item.name not in names)
    return dataclasses.replace(node, star=False, items=(*(ast.Item(ast.Variable(name), None) for name in names), *own))


def _groups(clause: ast.Projection) -> bool:
    return any(scope.has_aggregation(item.expression) for item in clause.items)
