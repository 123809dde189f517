"""Rewrites of `+`, `||` and string functions, so that strings are not read as lists and results equal those of Neo4j."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import type_guards
from repoquarry.graphstore.query.cypher.rewrites.operators import is_fixed
from repoquarry.graphstore.query.cypher.rewrites.templates import build
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor

_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_EXPONENT = failing_expression(RuntimeFailure.EXPONENT)
_ASTRAL = 0x10000
"""Characters from here on count as two on Neo4j."""


def needs_reverse_check(node: ast.Call, context: RewriteContext) -> bool:
    return types.STRING in context.analysis.type_of(node.arguments[0]).kinds and not is_fixed(
        node.arguments[0], context
    )


def check_reverse(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Guard reverse() of a string that may spell a list: the engine would reverse the list."""
    guarded = "CASE WHEN $x STARTS WITH '[' THEN $failure ELSE $call END"
    return build(guarded, x=node.arguments[0], call=node, failure=RuntimeFailure.LIST_LIKE_STRING)


def parse_separators(node: ast.Expression) -> tuple[str, ...]:
    """Return the characters of a literal list of single-character separators, otherwise nothing."""
    if not isinstance(node, ast.ListLiteral):
        return ()
    found = [item.value if isinstance(item, ast.Literal) else None for item in node.items]
    plain = [value for value in found if isinstance(value, str) and len(value) == 1 and ord(value) < _ASTRAL]
    return tuple(plain) if len(plain) == len(found) else ()


def needs_separator_merge(node: ast.Call, context: RewriteContext) -> bool:
    return bool(parse_separators(node.arguments[1]))


def merge_separators(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite split(s, [',', ';']) as split(replace(s, ';', ','), ',')."""
    first, *others = dict.fromkeys(parse_separators(written.arguments[1]))
    text = node.arguments[0]
    for other in others:
        text = visitor.call("replace", text, ast.Literal(other), ast.Literal(first))
    return dataclasses.replace(node, arguments=(text, ast.Literal(first)))


def needs_unwind_wrap(node: ast.Unwind, context: RewriteContext) -> bool:
    return types.STRING in context.analysis.type_of(node.source).kinds and not is_fixed(node.source, context)


def wrap_unwound_text(written: ast.Unwind, node: ast.Unwind, context: RewriteContext) -> ast.Node:
    """Wrap an unwound string in a list: one row, whatever the string spells."""
    source = build("CASE WHEN $x IS :: STRING NOT NULL THEN [$x] ELSE $x END", x=node.source)
    return dataclasses.replace(node, source=source)


def needs_float_format_check(node: ast.Call, context: RewriteContext) -> bool:
    return types.FLOAT in context.analysis.type_of(node.arguments[0]).kinds


def check_float_format(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Guard toString() of a float: one that Neo4j prints with an exponent fails."""
    value = node.arguments[0]
    only_float = context.analysis.type_of(written.arguments[0]).kinds == {types.FLOAT}
    return visitor.case_when((build_exponent_test(value, only_float=only_float), _EXPONENT), default=node)


def convert_items_to_string(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite toStringList(l) as [x IN l | toString(x)], with the same guard for floats."""
    item = ast.Variable(context.new_name())
    printed: ast.Expression = visitor.call("toString", item)
    if context.analysis.type_of(written.arguments[0]).items.may_be(types.FLOAT):
        printed = visitor.case_when((build_exponent_test(item, only_float=False), _EXPONENT), default=printed)
    if context.analysis.type_of(written.arguments[0]).items.kinds - _SCALARS:
        printed = visitor.case_when((type_guards.build_type_test(item, _SCALARS), printed), default=visitor.NULL)
    return ast.ListComprehension(item.name, node.arguments[0], None, printed)


def build_exponent_test(value: ast.Expression, *, only_float: bool) -> ast.Expression:
    """Build a test whether Neo4j prints the value with an exponent. Source: Java's Double.toString: below 1e-3 and from 1e7 on."""
    outside = "$x >= 1e7 OR $x <= -1e7 OR $x > -0.001 AND $x < 0.001 AND $x <> 0"
    return build(outside if only_float else f"$x IS :: FLOAT NOT NULL AND ({outside})", x=value)


_COMPOUND = frozenset({types.MAP, types.NODE, types.RELATIONSHIP, types.PATH})
_NEVER_NULL = (ast.ListLiteral, ast.CountStar, ast.MapLiteral, ast.PatternComprehension)


def _never_null(node: ast.Expression) -> bool:
    if isinstance(node, ast.Literal):
        return node.value is not None
    if isinstance(node, ast.Call):
        return node.name.lower() in ("collect", "count", "range")
    return isinstance(node, _NEVER_NULL)


def _adds_lists(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether a side of a list addition can be null."""
    sides = (node.left, node.right)
    if not any(types.LIST in context.analysis.type_of(side).kinds for side in sides):
        return False
    return not all(_never_null(side) for side in sides) or node.operator == "||"


def _joins(text: frozenset[str], number: frozenset[str]) -> bool:
    return types.STRING in text and types.FLOAT in number


def _kinds(node: ast.Binary, context: RewriteContext) -> tuple[frozenset[str], frozenset[str]]:
    return context.analysis.type_of(node.left).kinds, context.analysis.type_of(node.right).kinds


def _prints_floats(node: ast.Binary, context: RewriteContext) -> bool:
    left, right = _kinds(node, context)
    return node.operator == "+" and (_joins(left, right) or _joins(right, left))


def needs_addition_guard(node: ast.Binary, context: RewriteContext) -> bool:
    if node.operator not in ("+", "||"):
        return False
    return _adds_lists(node, context) or _prints_floats(node, context) or _may_fail(node, context)


def _may_fail(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether values may occur that Neo4j cannot add."""
    left, right = _kinds(node, context)
    return (_cannot_be_added if node.operator == "+" else _cannot_be_joined)(left, right)


def guard_addition(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Guard a sum: null if a side of a list addition is null; failing where Neo4j fails, or prints a float with an exponent."""
    left, right = _named(node.left, context), _named(node.right, context)
    cases: list[tuple[ast.Expression, ast.Expression]] = []
    operator = node.operator
    if _may_fail(written, context):
        taken = (_addable if operator == "+" else _joinable)(left, right)
        cases.append((visitor.negate(taken), failing_expression(RuntimeFailure.TYPE_MISMATCH)))
    if _adds_lists(written, context):
        operator = "+"
        absent = [ast.IsNull(side, negated=False) for side in (left, right) if not _never_null(side)]
        cases += [(test, visitor.NULL) for test in absent]
    if _prints_floats(written, context):
        of_left, of_right = _kinds(written, context)
        for text, number, of_text, of_number in ((left, right, of_left, of_right), (right, left, of_right, of_left)):
            if _joins(of_text, of_number):
                test = build_exponent_test(number, only_float=of_number == {types.FLOAT})
                if of_text != {types.STRING}:
                    test = build("$text IS :: STRING NOT NULL AND $test", text=text, test=test)
                cases.append((test, _EXPONENT))
    total: ast.Expression = ast.Binary(operator, left, right)
    total = visitor.case_when(*cases, default=total) if cases else total
    for value, name in ((node.right, right), (node.left, left)):
        if isinstance(name, ast.Variable) and name != value:
            total = visitor.bind_once(name.name, value, total)
    return total


def _named(node: ast.Expression, context: RewriteContext) -> ast.Expression:
    """Return the operand, or a name for it if repeating it would let chains of sums grow without limit."""
    return node if type_guards.is_cheap(node) or _never_null(node) else ast.Variable(context.new_name())


def _cannot_be_added(left: type_guards.Kinds, right: type_guards.Kinds) -> bool:
    """Return whether values of these types may occur that `+` does not accept."""
    left, right = left & type_guards.HELD, right & type_guards.HELD
    if left == {types.LIST} or right == {types.LIST}:
        return False
    if (left | right) & _COMPOUND:
        return True
    text = frozenset({types.STRING})
    return (types.BOOLEAN in left and right != text) or (types.BOOLEAN in right and left != text)


def _addable(left: ast.Expression, right: ast.Expression) -> ast.Expression:
    """Build a test whether `+` accepts the two: a list and anything, a string and a scalar, two numbers."""
    scalars = [type_guards.build_type_test(side, _SCALARS) for side in (left, right)]
    numbers = [type_guards.build_type_test(side, type_guards.NUMBERS) for side in (left, right)]
    return build(
        """$a IS :: LIST<ANY> OR $b IS :: LIST<ANY> OR
            $scalar_a AND $scalar_b AND ($a IS :: STRING OR $b IS :: STRING OR $number_a AND $number_b)""",
        a=left, b=right, scalar_a=scalars[0], scalar_b=scalars[1], number_a=numbers[0], number_b=numbers[1],
    )  # fmt: skip


def _cannot_be_joined(left: type_guards.Kinds, right: type_guards.Kinds) -> bool:
    """Return whether values of these types may occur that `||` does not accept."""
    both = (left | right) & type_guards.HELD
    return not (both <= {types.STRING} or both <= {types.LIST})


def _joinable(left: ast.Expression, right: ast.Expression) -> ast.Expression:
    """Build a test whether `||` accepts the two: two strings or two lists."""
    test = "$a IS :: STRING AND $b IS :: STRING OR $a IS :: LIST<ANY> AND $b IS :: LIST<ANY>"
    return build(test, a=left, b=right)


def reverses_list(node: ast.Call, context: RewriteContext) -> bool:
    return types.LIST in context.analysis.type_of(node.arguments[0]).kinds


def copy_reversed_list(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Copy a list before reverse(); a string, or anything else, stays."""
    if context.analysis.type_of(written.arguments[0]).kinds == {types.LIST}:
        return build("reverse([_item IN $x | _item])", context, x=node.arguments[0])
    return build(
        "[_x IN [$x] | CASE WHEN _x IS :: LIST<ANY> THEN reverse([_item IN _x | _item]) ELSE reverse(_x) END][0]",
        context,
        x=node.arguments[0],
    )
