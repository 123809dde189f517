"""The operator =~ for an engine with another kind of regular expressions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.values.regex import UnportablePattern, translate
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.tokens import refuse
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value


def is_match(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Binary) and node.operator == "=~"


def portable_match(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`x =~ pattern` with the pattern in the engine's spelling; it must be made of literals and parameters."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a match")
    if isinstance(written.right, ast.Literal) and isinstance(written.right.value, str):
        try:
            return dataclasses.replace(node, right=ast.Literal(f"(?:{translate(written.right.value)})"))
        except UnportablePattern as error:
            raise _unportable(context, written.right, str(error)) from None
    if written.right == ast.Literal(None):
        return build.NULL
    if not is_constant(written.right):
        raise _unportable(context, written.right, "a pattern made of values from the graph")
    name = context.new_name()
    context.patterns[name] = written.right
    return dataclasses.replace(node, right=ast.Parameter(name))


def is_constant(node: ast.Expression) -> bool:
    """Whether a pattern is made of literals and parameters only."""
    if isinstance(node, ast.Binary):
        return node.operator == "+" and is_constant(node.left) and is_constant(node.right)
    return isinstance(node, ast.Parameter) or (isinstance(node, ast.Literal) and isinstance(node.value, str))


def _unportable(context: Context, node: ast.Node, what: str) -> QueryRefusedError:
    return refuse(
        context.text,
        max(node.start, 0),
        "regular_expression",
        f"A regular expression with {what} is refused on this engine. "
        "Use STARTS WITH, ENDS WITH, CONTAINS, or a plainer pattern",
    )


def pattern_values(
    patterns: Mapping[str, ast.Expression], parameters: Mapping[str, Value], text: str
) -> dict[str, Value]:
    """The translated patterns by the names of their parameters. Raises: QueryRefusedError `regular_expression`."""
    values: dict[str, Value] = {}
    for name, expression in patterns.items():
        found = constant_text(expression, parameters)
        try:
            values[name] = f"(?:{translate(found)})" if found is not None else None
        except UnportablePattern as error:
            raise refuse(
                text, max(expression.start, 0), "regular_expression",
                f"A regular expression with {error} is refused on this engine",
            ) from None  # fmt: skip
    return values


def constant_text(node: ast.Expression, parameters: Mapping[str, Value]) -> str | None:
    """The text of such a pattern; None where a part is no text."""
    if isinstance(node, ast.Binary):
        left, right = constant_text(node.left, parameters), constant_text(node.right, parameters)
        return None if left is None or right is None else left + right
    found = node.value if isinstance(node, ast.Literal) else None
    if isinstance(node, ast.Parameter):
        found_parameter = parameters.get(node.name)
        found = found_parameter if isinstance(found_parameter, str) else None
    return found if isinstance(found, str) else None
