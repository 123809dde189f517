"""Joins of patterns by index lookups instead of products of all rows.

The engine evaluates `MATCH (f:Function), (c:Class) WHERE f.name = c.name` as a product, and `MATCH (f:Function) MATCH (c:Class {name:
f.name})` by an index on the name, which it builds on demand. A MATCH of several unconnected patterns is therefore split, the most
selective pattern first, and an equality with a bound value becomes a property of the pattern; the condition remains in WHERE. Two
paths that share an end are joined into one, and a bound relationship without direction is matched from each of its ends.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Set
from typing import TypeGuard

from repoquarry.graphstore.model.schema import NODE_LABELS, PropertyKind
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.hash_join import join_by_hash
from repoquarry.graphstore.query.cypher.rewrites.operators import build_membership, build_size_guard
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, plain_names, split_conjunction, used_names

_INDEXED = {
    label.name: frozenset(prop.name for prop in label.properties if prop.kind is PropertyKind.STRING)
    for label in NODE_LABELS.values()
}
"""Properties that always hold a string: the index and the operator `=` treat other values differently."""

_FLIPPED = {
    ast.Direction.OUT: ast.Direction.IN,
    ast.Direction.IN: ast.Direction.OUT,
    ast.Direction.BOTH: ast.Direction.BOTH,
}


def reverse_path(path: ast.PathPattern) -> ast.PathPattern:
    """Return the path from its end to its start."""
    elements = tuple(
        dataclasses.replace(element, direction=_FLIPPED[element.direction])
        if isinstance(element, ast.RelationshipPattern)
        else element
        for element in reversed(path.elements)
    )
    return dataclasses.replace(path, elements=elements)


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
        steps = [e for path in group for e in path.elements if isinstance(e, ast.RelationshipPattern)]
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
    labels = [plain_names(e.labels) for path in group for e in path.elements if isinstance(e, ast.NodePattern)]
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
        for element in path.elements if not path.shortest else ():
            is_new = isinstance(element, ast.NodePattern) and element.variable and element.variable not in bound
            if isinstance(element, ast.NodePattern) and is_new and element.properties is None:
                labels.setdefault(element.variable or "", plain_names(element.labels))
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
        if not isinstance(condition, ast.Comparison) or len(condition.rest) != 1 or condition.rest[0][0] != "=":
            continue
        sides = condition.first, condition.rest[0][1]
        for one, other in (sides, sides[::-1]):
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
    node = path.elements[0]
    is_single = len(match.patterns) == len(path.elements) == 1 and path.variable is None
    if source.distinct or match.optional or not is_single or not isinstance(node, ast.NodePattern) or node.properties:
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
            end, start = first.elements[-1], second.elements[0]
            if end.variable is None or end.variable != start.variable or not isinstance(start, ast.NodePattern):
                continue
            if start.labels is None and start.properties is None:
                return dataclasses.replace(first, elements=(*first.elements, *second.elements[1:]))
            if isinstance(end, ast.NodePattern) and end.labels is None and end.properties is None:
                return dataclasses.replace(first, elements=(*first.elements[:-1], *second.elements))
    return None


def _is_plain_path(path: ast.PathPattern) -> bool:
    steps = [element for element in path.elements if isinstance(element, ast.RelationshipPattern)]
    return path.variable is None and not path.shortest and bool(steps) and all(step.length is None for step in steps)


def start_at_both_ends(match: ast.Match, relationships: Set[str], context: RewriteContext) -> list[ast.Clause]:
    """Match a bound relationship without direction from each of its ends, instead of from every node."""
    if match.optional:
        return [match]
    for at, path in enumerate(match.patterns):
        for place, element in enumerate(path.elements):
            bound = _bound_relationship(element, match.where, relationships)
            node = path.elements[place - 1]
            if bound is None or path.shortest or not isinstance(node, ast.NodePattern) or node.properties is not None:
                continue
            return _match_ends(match, at, place, bound, context)
    return [match]


def _match_ends(match: ast.Match, at: int, place: int, bound: str, context: RewriteContext) -> list[ast.Clause]:
    """Match the ends of a bound relationship by their ids, once in each direction, or once for a loop."""
    start, end = (ast.Property(visitor.call(name, ast.Variable(bound)), "id") for name in ("startNode", "endNode"))
    loop = (visitor.compare(start, "=", end), ast.ListLiteral((ast.ListLiteral((start, end)),)))
    both = ast.ListLiteral((ast.ListLiteral((start, end)), ast.ListLiteral((end, start))))
    name = context.new_name()
    unwind = ast.Unwind(visitor.case_when(loop, default=both), name)
    path = match.patterns[at]
    elements = list(path.elements)
    for end_place, number in ((place - 1, 0), (place + 1, 1)):
        node = elements[end_place]
        if isinstance(node, ast.NodePattern) and node.properties is None:
            value = ast.Index(ast.Variable(name), ast.Literal(number))
            elements[end_place] = dataclasses.replace(node, properties=ast.MapLiteral((("id", value),)))
    step, paths, where = path.elements[place], match.patterns, match.where
    if (
        len(elements) == 3
        and path.variable is None
        and isinstance(step, ast.RelationshipPattern)
        and step.types is None
    ):
        # The pair of ids says all that the relationship does.
        new = [dataclasses.replace(path, elements=(node,)) for node in elements[::2]]
        rest = [c for c in split_conjunction(where) if equal_variable(step.variable or "", c) != bound]
        where = visitor.all_of(rest)
    else:
        new = [dataclasses.replace(path, elements=tuple(elements))]
    return [unwind, dataclasses.replace(match, patterns=(*paths[:at], *new, *paths[at + 1 :]), where=where)]


def _bound_relationship(
    element: ast.NodePattern | ast.RelationshipPattern, where: ast.Expression | None, relationships: Set[str]
) -> str | None:
    """Return the bound relationship that WHERE equates with one without direction."""
    if not isinstance(element, ast.RelationshipPattern) or element.direction is not ast.Direction.BOTH:
        return None
    for condition in split_conjunction(where) if element.length is None and element.variable else ():
        bound = equal_variable(element.variable or "", condition)
        if bound in relationships:
            return bound
    return None


def equal_variable(name: str, condition: ast.Expression) -> str | None:
    """Return the variable that `condition` equates with `name`."""
    if not isinstance(condition, ast.Comparison) or len(condition.rest) != 1 or condition.rest[0][0] != "=":
        return None
    sides = (condition.first, condition.rest[0][1])
    if not all(isinstance(side, ast.Variable) for side in sides):
        return None
    names = [side.name for side in sides if isinstance(side, ast.Variable)]
    return names[1 - names.index(name)] if name in names else None
