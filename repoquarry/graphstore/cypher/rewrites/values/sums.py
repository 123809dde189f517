"""`+` and `||` on values that may be lists, null, or texts and floats, for an engine that appends null and prints floats its own way."""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.rewrites.values import kinds
from repoquarry.graphstore.cypher.rewrites.values.texts import needs_exponent
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build

_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_COMPOUND = frozenset({types.MAP, types.NODE, types.RELATIONSHIP, types.PATH})
_NEVER_NULL = (ast.ListLiteral, ast.CountStar, ast.MapLiteral, ast.PatternComprehension)


def _never_null(node: ast.Expression) -> bool:
    if isinstance(node, ast.Literal):
        return node.value is not None
    if isinstance(node, ast.Call):
        return node.name.lower() in ("collect", "count", "range")
    return isinstance(node, _NEVER_NULL)


def _adds_lists(node: ast.Binary, context: Context) -> bool:
    """List addition in which a side can be null."""
    sides = (node.left, node.right)
    if not any(types.LIST in context.analysis.type_of(side).kinds for side in sides):
        return False
    return not all(_never_null(side) for side in sides) or node.operator == "||"


def _joins(text: frozenset[str], number: frozenset[str]) -> bool:
    return types.STRING in text and types.FLOAT in number


def _kinds(node: ast.Binary, context: Context) -> tuple[frozenset[str], frozenset[str]]:
    return context.analysis.type_of(node.left).kinds, context.analysis.type_of(node.right).kinds


def _prints_floats(node: ast.Binary, context: Context) -> bool:
    left, right = _kinds(node, context)
    return node.operator == "+" and (_joins(left, right) or _joins(right, left))


def is_doubtful(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Binary) or node.operator not in ("+", "||"):
        return False
    return _adds_lists(node, context) or _prints_floats(node, context) or _may_fail(node, context)


def _may_fail(node: ast.Binary, context: Context) -> bool:
    """Whether values may meet of which Neo4j makes no sum."""
    left, right = _kinds(node, context)
    return (_cannot_be_added if node.operator == "+" else _cannot_be_joined)(left, right)


def guarded(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The sum: null where a side of a list addition is null; failing where Neo4j fails, or prints a float with an exponent."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a sum")
    left, right = _named(node.left, context), _named(node.right, context)
    cases: list[tuple[ast.Expression, ast.Expression]] = []
    operator = node.operator
    if _may_fail(written, context):
        taken = (_addable if operator == "+" else _joinable)(left, right)
        cases.append((build.negate(taken), fail(Failure.KIND)))
    if _adds_lists(written, context):
        operator = "+"
        absent = [ast.IsNull(side, negated=False) for side in (left, right) if not _never_null(side)]
        cases += [(test, build.NULL) for test in absent]
    if _prints_floats(written, context):
        of_left, of_right = _kinds(written, context)
        for text, number, of_text, of_number in ((left, right, of_left, of_right), (right, left, of_right, of_left)):
            if _joins(of_text, of_number):
                cases.append((_unprintable(text, number, of_text, of_number), fail(Failure.EXPONENT)))
    total: ast.Expression = ast.Binary(operator, left, right)
    total = build.choose(*cases, default=total) if cases else total
    for value, name in ((node.right, right), (node.left, left)):
        if isinstance(name, ast.Variable) and name != value:
            total = build.let(name.name, value, total)
    return total


def _named(node: ast.Expression, context: Context) -> ast.Expression:
    """The operand, or a name for it where writing it several times would make chains of sums grow without bound."""
    return node if kinds.is_cheap(node) or _never_null(node) else ast.Variable(context.new_name())


def _unprintable(
    text: ast.Expression, number: ast.Expression, of_text: frozenset[str], of_number: frozenset[str]
) -> ast.Expression:
    outside = needs_exponent(number, only_float=of_number == {types.FLOAT})
    if of_text == {types.STRING}:
        return outside
    return ast.Binary("AND", ast.IsTyped(text, "STRING NOT NULL", negated=False), outside)


def _cannot_be_added(left: kinds.Kinds, right: kinds.Kinds) -> bool:
    """Whether values of these kinds may meet that `+` does not take."""
    left, right = left & kinds.HELD, right & kinds.HELD
    if left == {types.LIST} or right == {types.LIST}:
        return False
    if (left | right) & _COMPOUND:
        return True
    text = frozenset({types.STRING})
    return (types.BOOLEAN in left and right != text) or (types.BOOLEAN in right and left != text)


def _addable(left: ast.Expression, right: ast.Expression) -> ast.Expression:
    """Whether `+` takes the two: a list and anything, a text and a scalar, two numbers."""
    either_list = ast.Binary("OR", kinds.is_one_of(left, {types.LIST}), kinds.is_one_of(right, {types.LIST}))
    scalars = ast.Binary("AND", kinds.is_one_of(left, _SCALARS), kinds.is_one_of(right, _SCALARS))
    either_text = ast.Binary("OR", kinds.is_one_of(left, {types.STRING}), kinds.is_one_of(right, {types.STRING}))
    numbers = ast.Binary("AND", kinds.is_one_of(left, kinds.NUMBERS), kinds.is_one_of(right, kinds.NUMBERS))
    return ast.Binary("OR", either_list, ast.Binary("AND", scalars, ast.Binary("OR", either_text, numbers)))


def _cannot_be_joined(left: kinds.Kinds, right: kinds.Kinds) -> bool:
    """Whether values of these kinds may meet that `||` does not take."""
    both = (left | right) & kinds.HELD
    return not (both <= {types.STRING} or both <= {types.LIST})


def _joinable(left: ast.Expression, right: ast.Expression) -> ast.Expression:
    """Whether `||` takes the two: two texts or two lists."""
    texts = ast.Binary("AND", kinds.is_one_of(left, {types.STRING}), kinds.is_one_of(right, {types.STRING}))
    lists = ast.Binary("AND", kinds.is_one_of(left, {types.LIST}), kinds.is_one_of(right, {types.LIST}))
    return ast.Binary("OR", texts, lists)
