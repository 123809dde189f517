"""Conversions between texts, numbers and truth values, and trim(), as Java does them, for an engine that does them as Rust does.

Texts that both read alike go through; the few that only one of them reads as a number fail the query with the reason.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Change, Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.rewrites.values import kinds as kinds_of
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build

_LONG_OR_FOREIGN = r"(?s)\s*[+-]?([0-9.]{16,}|[0-9.]{9,}[eE]|[0-9.]+[eE][+-]?[0-9]{2,}|[0-9.]*[^\x00-\x7f]).*"
"""Texts that may be numbers beyond 15 digits, with a large exponent, or in other digits than 0-9."""

_ONLY_DIGITS = r"[+-]?[0-9]+"
"""What both read alike, however long, as far as it fits 64 bits."""

_PLAIN_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_OTHER_NUMBER = r"(?s)\s*[+-]?([0-9.]+([eE][+-]?[0-9]+)?[dDfF]?|0[xX].*|(?i:infinity|inf|nan))\s*"
"""What Java's Double.valueOf or Rust's parser reads besides."""

_DISPUTED_SPACE = r"[\x{1c}-\x{1f}\x{85}\x{a0}\x{2007}\x{202f}]"
"""White space to Unicode or to Java's Character.isWhitespace, not to both."""

_SPACE_AT_EDGE = rf"(?s)\s*{_DISPUTED_SPACE}.*|.*{_DISPUTED_SPACE}\s*"
_LARGEST, _SMALLEST = 2**63 - 1, -(2**63)
_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_OR_NULL = {
    "tostringornull": ("toString", _SCALARS),
    "tointegerornull": ("toInteger", _SCALARS),
    "tofloatornull": ("toFloat", _SCALARS - {types.BOOLEAN}),
    "tobooleanornull": ("toBoolean", _SCALARS - {types.FLOAT}),
}
"""The plain function that is the same for these kinds of arguments."""


def _argument(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Call) or not node.arguments:
        raise TypeError("not a call")
    return node.arguments[0]


def _is_plain(node: ast.Expression) -> bool:
    """A literal that every engine reads alike: a number of 64 bits, a short text of nothing but digits or letters."""
    if not isinstance(node, ast.Literal):
        return False
    if isinstance(node.value, float):
        return _SMALLEST < node.value < _LARGEST
    if not isinstance(node.value, str):
        return True
    return len(node.value) < 9 and node.value.isascii() and (node.value.isdigit() or node.value.isalpha())


def _is_kind(value: ast.Expression, kind: str) -> ast.Expression:
    return ast.IsTyped(value, f"{kind} NOT NULL", negated=False)


def _matches(value: ast.Expression, pattern: str) -> ast.Expression:
    return ast.Binary("=~", value, ast.Literal(pattern))


def _doubts(kinds: frozenset[str], value: ast.Expression, kind: str, pattern: str) -> ast.Expression:
    """Whether the value is a text that matches, asking first whether it is a text where that is not known."""
    test = _matches(value, pattern)
    return test if kinds == {types.STRING} else ast.Binary("AND", _is_kind(value, kind), test)


def is_whole_conversion(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "tointeger" or _is_plain(node.arguments[0]):
        return False
    return context.analysis.type_of(node.arguments[0]).holds(types.STRING, types.FLOAT)


def whole_conversion(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toInteger(): the nearest 64-bit number for a larger float, as Java; long texts fail."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    cases: list[tuple[ast.Expression, ast.Expression]] = []
    if types.STRING in kinds:
        digits = _matches(value, _ONLY_DIGITS)
        beyond_text = ast.IsNull(build.call("toInteger", value), negated=False)
        too_large = _doubts(kinds, value, "STRING", _ONLY_DIGITS)
        cases.append((ast.Binary("AND", too_large, beyond_text), fail(Failure.NUMBER_TOO_LARGE)))
        doubtful = ast.Binary("AND", _doubts(kinds, value, "STRING", _LONG_OR_FOREIGN), build.negate(digits))
        cases.append((doubtful, fail(Failure.TEXT_AS_NUMBER)))
    if types.FLOAT in kinds:
        for operator, limit in ((">=", _LARGEST), ("<=", _SMALLEST)):
            beyond: ast.Expression = build.compare(value, operator, ast.Literal(float(limit)))
            if kinds != {types.FLOAT}:
                beyond = ast.Binary("AND", _is_kind(value, "FLOAT"), beyond)
            cases.append((beyond, ast.Literal(limit)))
    return build.choose(*cases, default=_expression(node))


def _expression(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Expression):
        raise TypeError("not an expression")
    return node


def is_float_conversion(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "tofloat" or _is_plain(node.arguments[0]):
        return False
    return types.STRING in context.analysis.type_of(node.arguments[0]).kinds


def float_conversion(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toFloat(): a text with white space around, a suffix, hexadecimal, or a spelt infinity fails."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    odd = ast.Binary(
        "AND", _doubts(kinds, value, "STRING", _OTHER_NUMBER), build.negate(_matches(value, _PLAIN_NUMBER))
    )
    return build.choose((odd, fail(Failure.TEXT_AS_NUMBER)), default=_expression(node))


def is_truth_conversion(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "toboolean":
        return False
    return context.analysis.type_of(node.arguments[0]).holds(types.STRING, types.INTEGER)


def truth_conversion(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toBoolean(): white space around a text is ignored, and a whole number other than 0 is true."""
    value, kinds = _argument(node), context.analysis.type_of(_argument(written)).kinds
    by_text = build.call("toBoolean", build.call("trim", value))
    by_number = build.compare(value, "<>", ast.Literal(0))
    if kinds == {types.STRING}:
        return by_text
    if kinds == {types.INTEGER}:
        return by_number
    return build.choose(
        (_is_kind(value, "STRING"), by_text), (_is_kind(value, "INTEGER"), by_number), default=_expression(node)
    )


def is_plain_or_null(node: ast.Node, context: Context) -> bool:
    """toIntegerOrNull() and the like of what their plain forms take."""
    if not isinstance(node, ast.Call) or node.name.lower() not in _OR_NULL:
        return False
    return _takes(node, context)


def is_odd_or_null(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in _OR_NULL and not _takes(node, context)


def _takes(node: ast.Call, context: Context) -> bool:
    return context.analysis.type_of(node.arguments[0]).kinds <= _OR_NULL[node.name.lower()][1]


def plain_or_null(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    plain = dataclasses.replace(node, name=_OR_NULL[node.name.lower()][0])
    for test, change in (
        (is_whole_conversion, whole_conversion),
        (is_float_conversion, float_conversion),
        (is_truth_conversion, truth_conversion),
    ):
        before = dataclasses.replace(written, name=plain.name)
        if test(before, context):
            return change(before, plain, context)
    return plain


def over_list(name: str, convert: Change) -> Change:
    """A change that converts every item: `toIntegerList(l)` as `[x IN l | toInteger(x)]`, with the care of the single conversion."""

    def change(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
        item = context.new_name()
        single = build.call(name, ast.Variable(item))
        converted = _expression(convert(single, single, context))
        if context.analysis.type_of(_argument(written)).items.kinds - _SCALARS:
            converted = build.choose((kinds_of.is_one_of(ast.Variable(item), _SCALARS), converted), default=build.NULL)
        return ast.ListComprehension(item, _argument(node), None, converted)

    return change


def is_trim(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in ("trim", "ltrim", "rtrim", "btrim"):
        return False
    text = node.arguments[0]
    is_ascii = isinstance(text, ast.Literal) and isinstance(text.value, str) and text.value.isascii()
    return len(node.arguments) == 1 and not is_ascii


def checked_trim(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """trim() of a text whose edges the engines read alike."""
    edge = _matches(_argument(node), _SPACE_AT_EDGE)
    return build.choose((edge, fail(Failure.WHITE_SPACE)), default=_expression(node))


def is_trim_of_given(node: ast.Node, context: Context) -> bool:
    is_call = isinstance(node, ast.Call) and node.name.lower() in ("trim", "ltrim", "rtrim", "btrim")
    return is_call and isinstance(node, ast.Call) and len(node.arguments) > 1
