"""Nested aggregations and statistical aggregates.

`RETURN k, CASE WHEN count(*) > 1 THEN 'many' END AS c` becomes `WITH k AS k, count(*) AS g RETURN k, CASE WHEN g > 1 THEN 'many' END AS
c`: first group, then compute.

Statistics collect the values, for a percentile in order, and compute the result from the list. A standard deviation agrees as far as sums
do, which are added in row order. Source: `PercentileContFunction` and `StdevFunction` of Neo4j 5.26.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.expressions import comparable_text
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.semantics import scope, types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import children, iterate_nodes, local_names, transform_children

_PERCENTILES = frozenset({"percentilecont", "percentiledisc"})
_DEVIATIONS = frozenset({"stdev", "stdevp"})
_ZERO, _ONE = ast.Literal(0), ast.Literal(1)


def is_statistic(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES | _DEVIATIONS


def is_percentile(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES


def has_computed_percentile(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the requested percentile varies by row."""
    return is_percentile(node) and not isinstance(node.arguments[1], ast.Literal | ast.Parameter)


def has_mixed_numbers(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether a percentile mixes integers and floats: engines do not define the order of equal ones."""
    if not is_percentile(node):
        return False
    found = context.analysis.type_of(node.arguments[0]).kinds
    return found >= {types.INTEGER, types.FLOAT} and found != types.EVERY


def collect_values(node: ast.Call) -> ast.Expression:
    """Return the aggregation that replaces the statistic among the groups."""
    return ast.Call("collect", (node.arguments[0],), node.distinct)


def list_ordered_values(clause: ast.Projection) -> Iterator[ast.Expression]:
    """Yield the values of the percentiles of a projection."""
    for item in clause.items:
        for node in scope.aggregations(item.expression):
            if isinstance(node, ast.Call) and is_percentile(node):
                yield node.arguments[0]


def sort_rows(value: ast.Expression, name: str) -> ast.Clause:
    """Sort the rows by a value before it is collected, which is cheaper than sorting lists that rows carry."""
    items = (ast.Item(value, name),)
    return ast.Projection(
        False, False, True, items, (ast.Sort(ast.Variable(name), descending=False),), None, None, None
    )


def sort_collected_values(unsorted: str, name: str, context: RewriteContext) -> ast.Clause:
    """Return a clause that renames the list and sorts its items."""
    item = context.new_name()
    unwound = ast.Unwind(ast.Variable(unsorted), item)
    order = (ast.Sort(ast.Variable(item), descending=False),)
    one = (ast.Item(ast.Variable(item), item),)
    ordered = ast.Projection(False, False, False, one, order, None, None, None)
    gathered = (ast.Item(visitor.call("collect", ast.Variable(item)), name),)
    result = ast.Projection(True, False, False, gathered, (), None, None, None)
    return ast.CallSubquery(ast.Query((ast.SingleQuery((unwound, ordered, result)),)), (unsorted,))


def compute_statistic(node: ast.Call, values: ast.Variable, context: RewriteContext) -> ast.Expression:
    """Compute the statistic of the collected values."""
    if is_percentile(node):
        return _percentile(node, values, context)
    return _deviation(values, context, of_sample=node.name.lower() == "stdev")


def _percentile(node: ast.Call, values: ast.Variable, context: RewriteContext) -> ast.Expression:
    wanted = node.arguments[1]
    is_written = isinstance(wanted, ast.Literal)
    share = ast.Literal(float(wanted.value)) if isinstance(wanted, ast.Literal) and wanted.value is not None else wanted
    count = visitor.call("size", values)
    last = ast.Binary("-", count, _ONE)
    is_last = ast.Binary("OR", visitor.compare(share, "=", ast.Literal(1.0)), visitor.compare(count, "=", _ONE))
    place = ast.Variable(context.new_name())
    if node.name.lower() == "percentilecont":
        between = visitor.bind_once(place.name, ast.Binary("*", share, last), _interpolated(values, place))
    else:
        between = visitor.bind_once(place.name, ast.Binary("*", share, count), _nearest(values, place))
    cases: list[tuple[ast.Expression, ast.Expression]] = [
        (visitor.compare(count, "=", _ZERO), visitor.NULL),
        (is_last, ast.Index(values, last)),
    ]
    if not is_written:
        inside = ast.Binary("AND", visitor.compare(share, ">=", _ZERO), visitor.compare(share, "<=", _ONE))
        cases.insert(
            0,
            (
                visitor.negate(visitor.call("coalesce", inside, visitor.FALSE)),
                failing_expression(RuntimeFailure.PERCENTILE),
            ),
        )
    return visitor.case_when(*cases, default=between)


def _interpolated(values: ast.Variable, place: ast.Variable) -> ast.Expression:
    low, high = (visitor.call("toInteger", visitor.call(name, place)) for name in ("floor", "ceil"))
    below = ast.Binary("*", ast.Index(values, low), ast.Binary("-", high, place))
    above = ast.Binary("*", ast.Index(values, high), ast.Binary("-", place, low))
    return visitor.case_when(
        (visitor.compare(low, "=", high), ast.Index(values, low)), default=ast.Binary("+", below, above)
    )


def _nearest(values: ast.Variable, place: ast.Variable) -> ast.Expression:
    whole = visitor.call("toInteger", visitor.call("floor", place))
    inside = ast.Binary("OR", visitor.compare(place, "<>", whole), visitor.compare(whole, "=", _ZERO))
    before = ast.Binary("-", whole, _ONE)
    return ast.Index(values, visitor.case_when((inside, whole), default=before))


def _deviation(values: ast.Variable, context: RewriteContext, *, of_sample: bool) -> ast.Expression:
    mean, item, total = (ast.Variable(context.new_name()) for _ in range(3))
    count = visitor.call("size", values)

    def sum_of(term: ast.Expression) -> ast.Expression:
        return ast.Reduce(total.name, ast.Literal(0.0), item.name, values, ast.Binary("+", total, term))

    apart = ast.Binary("-", item, mean)
    divisor = ast.Binary("-", count, _ONE) if of_sample else count
    spread = visitor.call("sqrt", ast.Binary("/", sum_of(ast.Binary("*", apart, apart)), divisor))
    return visitor.case_when(
        (visitor.compare(count, "=", _ZERO), visitor.NULL),
        (visitor.compare(count, "=", _ONE), ast.Literal(0.0)),
        default=visitor.bind_once(mean.name, ast.Binary("/", sum_of(item), count), spread),
    )


_OPEN = (ast.Call, ast.Index, ast.Slice)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


def split_projection(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Split every such projection of the query into two steps."""
    if not any(isinstance(clause, ast.Projection) and _must_split(clause) for clause in node.clauses):
        return node
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        if isinstance(clause, ast.Projection) and _must_split(clause):
            clauses += _Split(clause, context).clauses()
        else:
            clauses.append(clause)
    return dataclasses.replace(node, clauses=tuple(clauses))


def _must_split(clause: ast.Projection) -> bool:
    return any(_is_closed_in(i.expression) or _has_statistic(i.expression) for i in clause.items) or _sorts_by_lists(
        clause
    )


def _has_statistic(node: ast.Expression) -> bool:
    return any(is_statistic(found) for found in scope.aggregations(node))


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
        self._sorted_by = next(list_ordered_values(clause), None)
        self._sort_name = context.new_name() if self._sorted_by is not None else ""
        for item in clause.items:
            if not scope.has_aggregation(item.expression):
                alias = item.alias if item.alias is not None else _variable_name(item.expression)
                self._grouped.append(ast.Item(item.expression, alias))
                self._names[comparable_text(item.expression)] = alias

    def clauses(self) -> list[ast.Clause]:
        items = tuple(self._changed(item) for item in self._clause.items)
        grouped = (*self._grouped, *(ast.Item(node, name) for node, name in self._aggregates.items()))
        # Without an aggregation, DISTINCT groups in the first step; with one, it removes duplicates in the second.
        first = ast.Projection(False, not self._aggregates, False, grouped, (), None, None, None)
        distinct = self._clause.distinct and bool(self._aggregates)
        second = dataclasses.replace(self._clause, items=items, distinct=distinct)
        before = []
        if self._sorted_by is not None:
            before.append(sort_rows(self._sorted_by, self._sort_name))
        return [*before, first, *self._sorts.values(), second]

    def _changed(self, item: ast.Item) -> ast.Item:
        expression = self._change(item.expression)
        if not isinstance(expression, ast.Expression):
            raise TypeError("an expression became something else")
        return dataclasses.replace(item, expression=expression, alias=item.alias or _name_of(item))

    def _change(self, node: ast.Node) -> ast.Node:
        if (
            isinstance(node, ast.Expression)
            and not isinstance(node, ast.Literal)
            and comparable_text(node) in self._names
        ):
            return ast.Variable(self._names[comparable_text(node)])
        if isinstance(node, ast.Call) and is_statistic(node):
            return self._statistic(node)
        if isinstance(node, ast.Expression) and scope.is_aggregation(node):
            return self._gathered(node)
        return transform_children(node, self._change)

    def _gathered(self, node: ast.Expression) -> ast.Variable:
        name = f"_a{len(self._aggregates)}_{self._context.new_name()}"
        return ast.Variable(self._aggregates.setdefault(node, name))

    def _statistic(self, node: ast.Call) -> ast.Expression:
        if is_percentile(node) and node.arguments[0] == self._sorted_by:
            values = self._gathered(ast.Call("collect", (ast.Variable(self._sort_name),), node.distinct))
            return compute_statistic(node, values, self._context)
        values = self._gathered(collect_values(node))
        if is_percentile(node):
            in_order = f"{values.name}_s"
            self._sorts.setdefault(in_order, sort_collected_values(values.name, in_order, self._context))
            values = ast.Variable(in_order)
        return compute_statistic(node, values, self._context)


def _variable_name(node: ast.Expression) -> str:
    if isinstance(node, ast.Variable):
        return node.name
    raise TypeError("an expression without a name")


def _name_of(item: ast.Item) -> str | None:
    return item.expression.name if isinstance(item.expression, ast.Variable) else None


def needs_star_expansion(node: ast.Projection, context: RewriteContext) -> bool:
    return node.star and (node.distinct or _groups(node))


def expand_star(written: ast.Projection, node: ast.Projection, context: RewriteContext) -> ast.Node:
    """Name the variables of `*`: the engine would group by hidden ones too."""
    names = context.analysis.stars[id(written)]
    own = (item for item in node.items if (item.alias or _name_of(item)) not in names)
    return dataclasses.replace(node, star=False, items=(*(ast.Item(ast.Variable(name), None) for name in names), *own))


def _groups(clause: ast.Projection) -> bool:
    return any(scope.has_aggregation(item.expression) for item in clause.items)
