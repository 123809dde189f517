"""Rewrites of type conversions, round(), trim() and dates for the embedded engine, so that results equal those of Neo4j.

The engine multiplies by a power of ten first, so that 1.005, whose digits are a tie, is rounded down. A comparison with the tie itself is
exact: the float nearest to a short decimal is the result of division by a power of ten.

Strings that both engines read alike pass; the few that only one reads as a number fail the query with the reason.

The engine has no temporal values. `date()` or `datetime()` of a day that the graph stores, such as `m.last_changed`, or of a literal day is
replaced by its ISO string where it is compared with another one, and by digits of the string where its year, month or day is read. The day
of a stored time, `date(datetime(r.indexed_at))`, is the beginning of its string.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from datetime import date

from repoquarry.graphstore.model.schema import DAY_PROPERTIES, TIME_PROPERTIES
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.templates import build
from repoquarry.graphstore.query.cypher.rewrites.type_guards import build_type_test
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor

_MAX_DIGITS = 15
_NO_FRACTIONS = ast.Literal(2.0**52)
"""Floats from here on are integers."""


def _digits(node: ast.Call) -> int | None:
    """Return the number of digits; None unless it is a literal."""
    if len(node.arguments) == 1:
        return 0
    written = node.arguments[1]
    return written.value if isinstance(written, ast.Literal) and type(written.value) is int else None


def needs_round_rewrite(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether a float is rounded to a literal number of digits."""
    is_float = context.analysis.type_of(node.arguments[0]).may_be(types.FLOAT)
    return is_float and not is_unsupported_round(node, context)


def is_unsupported_round(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the number of digits is computed, or a mode is given."""
    digits = _digits(node)
    return len(node.arguments) > 2 or digits is None or not 0 <= digits <= _MAX_DIGITS


def rewrite_round(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite round(x) or round(x, digits)."""
    digits, value = _digits(node), node.arguments[0]
    if not digits:
        return build("CASE WHEN $x >= 0 THEN round($x) ELSE floor($x + 0.5) END + 0.0", x=value)
    name, power = ast.Variable(context.new_name()), ast.Literal(10.0**digits)
    nearest = build(
        """CASE WHEN abs($x) >= (floor(abs($x) * $power) + 0.5) / $power
            THEN (floor(abs($x) * $power) + 1.0) / $power ELSE floor(abs($x) * $power) / $power END""",
        x=name,
        power=power,
    )
    rounded = build(
        """CASE WHEN $x IS NULL THEN null
            WHEN abs($x) >= $whole THEN $x * 1.0
            WHEN abs($x) * $power >= $whole THEN $failure
            ELSE CASE WHEN $x < 0 THEN -1.0 * $nearest ELSE $nearest END + 0.0 /* never -0.0 */ END""",
        x=name, whole=_NO_FRACTIONS, power=power, nearest=nearest, failure=RuntimeFailure.TOO_LARGE_TO_ROUND,
    )  # fmt: skip
    return visitor.bind_once(name.name, value, rounded)


_LONG_OR_FOREIGN = ast.Literal(
    r"(?s)\s*[+-]?([0-9.]{16,}|[0-9.]{9,}[eE]|[0-9.]+[eE][+-]?[0-9]{2,}|[0-9.]*[^\x00-\x7f]).*"
)
"""Strings that may be numbers of more than 15 digits, with a large exponent, or with digits other than 0-9."""

_ONLY_DIGITS = ast.Literal(r"[+-]?[0-9]+")
"""Strings that both engines read alike at any length, if they fit 64 bits."""

_PLAIN_NUMBER = ast.Literal(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_OTHER_NUMBER = ast.Literal(r"(?s)\s*[+-]?([0-9.]+([eE][+-]?[0-9]+)?[dDfF]?|0[xX].*|(?i:infinity|inf|nan))\s*")
"""Further strings that Java's Double.valueOf or Rust's parser accepts."""

_DISPUTED_SPACE = ast.Literal(r"[\x{1c}-\x{1f}\x{85}\x{a0}\x{2007}\x{202f}]")
"""White space by Unicode or by Java's Character.isWhitespace, but not by both."""

_SPACE_AT_EDGE = ast.Literal(rf"(?s)\s*{_DISPUTED_SPACE.value}.*|.*{_DISPUTED_SPACE.value}\s*")
_MAX_INTEGER, _MIN_INTEGER = 2**63 - 1, -(2**63)
_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_OR_NULL = {
    "tostringornull": ("toString", _SCALARS),
    "tointegerornull": ("toInteger", _SCALARS),
    "tofloatornull": ("toFloat", _SCALARS - {types.BOOLEAN}),
    "tobooleanornull": ("toBoolean", _SCALARS - {types.FLOAT}),
}
"""Equivalent plain function for these types of arguments."""


def _is_plain(node: ast.Expression) -> bool:
    """Return whether a literal is read alike by every engine: a 64-bit number, or a short string of digits or letters."""
    if not isinstance(node, ast.Literal):
        return False
    if isinstance(node.value, float):
        return _MIN_INTEGER < node.value < _MAX_INTEGER
    if not isinstance(node.value, str):
        return True
    return len(node.value) < 9 and node.value.isascii() and (node.value.isdecimal() or node.value.isalpha())


def _matches(kinds: frozenset[str], value: ast.Expression, pattern: ast.Expression) -> ast.Expression:
    """Return an expression that is true for a string that matches, with a type test unless the type is known."""
    test = "$x =~ $pattern" if kinds == {types.STRING} else "$x IS :: STRING NOT NULL AND $x =~ $pattern"
    return build(test, x=value, pattern=pattern)


def needs_integer_conversion(node: ast.Call, context: RewriteContext) -> bool:
    return not _is_plain(node.arguments[0]) and context.analysis.type_of(node.arguments[0]).holds(
        types.STRING, types.FLOAT
    )


def convert_to_integer(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Expression:
    """Rewrite toInteger(): the nearest 64-bit number for a larger float, like Java; long strings fail."""
    value, kinds = node.arguments[0], context.analysis.type_of(written.arguments[0]).kinds
    cases: list[tuple[ast.Expression, ast.Expression]] = []
    if types.STRING in kinds:
        digits = _matches(kinds, value, _ONLY_DIGITS)
        too_large = build("$digits AND toInteger($x) IS NULL", digits=digits, x=value)
        cases.append((too_large, failing_expression(RuntimeFailure.NUMBER_TOO_LARGE)))
        odd = _matches(kinds, value, _LONG_OR_FOREIGN)
        doubtful = build("$odd AND NOT $x =~ $digits", odd=odd, x=value, digits=_ONLY_DIGITS)
        cases.append((doubtful, failing_expression(RuntimeFailure.TEXT_AS_NUMBER)))
    if types.FLOAT in kinds:
        for operator, limit in ((">=", _MAX_INTEGER), ("<=", _MIN_INTEGER)):
            beyond = visitor.compare(value, operator, ast.Literal(float(limit)))
            test = "$beyond" if kinds == {types.FLOAT} else "$x IS :: FLOAT NOT NULL AND $beyond"
            cases.append((build(test, x=value, beyond=beyond), ast.Literal(limit)))
    return visitor.case_when(*cases, default=node)


def needs_float_conversion(node: ast.Call, context: RewriteContext) -> bool:
    return not _is_plain(node.arguments[0]) and types.STRING in context.analysis.type_of(node.arguments[0]).kinds


def convert_to_float(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Expression:
    """Rewrite toFloat(): a string with surrounding white space, a suffix, hexadecimal digits, or a spelled-out infinity fails."""
    value, kinds = node.arguments[0], context.analysis.type_of(written.arguments[0]).kinds
    return build(
        "CASE WHEN $number AND NOT $x =~ $plain THEN $failure ELSE $call END",
        number=_matches(kinds, value, _OTHER_NUMBER), x=value, plain=_PLAIN_NUMBER, failure=RuntimeFailure.TEXT_AS_NUMBER, call=node,
    )  # fmt: skip


def needs_boolean_conversion(node: ast.Call, context: RewriteContext) -> bool:
    return context.analysis.type_of(node.arguments[0]).holds(types.STRING, types.INTEGER)


def convert_to_boolean(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Expression:
    """Rewrite toBoolean(): white space around a string is ignored, and an integer other than 0 is true."""
    value, kinds = node.arguments[0], context.analysis.type_of(written.arguments[0]).kinds
    if kinds == {types.STRING}:
        return build("toBoolean(trim($x))", x=value)
    if kinds == {types.INTEGER}:
        return build("$x <> 0", x=value)
    return build(
        """CASE WHEN $x IS :: STRING NOT NULL THEN toBoolean(trim($x))
            WHEN $x IS :: INTEGER NOT NULL THEN $x <> 0 ELSE $call END""",
        x=value,
        call=node,
    )


def needs_or_null_conversion(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether toIntegerOrNull() and the like get an argument that their plain forms accept."""
    return context.analysis.type_of(node.arguments[0]).kinds <= _OR_NULL[node.name.lower()][1]


def is_unsupported_or_null(node: ast.Call, context: RewriteContext) -> bool:
    return not needs_or_null_conversion(node, context)


def convert_or_null(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    plain = dataclasses.replace(node, name=_OR_NULL[node.name.lower()][0])
    before = dataclasses.replace(written, name=plain.name)
    needs_conversion, convert = _CONVERSIONS.get(plain.name, (None, None))
    if needs_conversion is None or convert is None or not needs_conversion(before, context):
        return plain
    failure = failing_expression(RuntimeFailure.NUMBER_TOO_LARGE)
    # Null, as toIntegerOrNull() gives, for a number beyond 64 bits, where toInteger() fails.
    return visitor.replace_expressions(
        convert(before, plain, context), lambda part: visitor.NULL if part == failure else None
    )


_Conversion = Callable[[ast.Call, ast.Call, RewriteContext], ast.Expression]
_CONVERSIONS: Mapping[str, tuple[Callable[[ast.Call, RewriteContext], bool], _Conversion]] = {
    "toInteger": (needs_integer_conversion, convert_to_integer),
    "toFloat": (needs_float_conversion, convert_to_float),
    "toBoolean": (needs_boolean_conversion, convert_to_boolean),
}


def convert_items(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Convert every item like the single conversion: `toIntegerList(l)` as `[x IN l | toInteger(x)]`."""
    item = ast.Variable(context.new_name())
    name = next(name for name in _CONVERSIONS if f"{name}list".lower() == written.name.lower())
    single = visitor.call(name, item)
    converted = _CONVERSIONS[name][1](single, single, context)
    if context.analysis.type_of(written.arguments[0]).items.kinds - _SCALARS:
        converted = visitor.case_when((build_type_test(item, _SCALARS), converted), default=visitor.NULL)
    return ast.ListComprehension(item.name, node.arguments[0], None, converted)


def needs_trim_check(node: ast.Call, context: RewriteContext) -> bool:
    text = node.arguments[0]
    is_ascii = isinstance(text, ast.Literal) and isinstance(text.value, str) and text.value.isascii()
    return len(node.arguments) == 1 and not is_ascii


def check_trim(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite trim() to fail unless the engines agree on the edges of the string."""
    edge = build("$x =~ $pattern", x=node.arguments[0], pattern=_SPACE_AT_EDGE)
    return visitor.case_when((edge, failing_expression(RuntimeFailure.WHITE_SPACE)), default=node)


def is_trim_with_characters(node: ast.Call, context: RewriteContext) -> bool:
    return len(node.arguments) > 1


_DIGITS = {"year": (0, 4), "month": (5, 2), "day": (8, 2)}
"""Start and length of the parts of `2026-01-31`."""


def _find_function(node: ast.Expression, context: RewriteContext) -> str:
    """Return `date` or `datetime` if the node is a call of it with a day, otherwise an empty string."""
    if not isinstance(node, ast.Call) or node.name.lower() not in ("date", "datetime") or len(node.arguments) != 1:
        return ""
    if node.name.lower() == "date" and _is_time(node.arguments[0], context):
        return "date"
    return node.name.lower() if _is_day(node.arguments[0], context) else ""


def _is_time(node: ast.Expression, context: RewriteContext) -> bool:
    """Return whether the node is `datetime()` of a stored time."""
    if not isinstance(node, ast.Call) or node.name.lower() != "datetime" or len(node.arguments) != 1:
        return False
    return _is_stored(node.arguments[0], TIME_PROPERTIES, context)


def _is_stored(node: ast.Expression, keys: frozenset[str], context: RewriteContext) -> bool:
    if not isinstance(node, ast.Property) or node.key not in keys:
        return False
    return context.analysis.type_of(node.subject).kinds == {types.NODE}


def _is_day(node: ast.Expression, context: RewriteContext) -> bool:
    if isinstance(node, ast.Property):
        return _is_stored(node, DAY_PROPERTIES, context)
    if not isinstance(node, ast.Literal) or not isinstance(node.value, str) or len(node.value) != len("2026-01-31"):
        return False
    try:
        return date.fromisoformat(node.value).isoformat() == node.value
    except ValueError:
        return False


def is_day_comparison(node: ast.Comparison, context: RewriteContext) -> bool:
    """Return whether a comparison is between days of one function; a date and a datetime are never comparable."""
    functions = {_find_function(operand, context) for operand in node.operands}
    return len(functions) == 1 and "" not in functions


def compare_strings(written: ast.Comparison, node: ast.Comparison, context: RewriteContext) -> ast.Node:
    """Compare the strings of the days."""
    rest = tuple((operator, _read_string(operand)) for operator, operand in node.rest)
    return dataclasses.replace(node, first=_read_string(node.first), rest=rest)


def _read_string(node: ast.Expression) -> ast.Expression:
    """Return the string of a day: the argument of its function, or the beginning of the argument's argument."""
    (argument,) = node.arguments  # type: ignore[attr-defined]  # `_find_function` found the call
    return build("left($x, 10)", x=argument.arguments[0]) if isinstance(argument, ast.Call) else argument


def is_part_of_day(node: ast.Property, context: RewriteContext) -> bool:
    """Return whether a property is the year, month or day of a day."""
    if node.key not in _DIGITS:
        return False
    return bool(_find_function(node.subject, context)) or _is_time(node.subject, context)


def read_digits(written: ast.Property, node: ast.Property, context: RewriteContext) -> ast.Node:
    """Read the part from the digits of the string."""
    start, length = _DIGITS[node.key]
    return build(f"toInteger(substring($x, {start}, {length}))", x=_read_string(node.subject))
