"""Patterns for an engine that reads only names, types and `{id: ...}` inside them: the rest moves to WHERE.

A condition inside a pattern and the same condition in the WHERE of its MATCH, OPTIONAL MATCH or comprehension mean the
same, since both decide whether one match of the pattern counts.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.rewrites.values import equality
from repoquarry.graphstore.cypher.syntax import ast, build

_KEPT_IN_PATTERNS = frozenset({"id"})
"""Properties that stay inside: they exist in every label, and the engine finds nodes by them."""

_Element = ast.NodePattern | ast.RelationshipPattern


def needs_moving(path: ast.PathPattern, context: Context) -> bool:
    """Whether something inside the path must move."""
    return any(_element_needs(element, context) for element in path.elements)


def _element_needs(element: _Element, context: Context) -> bool:
    if element.where is not None or id(element) in context.analysis.rebound:
        return True
    if isinstance(element, ast.RelationshipPattern):
        named_length = element.length is not None and element.variable is not None
        return (
            element.properties is not None
            or not _plain_types(element.types)
            or named_length
            or (element.length is not None and element.length.quantifier)
        )
    moved = isinstance(element.properties, ast.MapLiteral) and any(
        key not in _KEPT_IN_PATTERNS or equality.may_spell_list(key, value, context)
        for key, value in element.properties.entries
    )
    return moved or not _plain_types(element.labels)


def _plain_types(labels: ast.LabelExpression | None) -> bool:
    """Whether it is a name or alternatives of names."""
    if isinstance(labels, ast.LabelOr):
        return _plain_types(labels.left) and _plain_types(labels.right)
    return labels is None or (isinstance(labels, ast.LabelName) and labels.name.isascii())


def plain_path(
    written: ast.PathPattern, path: ast.PathPattern, context: Context
) -> tuple[ast.PathPattern, ast.Expression | None]:
    """The path without what cannot stay inside, and the condition that takes its place."""
    elements: list[_Element] = []
    conditions: list[ast.Expression | None] = []
    for before, element in zip(written.elements, path.elements, strict=True):
        plain: _Element
        if isinstance(element, ast.NodePattern):
            plain, condition = _plain_node(before, element, context)
        else:
            plain, condition = _plain_relationship(before, element, context)
        elements.append(plain)
        conditions.append(condition)
    variable = path.variable
    named_lengths = any(
        isinstance(e, ast.RelationshipPattern) and e.length is not None and e.variable is not None for e in elements
    )
    if variable is None and named_lengths and not path.shortest:
        variable = context.new_name()  # the engine lists relationships from the end it starts at unless a path is named
    return dataclasses.replace(path, variable=variable, elements=tuple(elements)), build.all_of(conditions)


def _plain_node(
    before: _Element, element: ast.NodePattern, context: Context
) -> tuple[ast.NodePattern, ast.Expression | None]:
    if not _element_needs(before, context):
        return element, None
    name = element.variable or context.new_name()
    subject = ast.Variable(name)
    kept, conditions = _split_properties(subject, before, element, context)
    labels = element.labels
    if not _plain_types(labels) and labels is not None:
        labels, rest = _split_labels(labels)
        conditions += [build.label_test(subject, part, of_relationship=False) for part in rest]
    if element.where is not None:
        conditions.append(element.where)
    plain = dataclasses.replace(element, variable=name, labels=labels, properties=kept, where=None)
    return plain, build.all_of(conditions)


def _split_properties(
    subject: ast.Variable, before: _Element, element: _Element, context: Context
) -> tuple[ast.Expression | None, list[ast.Expression]]:
    """The entries that stay inside a pattern of a node, and the others as conditions; nothing stays in a relationship."""
    if not isinstance(element.properties, ast.MapLiteral) or not isinstance(before.properties, ast.MapLiteral):
        return element.properties, []
    kept: list[tuple[str, ast.Expression]] = []
    conditions: list[ast.Expression] = []
    for (key, written), (_, value) in zip(before.properties.entries, element.properties.entries, strict=True):
        if key in _KEPT_IN_PATTERNS and isinstance(element, ast.NodePattern):
            kept.append((key, value))
        else:
            conditions.append(build.compare(ast.Property(subject, key), "=", value))
        if equality.may_spell_list(key, written, context):
            conditions.append(equality.entry_guard(key, subject, written, value, context))
    return (ast.MapLiteral(tuple(kept)) if kept else None), conditions


def _split_labels(labels: ast.LabelExpression) -> tuple[ast.LabelExpression | None, list[ast.LabelExpression]]:
    """One plain part that can stay inside, and the parts of the conjunction that cannot."""
    parts = _conjuncts(labels)
    plain = next((part for part in parts if _plain_types(part)), None)
    return plain, [part for part in parts if part is not plain]


def _conjuncts(labels: ast.LabelExpression) -> list[ast.LabelExpression]:
    if isinstance(labels, ast.LabelAnd):
        return _conjuncts(labels.left) + _conjuncts(labels.right)
    return [labels]


def _plain_relationship(
    before: _Element, element: ast.RelationshipPattern, context: Context
) -> tuple[ast.RelationshipPattern, ast.Expression | None]:
    if not _element_needs(before, context):
        return element, None
    length = element.length
    if length is not None and length.quantifier:
        length = dataclasses.replace(length, quantifier=False)
    rebound = id(before) in context.analysis.rebound
    moves = element.properties is not None or not _plain_types(element.types) or element.where is not None
    name = element.variable
    if rebound or (name is None and moves):
        name = context.new_name()
    conditions: list[ast.Expression] = []
    if rebound and element.variable is not None and name is not None:
        conditions.append(build.compare(ast.Variable(name), "=", ast.Variable(element.variable)))
    types = element.types
    if moves and name is not None:
        each = ast.Variable(name) if length is None else ast.Variable(context.new_name())
        _, tests = _split_properties(each, before, element, context)
        if types is not None and not _plain_types(types):
            types, rest = _split_labels(types)
            tests += [build.label_test(each, part, of_relationship=True) for part in rest]
        if length is None:
            conditions += tests
        elif tests:
            conditions.append(ast.Quantifier("all", each.name, ast.Variable(name), build.all_of(tests)))
        if element.where is not None:
            conditions.append(element.where)
    plain = dataclasses.replace(element, variable=name, types=types, properties=None, where=None, length=length)
    return plain, build.all_of(conditions)


def match_needs(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Match) and any(needs_moving(path, context) for path in node.patterns)


def plain_match(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """A MATCH with its inner conditions in WHERE."""
    if not isinstance(node, ast.Match) or not isinstance(written, ast.Match):
        raise TypeError("not a MATCH")
    pairs = [plain_path(a, b, context) for a, b in zip(written.patterns, node.patterns, strict=True)]
    where = build.all_of([*(condition for _, condition in pairs), node.where])
    return dataclasses.replace(node, patterns=tuple(path for path, _ in pairs), where=where)


def predicate_needs(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.PatternPredicate) and needs_moving(node.pattern, context)


def plain_predicate(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """A pattern predicate with inner conditions as EXISTS { }."""
    if not isinstance(node, ast.PatternPredicate) or not isinstance(written, ast.PatternPredicate):
        raise TypeError("not a pattern predicate")
    path, condition = plain_path(written.pattern, node.pattern, context)
    match = ast.Match(False, (path,), condition)
    return ast.Subquery("EXISTS", ast.Query((ast.SingleQuery((match,)),)))


def comprehension_needs(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.PatternComprehension) and needs_moving(node.pattern, context)


def plain_comprehension(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    if not isinstance(node, ast.PatternComprehension) or not isinstance(written, ast.PatternComprehension):
        raise TypeError("not a pattern comprehension")
    path, condition = plain_path(written.pattern, node.pattern, context)
    return dataclasses.replace(node, pattern=path, where=build.all_of([condition, node.where]))
