"""Dates as their ISO strings, whose order is that of the days.

The engine has no temporal values. `date()` or `datetime()` of a day that the graph stores, such as `m.last_changed`, or of a literal day is
replaced by its string where it is compared with another one, and by digits of the string where its year, month or day is read. The day of
a stored time, `date(datetime(r.indexed_at))`, is the beginning of its string.
"""

from __future__ import annotations

import dataclasses
from datetime import date

from repoquarry.graphstore.model.schema import DAY_PROPERTIES, TIME_PROPERTIES
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor

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
    functions = {_find_function(operand, context) for operand in (node.first, *(operand for _, operand in node.rest))}
    return len(functions) == 1 and "" not in functions


def compare_strings(written: ast.Comparison, node: ast.Comparison, context: RewriteContext) -> ast.Node:
    """Compare the strings of the days."""
    rest = tuple((operator, _require_string(operand)) for operator, operand in node.rest)
    return dataclasses.replace(node, first=_require_string(node.first), rest=rest)


def _require_string(node: ast.Expression) -> ast.Expression:
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    argument = node.arguments[0]
    if isinstance(argument, ast.Call):
        return visitor.call("left", argument.arguments[0], ast.Literal(len("2026-01-31")))
    return argument


def is_part_of_day(node: ast.Property, context: RewriteContext) -> bool:
    """Return whether a property is the year, month or day of a day."""
    if node.key not in _DIGITS:
        return False
    return bool(_find_function(node.subject, context)) or _is_time(node.subject, context)


def read_digits(written: ast.Property, node: ast.Property, context: RewriteContext) -> ast.Node:
    """Read the part from the digits of the string."""
    start, length = _DIGITS[node.key]
    digits = visitor.call("substring", _require_string(node.subject), ast.Literal(start), ast.Literal(length))
    return visitor.call("toInteger", digits)
