"""Expressions that an engine lacks or computes differently, in terms of ones that it computes as Neo4j does."""

from __future__ import annotations

import dataclasses

from graphstore.cypher import ast, build, types
from graphstore.cypher.dialect import Change, Context
from graphstore.cypher.rewrites import texts
from graphstore.cypher.walk import rebuild

_ZERO, _ONE = ast.Literal(0), ast.Literal(1)
_FAIL = ast.Binary("/", _ONE, _ZERO)
"""Integer division by zero: fails on the engine when it is evaluated, and only then."""

_INFINITY = ast.Binary("*", ast.Literal(1e308), ast.Literal(10))


def is_chain(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Comparison) and len(node.rest) > 1


def split_chain(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`a < b < c` as `a < b AND b < c`."""
    if not isinstance(node, ast.Comparison) or not isinstance(written, ast.Comparison):
        raise TypeError("not a comparison")
    pairs = []
    for before, (left, operator, right) in zip(_pairs(written), _pairs(node), strict=True):
        doubtful = operator in ("=", "<>") and texts.is_doubtful(before[0], before[2], context)
        pairs.append((texts.exactly if doubtful else build.compare)(left, operator, right))
    return build.all_of(pairs) or build.TRUE


def _pairs(chain: ast.Comparison) -> list[tuple[ast.Expression, str, ast.Expression]]:
    lefts = [chain.first, *(operand for _, operand in chain.rest[:-1])]
    return [(left, operator, right) for left, (operator, right) in zip(lefts, chain.rest, strict=True)]


def is_label_test(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.HasLabels)


def label_condition(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`n:A` as a condition on `labels(n)`, which is null for a null `n`."""
    if not isinstance(node, ast.HasLabels) or not isinstance(written, ast.HasLabels):
        raise TypeError("not a label test")
    kinds = context.analysis.type_of(written.subject).kinds
    return build.label_test(node.subject, node.labels, of_relationship=kinds == {types.RELATIONSHIP})


def is_extended_case(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Case) or node.subject is None:
        return False
    return any(
        len(when.tests) > 1
        or not isinstance(when.tests[0], ast.Comparison)
        or when.tests[0].rest[0][0] != "="
        or _doubtful_test(node.subject, when.tests[0], context)
        for when in node.whens
    )


def _doubtful_test(subject: ast.Expression, test: ast.Expression, context: Context) -> bool:
    """Whether a test of a simple CASE is an equality of texts that needs its guard."""
    is_equality = isinstance(test, ast.Comparison) and test.rest[0][0] in ("=", "<>")
    return is_equality and isinstance(test, ast.Comparison) and texts.is_doubtful(subject, test.rest[0][1], context)


def searched_case(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`CASE x WHEN 1, > 5 THEN ...` as `CASE WHEN x = 1 OR x > 5 THEN ...`."""
    if not isinstance(node, ast.Case) or not isinstance(written, ast.Case):
        raise TypeError("not a CASE")
    if node.subject is None or written.subject is None:
        raise TypeError("not a simple CASE")
    subject, subject_before = node.subject, written.subject

    def fill(part: ast.Node) -> ast.Node:
        return subject if isinstance(part, ast.CaseSubject) else rebuild(part, fill)

    def exact(before: ast.Expression, test: ast.Expression) -> ast.Node:
        if isinstance(test, ast.Comparison) and _doubtful_test(subject_before, before, context):
            return texts.exactly(subject, *test.rest[0])
        return fill(test)

    whens = []
    for before, when in zip(written.whens, node.whens, strict=True):
        tests = [exact(*pair) for pair in zip(before.tests, when.tests, strict=True)]
        test = tests[0]
        for other in tests[1:]:
            if not isinstance(test, ast.Expression) or not isinstance(other, ast.Expression):
                raise TypeError("a test is no expression")
            test = ast.Binary("OR", test, other)
        if not isinstance(test, ast.Expression):
            raise TypeError("a test is no expression")
        whens.append(dataclasses.replace(when, tests=(test,)))
    return dataclasses.replace(node, subject=None, whens=tuple(whens))


def is_open_division(node: ast.Node, context: Context) -> bool:
    """A division with a float in it whose divisor is not a number other than zero."""
    if not isinstance(node, ast.Binary) or node.operator not in ("/", "%"):
        return False
    left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right)
    fractional = left.may_be(types.FLOAT) or right.may_be(types.FLOAT)
    return fractional and not (isinstance(node.right, ast.Literal) and node.right.value)


def guarded_division(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """Float division by zero as Neo4j has it: an infinity. Where Neo4j gives NaN the query fails instead."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a division")
    whole = context.analysis.type_of(written.left).kinds == {types.INTEGER}
    right_may_be_whole = context.analysis.type_of(written.right).may_be(types.INTEGER)
    is_zero = build.compare(node.right, "=", _ZERO)
    if node.operator == "%" or (whole and right_may_be_whole):
        return build.choose((is_zero, _FAIL), default=node)
    by_zero = build.choose((build.compare(node.left, "=", _ZERO), _FAIL), default=ast.Binary("*", node.left, _INFINITY))
    return build.choose((is_zero, by_zero), default=node)


def _first(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Call) or not node.arguments:
        raise TypeError("not a call")
    return node.arguments[0]


def half_up_round(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`round(x)` with halves towards positive infinity, as Neo4j; the engine rounds them away from zero."""
    value = _first(node)
    positive = build.compare(value, ">=", _ZERO)
    floored = build.call("floor", ast.Binary("+", value, ast.Literal(0.5)))
    rounded = build.choose((positive, build.call("round", value)), default=floored)
    return ast.Binary("+", rounded, ast.Literal(0.0))


def above_zero(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """A logarithm or root; where Neo4j gives NaN or an infinity the query fails."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    operator = "<" if node.name.lower() == "sqrt" else "<="
    return build.choose((build.compare(_first(node), operator, _ZERO), _FAIL), default=node)


def checked_bounds(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """substring, left, right: a negative number fails, as on Neo4j."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    bounds = [
        argument
        if isinstance(argument, ast.Literal) and isinstance(argument.value, int) and argument.value >= 0
        else build.choose((build.compare(argument, "<", _ZERO), _FAIL), default=argument)
        for argument in node.arguments[1:]
    ]
    return dataclasses.replace(node, arguments=(node.arguments[0], *bounds))


def is_empty(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    kinds = context.analysis.type_of(_first(written)).kinds
    counted = build.call("keys", _first(node)) if kinds == {types.MAP} else _first(node)
    return build.compare(build.call("size", counted), "=", _ZERO)


def null_if(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    if not isinstance(written, ast.Call):
        raise TypeError("not a call")
    left, right = node.arguments
    equal = texts.exactly if texts.is_doubtful(written.arguments[0], written.arguments[1], context) else build.compare
    return build.choose((equal(left, "=", right), build.NULL), default=left)


def renamed(name: str) -> Change:
    """A change that calls the function by another name."""

    def change(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
        if not isinstance(node, ast.Call):
            raise TypeError("not a call")
        return dataclasses.replace(node, name=name)

    return change


def over_list(name: str) -> Change:
    """A change that applies a function to every item: `toStringList(l)` as `[x IN l | toString(x)]`."""

    def change(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
        item = context.new_name()
        return ast.ListComprehension(item, _first(node), None, build.call(name, ast.Variable(item)))

    return change


def fresh_list(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The call with its list made anew: `f(l)` as `f([x IN l | x])`."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    item = context.new_name()
    copied = ast.ListComprehension(item, _first(node), None, ast.Variable(item))
    return dataclasses.replace(node, arguments=(copied, *node.arguments[1:]))


_NEVER_NULL = (ast.ListLiteral, ast.CountStar, ast.MapLiteral, ast.PatternComprehension)


def _never_null(node: ast.Expression) -> bool:
    if isinstance(node, ast.Literal):
        return node.value is not None
    if isinstance(node, ast.Call):
        return node.name.lower() in ("collect", "count", "range")
    return isinstance(node, _NEVER_NULL)


def is_list_sum(node: ast.Node, context: Context) -> bool:
    """List addition in which a side can be null."""
    if not isinstance(node, ast.Binary) or node.operator not in ("+", "||"):
        return False
    sides = (node.left, node.right)
    if not any(types.LIST in context.analysis.type_of(side).kinds for side in sides):
        return False
    return not all(_never_null(side) for side in sides) or node.operator == "||"


def null_safe_sum(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """Adding null to a list gives null, as on Neo4j; the engine would append it."""
    if not isinstance(node, ast.Binary):
        raise TypeError("not a sum")
    plain = dataclasses.replace(node, operator="+")
    missing: ast.Expression | None = None
    for side in (node.left, node.right):
        if not _never_null(side):
            test = ast.IsNull(side, negated=False)
            missing = test if missing is None else ast.Binary("OR", missing, test)
    return plain if missing is None else build.choose((missing, build.NULL), default=plain)


def is_map_projection_of_map(node: ast.Node, context: Context) -> bool:
    return (
        isinstance(node, ast.MapProjection)
        and types.MAP in context.analysis.type_of(node.subject).kinds
        and all(key != "*" for key, _ in node.entries)
    )


def entries_of_map(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`m {.a, b: 1}` of a map as `{a: m.a, b: 1}`."""
    if not isinstance(node, ast.MapProjection):
        raise TypeError("not a map projection")
    entries = tuple((key, value if value is not None else ast.Property(node.subject, key))
                    for key, value in node.entries)  # fmt: skip
    return build.choose((ast.IsNull(node.subject, negated=False), build.NULL), default=ast.MapLiteral(entries))


def is_pattern_exists(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "exists"


def bare_predicate(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    return _first(node)
