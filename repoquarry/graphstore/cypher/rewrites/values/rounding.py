"""round() as Neo4j does it: to whole numbers with halves towards positive infinity, to digits as the decimal digits of the float say.

The engine multiplies by a power of ten first, so that 1.005, whose digits are a tie, is rounded down. What decides exactly is a
comparison with the tie itself: the float nearest to a short decimal is the one that division by a power of ten gives.
"""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build

_ZERO, _HALF = ast.Literal(0), ast.Literal(0.5)
_MOST_DIGITS = 15
_NO_FRACTIONS = 2.0**52
"""From here on a float is a whole number."""


def _is_round(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "round"


def _digits(node: ast.Call) -> int | None:
    """The number of digits; None where it is not written out."""
    if len(node.arguments) == 1:
        return 0
    written = node.arguments[1]
    return written.value if isinstance(written, ast.Literal) and type(written.value) is int else None


def is_portable(node: ast.Node, context: Context) -> bool:
    """A float rounded to a written number of digits."""
    if not isinstance(node, ast.Call) or not _is_round(node) or is_open(node, context):
        return False
    return context.analysis.type_of(node.arguments[0]).may_be(types.FLOAT)


def is_open(node: ast.Node, context: Context) -> bool:
    """With a computed number of digits, or a mode."""
    if not isinstance(node, ast.Call) or not _is_round(node):
        return False
    digits = _digits(node)
    return len(node.arguments) > 2 or digits is None or not 0 <= digits <= _MOST_DIGITS


def rounded(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """round(x) or round(x, digits)."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    digits, value = _digits(node), node.arguments[0]
    if not digits:
        return _to_whole(value)
    name = ast.Variable(context.new_name())
    return build.let(name.name, value, _to_digits(name, digits))


def _to_whole(value: ast.Expression) -> ast.Expression:
    floored = build.call("floor", ast.Binary("+", value, _HALF))
    chosen = build.choose((build.compare(value, ">=", _ZERO), build.call("round", value)), default=floored)
    return ast.Binary("+", chosen, ast.Literal(0.0))


def _to_digits(value: ast.Variable, digits: int) -> ast.Expression:
    power = ast.Literal(10.0**digits)
    size = build.call("abs", value)
    floor = build.call("floor", ast.Binary("*", size, power))
    tie = ast.Binary("/", ast.Binary("+", floor, _HALF), power)
    up = ast.Binary("/", ast.Binary("+", floor, ast.Literal(1.0)), power)
    down = ast.Binary("/", floor, power)
    nearest = build.choose((build.compare(size, ">=", tie), up), default=down)
    signed = build.choose(
        (build.compare(value, "<", _ZERO), ast.Binary("*", ast.Literal(-1.0), nearest)), default=nearest
    )
    return build.choose(
        (ast.IsNull(value, negated=False), build.NULL),
        (build.compare(size, ">=", ast.Literal(_NO_FRACTIONS)), ast.Binary("*", value, ast.Literal(1.0))),
        (
            build.compare(ast.Binary("*", size, power), ">=", ast.Literal(_NO_FRACTIONS)),
            fail(Failure.TOO_LARGE_TO_ROUND),
        ),
        default=ast.Binary("+", signed, ast.Literal(0.0)),  # never -0.0
    )
