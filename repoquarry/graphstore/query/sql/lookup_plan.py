"""Plans of lookups: queries that begin at nodes with a known id or name, answered from arrays without planning of SQL.

DuckDB plans even the smallest query in milliseconds. A plan has one arm for each part of a UNION ALL: an UNWIND of a parameter or
none, one MATCH of a path without variable lengths, and a RETURN of variables and properties. All other queries have no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, split_conjunction
from repoquarry.graphstore.query.sql.expression_compiler import label_set
from repoquarry.graphstore.query.sql.lookup_expressions import can_evaluate
from repoquarry.graphstore.query.sql.select_builder import ALL_LABELS, ALL_TYPES
from repoquarry.graphstore.query.sql.sql_types import NODE, NULL, RELATIONSHIP, SqlType

ANCHOR_KEYS: Final = ("id", "name")
"""Properties by which nodes are found, the more selective one first."""


@dataclass(frozen=True)
class Anchor:
    """Node where an arm begins: its property `key` equals `value`, or is in it if `is_list`."""

    place: int
    key: str
    value: ast.Expression
    is_list: bool


@dataclass(frozen=True)
class Hop:
    """Step from the bound node at place `source` of a path to the one at `target`, along relationship `step`."""

    source: int
    target: int
    step: int
    types: frozenset[str]
    direction: ast.Direction
    labels: frozenset[str]
    """Labels of the target."""


@dataclass(frozen=True)
class LookupArm:
    """Part of a UNION ALL. `nodes` and `steps` are the variables of the path, empty where there is none."""

    unwind: ast.Unwind | None
    anchor: Anchor
    labels: frozenset[str]
    """Labels of the anchor."""
    hops: tuple[Hop, ...]
    nodes: tuple[str, ...]
    steps: tuple[str, ...]
    conditions: tuple[ast.Expression, ...]
    """All conditions, with that of the anchor, which only chooses candidates."""
    items: tuple[ast.Expression, ...]


@dataclass(frozen=True)
class LookupPlan:
    columns: tuple[str, ...]
    types: tuple[SqlType, ...]
    """For each column NODE, RELATIONSHIP, or NULL for a value that needs no conversion."""
    arms: tuple[LookupArm, ...]


@lru_cache(maxsize=512)
def plan_lookup(text: str) -> LookupPlan | None:
    """Return the plan of a query that passed the gate, or None if it is no lookup."""
    tree = parse(text)
    if len(tree.parts) > 1 and not tree.keep_duplicates:
        return None
    found = [_plan_arm(part) for part in tree.parts]
    arms = [arm for arm in found if arm is not None]
    if len(arms) < len(found):
        return None
    last = tree.parts[0].clauses[-1]
    assert isinstance(last, ast.Projection)  # noqa: S101 - each arm ends in RETURN
    columns = tuple(item.name if item.name is not None else text[item.start : item.end] for item in last.items)
    types = {tuple(_type(item, arm) for item in arm.items) for arm in arms}
    return LookupPlan(columns, types.pop(), tuple(arms)) if len(types) == 1 else None


def _plan_arm(part: ast.SingleQuery) -> LookupArm | None:
    unwind = part.clauses[0] if isinstance(part.clauses[0], ast.Unwind) else None
    rest = part.clauses[1:] if unwind is not None else part.clauses
    if len(rest) != 2:
        return None
    match, projection = rest
    if not isinstance(match, ast.Match) or not isinstance(projection, ast.Projection):
        return None
    if match.optional or len(match.patterns) != 1 or not _is_plain(projection):
        return None
    if unwind is not None and (unwind.search is not None or not isinstance(unwind.source, ast.Parameter)):
        return None
    path = match.patterns[0]
    outer = frozenset({unwind.variable}) if unwind is not None else frozenset[str]()
    if path.variable or path.shortest or not _has_plain_steps(path, outer):
        return None
    conditions = [*split_conjunction(match.where), *_pattern_conditions(path)]
    items = [item.expression for item in projection.items]
    anchor = _find_anchor(path, conditions, outer)
    parts = (*conditions, *items)
    if anchor is None or not all(map(can_evaluate, parts)) or any(_reads(part, outer) for part in parts):
        return None
    return LookupArm(
        unwind,
        anchor,
        label_set(path.nodes[anchor.place].labels, ALL_LABELS),
        tuple(_hops(path, anchor.place)),
        tuple(node.variable or _hidden(place) for place, node in enumerate(path.nodes)),
        tuple(step.variable or "" for step in path.steps),
        tuple(conditions),
        tuple(items),
    )


def _is_plain(projection: ast.Projection) -> bool:
    has_more = projection.distinct or projection.star or projection.order or projection.skip or projection.limit
    return projection.is_return and not has_more and projection.where is None


def _has_plain_steps(path: ast.PathPattern, outer: frozenset[str]) -> bool:
    if any(step.length is not None or step.group is not None for step in path.steps):
        return False
    names = [
        element.variable for element in path.elements if isinstance(element, ast.NodePattern | ast.RelationshipPattern)
    ]
    bound = [name for name in names if name]
    return len({*bound}) == len(bound) and outer.isdisjoint(bound)


def _hidden(place: int) -> str:
    """Return the name of a node without a variable, which no query can write."""
    return f" {place}"


def _pattern_conditions(path: ast.PathPattern) -> Iterator[ast.Expression]:
    """Yield the properties and conditions inside of a path as conditions of the MATCH; a form without a plan is yielded as it is."""
    for place, element in enumerate(path.elements):
        name = element.variable or (_hidden(place // 2) if isinstance(element, ast.NodePattern) else "")
        if element.where is not None:
            yield from split_conjunction(element.where)
        if isinstance(element.properties, ast.MapLiteral) and name:
            for key, value in element.properties.entries:
                yield ast.Comparison(ast.Property(ast.Variable(name), key), (("=", value),))
        elif element.properties is not None:
            yield element.properties


def _find_anchor(path: ast.PathPattern, conditions: Sequence[ast.Expression], outer: frozenset[str]) -> Anchor | None:
    places = {node.variable or _hidden(place): place for place, node in enumerate(path.nodes)}
    for key in ANCHOR_KEYS:
        for condition in conditions:
            found = _equality(condition)
            if found is None or found[0].key != key or not _is_known(found[1], outer):
                continue
            subject = found[0].subject
            if isinstance(subject, ast.Variable) and subject.name in places:
                return Anchor(places[subject.name], key, found[1], found[2])
    return None


def _equality(condition: ast.Expression) -> tuple[ast.Property, ast.Expression, bool] | None:
    """Return the property, value and whether the value is a list, of `property = value` or `property IN value`."""
    match condition:
        case ast.Comparison(first=ast.Property() as subject, rest=(("=", value),)):
            return subject, value, False
        case ast.Comparison(first=value, rest=(("=", ast.Property() as subject),)):
            return subject, value, False
        case ast.Binary(operator="IN", left=ast.Property() as subject, right=value):
            return subject, value, True
    return None


def _is_known(value: ast.Expression, outer: frozenset[str]) -> bool:
    return all(part.name in outer for part in iterate_nodes(value) if isinstance(part, ast.Variable))


def _reads(expression: ast.Expression, outer: frozenset[str]) -> bool:
    """Return whether a property of an unwound value is read, which may be of any kind."""
    subjects = (p.subject for p in iterate_nodes(expression) if isinstance(p, ast.Property | ast.HasLabels))
    return any(isinstance(subject, ast.Variable) and subject.name in outer for subject in subjects)


def _hops(path: ast.PathPattern, anchor: int) -> Iterator[Hop]:
    """Yield the steps from the anchor to the end of the path, then those to its start."""
    flipped = {ast.Direction.OUT: ast.Direction.IN, ast.Direction.IN: ast.Direction.OUT}
    for place in range(anchor, len(path.steps)):
        yield _hop(path, place, place + 1, place, path.steps[place].direction)
    for place in range(anchor - 1, -1, -1):
        direction = path.steps[place].direction
        yield _hop(path, place + 1, place, place, flipped.get(direction, direction))


def _hop(path: ast.PathPattern, source: int, target: int, step: int, direction: ast.Direction) -> Hop:
    labels = label_set(path.nodes[target].labels, ALL_LABELS)
    return Hop(source, target, step, label_set(path.steps[step].types, ALL_TYPES), direction, labels)


def _type(item: ast.Expression, arm: LookupArm) -> SqlType:
    if not isinstance(item, ast.Variable):
        return NULL
    types: Mapping[str, SqlType] = {**dict.fromkeys(arm.steps, RELATIONSHIP), **dict.fromkeys(arm.nodes, NODE)}
    return types.get(item.name, NULL)
