"""Aggregations inside CASE, IS NULL, reduce() and the like, for an engine that aggregates only under plain operators.

`RETURN k, CASE WHEN count(*) > 1 THEN 'many' END AS c` becomes
`WITH k AS k, count(*) AS g RETURN k, CASE WHEN g > 1 THEN 'many' END AS c`: first group, then compute.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.aggregation import statistics
from repoquarry.graphstore.cypher.rewrites.projections import same_text
from repoquarry.graphstore.cypher.semantics import grouping
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.tokens import refuse
from repoquarry.graphstore.cypher.syntax.walk import children, local_names, rebuild, walk

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
    return any(_is_closed_in(i.expression) or _has_statistic(i.expression) for i in clause.items) or _sorts_by_lists(
        clause
    )


def _has_statistic(node: ast.Expression) -> bool:
    return any(statistics.is_statistic(found) for found in grouping.aggregations(node))


def _sorts_by_lists(clause: ast.Projection) -> bool:
    """Whether a grouped projection is sorted by an expression with variables of its own, which the engine looks for in the groups."""
    if not clause.distinct and not _groups(clause):
        return False
    return any(local_names(part) for sort in clause.order for part in walk(sort.expression))


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
    if clause.star:
        raise refuse(
            context.text, max(clause.start, 0), "not_portable",
            "`*` beside such an aggregation is refused on this engine: name the variables",
        )  # fmt: skip
    return _Split(clause, context).clauses()


class _Split:
    """One projection as two: the first groups and gathers under names of our own, the second computes of those."""

    def __init__(self, clause: ast.Projection, context: Context) -> None:
        self._clause, self._context = clause, context
        self._grouped: list[ast.Item] = []
        self._names: dict[str, str] = {}
        """Text of what is grouped by -> its name."""
        self._aggregates: dict[ast.Expression, str] = {}
        self._sorts: dict[str, ast.Clause] = {}
        self._sorted_by = next(statistics.ordered_values(clause), None)
        self._sort_name = context.new_name() if self._sorted_by is not None else ""
        for item in clause.items:
            if not grouping.has_aggregation(item.expression):
                alias = item.alias if item.alias is not None else _variable_name(item.expression)
                self._grouped.append(ast.Item(item.expression, alias))
                self._names[same_text(item.expression)] = alias

    def clauses(self) -> list[ast.Clause]:
        items = tuple(self._changed(item) for item in self._clause.items)
        grouped = (*self._grouped, *(ast.Item(node, name) for node, name in self._aggregates.items()))
        # without an aggregation it is DISTINCT that groups, in the first step; with one it removes doubles in the second
        first = ast.Projection(False, not self._aggregates, False, grouped, (), None, None, None)
        distinct = self._clause.distinct and bool(self._aggregates)
        second = dataclasses.replace(self._clause, items=items, distinct=distinct)
        before = []
        if self._sorted_by is not None:
            before.append(statistics.rows_in_order(self._sorted_by, self._sort_name))
        return [*before, first, *self._sorts.values(), second]

    def _changed(self, item: ast.Item) -> ast.Item:
        expression = self._change(item.expression)
        if not isinstance(expression, ast.Expression):
            raise TypeError("an expression became something else")
        return dataclasses.replace(item, expression=expression, alias=item.alias or _name_of(item))

    def _change(self, node: ast.Node) -> ast.Node:
        if isinstance(node, ast.Expression) and not isinstance(node, ast.Literal) and same_text(node) in self._names:
            return ast.Variable(self._names[same_text(node)])
        if isinstance(node, ast.Call) and statistics.is_statistic(node):
            return self._statistic(node)
        if isinstance(node, ast.Expression) and grouping.is_aggregation(node):
            return self._gathered(node)
        return rebuild(node, self._change)

    def _gathered(self, node: ast.Expression) -> ast.Variable:
        name = f"_a{len(self._aggregates)}_{self._context.new_name()}"
        return ast.Variable(self._aggregates.setdefault(node, name))

    def _statistic(self, node: ast.Call) -> ast.Expression:
        if statistics.is_percentile(node) and node.arguments[0] == self._sorted_by:
            values = self._gathered(ast.Call("collect", (ast.Variable(self._sort_name),), node.distinct))
            return statistics.computed(node, values, self._context)
        values = self._gathered(statistics.collected(node))
        if statistics.is_percentile(node):
            in_order = f"{values.name}_s"
            self._sorts.setdefault(in_order, statistics.in_order(values.name, in_order, self._context))
            values = ast.Variable(in_order)
        return statistics.computed(node, values, self._context)


def _variable_name(node: ast.Expression) -> str:
    if isinstance(node, ast.Variable):
        return node.name
    raise TypeError("an expression without a name")


def _name_of(item: ast.Item) -> str | None:
    return item.expression.name if isinstance(item.expression, ast.Variable) else None


def groups_before_call(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.SingleQuery)


def keep_nulls(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The query with the keys of a grouping WITH projected anew where a CALL follows: the engine forgets a key that is null."""
    if not isinstance(node, ast.SingleQuery):
        raise TypeError("not a query")
    clauses: list[ast.Clause] = []
    for number, clause in enumerate(node.clauses):
        clauses.append(clause)
        called = any(isinstance(later, ast.CallSubquery) for later in node.clauses[number + 1 :])
        if called and isinstance(clause, ast.Projection) and not clause.is_return and _groups(clause):
            if clause.star:
                raise refuse(
                    context.text, max(clause.start, 0), "subquery_not_portable",
                    "WITH * beside an aggregation and before CALL { } is refused on this engine: name the variables",
                )  # fmt: skip
            clauses.append(_anew(clause))
    return node if len(clauses) == len(node.clauses) else dataclasses.replace(node, clauses=tuple(clauses))


def _groups(clause: ast.Projection) -> bool:
    return any(grouping.has_aggregation(item.expression) for item in clause.items)


def _anew(clause: ast.Projection) -> ast.Projection:
    items = []
    for item in clause.items:
        variable = ast.Variable(item.alias if item.alias is not None else _variable_name(item.expression))
        is_key = not grouping.has_aggregation(item.expression)
        value = build.call("coalesce", variable, build.NULL) if is_key else variable
        items.append(ast.Item(value, variable.name))
    return ast.Projection(False, False, False, tuple(items), (), None, None, None)
