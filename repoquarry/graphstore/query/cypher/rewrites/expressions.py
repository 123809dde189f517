"""Rewrites of expressions, WITH, RETURN and UNION that the embedded engine lacks or evaluates differently from Neo4j."""

from __future__ import annotations

import dataclasses
import math
import re
from functools import reduce
from itertools import pairwise

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import operators, patterns, type_guards
from repoquarry.graphstore.query.cypher.rewrites.templates import build
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure
from repoquarry.graphstore.query.cypher.semantics import scope, types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.render import expression


def needs_chain_split(node: ast.Comparison, context: RewriteContext) -> bool:
    return len(node.rest) > 1


def split_chain(written: ast.Comparison, node: ast.Comparison, context: RewriteContext) -> ast.Node:
    """Rewrite `a < b < c` as `a < b AND b < c`."""
    pairs = zip(pairwise(written.operands), node.operands, node.rest, strict=False)
    equalities = [operators.build_equality(before, left, *right, context) for before, left, right in pairs]
    return visitor.all_of(equalities) or visitor.TRUE


def rewrite_label_test(written: ast.HasLabels, node: ast.HasLabels, context: RewriteContext) -> ast.Node:
    """Rewrite `n:A` as a condition on `labels(n)`, which is null for a null `n`."""
    found = context.analysis.type_of(written.subject).kinds
    if found == {types.RELATIONSHIP} or not type_guards.unexpected_kinds(
        written.subject, frozenset({types.NODE}), context
    ):
        return visitor.label_test(node.subject, node.labels, of_relationship=found == {types.RELATIONSHIP})
    name = context.new_name()
    test = visitor.label_test(ast.Variable(name), node.labels, of_relationship=False)
    return build(
        "[x IN [$subject] | CASE WHEN x IS :: NODE THEN $test ELSE $failure END][0]",
        x=name, subject=node.subject, test=test, failure=RuntimeFailure.LOOSE_TYPE_MISMATCH,
    )  # fmt: skip


def needs_case_expansion(node: ast.Case, context: RewriteContext) -> bool:
    if node.subject is None:
        return False
    return any(
        len(when.tests) > 1
        or not isinstance(when.tests[0], ast.Comparison)
        or when.tests[0].rest[0][0] != "="
        or _doubtful_test(node.subject, when.tests[0], context)
        for when in node.whens
    )


def _doubtful_test(subject: ast.Expression, test: ast.Expression, context: RewriteContext) -> bool:
    """Return whether a test of a simple CASE is an equality of strings that needs a guard."""
    is_equality = isinstance(test, ast.Comparison) and test.rest[0][0] in ("=", "<>")
    return (
        is_equality
        and isinstance(test, ast.Comparison)
        and operators.is_ambiguous_equality(subject, test.rest[0][1], context)
    )


def expand_case(written: ast.Case, node: ast.Case, context: RewriteContext) -> ast.Node:
    """Rewrite `CASE x WHEN 1, > 5 THEN ...` as `CASE WHEN x = 1 OR x > 5 THEN ...`."""
    subject, subject_before = node.subject or visitor.NULL, written.subject or visitor.NULL

    def exact(before: ast.Expression, test: ast.Expression) -> ast.Expression:
        if isinstance(test, ast.Comparison) and isinstance(before, ast.Comparison):
            operator, right = test.rest[0]
            return operators.build_equality((subject_before, before.rest[0][1]), subject, operator, right, context)
        return visitor.replace_expressions(test, lambda part: subject if isinstance(part, ast.CaseSubject) else None)

    whens = []
    for before, when in zip(written.whens, node.whens, strict=True):
        tests = map(exact, before.tests, when.tests)
        any_test = reduce(lambda test, other: ast.Binary("OR", test, other), tests)
        whens.append(dataclasses.replace(when, tests=(any_test,)))
    return dataclasses.replace(node, subject=None, whens=tuple(whens))


def needs_division_guard(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether a float division has a divisor other than a nonzero number."""
    if node.operator not in ("/", "%"):
        return False
    left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right)
    fractional = left.may_be(types.FLOAT) or right.may_be(types.FLOAT)
    return fractional and not (isinstance(node.right, ast.Literal) and node.right.value)


def guard_division(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Divide by zero like Neo4j: the integer fails for any dividend; the float gives an infinity, or NaN."""
    right = context.analysis.type_of(written.right).kinds
    if node.operator == "%":
        both_whole = context.analysis.type_of(written.left).kinds == right == {types.INTEGER}
        by_zero = "$failure"
        if both_whole:
            return node
    elif right == {types.INTEGER}:
        by_zero = "1 / 0"
    else:
        by_zero = "CASE WHEN $left = 0 THEN $failure ELSE $left * (1e308 * 10) END"
        if right != {types.FLOAT}:
            by_zero = f"CASE WHEN $right IS :: INTEGER NOT NULL THEN 1 / 0 ELSE {by_zero} END"
    return build(
        f"CASE WHEN $right = 0 THEN {by_zero} ELSE $quotient END",
        left=node.left, right=node.right, quotient=node, failure=RuntimeFailure.NOT_A_NUMBER,
    )  # fmt: skip


def guard_positive_argument(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Guard a logarithm or root: the query fails where Neo4j gives NaN or an infinity."""
    operator = "<" if node.name.lower() == "sqrt" else "<="
    return build(
        f"CASE WHEN $x {operator} 0 THEN $failure ELSE $call END",
        x=node.arguments[0], call=node, failure=RuntimeFailure.NOT_A_NUMBER,
    )  # fmt: skip


_MAX_POSITION = 2**31 - 1
"""Largest number that substring() of Neo4j takes."""


def _is_natural(node: ast.Expression) -> bool:
    return isinstance(node, ast.Literal) and isinstance(node.value, int) and 0 <= node.value <= _MAX_POSITION


def has_computed_bounds(node: ast.Call, context: RewriteContext) -> bool:
    return not all(map(_is_natural, node.arguments[1:]))


def check_bounds(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Guard substring, left and right: like on Neo4j, a number out of range fails, but not of null and of most empty strings."""
    outside = f"$x < 0 OR $x > {_MAX_POSITION}" if node.name.lower() == "substring" else "$x < 0"
    has_text = "$text IS NOT NULL" if node.name.lower() == "right" else "$text <> ''"
    guarded = f"CASE WHEN {outside} THEN CASE WHEN {has_text} THEN $failure ELSE 0 END ELSE $x END"

    def checked(text: ast.Expression) -> ast.Expression:
        bounds = [
            one if _is_natural(one) else build(guarded, x=one, text=text, failure=RuntimeFailure.NEGATIVE_COUNT)
            for one in node.arguments[1:]
        ]
        return dataclasses.replace(node, arguments=(text, *bounds))

    return type_guards.bind(node.arguments[0], context, checked)


def takes_integer(node: ast.Call, context: RewriteContext) -> bool:
    return context.analysis.type_of(node.arguments[0]).may_be(types.INTEGER)


def preserve_smallest_integer(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Guard abs(): that of the smallest integer is itself on Neo4j, and an error of the engine."""
    guarded = f"CASE WHEN $x = {-(2**63)} THEN $x ELSE abs($x) END"
    return type_guards.bind(node.arguments[0], context, lambda x: build(guarded, x=x))


def rewrite_is_empty(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    is_map = context.analysis.type_of(written.arguments[0]).kinds == {types.MAP}
    return build("size(keys($x)) = 0" if is_map else "size($x) = 0", x=node.arguments[0])


def rewrite_null_if(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    left, right = node.arguments
    same = operators.build_equality((written.arguments[0], written.arguments[1]), left, "=", right, context)
    return visitor.case_when((same, visitor.NULL), default=left)


_NEW_NAMES = {"char_length": "size", "character_length": "size", "lower": "toLower", "upper": "toUpper"}


def rename_function(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rename a function that the engine has under another name."""
    return dataclasses.replace(node, name=_NEW_NAMES[node.name.lower()])


def is_root_or_logarithm(node: ast.Call, context: RewriteContext) -> bool:
    argument = node.arguments[0]
    return not (isinstance(argument, ast.Literal) and isinstance(argument.value, int | float) and argument.value > 0)


def needs_projection_expansion(node: ast.MapProjection, context: RewriteContext) -> bool:
    """Return whether a map or a relationship is projected by keys: the engine supports only nodes."""
    found = context.analysis.type_of(node.subject).kinds
    by_keys = all(key != "*" for key, _ in node.entries)
    is_node = found == {types.NODE} and not patterns.can_be_copy(node.subject, context)
    return not is_node and (by_keys or (found == {types.RELATIONSHIP} and len(node.entries) == 1))


def expand_map_projection(written: ast.MapProjection, node: ast.MapProjection, context: RewriteContext) -> ast.Node:
    """Rewrite `m {.a, b: 1}` as `{a: m.a, b: 1}`, `r {.*}` as `properties(r)`; null for a null subject."""
    if any(key == "*" for key, _ in node.entries):
        return visitor.call("properties", node.subject)
    entries = tuple((key, value if value is not None else ast.Property(node.subject, key))
                    for key, value in node.entries)  # fmt: skip
    return visitor.case_when((ast.IsNull(node.subject, negated=False), visitor.NULL), default=ast.MapLiteral(entries))


def needs_negation_rewrite(node: ast.Unary, context: RewriteContext) -> bool:
    """Return whether `-x` may negate a float."""
    if node.operator != "-" or isinstance(node.operand, ast.Literal):
        return False
    return context.analysis.type_of(node.operand).holds(types.FLOAT)


def rewrite_negation(written: ast.Unary, node: ast.Unary, context: RewriteContext) -> ast.Node:
    """Rewrite `-x` as `0 - x`, which never gives -0.0, like Neo4j."""
    return ast.Binary("-", ast.Literal(0), node.operand)


def inline_euler_constant(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    return ast.Literal(math.e)


def unwrap_exists(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    return node.arguments[0]


_FRESH = re.compile(r"\b_g\d+\b")
"""Generated names, which differ for each occurrence of an expression."""


def comparable_text(node: ast.Expression) -> str:
    """Return a text that is equal for expressions that differ in generated names only."""
    numbers: dict[str, str] = {}
    return _FRESH.sub(lambda match: numbers.setdefault(match[0], f"_g#{len(numbers)}"), expression(node))


def _items(node: ast.Projection) -> dict[str, str]:
    return {
        comparable_text(item.expression): item.alias
        for item in node.items
        if item.alias is not None and not isinstance(item.expression, ast.Literal)
    }


def _with_aliases(node: ast.Expression, items: dict[str, str]) -> ast.Expression:
    """Replace every part that is a projected item by the item's name."""

    def find(part: ast.Expression) -> ast.Expression | None:
        name = items.get(comparable_text(part)) if not isinstance(part, ast.Literal) else None
        return ast.Variable(name) if name is not None else None

    return visitor.replace_expressions(node, find)


def _grouped(node: ast.Projection) -> bool:
    return node.distinct or any(scope.has_aggregation(item.expression) for item in node.items)


def needs_sort_by_names(node: ast.Projection, context: RewriteContext) -> bool:
    return _grouped(node) and bool(node.order or node.where is not None)


def sort_by_names(written: ast.Projection, node: ast.Projection, context: RewriteContext) -> ast.Node:
    """Rewrite ORDER BY and WHERE of a grouped projection to use the names of its items."""
    items = _items(node)
    order = tuple(dataclasses.replace(s, expression=_with_aliases(s.expression, items)) for s in node.order)
    where = _with_aliases(node.where, items) if node.where is not None else None
    return dataclasses.replace(node, order=order, where=where)


def _names(part: ast.SingleQuery) -> list[str]:
    last = part.clauses[-1]
    if not isinstance(last, ast.Projection) or last.star:
        return []
    return [item.name or "" for item in last.items]


def needs_union_alignment(node: ast.Query, context: RewriteContext) -> bool:
    if len(node.parts) < 2:
        return False
    first = _names(node.parts[0])
    return any(_names(part) != first and sorted(_names(part)) == sorted(first) for part in node.parts[1:])


def align_union(written: ast.Query, node: ast.Query, context: RewriteContext) -> ast.Node:
    """Order the columns of every arm of a UNION like those of the first one."""
    first = _names(node.parts[0])
    parts = [node.parts[0]]
    for part in node.parts[1:]:
        last = part.clauses[-1]
        if isinstance(last, ast.Projection) and sorted(_names(part)) == sorted(first):
            by_name = {item.name or "": item for item in last.items}
            last = dataclasses.replace(last, items=tuple(by_name[name] for name in first))
        parts.append(dataclasses.replace(part, clauses=(*part.clauses[:-1], last)))
    return dataclasses.replace(node, parts=tuple(parts))
