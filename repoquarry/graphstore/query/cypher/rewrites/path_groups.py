"""Rewrites of repeated path groups, as in `((a)-[r]->(b)){1,3}`, to one quantified relationship or one pattern per number of repeats.

`((a)-[r:CALLS]->(b) WHERE a.is_test){1,3}` repeats one relationship: it finds the paths of `-[r:CALLS]->{1,3}` whose relationships all
fulfill the condition, with startNode() and endNode() for the nodes, and `r` is the same list. The lists of its nodes have no counterpart
there, so they must be unused.

Any other group is expanded: a subquery has one pattern for each number of repetitions, joined by UNION ALL, whose conditions are
tested in WHERE, and which returns the lists. Nodes where two repetitions meet, or the first and the last of all, are one node.
"""

from __future__ import annotations

import dataclasses
import itertools
import operator
from collections.abc import Iterator, Mapping

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.operators import build_size_guard
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    iterate_nodes,
    replace_names,
    split_conjunction,
    used_names,
)

_Element = ast.NodePattern | ast.RelationshipPattern
_ANY_NODE = ast.NodePattern()
_MAX_STEPS = 128
"""Maximum relationships of all patterns of a clause that is written out: 120 are one step repeated up to 15 times."""


def is_single_relationship(node: ast.RelationshipPattern, context: RewriteContext) -> bool:
    """Return whether a group repeats one relationship, so that its conditions can be tested on each relationship of a path."""
    if node.group is None or len(node.group.elements) != 3:
        return False
    ends = [element for element in node.group.elements if isinstance(element, ast.NodePattern)]
    names = {end.variable for end in ends if end.variable is not None}
    closes = ends[0].variable is not None and ends[0].variable == ends[-1].variable
    step = node.group.elements[1]
    reads_ends = any(end.labels or end.properties or end.where for end in ends) or node.group.where is not None
    is_directed = isinstance(step, ast.RelationshipPattern) and step.direction is not ast.Direction.BOTH
    conditions = [*(element.where for element in node.group.elements), node.group.where]
    return (
        not closes
        and all(_has_literals(element) for element in node.group.elements)
        and not _used(names, node.group, context.query)
        and (is_directed or not reads_ends)
        and all(_reads_values_only(part, names) for part in conditions if part is not None)
    )


def _has_literals(element: _Element) -> bool:
    entries = element.properties.entries if isinstance(element.properties, ast.MapLiteral) else ()
    return element.properties is None or all(isinstance(value, ast.Literal) for _, value in entries)


def _reads_values_only(condition: ast.Expression, names: set[str]) -> bool:
    """Return whether a condition reads nodes by property, label or comparison, as the engine allows for startNode() and endNode()."""
    held: set[int] = set()
    for part in iterate_nodes(condition):
        if isinstance(part, ast.Property | ast.HasLabels):
            held.add(id(part.subject))
        elif isinstance(part, ast.Comparison):
            held |= {*map(id, part.operands)}
        elif isinstance(part, ast.PathPattern | ast.Subquery):
            return False
    return all(
        id(part) in held for part in iterate_nodes(condition) if isinstance(part, ast.Variable) and part.name in names
    )


def is_unsupported_group(node: ast.RelationshipPattern, context: RewriteContext) -> bool:
    """Return whether it is any other group."""
    return node.group is not None and not is_single_relationship(node, context)


def _used(names: set[str], group: ast.PathGroup, query: ast.Query) -> bool:
    """Return whether one of the names may be read outside of the group; `*` reads every name in scope."""
    inside = {id(node) for node in iterate_nodes(group)}
    return bool(names) and any(
        (isinstance(node, ast.Variable) and node.name in names and id(node) not in inside)
        or (isinstance(node, ast.Projection) and node.star)
        for node in iterate_nodes(query)
    )


def convert_to_relationship(
    written: ast.RelationshipPattern, node: ast.RelationshipPattern, context: RewriteContext
) -> ast.Node:
    """Convert a group of one relationship, whose conditions are then tested on each relationship, to a quantified relationship."""
    group = node.group
    step = group.elements[1] if group is not None else None
    if group is None or not isinstance(step, ast.RelationshipPattern):
        raise TypeError("not a quantified path group")
    each = ast.Variable(context.new_name())
    values: dict[str, ast.Expression] = {step.variable: each} if step.variable is not None else {}
    conditions: list[ast.Expression | None] = []
    nodes = [element for element in group.elements if isinstance(element, ast.NodePattern)]
    functions = ("startNode", "endNode") if step.direction is ast.Direction.OUT else ("endNode", "startNode")
    for end, function in zip(nodes, functions, strict=True):
        subject = visitor.call(function, each)
        if end.variable is not None:
            values[end.variable] = subject
        if end.labels is not None:
            conditions.append(visitor.label_test(subject, end.labels, of_relationship=False))
        conditions += _equalities(subject, end)
        conditions.append(end.where)
    condition = visitor.all_of([*conditions, *_equalities(each, step), step.where, group.where])
    plain = dataclasses.replace(step, length=node.length, properties=None, where=None, start=node.start, end=node.end)
    return plain if condition is None else _with_condition(plain, each, _replaced(condition, values), context)


def _equalities(subject: ast.Expression, element: _Element) -> list[ast.Expression]:
    """Return the properties of an element as conditions; the sizes of strings are compared as well, as by `=`."""
    conditions: list[ast.Expression] = []
    for key, value in element.properties.entries if isinstance(element.properties, ast.MapLiteral) else ():
        conditions.append(visitor.compare(ast.Property(subject, key), "=", value))
        if isinstance(value, ast.Literal) and isinstance(value.value, str):
            conditions.append(build_size_guard(ast.Property(subject, key), "=", value))
    return conditions


def has_inner_condition(node: ast.RelationshipPattern, context: RewriteContext) -> bool:
    """Return whether it is a quantified relationship with WHERE, such as `-[r:CALLS WHERE r.count > 1]->{1,3}`."""
    return node.group is None and node.length is not None and node.where is not None


def check_each_relationship(
    written: ast.Node, node: ast.RelationshipPattern, context: RewriteContext
) -> ast.RelationshipPattern:
    """Check the WHERE of a quantified relationship on each relationship of its list."""
    each = ast.Variable(context.new_name())
    condition = _replaced(node.where or visitor.TRUE, {node.variable: each} if node.variable is not None else {})
    return _with_condition(dataclasses.replace(node, where=None), each, condition, context)


def _with_condition(
    step: ast.RelationshipPattern, each: ast.Variable, condition: ast.Expression, context: RewriteContext
) -> ast.RelationshipPattern:
    name = step.variable or context.new_name()
    return dataclasses.replace(
        step, variable=name, where=ast.Quantifier("all", each.name, ast.Variable(name), condition)
    )


def _replaced(node: ast.Expression, values: Mapping[str, ast.Expression]) -> ast.Expression:
    return visitor.replace_expressions(
        node, lambda part: values.get(part.name) if isinstance(part, ast.Variable) else None
    )


def needs_expansion(node: ast.SingleQuery, context: RewriteContext) -> bool:
    return any(_groups_to_expand(clause, context) for clause in node.clauses)


def expand_groups(written: ast.SingleQuery, node: ast.SingleQuery, context: RewriteContext) -> ast.Node:
    """Write out every group other than a quantified relationship, if it has few enough patterns."""
    clauses = tuple(
        _Expansion(before, clause, context).build()
        if isinstance(before, ast.Match) and isinstance(clause, ast.Match) and _groups_to_expand(before, context)
        else clause
        for before, clause in zip(written.clauses, node.clauses, strict=True)
    )
    return dataclasses.replace(node, clauses=clauses)


def _groups_to_expand(clause: ast.Clause, context: RewriteContext) -> dict[int, range]:
    """Return the numbers of repetitions by the id of a group's step; none if the clause cannot be written out."""
    found: dict[int, range] = {}
    sizes: list[int] = []
    needed = False
    for path in clause.patterns if isinstance(clause, ast.Match) and not clause.optional else ():
        for step in path.elements:
            if not isinstance(step, ast.RelationshipPattern) or step.group is None:
                continue
            needed = needed or is_unsupported_group(step, context)
            low, high = length_bounds(step.length, context)
            if path.variable is not None and not low:  # No repetition cuts the path in two.
                return {}
            found[id(step)] = range(low, high + 1)
            sizes.append(len(step.group.elements) // 2)
    if not needed:
        return {}
    arms = itertools.islice(itertools.product(*found.values()), _MAX_STEPS)
    steps = sum(sum(map(operator.mul, counts, sizes)) for counts in arms)
    return found if steps <= _MAX_STEPS else {}


def length_bounds(length: ast.Length | None, context: RewriteContext) -> tuple[int, int]:
    """Return the least and the greatest number of repetitions; the setting `path_hops` bounds an open length."""
    low, high = (length.low, length.high) if length is not None else (0, 0)
    return low or 0, context.path_hops if high is None else high


class _Expansion:
    """Expansion of one MATCH into a subquery; `written` is the clause that the analysis has seen."""

    def __init__(self, written: ast.Match, clause: ast.Match, context: RewriteContext) -> None:
        self._written = written
        self._clause = clause
        self._context = context
        groups = [node for node in iterate_nodes(written) if isinstance(node, ast.PathGroup)]
        self._unused = {
            element.variable
            for group in groups
            for element in group.elements
            if element.variable is not None and not _used({element.variable}, group, context.query)
        }
        self._columns = [name for name in context.analysis.introduced[id(written)] if name not in self._unused]
        self._lists: dict[str, list[ast.Expression]] = {}
        self._conditions: list[ast.Expression | None] = []

    def build(self) -> ast.CallSubquery:
        ranges = _groups_to_expand(self._written, self._context)
        if any(length.high is None for length in iterate_nodes(self._written) if isinstance(length, ast.Length)):
            self._context.cut_path_bound = self._context.path_hops
        arms = tuple(
            self._arm(dict(zip(ranges, counts, strict=True))) for counts in itertools.product(*ranges.values())
        )
        return ast.CallSubquery(ast.Query(arms, keep_duplicates=len(arms) > 1), (), import_all=True)

    def _arm(self, counts: Mapping[int, int]) -> ast.SingleQuery:
        """Build the query for these numbers of repetitions."""
        self._lists, self._conditions = {}, []
        pairs = zip(self._written.patterns, self._clause.patterns, strict=True)
        paths = tuple(part for before, path in pairs for part in self._paths(before, path, counts))
        conditions = [
            part for condition in (*self._conditions, self._clause.where) for part in split_conjunction(condition)
        ]
        behind = [part for part in conditions if used_names(part) & self._lists.keys()]
        match = ast.Match(paths, visitor.all_of([part for part in conditions if part not in behind]))
        items = tuple(ast.Item(ast.ListLiteral(tuple(values)), name) for name, values in self._lists.items())
        lists = ast.Projection(False, items, star=True, where=visitor.all_of(behind))
        names = self._columns or [self._context.new_name()]
        columns = tuple(ast.Item(ast.Variable(name) if self._columns else visitor.TRUE, name) for name in names)
        returned = ast.Projection(True, columns)
        return ast.SingleQuery((match, lists, returned) if items else (match, returned))

    def _paths(
        self, written: ast.PathPattern, path: ast.PathPattern, counts: Mapping[int, int]
    ) -> Iterator[ast.PathPattern]:
        """Yield the path with its groups written out, in two parts around a group without repetition."""
        elements: list[_Element] = [path.elements[0]]
        for at in range(1, len(path.elements), 2):
            step, end = path.elements[at], path.elements[at + 1]
            count = counts.get(id(written.elements[at]))
            if count is None or not isinstance(step, ast.RelationshipPattern) or step.group is None:
                elements += [step, end]
                continue
            for element in step.group.elements:
                if element.variable is not None and element.variable not in self._unused:
                    self._lists.setdefault(element.variable, [])
            for number in range(1, count + 1):
                self._repeat(step.group, elements, end if number == count else _ANY_NODE)
            if count == 0:
                left, right = self._named(elements[-1]), self._named(end)
                yield dataclasses.replace(path, elements=(*elements[:-1], left))
                elements = [right]
                self._conditions += _same_node(left.variable or "", right.variable or "")
        yield dataclasses.replace(path, elements=tuple(elements))

    def _named(self, element: _Element) -> _Element:
        return dataclasses.replace(element, variable=element.variable or self._context.new_name())

    def _repeat(self, group: ast.PathGroup, elements: list[_Element], end: _Element) -> None:
        """Append one repetition to the elements of a path, whose last node is `end`."""
        names: dict[str, str] = {}
        conditions: list[ast.Expression | None] = []
        for number, element in enumerate(group.elements):
            if number:
                elements.append(end if number == len(group.elements) - 1 else _bare(element))
            elements[-1], labels = _with_labels(self._named(elements[-1]), element)
            name = elements[-1].variable or ""
            subject = ast.Variable(name)
            if labels is not None:
                conditions.append(visitor.label_test(subject, labels, of_relationship=False))
            if element.variable is not None and element.variable in names:
                conditions.append(visitor.compare(ast.Variable(names[element.variable]), "=", subject))
            elif element.variable is not None:
                names[element.variable] = name
                self._lists.get(element.variable, []).append(subject)
            entries = element.properties.entries if isinstance(element.properties, ast.MapLiteral) else ()
            conditions += [visitor.compare(ast.Property(subject, key), "=", value) for key, value in entries]
            conditions.append(element.where)
        conditions.append(group.where)
        self._conditions += [None if part is None else replace_names(part, names) for part in conditions]


def _same_node(left: str, right: str) -> list[ast.Expression | None]:
    """Return the condition that two variables are one node; the engine looks the second one up by its id."""
    one, other = ast.Variable(left), ast.Variable(right)
    same_id = visitor.compare(ast.Property(other, "id"), "=", ast.Property(one, "id"))
    return [same_id, visitor.compare(other, "=", one)]


def _with_labels(node: _Element, element: _Element) -> tuple[_Element, ast.LabelExpression | None]:
    """Return the node of the path with the labels of the group's node, or these as a rest if the node has its own."""
    labels = element.labels if isinstance(element, ast.NodePattern) else None
    if isinstance(node, ast.NodePattern) and node.labels is None:
        return dataclasses.replace(node, labels=labels), None
    return node, labels


def _bare(element: _Element) -> _Element:
    """Return the element with nothing but its type and direction."""
    if isinstance(element, ast.RelationshipPattern):
        return dataclasses.replace(element, variable=None, properties=None, where=None)
    return _ANY_NODE
