"""Rewrites of MATCH for the embedded engine: patterns are joined by index lookups or hashing instead of a product of all rows.

The engine evaluates `MATCH (f:Function), (c:Class) WHERE f.name = c.name` as a product, and `MATCH (f:Function) MATCH (c:Class {name:
f.name})` by an index on the name, which it builds on demand. A MATCH of several unconnected patterns is therefore split, the most
selective pattern first, and an equality with a bound value becomes a property of the pattern; the condition remains in WHERE. Two
paths that share an end are joined into one, and a bound relationship without direction is matched from each of its ends.

Two nodes with equal computed strings, such as `toLower(a.name) = toLower(b.name)`, are grouped by their string, which takes one pass over
each, and the ids of a group are paired. Conditions on one side are tested before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Set
from typing import TypeGuard

from repoquarry.graphstore.model.schema import NODE_LABELS, PropertyKind
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.operators import build_membership, build_size_guard
from repoquarry.graphstore.query.cypher.rewrites.templates import build_clauses
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    equal_variable,
    iterate_nodes,
    plain_names,
    reverse_path,
    split_conjunction,
    split_equality,
    used_names,
)

_INDEXED = {
    label.name: frozenset(prop.name for prop in label.properties if prop.kind is PropertyKind.STRING)
    for label in NODE_LABELS.values()
}
"""Properties that always hold a string: the index and the operator `=` treat other values differently."""


def split_match(match: ast.Match, bound: Set[str], context: RewriteContext) -> list[ast.Clause]:
    """Split a MATCH into one for each unconnected pattern, if equalities join them; `bound` are the variables in scope."""
    match = _merge_paths(match)
    groups = _group_paths(match.patterns, bound)
    if match.optional or len(groups) < 2 or _share_relationships(groups):
        return [match]
    conditions = split_conjunction(match.where)
    names = [_path_names(group) - bound for group in groups]
    everything = frozenset[str]().union(*names)
    order = _order_groups(groups, names, conditions, bound, context)
    if order is None:
        return join_by_hash(match, context)
    clauses: list[ast.Clause] = []
    placed: Set[str] = frozenset()
    for at in order:
        placed |= names[at]
        ready = [part for part in conditions if used_names(part) & everything <= placed]
        conditions = [part for part in conditions if part not in ready]
        clauses.append(ast.Match(groups[at], visitor.all_of(ready)))
    return clauses


def _path_names(paths: Iterable[ast.PathPattern]) -> frozenset[str]:
    named = (item.variable for path in paths for item in (path, *path.elements))
    return frozenset(name for name in named if name is not None)


def _group_paths(paths: tuple[ast.PathPattern, ...], bound: Set[str]) -> list[tuple[ast.PathPattern, ...]]:
    """Group the paths that are connected by a variable which is not bound before."""
    groups: list[tuple[ast.PathPattern, ...]] = []
    for path in paths:
        used = frozenset[str]().union(*map(used_names, path.elements), _path_names([path])) - bound
        joined = [group for group in groups if used & _path_names(group)]
        groups = [group for group in groups if group not in joined]
        groups.append((*(one for group in joined for one in group), path))
    return groups


def _share_relationships(groups: list[tuple[ast.PathPattern, ...]]) -> bool:
    """Return whether two groups may match one relationship, which a single MATCH excludes, or a group has a shortest path."""
    seen: set[str] = set()
    for group in groups:
        if any(path.shortest for path in group):
            return True
        steps = (step for path in group for step in path.steps)
        found = [plain_names(step.types) if step.group is None else frozenset[str]() for step in steps]
        if not all(found) and len(groups) > 1 and any(_has_steps(other) for other in groups if other is not group):
            return True
        own = frozenset[str]().union(*found)
        if seen & own:
            return True
        seen |= own
    return False


def _has_steps(group: tuple[ast.PathPattern, ...]) -> bool:
    return any(len(path.elements) > 1 for path in group)


def _order_groups(
    groups: list[tuple[ast.PathPattern, ...]],
    names: list[frozenset[str]],
    conditions: list[ast.Expression],
    bound: Set[str],
    context: RewriteContext,
) -> list[int] | None:
    """Return the groups, the most selective first, each later one found by a lookup; None if no equality joins them."""
    everything = frozenset[str]().union(*names)
    weights = [
        (_selectivity(own, conditions, everything), _rarity(group)) for own, group in zip(names, groups, strict=True)
    ]
    for start in sorted(range(len(groups)), key=lambda at: weights[at], reverse=True):
        order, left, joins = [start], [at for at in range(len(groups)) if at != start], 0
        while left:
            known = frozenset(bound).union(*(names[at] for at in order))
            found = [at for at in left if _find_lookups(groups[at], conditions, known, context)]
            joins += bool(found)
            order.append(max(found or left, key=lambda at: weights[at]))
            left.remove(order[-1])
        if joins:
            return order
    return None


def _selectivity(own: frozenset[str], conditions: list[ast.Expression], everything: frozenset[str]) -> int:
    """Return a rank: 2 with an equality on the group alone, 1 with another condition on it, else 0."""
    alone = [part for part in conditions if used_names(part) & everything and used_names(part) & everything <= own]
    equal = any(isinstance(part, ast.Comparison) and part.rest[0][0] == "=" for part in alone)
    return 2 if equal else 1 if alone else 0


_BY_COUNT = ("Function", "External", "Name", "Class", "Module", "Document", "Directory", "Package", "Repository")
"""Labels, the most frequent first."""


def _rarity(group: tuple[ast.PathPattern, ...]) -> int:
    labels = [plain_names(e.labels) for path in group for e in path.nodes]
    return max((_BY_COUNT.index(name) for found in labels for name in found if name in _BY_COUNT), default=-1)


def join_matches(first: ast.Match, second: ast.Match, bound: Set[str], context: RewriteContext) -> list[ast.Clause]:
    """Reorder two consecutive MATCHes where only the first one's nodes can be looked up; return both if they cannot be joined."""
    alone = [match for match in (first, second) if not _has_steps(match.patterns)]
    names = bound | _path_names(first.patterns)
    if first.optional or second.optional or not alone or _path_names(second.patterns) & names:
        return [first, second]
    if _find_lookups(second.patterns, split_conjunction(second.where), names, context):
        return [first, second]
    where = visitor.all_of([first.where, second.where])
    both = split_match(ast.Match((*first.patterns, *second.patterns), where), bound, context)
    return both if len(both) > 1 else [first, second]


def add_lookups(match: ast.Match, bound: Set[str], context: RewriteContext) -> ast.Match:
    """Add equalities of WHERE with bound values as properties of the patterns of new nodes."""
    found = _find_lookups(match.patterns, split_conjunction(match.where), bound, context)
    if not found:
        return match

    def change(element: ast.NodePattern | ast.RelationshipPattern) -> ast.NodePattern | ast.RelationshipPattern:
        if not isinstance(element, ast.NodePattern) or element.variable not in found:
            return element
        key, value = found.pop(element.variable)
        return dataclasses.replace(element, properties=ast.MapLiteral(((key, value),)))

    paths = tuple(dataclasses.replace(path, elements=tuple(map(change, path.elements))) for path in match.patterns)
    return dataclasses.replace(match, patterns=paths)


def _find_lookups(
    paths: Iterable[ast.PathPattern], conditions: list[ast.Expression], bound: Set[str], context: RewriteContext
) -> dict[str, tuple[str, ast.Expression]]:
    """Map variables of new nodes to the key and the bound value that WHERE demands."""
    labels: dict[str, frozenset[str]] = {}
    for path in paths:
        for node in path.nodes if not path.shortest else ():
            if node.variable and node.variable not in bound and node.properties is None:
                labels.setdefault(node.variable, plain_names(node.labels))
    found: dict[str, tuple[str, ast.Expression]] = {}
    for subject, value in _equalities(conditions):
        if not isinstance(subject.subject, ast.Variable) or subject.subject.name not in labels:
            continue
        name = subject.subject.name
        used = used_names(value)
        if used and used <= bound and name not in found and _is_indexed(subject.key, labels[name], value, context):
            found[name] = (subject.key, value)
    return found


def _equalities(conditions: Iterable[ast.Expression]) -> Iterator[tuple[ast.Property, ast.Expression]]:
    for condition in conditions:
        sides = split_equality(condition)
        for one, other in (sides, sides[::-1]) if sides else ():
            if isinstance(one, ast.Property):
                yield one, other


def _is_indexed(key: str, labels: frozenset[str], value: ast.Expression, context: RewriteContext) -> bool:
    return context.analysis.type_of(value).kinds == {types.STRING} and _has_index(key, labels)


def _has_index(key: str, labels: frozenset[str]) -> bool:
    return key == "id" or (len(labels) == 1 and key in _INDEXED.get(next(iter(labels)), frozenset()))


def join_by_list(
    source: ast.Projection, match: ast.Match, bound: Set[str], context: RewriteContext
) -> tuple[ast.Projection, ast.Unwind, ast.Match] | None:
    """Look up a node by each item of a list that `source` collects, instead of searching the list for every node.

    The items are collected once more, each once, so that every node has one row.
    """
    path, conditions = match.patterns[0], split_conjunction(match.where)
    node = path.nodes[0]
    is_single = len(match.patterns) == len(path.elements) == 1 and path.variable is None
    if source.distinct or match.optional or not is_single or node.properties:
        return None
    lists = {item.alias: item.expression for item in source.items if _collects_strings(item.expression, context)}
    for part in conditions:
        tested = part.default if isinstance(part, ast.Case) else part
        if not isinstance(tested, ast.Binary) or tested.operator != "IN" or not isinstance(tested.left, ast.Property):
            continue
        key, items = tested.left, tested.right
        is_new = key.subject == ast.Variable(node.variable or "") and node.variable not in bound
        collected = lists.get(items.name) if isinstance(items, ast.Variable) else None
        names = (inner.variable for inner in iterate_nodes(part) if isinstance(inner, ast.Quantifier))
        is_plain = part is tested or any(part == build_membership(tested, name) for name in names)
        if collected is None or not is_new or not is_plain or not _has_index(key.key, plain_names(node.labels)):
            continue
        once, name = context.new_name(), context.new_name()
        added = ast.Item(dataclasses.replace(collected, distinct=True), once)
        element = dataclasses.replace(node, properties=ast.MapLiteral(((key.key, ast.Variable(name)),)))
        where = [one for one in conditions if one is not part] + [build_size_guard(ast.Variable(name), "=", key)]
        found = ast.Match((dataclasses.replace(path, elements=(element,)),), visitor.all_of(where))
        return dataclasses.replace(source, items=(*source.items, added)), ast.Unwind(ast.Variable(once), name), found
    return None


def _collects_strings(node: ast.Expression, context: RewriteContext) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or node.name.lower() != "collect" or len(node.arguments) != 1:
        return False
    return context.analysis.type_of(node.arguments[0]).kinds == {types.STRING}


def _merge_paths(match: ast.Match) -> ast.Match:
    """Join paths that share an end into one path."""
    paths = list(match.patterns)
    at = 0
    while at < len(paths):
        for other in range(at + 1, len(paths)):
            merged = _merged(paths[at], paths[other])
            if merged is not None:
                paths[at : at + 1] = [merged]
                del paths[other]
                break
        else:
            at += 1
    return dataclasses.replace(match, patterns=tuple(paths))


def _merged(one: ast.PathPattern, other: ast.PathPattern) -> ast.PathPattern | None:
    if not _is_plain_path(one) or not _is_plain_path(other) or len(_path_names([one]) & _path_names([other])) != 1:
        return None
    for first in (one, reverse_path(one)):
        for second in (other, reverse_path(other)):
            end, start = first.nodes[-1], second.nodes[0]
            if end.variable is None or end.variable != start.variable:
                continue
            if start.labels is None and start.properties is None:
                return dataclasses.replace(first, elements=(*first.elements, *second.elements[1:]))
            if end.labels is None and end.properties is None:
                return dataclasses.replace(first, elements=(*first.elements[:-1], *second.elements))
    return None


def _is_plain_path(path: ast.PathPattern) -> bool:
    is_plain = path.variable is None and not path.shortest and bool(path.steps)
    return is_plain and all(step.length is None for step in path.steps)


def start_at_both_ends(match: ast.Match, relationships: Set[str], context: RewriteContext) -> list[ast.Clause]:
    """Match a bound relationship without direction from each of its ends, instead of from every node."""
    if match.optional:
        return [match]
    for at, path in enumerate(match.patterns):
        for number, (step, node) in enumerate(zip(path.steps, path.nodes, strict=False)):
            bound = _bound_relationship(step, match.where, relationships)
            if bound is not None and not path.shortest and node.properties is None:
                return _match_ends(match, at, number, bound, context)
    return [match]


def _match_ends(match: ast.Match, at: int, number: int, bound: str, context: RewriteContext) -> list[ast.Clause]:
    """Match the ends of a bound relationship by their ids, once in each direction, or once for a loop."""
    pair = ast.Variable(context.new_name())
    unwind = build_clauses(
        """UNWIND CASE WHEN startNode(r).id = endNode(r).id THEN [[startNode(r).id, endNode(r).id]]
            ELSE [[startNode(r).id, endNode(r).id], [endNode(r).id, startNode(r).id]] END AS pair""",
        r=bound, pair=pair.name,
    )  # fmt: skip
    paths, where = match.patterns, match.where
    path, step = paths[at], paths[at].steps[number]
    elements = list(path.elements)
    for end in (0, 1):
        node = path.nodes[number + end]
        if node.properties is None:
            entry = ("id", ast.Index(pair, ast.Literal(end)))
            elements[2 * (number + end)] = dataclasses.replace(node, properties=ast.MapLiteral((entry,)))
    if len(elements) == 3 and path.variable is None and step.types is None:
        # The pair of ids says all that the relationship does.
        new = [dataclasses.replace(path, elements=(node,)) for node in elements[::2]]
        rest = [c for c in split_conjunction(where) if equal_variable(step.variable or "", c) != bound]
        where = visitor.all_of(rest)
    else:
        new = [dataclasses.replace(path, elements=tuple(elements))]
    return [*unwind, dataclasses.replace(match, patterns=(*paths[:at], *new, *paths[at + 1 :]), where=where)]


def _bound_relationship(
    step: ast.RelationshipPattern, where: ast.Expression | None, relationships: Set[str]
) -> str | None:
    """Return the bound relationship that WHERE equates with one without direction."""
    if step.direction is not ast.Direction.BOTH or step.length is not None or step.variable is None:
        return None
    equal = (equal_variable(step.variable, condition) for condition in split_conjunction(where))
    return next((name for name in equal if name in relationships), None)


_Side = tuple[ast.NodePattern, ast.Expression]
"""Node, and its string."""


def join_by_hash(match: ast.Match, context: RewriteContext) -> list[ast.Clause]:
    """Join the two nodes of a MATCH by grouping; return the MATCH itself if they have no equal strings.

    The grouping is a subquery: WITH would drop the variables in scope, and later clauses would carry its lists along.
    """
    sides = _find_sides(match, context)
    if sides is None:
        return [match]
    conditions = split_conjunction(match.where)
    key, number, *ids = (context.new_name() for _ in range(4))
    arms = []
    for place, (node, value) in enumerate(sides):
        own = [part for part in conditions if used_names(part) == {node.variable}]
        found = ast.Match((ast.PathPattern((node,)),), visitor.all_of(own))
        columns = build_clauses(
            "RETURN $value AS key, node.id AS id, $place AS number",
            value=value, place=ast.Literal(place), node=node.variable or "", key=key, id=ids[0], number=number,
        )  # fmt: skip
        arms.append(ast.SingleQuery((found, *columns)))
    grouped = build_clauses(
        """WITH key, collect(CASE WHEN number = 0 THEN first ELSE null END) AS _firsts,
            collect(CASE WHEN number = 1 THEN first ELSE null END) AS _seconds WHERE key IS NOT NULL
            UNWIND _firsts AS first UNWIND _seconds AS second RETURN first, second""",
        context, key=key, number=number, first=ids[0], second=ids[1],
    )  # fmt: skip
    both_sides = ast.CallSubquery(ast.Query(tuple(arms), keep_duplicates=True), ())
    pairs = ast.CallSubquery(ast.Query((ast.SingleQuery((both_sides, *grouped)),)), ())
    nodes = (
        dataclasses.replace(node, properties=ast.MapLiteral((("id", ast.Variable(name)),)))
        for (node, _), name in zip(sides, ids, strict=True)
    )
    rest = visitor.all_of(_find_rest(conditions, sides))
    return [pairs, ast.Match(tuple(ast.PathPattern((node,)) for node in nodes), rest)]


def _find_rest(conditions: list[ast.Expression], sides: tuple[_Side, _Side]) -> list[ast.Expression]:
    """Return the conditions that the groups do not fulfill already."""
    names = [{node.variable} for node, _ in sides]
    values = [value for _, value in sides]
    pairs = (values, values[::-1])
    known = [
        condition
        for one, other in pairs
        for condition in (visitor.compare(one, "=", other), build_size_guard(one, "=", other))
    ]
    return [part for part in conditions if part not in known and used_names(part) not in names]


def _find_sides(match: ast.Match, context: RewriteContext) -> tuple[_Side, _Side] | None:
    """Return the two nodes with the strings that WHERE equates."""
    nodes = [path.nodes[0] for path in match.patterns if len(path.elements) == 1 and path.variable is None]
    plain = [node for node in nodes if node.variable and isinstance(node.labels, ast.LabelName) and not node.properties]
    if match.optional or len(match.patterns) != 2 or len(plain) != 2:
        return None
    for condition in split_conjunction(match.where):
        pair = split_equality(condition)
        for one, other in (pair, pair[::-1]) if pair else ():
            is_split = used_names(one) == {plain[0].variable} and used_names(other) == {plain[1].variable}
            if is_split and all(_is_string(value, context) for value in pair):
                return (plain[0], one), (plain[1], other)
    return None


def _is_string(value: ast.Expression, context: RewriteContext) -> bool:
    """Return whether the value is a string or null, and its evaluation cannot end the query."""
    can_fail = any(isinstance(part, ast.Case) for part in iterate_nodes(value))
    return not can_fail and context.analysis.type_of(value).kinds == {types.STRING}
