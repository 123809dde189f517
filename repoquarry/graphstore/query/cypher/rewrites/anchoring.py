"""Rewrites of patterns so that the engine starts at bound nodes or looks nodes up by id instead of scanning all nodes.

`MATCH (n)-->(m) WHERE n.id IN list` gives the rows of `UNWIND list AS id WITH DISTINCT id MATCH (n {id: id})-->(m)`: a node has one id,
so each row occurs once. This applies at the start of the query only, where DISTINCT cannot merge bound rows.

Three other cases are equivalent to the original. A variable that may be null gets `{id: v.id}`: a null matches nothing at once, where the
engine would try every node first. A pattern in EXISTS, COUNT, a predicate or a comprehension that ends at a bound node is reversed,
because the engine walks from the first node. The ends of a bound relationship are the nodes with the ids of its start and end.

The pass runs over the complete query after all other rewrites, since bound variables are known only from the outside in.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.joins import (
    add_lookups,
    join_by_list,
    join_matches,
    split_match,
    start_at_both_ends,
)
from repoquarry.graphstore.query.cypher.rewrites.operators import build_size_guard
from repoquarry.graphstore.query.cypher.rewrites.templates import build_clauses
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    equal_variable,
    local_names,
    reverse_path,
    split_conjunction,
    transform_children,
)

_N = TypeVar("_N", bound=ast.Node)


class _Bound(enum.Enum):
    """Known kind of a variable in scope."""

    SURELY = "a node or path that is never null"
    RELATIONSHIP = "a relationship or null"
    PERHAPS = "anything, also null"


_Scope: TypeAlias = Mapping[str, _Bound]


def is_top_level_query(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether this is the query itself and not a subquery."""
    return node is context.query


def anchor_patterns(written: ast.Query, node: ast.Query, context: RewriteContext) -> ast.Node:
    """Anchor every pattern of the query at bound variables."""
    return _Anchoring(context).rewrite_query(node, {})[0]


class _Anchoring:
    """Pass over one query, from the outside in."""

    def __init__(self, context: RewriteContext) -> None:
        self._context = context

    def rewrite_query(
        self, query: ast.Query, outer: _Scope, start: _Scope | None = None, *, can_split: bool = True
    ) -> tuple[ast.Query, _Scope]:
        """Rewrite a query inside `outer` and return the kinds of its columns; `start` is in scope up to the first WITH only."""
        parts, columns = [], {}
        for part in query.parts:
            changed, found = self._part(part, outer, start or {}, can_split)
            parts.append(changed)
            columns = dict(found) if len(query.parts) == 1 else dict.fromkeys(found, _Bound.PERHAPS)
        return dataclasses.replace(query, parts=tuple(parts)), columns

    def _part(
        self, part: ast.SingleQuery, outer: _Scope, start: _Scope, can_split: bool
    ) -> tuple[ast.SingleQuery, _Scope]:
        scope: _Scope = {**outer, **start}
        clauses: list[ast.Clause] = []
        waiting = list(part.clauses)
        while waiting:
            clause, *waiting = waiting
            following = waiting[0] if waiting else None
            if can_split and isinstance(clause, ast.Match) and isinstance(following, ast.Match):
                clause, *others = join_matches(clause, following, scope.keys(), self._context)
                waiting[:1] = others
            source = clauses[-1] if clauses else None
            if can_split and isinstance(clause, ast.Match) and isinstance(source, ast.Projection):
                joined = join_by_list(source, clause, scope.keys(), self._context)
                if joined is not None:
                    clauses[-1], unwind, clause = joined
                    clauses.append(unwind)
                    scope = {**scope, unwind.variable: _Bound.PERHAPS}
            for piece in self._split(clause, scope) if can_split else [clause]:
                changed, scope = self._clause(piece, scope, outer)
                clauses.append(changed)
        return dataclasses.replace(part, clauses=tuple(clauses)), scope

    def _split(self, clause: ast.Clause, scope: _Scope) -> list[ast.Clause]:
        if not isinstance(clause, ast.Match):
            return [clause]
        relationships = {name for name, kind in scope.items() if kind is _Bound.RELATIONSHIP}
        found: list[ast.Clause] = []
        for piece in start_at_both_ends(clause, relationships, self._context):
            found += split_match(piece, scope.keys(), self._context) if isinstance(piece, ast.Match) else [piece]
        return found

    def _clause(self, clause: ast.Clause, scope: _Scope, outer: _Scope) -> tuple[ast.Clause, _Scope]:
        match clause:
            case ast.Match():
                return self._match(clause, scope)
            case ast.Unwind():
                return self._inside(clause, scope), {**scope, clause.variable: _Bound.PERHAPS}
            case ast.CallSubquery():
                return self._call(clause, scope)
            case ast.Projection():
                columns = {**outer, **_columns(clause, scope)}
                return self._projection(clause, scope, columns), columns
        return self._inside(clause, scope), scope

    def _projection(self, clause: ast.Projection, scope: _Scope, columns: _Scope) -> ast.Projection:
        """Rewrite a projection, whose expressions do not see its columns: `size([(c)-->(m) | m]) AS m` has its own `m`."""
        behind = {**scope, **columns}
        return transform_children(
            clause, lambda child: self._expression(child, scope if isinstance(child, ast.Item) else behind)
        )

    def _call(self, clause: ast.CallSubquery, scope: _Scope) -> tuple[ast.Clause, _Scope]:
        if clause.imports is None:  # The older form: a leading WITH imports variables.
            query, columns = self.rewrite_query(clause.query, {}, scope)
        else:
            names = scope if clause.import_all else clause.imports
            query, columns = self.rewrite_query(clause.query, {name: scope[name] for name in names if name in scope})
        return dataclasses.replace(clause, query=query), {**columns, **scope}

    def _match(self, written: ast.Match, scope: _Scope) -> tuple[ast.Match, _Scope]:
        clause = add_lookups(written, scope.keys(), self._context)
        paths = tuple(_anchored(self._inside(path, scope), scope, clause.where) for path in clause.patterns)
        new: dict[str, _Bound] = {}
        for path in clause.patterns:
            new.update(_variables(path))
        where = clause.where if clause.where is None else self._expression(clause.where, {**scope, **new})
        changed = dataclasses.replace(clause, patterns=paths, where=where)
        if not clause.optional:
            return changed, {**scope, **new}
        unsure = {name: _Bound.PERHAPS if kind is _Bound.SURELY else kind for name, kind in new.items()}
        return changed, {**unsure, **scope}

    def _inside(self, node: _N, scope: _Scope) -> _N:
        """Rewrite the expressions below a node."""
        return transform_children(node, lambda child: self._expression(child, scope))

    def _expression(self, node: _N, scope: _Scope) -> _N:
        changed: ast.Node
        match node:
            case ast.Subquery():
                query = self.rewrite_query(_turned_inside(node.query, scope), scope, can_split=False)[0]
                changed = dataclasses.replace(node, query=query)
            case ast.PatternPredicate():
                path = _anchored(_turned(self._inside(node.pattern, scope), scope), scope, None)
                changed = dataclasses.replace(node, pattern=path)
            case ast.PatternComprehension():
                changed = self._comprehension(node, scope)
            case _:
                own = local_names(node)
                changed = self._inside(
                    node, {name: kind for name, kind in scope.items() if name not in own} if own else scope
                )
        return changed  # type: ignore[return-value]  # each case returns its own kind of node

    def _comprehension(self, node: ast.PatternComprehension, scope: _Scope) -> ast.PatternComprehension:
        path = _anchored(_turned(self._inside(node.pattern, scope), scope), scope, node.where)
        inner = {**scope, **_variables(node.pattern)}
        where = node.where if node.where is None else self._expression(node.where, inner)
        return dataclasses.replace(node, pattern=path, where=where, result=self._expression(node.result, inner))


def _columns(clause: ast.Projection, scope: _Scope) -> dict[str, _Bound]:
    columns = dict(scope) if clause.star else {}
    for item in clause.items:
        plain = item.expression.name if isinstance(item.expression, ast.Variable) else ""
        if item.name is not None:
            columns[item.name] = scope.get(plain, _Bound.PERHAPS)
    return columns


def _variables(path: ast.PathPattern) -> dict[str, _Bound]:
    found = {path.variable: _Bound.SURELY} if path.variable else {}
    for element in path.elements:
        if element.variable is None:
            continue
        if isinstance(element, ast.NodePattern):
            found[element.variable] = _Bound.SURELY
        else:
            found[element.variable] = _Bound.RELATIONSHIP if element.length is None else _Bound.PERHAPS
    return found


def _turned_inside(query: ast.Query, scope: _Scope) -> ast.Query:
    """Reverse the patterns of a query of one MATCH to start at bound variables."""
    clauses = query.parts[0].clauses
    first = clauses[0]
    if len(query.parts) > 1 or len(clauses) > 1 or not isinstance(first, ast.Match):
        return query
    match = dataclasses.replace(first, patterns=tuple(_turned(path, scope) for path in first.patterns))
    return dataclasses.replace(query, parts=(dataclasses.replace(query.parts[0], clauses=(match,)),))


def _turned(path: ast.PathPattern, scope: _Scope) -> ast.PathPattern:
    """Reverse the path if only its end is bound and nothing exposes the direction."""
    named = any(step.length is not None and step.variable is not None for step in path.steps)
    shown = path.variable is not None or named
    if shown or path.shortest or path.elements[0].variable in scope or path.elements[-1].variable not in scope:
        return path
    return reverse_path(path)


def _anchored(path: ast.PathPattern, scope: _Scope, where: ast.Expression | None) -> ast.PathPattern:
    """Add the ids of nodes that may be null, and of the ends of bound relationships."""
    if path.shortest or len(path.elements) == 1:
        return path
    if path.variable is None and len(path.elements) == 3:
        (step,) = path.steps
        if step.direction is ast.Direction.IN and _end_ids(1, step, scope, where):
            # Fewer calls leave a node than reach it: some definitions are called from everywhere.
            path = reverse_path(path)
    ids: dict[int, ast.Expression] = {}
    for number, step in enumerate(path.steps):
        ids.update(_end_ids(2 * number + 1, step, scope, where))
    for number, node in enumerate(path.nodes):
        if scope.get(node.variable or "") is _Bound.PERHAPS:
            ids[2 * number] = ast.Property(ast.Variable(node.variable or ""), "id")
    elements = tuple(
        _with_id(element, ids[place]) if place in ids and isinstance(element, ast.NodePattern) else element
        for place, element in enumerate(path.elements)
    )
    return dataclasses.replace(path, elements=elements)


def _end_ids(
    place: int, element: ast.RelationshipPattern, scope: _Scope, where: ast.Expression | None
) -> dict[int, ast.Expression]:
    """Return the ids of the nodes next to a relationship that the WHERE identifies with a bound one."""
    if element.direction is ast.Direction.BOTH or element.length is not None or element.variable is None:
        return {}
    for condition in split_conjunction(where):
        bound = equal_variable(element.variable, condition)
        if bound is not None and scope.get(bound) is _Bound.RELATIONSHIP:
            relationship = ast.Variable(bound)
            start, end = (ast.Property(visitor.call(name, relationship), "id") for name in ("startNode", "endNode"))
            first, second = (start, end) if element.direction is ast.Direction.OUT else (end, start)
            return {place - 1: first, place + 1: second}
    return {}


def _with_id(node: ast.NodePattern, value: ast.Expression) -> ast.NodePattern:
    if node.properties is not None:
        return node
    return dataclasses.replace(node, properties=ast.MapLiteral((("id", value),)))


def needs_id_lookup(node: ast.SingleQuery, context: RewriteContext) -> bool:
    """Return whether the query, or an arm of its UNION, starts with a MATCH whose WHERE lists the ids of a node."""
    return any(part is node for part in context.query.parts) and _find_ids(node, context) is not None


def rewrite_id_lookup(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Move the ids of the query before the MATCH."""
    found, first = _find_ids(written, context), node.clauses[0]
    element = _find_free_element(first, found[0]) if found is not None and isinstance(first, ast.Match) else None
    if found is None or not isinstance(first, ast.Match) or element is None:
        return node  # Another rewrite has inserted a clause before the MATCH.
    condition, name = found[1], context.new_name()
    ids = build_clauses("UNWIND $ids AS id WITH DISTINCT id", ids=condition.right, id=name)
    sought = _with_id(element, ast.Variable(name))
    paths = (
        dataclasses.replace(path, elements=tuple(sought if one is element else one for one in path.elements))
        for path in first.patterns
    )
    exactly = build_size_guard(ast.Variable(name), "=", condition.left)  # The engine treats '["x"]' as 'x'.
    others = [part for part in split_conjunction(first.where) if not _is_rewritten(part, condition)]
    first = dataclasses.replace(first, patterns=tuple(paths), where=visitor.all_of([*others, exactly]))
    return dataclasses.replace(node, clauses=(*ids, first, *node.clauses[1:]))


def _is_rewritten(node: ast.Expression, condition: ast.Binary) -> bool:
    """Return whether a node is the condition, plain or guarded by a search through the list, whose cost grows with its length."""
    if isinstance(node, ast.Case) and node.whens:
        return node.whens[0].tests == (condition,)
    return node == condition


def _find_ids(query: ast.SingleQuery, context: RewriteContext) -> tuple[str, ast.Binary] | None:
    """Return a variable of the first MATCH, and the condition that lists its id, as written."""
    first = query.clauses[0]
    if not isinstance(first, ast.Match) or first.optional:
        return None
    for condition in split_conjunction(first.where):
        if not isinstance(condition, ast.Binary) or condition.operator != "IN":
            continue
        left, right = condition.left, condition.right
        if not isinstance(left, ast.Property) or left.key != "id" or not isinstance(left.subject, ast.Variable):
            continue
        if _lists_texts(right, context) and _find_free_element(first, left.subject.name) is not None:
            return left.subject.name, condition
    return None


def _lists_texts(node: ast.Expression, context: RewriteContext) -> bool:
    """Return whether an expression is a list of strings without bound variables."""
    if isinstance(node, ast.ListLiteral):
        return all(isinstance(item, ast.Literal) and isinstance(item.value, str) for item in node.items)
    found = context.analysis.type_of(node)
    return isinstance(node, ast.Parameter) and found.kinds == {types.LIST} and found.items.kinds == {types.STRING}


def _find_free_element(match: ast.Match, variable: str) -> ast.NodePattern | None:
    """Return the first node pattern of a variable if it can take the id."""
    for path in match.patterns:
        for node in path.nodes:
            if node.variable == variable:
                return node if node.properties is None and not path.shortest else None
    return None
