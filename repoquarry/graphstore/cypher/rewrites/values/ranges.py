"""range() with a step, for an engine that gives nothing where the step leads away from the end.

Neo4j gives the numbers from the start, as many as `(end - start) / step` by whole numbers and one more: also one where the
end lies less than a step behind the start.
"""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build


def has_step(node: ast.Node) -> bool:
    """Whether this engine may give other numbers than Neo4j: a step that is computed, or that may miss the end."""
    if not isinstance(node, ast.Call) or node.name.lower() != "range" or len(node.arguments) < 3:
        return False
    low, high, step = map(_whole_number, node.arguments)
    if step is None or step == 0:
        return step is None
    if abs(step) == 1:
        return False
    return low is None or high is None or ((high - low) * step < 0 and abs(high - low) < abs(step))


def is_countable(node: ast.Node, context: Context) -> bool:
    """Whether the numbers can be counted: a step that is written out, between whole numbers, from a start that is read twice."""
    if not isinstance(node, ast.Call) or not has_step(node) or _whole_number(node.arguments[2]) is None:
        return False
    start, end, _ = node.arguments
    is_plain = isinstance(start, ast.Literal | ast.Variable | ast.Parameter | ast.Property)
    return is_plain and all(context.analysis.type_of(one).kinds == {types.INTEGER} for one in (start, end))


def is_open(node: ast.Node, context: Context) -> bool:
    return has_step(node) and not is_countable(node, context)


def counted(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`range(a, b, s)` as `[i IN range(0, (b - a) / s) | a + i * s]`."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a range")
    start, end, step = node.arguments
    item = context.new_name()
    number = ast.Binary("+", start, ast.Binary("*", ast.Variable(item), step))
    count = ast.Binary("/", ast.Binary("-", end, start), step)
    return ast.ListComprehension(item, build.call("range", ast.Literal(0), count), None, number)


def _whole_number(node: ast.Expression) -> int | None:
    return node.value if isinstance(node, ast.Literal) and isinstance(node.value, int) else None
