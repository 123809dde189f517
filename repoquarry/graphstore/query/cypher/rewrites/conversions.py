"""Conversions between strings, numbers and booleans; rounding.

The engine multiplies by a power of ten first, so that 1.005, whose digits are a tie, is rounded down. A comparison with the tie itself is
exact: the float nearest to a short decimal is the result of division by a power of ten.

Strings that both engines read alike pass; the few that only one reads as a number fail the query with the reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from repoquarry.graphstore.query.cypher.dialect import Change, RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import type_guards as kinds_of
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor

_ZERO, _HALF = ast.Literal(0), ast.Literal(0.5)
_MAX_DIGITS = 15
_NO_FRACTIONS = 2.0**52
"""Floats from here on are integers."""


def _is_round(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "round"


def _digits(node: ast.Call) -> int | None:
    """Return the number of digits; None unless it is a literal."""
    if len(node.arguments) == 1:
        return 0
    written = node.arguments[1]
    return written.value if isinstance(written, ast.Literal) and type(written.value) is int else None


def needs_round_rewrite(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether a float is rounded to a literal number of digits."""
    if not _is_round(node) or is_unsupported_round(node, context):
        return False
    return context.analysis.type_of(node.arguments[0]).may_be(types.FLOAT)


def is_unsupported_round(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the number of digits is computed, or a mode is given."""
    if not _is_round(node):
        return False
    digits = _digits(node)
    return len(node.arguments) > 2 or digits is None or not 0 <= digits <= _MAX_DIGITS


def rewrite_round(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite round(x) or round(x, digits)."""
    digits, value = _digits(node), node.arguments[0]
    if not digits:
        return _to_whole(value)
    name = ast.Variable(context.new_name())
    return visitor.bind_once(name.name, value, _to_digits(name, digits))


def _to_whole(value: ast.Expression) -> ast.Expression:
    floored = visitor.call("floor", ast.Binary("+", value, _HALF))
    chosen = visitor.case_when((visitor.compare(value, ">=", _ZERO), visitor.call("round", value)), default=floored)
    return ast.Binary("+", chosen, ast.Literal(0.0))


def _to_digits(value: ast.Variable, digits: int) -> ast.Expression:
    power = ast.Literal(10.0**digits)
    size = visitor.call("abs", value)
    floor = visitor.call("floor", ast.Binary("*", size, power))
    tie = ast.Binary("/", ast.Binary("+", floor, _HALF), power)
    up = ast.Binary("/", ast.Binary("+", floor, ast.Literal(1.0)), power)
    down = ast.Binary("/", floor, power)
    nearest = visitor.case_when((visitor.compare(size, ">=", tie), up), default=down)
    signed = visitor.case_when(
        (visitor.compare(value, "<", _ZERO), ast.Binary("*", ast.Literal(-1.0), nearest)), default=nearest
    )
    return visitor.case_when(
        (ast.IsNull(value, negated=False), visitor.NULL),
        (visitor.compare(size, ">=", ast.Literal(_NO_FRACTIONS)), ast.Binary("*", value, ast.Literal(1.0))),
        (
            visitor.compare(ast.Binary("*", size, power), ">=", ast.Literal(_NO_FRACTIONS)),
            failing_expression(RuntimeFailure.TOO_LARGE_TO_ROUND),
        ),
        default=ast.Binary("+", signed, ast.Literal(0.0)),  # Never -0.0.
    )


_LONG_OR_FOREIGN = r"(?s)\s*[+-]?([0-9.]{16,}|[0-9.]{9,}[eE]|[0-9.]+[eE][+-]?[0-9]{2,}|[0-9.]*[^\x00-\x7f]).*"
"""Strings that may be numbers of more than 15 digits, with a large exponent, or with digits other than 0-9."""

_ONLY_DIGITS = r"[+-]?[0-9]+"
"""Strings that both engines read alike at any length, if they fit 64 bits."""

_PLAIN_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_OTHER_NUMBER = r"(?s)\s*[+-]?([0-9.]+([eE][+-]?[0-9]+)?[dDfF]?|0[xX].*|(?i:infinity|inf|nan))\s*"
"""Further strings that Java's Double.valueOf or Rust's parser accepts."""

_DISPUTED_SPACE = r"[\x{1c}-\x{1f}\x{85}\x{a0}\x{2007}\x{202f}]"
"""White space by Unicode or by Java's Character.isWhitespace, but not by both."""

_SPACE_AT_EDGE = rf"(?s)\s*{_DISPUTED_SPACE}.*|.*{_DISPUTED_SPACE}\s*"
_MAX_INTEGER, _MIN_INTEGER = 2**63 - 1, -(2**63)
_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_OR_NULL = {
    "tostringornull": ("toString", _SCALARS),
    "tointegerornull": ("toInteger", _SCALARS),
    "tofloatornull": ("toFloat", _SCALARS - {types.BOOLEAN}),
    "tobooleanornull": ("toBoolean", _SCALARS - {types.FLOAT}),
}
"""Equivalent plain function for these types of arguments."""


def _argument(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Call) or not node.arguments:
        raise TypeError("not a call")
    return node.arguments[0]


def _is_plain(node: ast.Expression) -> bool:
    """Return whether a literal is read alike by every engine: a 64-bit number, or a short string of digits or letters."""
    if not isinstance(node, ast.Literal):
        return False
    if isinstance(node.value, float):
        return _MIN_INTEGER < node.value < _MAX_INTEGER
    if not isinstance(node.value, str):
        return True
    return len(node.value) < 9 and node.value.isascii() and (node.value.isdigit() or node.value.isalpha())


def _is_kind(value: ast.Expression, kind: str) -> ast.Expression:
    return ast.IsTyped(value, f"{kind} NOT NULL", negated=False)


def _matches(value: ast.Expression, pattern: str) -> ast.Expression:
    return ast.Binary("=~", value, ast.Literal(pattern))


def _doubts(kinds: frozenset[str], value: ast.Expression, kind: str, pattern: str) -> ast.Expression:
    """Return an expression that is true for a string that matches, with a type test unless the type is known."""
    test = _matches(value, pattern)
    return test if kinds == {types.STRING} else ast.Binary("AND", _is_kind(value, kind), test)


def needs_integer_conversion(node: ast.Call, context: RewriteContext) -> bool:
    if node.name.lower() != "tointeger" or _is_plain(node.arguments[0]):
        return False
    return context.analysis.type_of(node.arguments[0]).holds(types.STRING, types.FLOAT)


def convert_to_integer(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Rewrite toInteger(): the nearest 64-bit number for a larger float, like Java; long strings fail."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    cases: list[tuple[ast.Expression, ast.Expression]] = []
    if types.STRING in kinds:
        digits = _matches(value, _ONLY_DIGITS)
        beyond_text = ast.IsNull(visitor.call("toInteger", value), negated=False)
        too_large = _doubts(kinds, value, "STRING", _ONLY_DIGITS)
        cases.append((ast.Binary("AND", too_large, beyond_text), failing_expression(RuntimeFailure.NUMBER_TOO_LARGE)))
        doubtful = ast.Binary("AND", _doubts(kinds, value, "STRING", _LONG_OR_FOREIGN), visitor.negate(digits))
        cases.append((doubtful, failing_expression(RuntimeFailure.TEXT_AS_NUMBER)))
    if types.FLOAT in kinds:
        for operator, limit in ((">=", _MAX_INTEGER), ("<=", _MIN_INTEGER)):
            beyond: ast.Expression = visitor.compare(value, operator, ast.Literal(float(limit)))
            if kinds != {types.FLOAT}:
                beyond = ast.Binary("AND", _is_kind(value, "FLOAT"), beyond)
            cases.append((beyond, ast.Literal(limit)))
    return visitor.case_when(*cases, default=_expression(node))


def _expression(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Expression):
        raise TypeError("not an expression")
    return node


def needs_float_conversion(node: ast.Call, context: RewriteContext) -> bool:
    if node.name.lower() != "tofloat" or _is_plain(node.arguments[0]):
        return False
    return types.STRING in context.analysis.type_of(node.arguments[0]).kinds


def convert_to_float(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Rewrite toFloat(): a string with surrounding white space, a suffix, hexadecimal digits, or a spelled-out infinity fails."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    odd = ast.Binary(
        "AND", _doubts(kinds, value, "STRING", _OTHER_NUMBER), visitor.negate(_matches(value, _PLAIN_NUMBER))
    )
    return visitor.case_when((odd, failing_expression(RuntimeFailure.TEXT_AS_NUMBER)), default=_expression(node))


def needs_boolean_conversion(node: ast.Call, context: RewriteContext) -> bool:
    if node.name.lower() != "toboolean":
        return False
    return context.analysis.type_of(node.arguments[0]).holds(types.STRING, types.INTEGER)


def convert_to_boolean(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Rewrite toBoolean(): white space around a string is ignored, and an integer other than 0 is true."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    by_text = visitor.call("toBoolean", visitor.call("trim", value))
    by_number = visitor.compare(value, "<>", ast.Literal(0))
    if kinds == {types.STRING}:
        return by_text
    if kinds == {types.INTEGER}:
        return by_number
    return visitor.case_when(
        (_is_kind(value, "STRING"), by_text), (_is_kind(value, "INTEGER"), by_number), default=_expression(node)
    )


def needs_or_null_conversion(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether toIntegerOrNull() and the like get an argument that their plain forms accept."""
    if node.name.lower() not in _OR_NULL:
        return False
    return _takes(node, context)


def is_unsupported_or_null(node: ast.Call, context: RewriteContext) -> bool:
    return node.name.lower() in _OR_NULL and not _takes(node, context)


def _takes(node: ast.Call, context: RewriteContext) -> bool:
    return context.analysis.type_of(node.arguments[0]).kinds <= _OR_NULL[node.name.lower()][1]


def convert_or_null(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    plain = dataclasses.replace(node, name=_OR_NULL[node.name.lower()][0])
    before = dataclasses.replace(written, name=plain.name)
    test, change = _CONVERSIONS.get(plain.name, (None, None))
    if test is None or change is None or not test(before, context):
        return plain
    changed = change(before, plain, context)
    return _null_beyond(changed) if change is convert_to_integer else changed


_CONVERSIONS: Mapping[str, tuple[Callable[[ast.Call, RewriteContext], bool], Change]] = {
    "toInteger": (needs_integer_conversion, convert_to_integer),
    "toFloat": (needs_float_conversion, convert_to_float),
    "toBoolean": (needs_boolean_conversion, convert_to_boolean),
}


def _null_beyond(node: ast.Node) -> ast.Node:
    """Give null, as toIntegerOrNull() does, for a number beyond 64 bits, where toInteger() fails."""
    if not isinstance(node, ast.Case):
        return node
    failure = failing_expression(RuntimeFailure.NUMBER_TOO_LARGE)
    whens = (dataclasses.replace(when, result=visitor.NULL) if when.result == failure else when for when in node.whens)
    return dataclasses.replace(node, whens=tuple(whens))


def convert_items(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Convert every item like the single conversion: `toIntegerList(l)` as `[x IN l | toInteger(x)]`."""
    item = context.new_name()
    name = next(name for name in _CONVERSIONS if f"{name}list".lower() == written.name.lower())
    single = visitor.call(name, ast.Variable(item))
    converted = _expression(_CONVERSIONS[name][1](single, single, context))
    if context.analysis.type_of(_argument(written)).items.kinds - _SCALARS:
        converted = visitor.case_when(
            (kinds_of.build_type_test(ast.Variable(item), _SCALARS), converted), default=visitor.NULL
        )
    return ast.ListComprehension(item, _argument(node), None, converted)


def needs_trim_check(node: ast.Call, context: RewriteContext) -> bool:
    if node.name.lower() not in ("trim", "ltrim", "rtrim", "btrim"):
        return False
    text = node.arguments[0]
    is_ascii = isinstance(text, ast.Literal) and isinstance(text.value, str) and text.value.isascii()
    return len(node.arguments) == 1 and not is_ascii


def check_trim(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Rewrite trim() to fail unless the engines agree on the edges of the string."""
    edge = _matches(_argument(node), _SPACE_AT_EDGE)
    return visitor.case_when((edge, failing_expression(RuntimeFailure.WHITE_SPACE)), default=_expression(node))


def is_trim_with_characters(node: ast.Node, context: RewriteContext) -> bool:
    is_call = isinstance(node, ast.Call) and node.name.lower() in ("trim", "ltrim", "rtrim", "btrim")
    return is_call and isinstance(node, ast.Call) and len(node.arguments) > 1
