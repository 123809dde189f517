"""percentileCont, percentileDisc, stDev and stDevP for an engine that has none, or computes them otherwise: Neo4j's own arithmetic.

The values are collected, for a percentile in their order, and the rest is an expression over the list. A standard deviation agrees as
far as sums do, which are taken in the order of rows. Source: `PercentileContFunction` and `StdevFunction` of Neo4j 5.26.
"""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.semantics import grouping, types
from repoquarry.graphstore.cypher.syntax import ast, build

_PERCENTILES = frozenset({"percentilecont", "percentiledisc"})
_DEVIATIONS = frozenset({"stdev", "stdevp"})
_ZERO, _ONE = ast.Literal(0), ast.Literal(1)


def is_statistic(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES | _DEVIATIONS


def is_percentile(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in _PERCENTILES


def has_computed_percentile(node: ast.Node, context: Context) -> bool:
    """A percentile of which another value is asked from row to row."""
    return (
        isinstance(node, ast.Call)
        and is_percentile(node)
        and not isinstance(node.arguments[1], ast.Literal | ast.Parameter)
    )


def mixes_numbers(node: ast.Node, context: Context) -> bool:
    """A percentile of integers and floats: which of two equal ones comes first, no engine promises."""
    if not isinstance(node, ast.Call) or not is_percentile(node):
        return False
    found = context.analysis.type_of(node.arguments[0]).kinds
    return found >= {types.INTEGER, types.FLOAT} and found != types.EVERY


def collected(node: ast.Call) -> ast.Expression:
    """The aggregation that takes its place among the groups."""
    return ast.Call("collect", (node.arguments[0],), node.distinct)


def ordered_values(clause: ast.Projection) -> Iterator[ast.Expression]:
    """The values of the percentiles of a projection."""
    for item in clause.items:
        for node in grouping.aggregations(item.expression):
            if isinstance(node, ast.Call) and is_percentile(node):
                yield node.arguments[0]


def rows_in_order(value: ast.Expression, name: str) -> ast.Clause:
    """The rows sorted by a value, so that it is collected in its order; cheaper than to sort lists, for which rows carry them."""
    items = (ast.Item(value, name),)
    return ast.Projection(
        False, False, True, items, (ast.Sort(ast.Variable(name), descending=False),), None, None, None
    )


def in_order(unsorted: str, name: str, context: Context) -> ast.Clause:
    """A clause that gives the list another name, with its items in their order."""
    item = context.new_name()
    unwound = ast.Unwind(ast.Variable(unsorted), item)
    order = (ast.Sort(ast.Variable(item), descending=False),)
    one = (ast.Item(ast.Variable(item), item),)
    ordered = ast.Projection(False, False, False, one, order, None, None, None)
    gathered = (ast.Item(build.call("collect", ast.Variable(item)), name),)
    result = ast.Projection(True, False, False, gathered, (), None, None, None)
    return ast.CallSubquery(ast.Query((ast.SingleQuery((unwound, ordered, result)),)), (unsorted,))


def computed(node: ast.Call, values: ast.Variable, context: Context) -> ast.Expression:
    """The statistic of the collected values."""
    if is_percentile(node):
        return _percentile(node, values, context)
    return _deviation(values, context, of_sample=node.name.lower() == "stdev")


def _percentile(node: ast.Call, values: ast.Variable, context: Context) -> ast.Expression:
    wanted = node.arguments[1]
    is_written = isinstance(wanted, ast.Literal)
    share = ast.Literal(float(wanted.value)) if isinstance(wanted, ast.Literal) and wanted.value is not None else wanted
    count = build.call("size", values)
    last = ast.Binary("-", count, _ONE)
    is_last = ast.Binary("OR", build.compare(share, "=", ast.Literal(1.0)), build.compare(count, "=", _ONE))
    place = ast.Variable(context.new_name())
    if node.name.lower() == "percentilecont":
        between = build.let(place.name, ast.Binary("*", share, last), _interpolated(values, place))
    else:
        between = build.let(place.name, ast.Binary("*", share, count), _nearest(values, place))
    cases: list[tuple[ast.Expression, ast.Expression]] = [
        (build.compare(count, "=", _ZERO), build.NULL),
        (is_last, ast.Index(values, last)),
    ]
    if not is_written:
        inside = ast.Binary("AND", build.compare(share, ">=", _ZERO), build.compare(share, "<=", _ONE))
        cases.insert(0, (build.negate(build.call("coalesce", inside, build.FALSE)), fail(Failure.PERCENTILE)))
    return build.choose(*cases, default=between)


def _interpolated(values: ast.Variable, place: ast.Variable) -> ast.Expression:
    low, high = (build.call("toInteger", build.call(name, place)) for name in ("floor", "ceil"))
    below = ast.Binary("*", ast.Index(values, low), ast.Binary("-", high, place))
    above = ast.Binary("*", ast.Index(values, high), ast.Binary("-", place, low))
    return build.choose((build.compare(low, "=", high), ast.Index(values, low)), default=ast.Binary("+", below, above))


def _nearest(values: ast.Variable, place: ast.Variable) -> ast.Expression:
    whole = build.call("toInteger", build.call("floor", place))
    inside = ast.Binary("OR", build.compare(place, "<>", whole), build.compare(whole, "=", _ZERO))
    before = ast.Binary("-", whole, _ONE)
    return ast.Index(values, build.choose((inside, whole), default=before))


def _deviation(values: ast.Variable, context: Context, *, of_sample: bool) -> ast.Expression:
    mean, item, total = (ast.Variable(context.new_name()) for _ in range(3))
    count = build.call("size", values)

    def sum_of(term: ast.Expression) -> ast.Expression:
        return ast.Reduce(total.name, ast.Literal(0.0), item.name, values, ast.Binary("+", total, term))

    apart = ast.Binary("-", item, mean)
    divisor = ast.Binary("-", count, _ONE) if of_sample else count
    spread = build.call("sqrt", ast.Binary("/", sum_of(ast.Binary("*", apart, apart)), divisor))
    return build.choose(
        (build.compare(count, "=", _ZERO), build.NULL),
        (build.compare(count, "=", _ONE), ast.Literal(0.0)),
        default=build.let(mean.name, ast.Binary("/", sum_of(item), count), spread),
    )
