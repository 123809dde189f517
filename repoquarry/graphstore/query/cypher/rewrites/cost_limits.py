"""Rules that limit the cost of a query: long loops, ranges and slow regular expressions are refused, unbounded paths get a bound.

Loops over literals are counted once, when the query is first seen; loops over parameters each time, since the gate caches a query by the
types of its parameters. Numbers known only at run time are checked then, on the engine that would iterate.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.regex_backtracking import StepBudget, find_backtracking_risk
from repoquarry.graphstore.query.cypher.rewrites.regex_match import evaluate_constant_text, is_constant
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import children, iterate_nodes

MAX_ITERATIONS = 10_000_000
"""Maximum iterations inside one expression, and items of a list; engines check the clock between rows only."""

_Loop = ast.ListComprehension | ast.Quantifier | ast.Reduce
_NONE: Mapping[str, Value] = {}
_INSTEAD = "UNWIND, whose rows are counted and timed"


def is_range(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "range"


def range_size(source: ast.Expression, given: Mapping[str, Value]) -> int | None:
    """Return the number of items of a range(), if its numbers are known."""
    if not isinstance(source, ast.Call) or not is_range(source):
        return None
    numbers = [evaluate_integer(argument, given) for argument in source.arguments]
    low, high, step = (*numbers, 1)[:3]
    return None if low is None or high is None or not step else max(0, (high - low) // step + 1)


def evaluate_integer(node: ast.Expression, given: Mapping[str, Value] = _NONE) -> int | None:
    """Evaluate an expression of literals and the given parameters."""
    match node:
        case ast.Literal():
            return node.value if type(node.value) is int else None
        case ast.Parameter():
            value = given.get(node.name)
            return value if type(value) is int else None
        case ast.Unary() if node.operator in "+-":
            value = evaluate_integer(node.operand, given)
            return -value if value is not None and node.operator == "-" else value
        case ast.Binary() if node.operator in ("+", "-", "*"):
            left, right = evaluate_integer(node.left, given), evaluate_integer(node.right, given)
            if left is None or right is None:
                return None
            return {"+": left + right, "-": left - right, "*": left * right}[node.operator]
    return None


def _turns(node: ast.Node, given: Mapping[str, Value]) -> int:
    """Return the number of iterations of the innermost loop of an expression, as far as the ranges are known."""
    inner = max((_turns(child, given) for child in children(node)), default=1)
    if not isinstance(node, _Loop):
        return inner
    size = range_size(node.source, given)
    return inner * max(1, size if size is not None else 1)


def _too_much(node: ast.Node, given: Mapping[str, Value]) -> bool:
    if isinstance(node, ast.Call):
        return (range_size(node, given) or 0) > MAX_ITERATIONS
    return _turns(node, given) > MAX_ITERATIONS


def is_long_loop(node: ast.Node, context: RewriteContext) -> bool:
    if isinstance(node, ast.Call) and (not is_range(node) or is_unwind_source(node, context)):
        return False
    return _too_much(node, _NONE)


def is_unwind_source(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the node is the list that UNWIND iterates."""
    return any(isinstance(part, ast.Unwind) and part.source is node for part in iterate_nodes(context.query))


def _has_parameter(node: ast.Node) -> bool:
    return any(isinstance(part, ast.Parameter) for part in iterate_nodes(node))


def is_loop_over_parameter(node: ast.Call | _Loop, context: RewriteContext) -> bool:
    """Return whether a range(), or a loop over one, depends on a parameter."""
    if isinstance(node, ast.Call):
        return is_range(node) and _has_parameter(node) and not is_unwind_source(node, context)
    return is_range(node.source) and _has_parameter(node.source)


def _check_count(text: str, node: ast.Node, given: Mapping[str, Value], budget: StepBudget) -> None:
    """Check a range() or loop with parameter values."""
    if _too_much(node, given):
        what = "range()" if isinstance(node, ast.Call) else "a loop"
        raise refuse(
            text, max(node.start, 0), "too_much_work",
            f"{what} over more than {MAX_ITERATIONS:,} numbers, with these parameters, is refused. Write instead: {_INSTEAD}",
        )  # fmt: skip


def count_later(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    # Not a closure: long queries are checked in another process.
    context.checks.append(partial(_check_count, context.text, written))
    return node


def _find_pattern(node: ast.Binary, *, is_of_parameters: bool) -> ast.Expression | None:
    """Return the pattern of `=~` if it is made of literals and parameters, with or without parameters."""
    if node.operator != "=~" or not is_constant(node.right) or _has_parameter(node.right) != is_of_parameters:
        return None
    return node.right


def refuse_backtracking(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether a literal pattern is refused."""
    pattern = _find_pattern(node, is_of_parameters=False)
    text = evaluate_constant_text(pattern, _NONE) if pattern is not None else None
    found = find_backtracking_risk(text, context.budget) if text is not None else ""
    if pattern is not None and found:
        raise _refused(context.text, pattern, found)
    return False


def _refused(text: str, pattern: ast.Node, found: str) -> Exception:
    return refuse(
        text, max(pattern.start, 0), "regular_expression",
        f"A regular expression {found} is refused. Use STARTS WITH, ENDS WITH, CONTAINS, or a plainer pattern",
    )  # fmt: skip


def is_pattern_of_parameters(node: ast.Binary, context: RewriteContext) -> bool:
    return _find_pattern(node, is_of_parameters=True) is not None


def _check_pattern(text: str, pattern: ast.Expression, given: Mapping[str, Value], budget: StepBudget) -> None:
    """Check a regular expression with parameter values."""
    found = evaluate_constant_text(pattern, given)
    if found is None and isinstance(pattern, ast.Binary) and not _has_null(pattern, given):
        raise _refused(text, pattern, "with a parameter that is not a string")
    risk = find_backtracking_risk(found, budget) if found is not None else ""
    if risk:
        raise _refused(text, pattern, risk)


def check_pattern_later(written: ast.Binary, node: ast.Node, context: RewriteContext) -> ast.Node:
    context.checks.append(partial(_check_pattern, context.text, written.right))
    return node


def _has_null(pattern: ast.Expression, given: Mapping[str, Value]) -> bool:
    return any(isinstance(part, ast.Parameter) and given.get(part.name) is None for part in iterate_nodes(pattern))


def is_computed_pattern(node: ast.Binary, context: RewriteContext) -> bool:
    return node.operator == "=~" and not is_constant(node.right) and node.right != ast.Literal(None)


def is_unbounded_length(node: ast.Length, context: RewriteContext) -> bool:
    return node.high is None


def bound_length(written: ast.Length, node: ast.Length, context: RewriteContext) -> ast.Node:
    context.cut_path_bound = context.path_hops
    low = node.low if node.low is not None else 1
    return dataclasses.replace(node, low=low, high=max(context.path_hops, low))


TOO_LONG = f"range() gives more than {MAX_ITERATIONS:,} numbers"
"""Text in Neo4j's error message when the query encounters such a range."""

_BOUNDED = frozenset({"size", "length"})


def _is_bounded(node: ast.Expression) -> bool:
    """Return whether a number is limited because it is stored or literal."""
    if isinstance(node, ast.Binary):
        return node.operator in ("+", "-") and _is_bounded(node.left) and _is_bounded(node.right)
    return isinstance(node, ast.Literal | ast.Parameter) or (
        isinstance(node, ast.Call) and node.name.lower() in _BOUNDED
    )


def has_computed_range(node: ast.Call, context: RewriteContext) -> bool:
    if is_unwind_source(node, context):
        return False
    return not all(_is_bounded(argument) for argument in node.arguments)


def count_range(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Count the numbers of the range before the first of them is created."""
    low, high, *step = node.arguments
    apart = visitor.call("abs", ast.Binary("-", high, low))
    width: ast.Expression = ast.Literal(MAX_ITERATIONS)
    if step:
        width = ast.Binary("*", width, visitor.call("abs", step[0]))
    failure = ast.Property(visitor.call("date", ast.Literal(TOO_LONG)), "year")
    end = visitor.case_when((visitor.compare(apart, ">", width), failure), default=high)
    return dataclasses.replace(node, arguments=(low, end, *step))
