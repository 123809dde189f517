"""Expressions that an engine lacks or computes differently, in terms of ones that it computes as Neo4j does."""

from __future__ import annotations

import dataclasses
import math

from repoquarry.graphstore.cypher.dialect import Change, Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.rewrites.patterns import nodes
from repoquarry.graphstore.cypher.rewrites.values import equality, kinds
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.walk import rebuild

_ZERO = ast.Literal(0)
_NOT_A_NUMBER = fail(Failure.NOT_A_NUMBER)
_BY_ZERO = ast.Binary("/", ast.Literal(1), _ZERO)
"""Fails on the engine when it is evaluated, and only then, with the message that an analyst expects."""

_INFINITY = ast.Binary("*", ast.Literal(1e308), ast.Literal(10))


def is_chain(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Comparison) and len(node.rest) > 1


def split_chain(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`a < b < c` as `a < b AND b < c`."""
    if not isinstance(node, ast.Comparison) or not isinstance(written, ast.Comparison):
        raise TypeError("not a comparison")
    pairs = []
    for before, (left, operator, right) in zip(_pairs(written), _pairs(node), strict=True):
        pairs.append(equality.equal((before[0], before[2]), left, operator, right, context))
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
    found = context.analysis.type_of(written.subject).kinds
    if found == {types.RELATIONSHIP} or not kinds.outside(written.subject, frozenset({types.NODE}), context):
        return build.label_test(node.subject, node.labels, of_relationship=found == {types.RELATIONSHIP})
    name = ast.Variable(context.new_name())
    test = build.label_test(name, node.labels, of_relationship=False)
    checked = build.choose((ast.IsTyped(name, "NODE", negated=False), test), default=fail(Failure.LOOSE_KIND))
    return build.let(name.name, node.subject, checked)


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
    return is_equality and isinstance(test, ast.Comparison) and equality.is_doubtful(subject, test.rest[0][1], context)


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
        if isinstance(test, ast.Comparison) and isinstance(before, ast.Comparison):
            operator, right = test.rest[0]
            return equality.equal((subject_before, before.rest[0][1]), subject, operator, right, context)
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
    """Division by zero as Neo4j has it: by the integer it fails, whatever is divided; by the float it gives an infinity, or NaN."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a division")
    right = context.analysis.type_of(written.right).kinds
    is_zero = build.compare(node.right, "=", _ZERO)
    if node.operator == "%":
        both_whole = context.analysis.type_of(written.left).kinds == right == {types.INTEGER}
        return node if both_whole else build.choose((is_zero, _NOT_A_NUMBER), default=node)
    if right == {types.INTEGER}:
        return build.choose((is_zero, _BY_ZERO), default=node)
    by_zero = build.choose(
        (build.compare(node.left, "=", _ZERO), _NOT_A_NUMBER), default=ast.Binary("*", node.left, _INFINITY)
    )
    if right != {types.FLOAT}:
        by_zero = build.choose((ast.IsTyped(node.right, "INTEGER NOT NULL", negated=False), _BY_ZERO), default=by_zero)
    return build.choose((is_zero, by_zero), default=node)


def _first(node: ast.Node) -> ast.Expression:
    if not isinstance(node, ast.Call) or not node.arguments:
        raise TypeError("not a call")
    return node.arguments[0]


def above_zero(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """A logarithm or root; where Neo4j gives NaN or an infinity the query fails."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    operator = "<" if node.name.lower() == "sqrt" else "<="
    return build.choose((build.compare(_first(node), operator, _ZERO), _NOT_A_NUMBER), default=node)


def checked_bounds(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """substring, left, right: a negative number fails, as on Neo4j."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    bounds = [
        argument
        if isinstance(argument, ast.Literal) and isinstance(argument.value, int) and argument.value >= 0
        else build.choose((build.compare(argument, "<", _ZERO), fail(Failure.NEGATIVE_COUNT)), default=argument)
        for argument in node.arguments[1:]
    ]
    return dataclasses.replace(node, arguments=(node.arguments[0], *bounds))


def is_empty(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    is_map = context.analysis.type_of(_first(written)).kinds == {types.MAP}
    counted = build.call("keys", _first(node)) if is_map else _first(node)
    return build.compare(build.call("size", counted), "=", _ZERO)


def null_if(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    if not isinstance(written, ast.Call):
        raise TypeError("not a call")
    left, right = node.arguments
    same = equality.equal((written.arguments[0], written.arguments[1]), left, "=", right, context)
    return build.choose((same, build.NULL), default=left)


def renamed(name: str) -> Change:
    """A change that calls the function by another name."""

    def change(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
        if not isinstance(node, ast.Call):
            raise TypeError("not a call")
        return dataclasses.replace(node, name=name)

    return change


def fresh_list(written: ast.Node, node: ast.Node, context: Context) -> ast.Expression:
    """The call with its list made anew: `f(l)` as `f([x IN l | x])`."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    item = context.new_name()
    copied = ast.ListComprehension(item, _first(node), None, ast.Variable(item))
    return dataclasses.replace(node, arguments=(copied, *node.arguments[1:]))


def is_spelt_out_projection(node: ast.Node, context: Context) -> bool:
    """A projection of a map by its keys, or of a relationship: the engine reads those of nodes only."""
    if not isinstance(node, ast.MapProjection):
        return False
    found = context.analysis.type_of(node.subject).kinds
    by_keys = all(key != "*" for key, _ in node.entries)
    is_node = found == {types.NODE} and not nodes.may_be_copy(node.subject, context)
    return not is_node and (by_keys or (found == {types.RELATIONSHIP} and len(node.entries) == 1))


def spelt_out_projection(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`m {.a, b: 1}` as `{a: m.a, b: 1}`, `r {.*}` as `properties(r)`; null where the subject is."""
    if not isinstance(node, ast.MapProjection):
        raise TypeError("not a map projection")
    if any(key == "*" for key, _ in node.entries):
        return build.call("properties", node.subject)
    entries = tuple((key, value if value is not None else ast.Property(node.subject, key))
                    for key, value in node.entries)  # fmt: skip
    return build.choose((ast.IsNull(node.subject, negated=False), build.NULL), default=ast.MapLiteral(entries))


def is_open_negation(node: ast.Node, context: Context) -> bool:
    """`-x` of what may be a float."""
    if not isinstance(node, ast.Unary) or node.operator != "-" or isinstance(node.operand, ast.Literal):
        return False
    return context.analysis.type_of(node.operand).holds(types.FLOAT)


def subtracted(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`-x` as `0 - x`, which like Neo4j's never gives -0.0."""
    if not isinstance(node, ast.Unary):
        raise TypeError("not a negation")
    return ast.Binary("-", _ZERO, node.operand)


def euler(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    return ast.Literal(math.e)


def is_pattern_exists(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "exists"


def bare_predicate(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    return _first(node)
