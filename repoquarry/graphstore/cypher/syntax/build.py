"""Short ways to make pieces of the tree; used by rewrites, whose nodes have no place in the query's text."""

from __future__ import annotations

from collections.abc import Iterable

from repoquarry.graphstore.cypher.syntax import ast

_MOST_IN_A_ROW = 30

TRUE, FALSE, NULL = ast.Literal(True), ast.Literal(False), ast.Literal(None)


def call(name: str, *arguments: ast.Expression) -> ast.Call:
    return ast.Call(name, arguments)


def compare(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Comparison:
    return ast.Comparison(left, ((operator, right),))


def all_of(conditions: Iterable[ast.Expression | None]) -> ast.Expression | None:
    """The conjunction; None when there is nothing to conjoin. Many conditions become a tree that is broad, not deep."""
    level = [condition for condition in conditions if condition is not None]
    while len(level) > _MOST_IN_A_ROW:
        level = [_row(level[at : at + _MOST_IN_A_ROW]) for at in range(0, len(level), _MOST_IN_A_ROW)]
    return _row(level) if level else None


def _row(conditions: list[ast.Expression]) -> ast.Expression:
    result = conditions[0]
    for condition in conditions[1:]:
        result = ast.Binary("AND", result, condition)
    return result


def negate(condition: ast.Expression) -> ast.Expression:
    return ast.Unary("NOT", condition)


def choose(*cases: tuple[ast.Expression, ast.Expression], default: ast.Expression) -> ast.Case:
    """`CASE WHEN ... THEN ... ELSE default END`."""
    return ast.Case(None, tuple(ast.When((test,), result) for test, result in cases), default)


def label_test(subject: ast.Expression, labels: ast.LabelExpression, *, of_relationship: bool) -> ast.Expression:
    """The label expression as a condition on `labels(n)` or `type(r)`, which are null where the subject is."""
    match labels:
        case ast.LabelName():
            name = ast.Literal(labels.name)
            if of_relationship:
                return compare(call("type", subject), "=", name)
            return ast.Binary("IN", name, call("labels", subject))
        case ast.LabelNot():
            return negate(label_test(subject, labels.operand, of_relationship=of_relationship))
        case ast.LabelAnd() | ast.LabelOr():
            left = label_test(subject, labels.left, of_relationship=of_relationship)
            right = label_test(subject, labels.right, of_relationship=of_relationship)
            return ast.Binary("AND" if isinstance(labels, ast.LabelAnd) else "OR", left, right)
        case ast.LabelWildcard():
            if of_relationship:
                return ast.IsNull(call("type", subject), negated=True)
            return compare(call("size", call("labels", subject)), ">", ast.Literal(0))
    raise TypeError(f"no condition for {type(labels).__name__}")


def let(name: str, value: ast.Expression, body: ast.Expression) -> ast.Expression:
    """`body` with `name` for `value`, which is computed once: `[name IN [value] | body][0]`."""
    bound = ast.ListComprehension(name, ast.ListLiteral((value,)), None, body)
    return ast.Index(bound, ast.Literal(0))
