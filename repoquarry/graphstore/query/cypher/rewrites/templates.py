"""Builder of syntax trees from Cypher text with placeholders, for the expressions and clauses that rewrites insert.

`build("[_x IN $list | toString(_x)]", context, list=node)` gives the tree of this text with `node` at the place of `$list`. A variable that
begins with an underscore gets a name that the query does not use; other variables are renamed by parts that are strings. A part that is a
run-time failure fails where it is evaluated.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.visitor import replace_expressions, replace_names, transform_children

_FRESH = re.compile(r"\b_\w+")


_Part = ast.Expression | RuntimeFailure | str


def build(text: str, context: RewriteContext | None = None, /, **parts: _Part) -> ast.Expression:
    """Build an expression; `context` names the variables that begin with an underscore."""
    (clause,) = build_clauses(f"RETURN {text}", context, **parts)
    return clause.items[0].expression  # type: ignore[attr-defined,no-any-return]  # a RETURN


def build_clauses(text: str, context: RewriteContext | None = None, /, **parts: _Part) -> tuple[ast.Clause, ...]:
    """Build the clauses of a query."""
    query = _parse(text)
    names = {name: part for name, part in parts.items() if isinstance(part, str)}
    if context is not None:
        names |= {name: context.new_name() for name in dict.fromkeys(_FRESH.findall(text))}

    def find(node: ast.Expression) -> ast.Expression | None:
        part = parts[node.name] if isinstance(node, ast.Parameter) else None
        if isinstance(part, RuntimeFailure):
            return failing_expression(part)
        return part if isinstance(part, ast.Expression) else None

    return replace_expressions(replace_names(query, names) if names else query, find).parts[0].clauses


@cache
def _parse(text: str) -> ast.Query:
    def without_place(node: ast.Node) -> ast.Node:
        return dataclasses.replace(transform_children(node, without_place), start=-1, end=-1)

    return without_place(parse(text))  # type: ignore[return-value]
