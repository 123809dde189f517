"""Rewrites of EXISTS, COUNT and COLLECT subqueries to forms that an engine supports.

A plain RETURN of a subquery is dropped, a plain COLLECT becomes a pattern comprehension. Any other body is hoisted: it becomes a `CALL
(*) { ... }` before the clause, returning one row with the count or the list, so no row is lost.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.templates import build, build_clauses
from repoquarry.graphstore.query.cypher.semantics import scope
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    children,
    iterate_nodes,
    local_names,
    transform_children,
)


def simplify_subquery(written: ast.Subquery, node: ast.Subquery, context: RewriteContext) -> ast.Node:
    """Drop the RETURN of a subquery, or convert it to a pattern comprehension, where that is equivalent."""
    if len(node.query.parts) > 1:
        return node
    clauses = node.query.parts[0].clauses
    last = clauses[-1]
    if not isinstance(last, ast.Projection) or not last.is_return or len(clauses) < 2:
        return node
    plain = not (last.distinct or last.skip or last.limit or any(scope.has_aggregation(i) for i in last.items))
    if not plain:
        return node
    if node.kind != "COLLECT":
        part = dataclasses.replace(node.query.parts[0], clauses=clauses[:-1])
        return dataclasses.replace(node, query=dataclasses.replace(node.query, parts=(part,)))
    match = clauses[0]
    if len(clauses) == 2 and isinstance(match, ast.Match) and not match.optional and not last.order:
        path = match.patterns[0]
        if len(match.patterns) == 1 and len(path.elements) > 1 and not path.shortest:
            return ast.PatternComprehension(path, match.where, last.items[0].expression)
    return node


def _is_simple(node: ast.Subquery) -> bool:
    """Return whether the engine supports the subquery as it is."""
    if node.kind == "COLLECT" or len(node.query.parts) > 1:
        return False
    clauses = node.query.parts[0].clauses
    if len(clauses) != 1 or not isinstance(clauses[0], ast.Match) or clauses[0].optional:
        return False
    return (
        not any(path.shortest or path.variable for path in clauses[0].patterns)
        and next(_complex(clauses[0]), None) is None
    )


def _complex(node: ast.Node) -> Iterator[ast.Subquery]:
    """Yield the outermost subqueries below a node that must be hoisted."""
    for child in children(node):
        if isinstance(child, ast.Subquery):
            if not _is_simple(child):
                yield child
        else:
            yield from _complex(child)


def hoist_subqueries(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Move complex subqueries before the clauses that use them."""
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        clauses += _hoisted(clause, bool(clauses), context)
    return dataclasses.replace(node, clauses=tuple(clauses))


def _hoisted(clause: ast.Clause, has_scope: bool, context: RewriteContext) -> list[ast.Clause]:
    found = list(_complex(clause)) if not isinstance(clause, ast.CallSubquery) else []
    if not found:
        return [clause]
    if isinstance(clause, ast.Match) and not clause.optional and clause.where is not None:
        inside = [s for path in clause.patterns for s in _complex(path)]
        if not inside:
            return [dataclasses.replace(clause, where=None), *_filter(clause.where, context)]
    if isinstance(clause, ast.Projection):
        in_items = [s for item in clause.items for s in _complex(item)]
        in_where = list(_complex(clause.where)) if clause.where is not None else []
        if isinstance(clause.where, ast.Subquery) and not _is_simple(clause.where):
            in_where = [clause.where]
        if len(in_items) + len(in_where) == len(found):
            return _hoisted_projection(clause, has_scope, bool(in_where), context)
    if isinstance(clause, ast.Unwind):
        calls, source = _calls(clause.source, has_scope, context)
        return [*calls, dataclasses.replace(clause, source=source)]
    raise refuse(
        context.text,
        max(found[0].start, 0),
        "subquery_not_portable",
        f"{found[0].kind} {{ }} with more than one MATCH is refused here on this engine: compute it in a WITH before",
    )


def _hoisted_projection(
    clause: ast.Projection, has_scope: bool, where_asks: bool, context: RewriteContext
) -> list[ast.Clause]:
    calls: list[ast.Clause] = []
    items = []
    for item in clause.items:
        made, expression = _calls(item.expression, has_scope or bool(calls), context)
        calls += made
        alias = item.alias
        items.append(dataclasses.replace(item, expression=expression, alias=alias))
    projection = dataclasses.replace(clause, items=tuple(items))
    if not where_asks or clause.where is None:
        return [*calls, projection]
    return [*calls, dataclasses.replace(projection, where=None), *_filter(clause.where, context)]


def _filter(where: ast.Expression, context: RewriteContext) -> list[ast.Clause]:
    calls, condition = _calls(where, True, context)
    return [*calls, ast.Projection(False, star=True, where=condition)]


def _calls(
    expression: ast.Expression, has_scope: bool, context: RewriteContext
) -> tuple[list[ast.Clause], ast.Expression]:
    """Return CALL clauses for the complex subqueries of an expression, and the expression that uses their results."""
    calls: list[ast.Clause] = []

    def change(node: ast.Node, local: frozenset[str]) -> ast.Node:
        if isinstance(node, ast.Subquery):
            if _is_simple(node):
                return node
            used = {part.name for part in iterate_nodes(node) if isinstance(part, ast.Variable)}
            if used & local:
                raise refuse(
                    context.text,
                    max(node.start, 0),
                    "subquery_not_portable",
                    f"{node.kind} {{ }} over a list's items is refused on this engine: UNWIND the list first",
                )
            name = context.new_name()
            calls.append(_call_clause(node, name, has_scope, context))
            return _result(node.kind, ast.Variable(name), context)
        inner = local | local_names(node)
        return transform_children(node, lambda child: change(child, inner))

    return calls, change(expression, frozenset())  # type: ignore[return-value]  # changed to an expression


def _result(kind: str, variable: ast.Variable, context: RewriteContext) -> ast.Expression:
    if kind == "COUNT":
        return variable
    if kind == "EXISTS":
        return visitor.compare(variable, ">", ast.Literal(0))
    return build("[_row IN $rows | _row[0]]", context, rows=variable)


def _call_clause(node: ast.Subquery, name: str, has_scope: bool, context: RewriteContext) -> ast.CallSubquery:
    imports: tuple[str, ...] | None = () if has_scope else None
    value = context.new_name()
    parts = tuple(_without_return(part, node.kind, value) for part in node.query.parts)
    if not has_scope:
        parts = tuple(_not_importing(part, context) for part in parts)
    if len(parts) > 1:
        closed = tuple(_with_return(part) for part in parts)
        inner = ast.CallSubquery(dataclasses.replace(node.query, parts=closed), imports, has_scope)
        clauses: tuple[ast.Clause, ...] = (inner,)
    else:
        clauses = parts[0].clauses
    counted: ast.Expression = ast.CountStar()
    if node.kind == "COLLECT":  # In lists of one, because collect() would drop nulls.
        counted = visitor.call("collect", ast.ListLiteral((ast.Variable(value),)))
    returned = ast.Projection(True, (ast.Item(counted, name),))
    body = ast.Query((ast.SingleQuery((*clauses, returned)),))
    return ast.CallSubquery(body, imports, has_scope)


def _not_importing(part: ast.SingleQuery, context: RewriteContext) -> ast.SingleQuery:
    """Insert a row before a leading WITH, which the engine would treat as an import of variables."""
    if not isinstance(part.clauses[0], ast.Projection):
        return part
    return dataclasses.replace(part, clauses=(*build_clauses("UNWIND [1] AS _row", context), *part.clauses))


def _without_return(part: ast.SingleQuery, kind: str, value: str) -> ast.SingleQuery:
    """Turn the RETURN of a part into a WITH that names everything; `value` is the collected column."""
    last = part.clauses[-1]
    if not isinstance(last, ast.Projection) or not last.is_return:
        return part
    items = []
    for number, item in enumerate(last.items):
        alias = value if kind == "COLLECT" else item.alias or f"{value}_{number}"
        items.append(dataclasses.replace(item, alias=alias))
    order = last.order
    if kind == "COLLECT" and last.items and last.items[0].alias:
        old, new = ast.Variable(last.items[0].alias), ast.Variable(value)
        order = tuple(visitor.replace_expressions(sort, lambda part: new if part == old else None) for sort in order)
    with_clause = dataclasses.replace(last, is_return=False, items=tuple(items), order=order)
    return dataclasses.replace(part, clauses=(*part.clauses[:-1], with_clause))


def _with_return(part: ast.SingleQuery) -> ast.SingleQuery:
    last = part.clauses[-1]
    if not isinstance(last, ast.Projection):
        row = ast.Projection(True, (ast.Item(visitor.TRUE, "_row"),))
        return dataclasses.replace(part, clauses=(*part.clauses, row))
    return dataclasses.replace(part, clauses=(*part.clauses[:-1], dataclasses.replace(last, is_return=True)))


def is_optional_by_count(node: ast.Match, context: RewriteContext) -> bool:
    if not node.optional or node.where is None:
        return False
    return any(isinstance(part, ast.Subquery) and part.kind == "COUNT" for part in iterate_nodes(node.where))


def prevent_null(written: ast.Match, node: ast.Match, context: RewriteContext) -> ast.Node:
    """Wrap the condition in coalesce(..., false), which is equivalent in a WHERE and prevents the planner from splitting it."""
    return dataclasses.replace(node, where=visitor.call("coalesce", node.where or visitor.NULL, visitor.FALSE))
