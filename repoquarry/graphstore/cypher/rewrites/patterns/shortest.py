"""shortestPath and allShortestPaths between a node and itself: Neo4j fails on them, the engine leaves the row out.

The ends are matched first, with every condition that does not ask for the path, as Neo4j plans it; if the same node is then
at both ends, the query fails here as well.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.syntax import ast, build
from repoquarry.graphstore.cypher.syntax.tokens import refuse
from repoquarry.graphstore.cypher.syntax.walk import walk


def searches(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.SingleQuery) and any(map(_shortest_of, node.clauses))


def _shortest_of(clause: ast.Clause) -> list[ast.PathPattern]:
    """The shortest paths that a clause searches, but for those that may be empty (`*0..`), which Neo4j finds."""
    found = [path for path in clause.patterns if path.shortest] if isinstance(clause, ast.Match) else []
    return [path for path in found if not _may_be_empty(path)]


def _may_be_empty(path: ast.PathPattern) -> bool:
    middle = path.elements[1]
    return isinstance(middle, ast.RelationshipPattern) and middle.length is not None and middle.length.low == 0


def ends_first(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The query with the ends of every shortest path matched, and compared, before it is searched."""
    if not isinstance(node, ast.SingleQuery):
        raise TypeError("not a query")
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        found = _shortest_of(clause)
        clauses += _split(clause, context) if found and isinstance(clause, ast.Match) else [clause]
    return dataclasses.replace(node, clauses=tuple(clauses))


def _split(clause: ast.Match, context: Context) -> list[ast.Clause]:
    guarded = _shortest_of(clause)
    ends: list[ast.PathPattern] = [path for path in clause.patterns if path not in guarded]
    searched, same, own = [], [], set[str]()
    for path in guarded:
        named, bare = _named_ends(path, context)
        ends += [ast.PathPattern(None, "", (end,)) for end in named]
        searched.append(bare)
        same.append(build.compare(_variable(named[0]), "=", _variable(named[1])))
        own |= {name for name in (path.variable, path.elements[1].variable) if name}
    before, behind = _divided(clause.where, own)
    if clause.optional:
        _refuse_unbound(clause, context)
        return [_check(build.all_of([*same[:1], *before]), context), clause]
    first = ast.Match(False, tuple(ends), build.all_of(before))
    search = dataclasses.replace(clause, patterns=tuple(searched), where=build.all_of(behind))
    return [first, *(_check(pair, context) for pair in same), search]


def _named_ends(path: ast.PathPattern, context: Context) -> tuple[tuple[ast.NodePattern, ...], ast.PathPattern]:
    """The two ends with names, and the path between nothing but these names."""
    start, middle, end = path.elements
    named = tuple(
        dataclasses.replace(node, variable=node.variable or context.new_name())
        for node in (start, end)
        if isinstance(node, ast.NodePattern)
    )
    bare = [ast.NodePattern(node.variable, None, None, None) for node in named]
    return named, dataclasses.replace(path, elements=(bare[0], middle, bare[1]))


def _variable(node: ast.NodePattern) -> ast.Variable:
    return ast.Variable(node.variable or "")


def _divided(where: ast.Expression | None, own: set[str]) -> tuple[list[ast.Expression], list[ast.Expression]]:
    """The parts of a conjunction that do not use one of the names, and those that do."""
    if where is None:
        return [], []
    if isinstance(where, ast.Binary) and where.operator == "AND":
        left, right = _divided(where.left, own), _divided(where.right, own)
        return left[0] + right[0], left[1] + right[1]
    uses = any(isinstance(part, ast.Variable) and part.name in own for part in walk(where))
    return ([], [where]) if uses else ([where], [])


def _check(is_same: ast.Expression | None, context: Context) -> ast.Clause:
    """A WITH that drops nothing and fails where the condition holds."""
    condition = build.choose((is_same or build.FALSE, fail(Failure.SAME_ENDS)), default=build.TRUE)
    return ast.Projection(False, False, True, (), (), None, None, condition)


def _refuse_unbound(clause: ast.Match, context: Context) -> None:
    for path in clause.patterns:
        for node in path.elements[::2]:
            plain = isinstance(node, ast.NodePattern) and node.variable and not (node.labels or node.properties)
            if not path.shortest or len(clause.patterns) > 1 or not plain:
                raise refuse(
                    context.text, max(clause.start, 0), "not_portable",
                    "OPTIONAL MATCH of a shortest path is refused on this engine unless both ends are bound before: "
                    "match the ends first",
                )  # fmt: skip
