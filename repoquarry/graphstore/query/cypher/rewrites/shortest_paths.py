"""Rewrites of shortest path searches for the embedded engine: ends are matched first, and `SHORTEST k` searches one length at a time.

The ends of a shortest path are matched first, with every condition that does not refer to the path, as Neo4j plans it; if the same node
is then at both ends, the query fails here as well.

`SHORTEST 3` and `SHORTEST 3 GROUPS` search the paths of each length in turn, from the distance of the ends on, until enough are found. The
engine holds the paths of one pair of ends at a time. So are shortest paths with conditions on the path, which the engine would test only
after it has chosen a path.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.path_groups import length_bounds
from repoquarry.graphstore.query.cypher.rewrites.templates import build_clauses
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, split_conjunction

_MAX_LENGTH = 64
"""Maximum length of the paths of `SHORTEST k`, each of which is a subquery."""
_SELECTORS = {"shortestPath": "SHORTEST 1", "allShortestPaths": "SHORTEST 1 GROUPS"}


def needs_ends_first(node: ast.SingleQuery, context: RewriteContext) -> bool:
    return any(map(_shortest_of, node.clauses))


def _shortest_of(clause: ast.Clause) -> list[ast.PathPattern]:
    """Return the shortest paths that a clause searches, except those that may be empty (`*0..`), which Neo4j finds."""
    found = [path for path in clause.patterns if path.shortest] if isinstance(clause, ast.Match) else []
    return [path for path in found if not _may_be_empty(path)]


def _may_be_empty(path: ast.PathPattern) -> bool:
    length = path.steps[0].length
    return length is not None and length.low == 0


def match_ends_first(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Match and compare the ends of every shortest path before it is searched."""
    clauses: list[ast.Clause] = []
    for clause in node.clauses:
        found = _shortest_of(clause)
        clauses += _split(clause, context) if found and isinstance(clause, ast.Match) else [clause]
    return dataclasses.replace(node, clauses=tuple(clauses))


def _split(clause: ast.Match, context: RewriteContext) -> list[ast.Clause]:
    guarded = _shortest_of(clause)
    ends: list[ast.PathPattern] = [path for path in clause.patterns if path not in guarded]
    searched, same, own = [], [], set[str]()
    for path in guarded:
        named, bare = _named_ends(path, context)
        ends += [ast.PathPattern((end,)) for end in named]
        searched.append(bare)
        same.append(visitor.compare(_variable(named[0]), "=", _variable(named[1])))
        own |= {name for name in (path.variable, path.steps[0].variable) if name}
    before, behind = _divided(clause.where, own)
    if clause.optional:
        _refuse_unbound(clause, context)
        return [_check(visitor.all_of([*same[:1], *before]), context), clause]
    first = ast.Match(tuple(ends), visitor.all_of(before))
    search = dataclasses.replace(clause, patterns=tuple(searched), where=visitor.all_of(behind))
    return [first, *(_check(pair, context) for pair in same), search]


def _named_ends(path: ast.PathPattern, context: RewriteContext) -> tuple[tuple[ast.NodePattern, ...], ast.PathPattern]:
    """Return the two ends with names, and the path between these names."""
    named = tuple(dataclasses.replace(node, variable=node.variable or context.new_name()) for node in path.nodes)
    start, end = (ast.NodePattern(node.variable) for node in named)
    return named, dataclasses.replace(path, elements=(start, path.steps[0], end))


def _variable(node: ast.NodePattern) -> ast.Variable:
    return ast.Variable(node.variable or "")


def _divided(where: ast.Expression | None, own: set[str]) -> tuple[list[ast.Expression], list[ast.Expression]]:
    """Split a conjunction into the parts that do not use one of the names, and those that do."""
    before: list[ast.Expression] = []
    behind: list[ast.Expression] = []
    for part in split_conjunction(where):
        uses = any(isinstance(node, ast.Variable) and node.name in own for node in iterate_nodes(part))
        (behind if uses else before).append(part)
    return before, behind


def _check(is_same: ast.Expression | None, context: RewriteContext) -> ast.Clause:
    """Build a WITH that drops nothing and fails if the condition holds."""
    condition = visitor.case_when(
        (is_same or visitor.FALSE, failing_expression(RuntimeFailure.SAME_ENDS)), default=visitor.TRUE
    )
    return ast.Projection(False, star=True, where=condition)


def _refuse_unbound(clause: ast.Match, context: RewriteContext) -> None:
    for path in clause.patterns:
        for node in path.nodes:
            plain = node.variable and not (node.labels or node.properties)
            if not path.shortest or len(clause.patterns) > 1 or not plain:
                raise refuse(
                    context.text, max(clause.start, 0), "not_portable",
                    "OPTIONAL MATCH of a shortest path is refused on this engine unless both ends are bound before: "
                    "match the ends first",
                )  # fmt: skip


def needs_search_by_length(node: ast.SingleQuery, context: RewriteContext) -> bool:
    return any(map(_is_counted, node.clauses))


def needs_conditional_search(node: ast.SingleQuery, context: RewriteContext) -> bool:
    return any(map(_is_conditional, node.clauses))


def _is_counted(clause: ast.Clause) -> bool:
    return isinstance(clause, ast.Match) and clause.patterns[0].is_counted


def _is_conditional(clause: ast.Clause) -> bool:
    """Return whether the only pattern is a shortest path, and which one is chosen depends on conditions on it."""
    if not isinstance(clause, ast.Match):
        return False
    path = clause.patterns[0]
    if not path.shortest or path.is_counted or len(clause.patterns) > 1 or _may_be_empty(path):
        return False
    (step,) = path.steps
    own = {name for name in (path.variable, step.variable) if name}
    return step.properties is not None or step.where is not None or bool(_divided(clause.where, own)[1])


def search_by_length(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Write every `SHORTEST k`, and shortest path with conditions, as a subquery that searches the paths of each length in turn."""
    clauses = tuple(
        _search(clause, context.analysis.introduced[id(before)], context)
        if isinstance(clause, ast.Match) and (_is_counted(clause) or _is_conditional(clause))
        else clause
        for before, clause in zip(written.clauses, node.clauses, strict=True)
    )
    return dataclasses.replace(node, clauses=clauses)


def _search(clause: ast.Match, introduced: tuple[str, ...], context: RewriteContext) -> ast.CallSubquery:
    (path,) = clause.patterns
    (step,) = path.steps
    problem = ""
    search = "SHORTEST k" if path.is_counted else "a shortest path with conditions on it"
    if clause.optional:
        written = "SHORTEST 2 ..." if path.is_counted else "shortestPath(...) WHERE ..."
        problem = (
            f"OPTIONAL MATCH of {search} is refused on this engine: use COLLECT {{ MATCH p = {written} RETURN p }}"
        )
    elif length_bounds(step.length, context)[1] > _MAX_LENGTH:
        problem = (
            f"{search} of paths longer than {_MAX_LENGTH} relationships is refused on this engine: lower the bound"
        )
    if problem:
        raise refuse(context.text, max(clause.start, 0), "not_portable", problem)
    ends, bare = _named_ends(path, context)
    found = path.variable or context.new_name()
    before, behind = _divided(clause.where, {found, step.variable or found})
    matched = ast.Match(tuple(ast.PathPattern((end,)) for end in ends), visitor.all_of(before))
    listed = visitor.call("relationships", ast.Variable(found))
    own = (ast.Item(listed, step.variable),) if step.variable else ()
    tested, kept = (None, visitor.all_of(behind)) if path.is_counted else (visitor.all_of(behind), None)
    rest = ast.Projection(False, own, star=True, where=kept)
    names = introduced or (context.new_name(),)
    columns = tuple(ast.Item(ast.Variable(name) if introduced else visitor.TRUE, name) for name in names)
    same = visitor.compare(_variable(ends[0]), "=", _variable(ends[1]))
    checked = () if path.is_counted else (_check(same, context),)
    searches = _search_lengths(dataclasses.replace(bare, variable=found), tested, context)
    return _subquery(matched, *checked, *searches, rest, ast.Projection(True, columns))


def _search_lengths(path: ast.PathPattern, tested: ast.Expression | None, context: RewriteContext) -> list[ast.Clause]:
    """Return the search of the distance, one search for each length, and the subquery that returns the paths of all."""
    (start, end), (step,) = path.nodes, path.steps
    _, number, *groups = _SELECTORS.get(path.shortest, path.shortest).split()
    count, found = ast.Literal(int(number)), ast.Variable(path.variable or "")
    low, high = length_bounds(step.length, context) if step.length is not None else (1, 1)
    low = low if path.is_counted else max(low, 1)
    if step.length is not None and step.length.high is None:
        context.cut_path_bound = context.path_hops
    anyhow = dataclasses.replace(step, variable=None, properties=None, where=None, length=ast.Length(0, high))
    nearest = ast.Variable(context.new_name())
    direct = ast.PathPattern((start, anyhow, end), nearest.name, "shortestPath")
    clauses: list[ast.Clause] = [ast.Match((direct,))]
    lists: list[ast.Expression] = []
    so_far: ast.Expression = ast.Literal(0)
    limit = "" if groups else "LIMIT $count"
    for length in range(low, high + 1):
        is_needed = build_clauses(
            "UNWIND CASE WHEN length($nearest) <= $length AND $so_far < $count THEN [true] ELSE [] END AS _once",
            context, nearest=nearest, length=ast.Literal(length), so_far=so_far, count=count,
        )  # fmt: skip
        exact = dataclasses.replace(
            step if length else anyhow, length=ast.Length(length, length, quantifier=length > 0)
        )
        searched = ast.Match((dataclasses.replace(path, shortest="", elements=(start, exact, end)),), tested)
        paths = ast.Variable(context.new_name())
        collected = build_clauses(
            f"WITH found {limit} RETURN collect(found) AS paths", count=count, found=found.name, paths=paths.name
        )
        clauses.append(_subquery(*is_needed, searched, *collected))
        size = visitor.call("size", paths)
        so_far = ast.Binary("+", so_far, visitor.call("sign", size) if groups else size)
        lists.append(paths)
    all_paths = build_clauses(
        f"UNWIND $lists AS _one UNWIND _one AS found RETURN found AS found {limit}",
        context, lists=ast.ListLiteral(tuple(lists)), count=count, found=found.name,
    )  # fmt: skip
    return [*clauses, _subquery(*all_paths)]


def _subquery(*clauses: ast.Clause) -> ast.CallSubquery:
    return ast.CallSubquery(ast.Query((ast.SingleQuery(clauses),)), (), import_all=True)
