"""Rewrites of patterns for the embedded engine: inline conditions move to WHERE, quoted names become plain, keys() omits the engine's key.

A variable of a pattern is the node itself, as are the items of `nodes(path)`; any other value may be a copy, to which the engine adds a
key.

A condition inside a pattern and the same condition in the WHERE of its MATCH, OPTIONAL MATCH or comprehension are equivalent, since both
decide whether one match of the pattern counts.
"""

from __future__ import annotations

import dataclasses
import re

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import operators, type_guards
from repoquarry.graphstore.query.cypher.rewrites.templates import build
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def needs_variable_renaming(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether a pattern of the complete query has such a variable; subqueries share its names."""
    if node is not context.query:
        return False
    return any(_pattern_names(part) for part in iterate_nodes(node))


def _pattern_names(node: ast.Node) -> list[str]:
    named = isinstance(node, ast.NodePattern | ast.RelationshipPattern | ast.PathPattern)
    name = getattr(node, "variable", None) if named else None
    return [name] if isinstance(name, str) and not _PLAIN.fullmatch(name) else []


def rename_variables(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Rename every such variable of the query; columns keep the written names."""
    found = dict.fromkeys(name for part in iterate_nodes(node) for name in _pattern_names(part))
    return visitor.replace_names(node, {name: context.new_name() for name in found})


def find_pattern_nodes(query: ast.Query, context: RewriteContext) -> frozenset[str]:
    """Return variables that are nodes of patterns, or aliases of such, wherever they are nodes."""
    bound: set[str] = set()
    copied: set[str] = set()
    renamed: list[tuple[str, str]] = []
    results = {id(item) for part in query.parts for item in _result_items(part.clauses[-1])}
    for node in iterate_nodes(query):
        if id(node) in results:
            continue
        if isinstance(node, ast.NodePattern) and node.variable is not None:
            bound.add(node.variable)
        elif isinstance(node, ast.ListComprehension | ast.Quantifier | ast.Reduce | ast.Unwind):
            (bound if _are_nodes(node.source) else copied).add(node.variable)
            copied |= {node.accumulator} if isinstance(node, ast.Reduce) else set()
        elif isinstance(node, ast.Item) and node.alias is not None:
            if isinstance(node.expression, ast.Variable):
                renamed.append((node.alias, node.expression.name))
            elif types.NODE in context.analysis.type_of(node.expression).kinds:
                copied.add(node.alias)
    for _ in renamed:
        copied |= {new for new, old in renamed if old in copied}
        bound |= {new for new, old in renamed if old in bound}
    return frozenset(bound - copied)


def _result_items(clause: ast.Clause) -> tuple[ast.Item, ...]:
    """Return the columns of a RETURN that nothing reads as a value of its own: `RETURN c {.*} AS c` leaves `c` a node."""
    if not isinstance(clause, ast.Projection) or not clause.is_return:
        return ()
    parts = [part for sort in clause.order for part in iterate_nodes(sort)]
    keyed = {id(part.subject) for part in parts if isinstance(part, ast.Property)}
    sorted_by = {part.name for part in parts if isinstance(part, ast.Variable) and id(part) not in keyed}
    return tuple(item for item in clause.items if item.alias is not None and item.alias not in sorted_by)


def _are_nodes(source: ast.Expression) -> bool:
    return isinstance(source, ast.Call) and source.name.lower() == "nodes"


def can_be_copy(node: ast.Expression, context: RewriteContext) -> bool:
    """Return whether the value may be a copy of a node."""
    if types.NODE not in context.analysis.type_of(node).kinds:
        return False
    return not (isinstance(node, ast.Variable) and node.name in find_pattern_nodes(context.query, context))


def needs_key_filter(node: ast.Call, context: RewriteContext) -> bool:
    return can_be_copy(node.arguments[0], context)


def remove_engine_key(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Remove the engine's own key from keys(x) if x is a node."""
    own = "[_key IN keys($x) WHERE _key <> 'title' | _key]"
    if context.analysis.type_of(written.arguments[0]).kinds != {types.NODE}:
        own = f"CASE WHEN $x IS :: NODE THEN {own} ELSE keys($x) END"
    return type_guards.bind(node.arguments[0], context, lambda x: build(own, context, x=x))


def is_full_read_of_copy(node: ast.Call | ast.MapProjection, context: RewriteContext) -> bool:
    """Return whether properties(x) or x {.*} reads a possible copy."""
    if isinstance(node, ast.Call):
        return can_be_copy(node.arguments[0], context)
    return any(key == "*" for key, _ in node.entries) and can_be_copy(node.subject, context)


_Element = ast.NodePattern | ast.RelationshipPattern


def needs_moving(node: ast.Match | ast.PatternPredicate | ast.PatternComprehension, context: RewriteContext) -> bool:
    """Return whether a condition inside a path must move."""
    paths = node.patterns if isinstance(node, ast.Match) else (node.pattern,)
    return any(_element_needs(element, context) for path in paths for element in path.elements)


def _stays(key: str, value: ast.Expression) -> bool:
    """Return whether a property stays inside its node: the engine finds nodes by id, but none by a variable of the same MATCH."""
    return key == "id" and not any(isinstance(part, ast.Property) for part in iterate_nodes(value))


def _element_needs(element: _Element, context: RewriteContext) -> bool:
    if element.where is not None or id(element) in context.analysis.rebound:
        return True
    if isinstance(element, ast.RelationshipPattern):
        if element.group is not None:
            return True
        named_length = element.length is not None and element.variable is not None
        return (
            element.properties is not None
            or not _plain_types(element.types)
            or named_length
            or (element.length is not None and element.length.quantifier)
        )
    moved = isinstance(element.properties, ast.MapLiteral) and any(
        not _stays(key, value) or operators.needs_entry_guard(key, value, context)
        for key, value in element.properties.entries
    )
    return moved or not _plain_types(element.labels)


def _plain_types(labels: ast.LabelExpression | None) -> bool:
    """Return whether an expression is a name or alternatives of names."""
    if isinstance(labels, ast.LabelOr):
        return _plain_types(labels.left) and _plain_types(labels.right)
    return labels is None or (isinstance(labels, ast.LabelName) and labels.name.isascii())


def move_path_conditions(
    written: ast.PathPattern, path: ast.PathPattern, context: RewriteContext
) -> tuple[ast.PathPattern, ast.Expression | None]:
    """Split a path into the part that stays, and the condition that replaces the rest."""
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
        isinstance(e, ast.RelationshipPattern) and e.length is not None and e.variable is not None
        for e in written.elements
    )
    if variable is None and named_lengths and not path.shortest:
        # The engine lists relationships from the end it starts at unless a path is named.
        variable = context.new_name()
    return dataclasses.replace(path, variable=variable, elements=tuple(elements)), visitor.all_of(conditions)


def _plain_node(
    before: _Element, element: ast.NodePattern, context: RewriteContext
) -> tuple[ast.NodePattern, ast.Expression | None]:
    if not _element_needs(before, context):
        return element, None
    name = element.variable or context.new_name()
    subject = ast.Variable(name)
    kept, conditions = _split_properties(subject, before, element, context)
    labels = element.labels
    if not _plain_types(labels) and labels is not None:
        labels, rest = _split_labels(labels)
        conditions += [visitor.label_test(subject, part, of_relationship=False) for part in rest]
    if element.where is not None:
        conditions.append(element.where)
    plain = dataclasses.replace(element, variable=name, labels=labels, properties=kept, where=None)
    return plain, visitor.all_of(conditions)


def _split_properties(
    subject: ast.Variable, before: _Element, element: _Element, context: RewriteContext
) -> tuple[ast.Expression | None, list[ast.Expression]]:
    """Split the entries of a pattern into those that stay inside a node, and conditions; nothing stays in a relationship."""
    if not isinstance(element.properties, ast.MapLiteral) or not isinstance(before.properties, ast.MapLiteral):
        return element.properties, []
    kept: list[tuple[str, ast.Expression]] = []
    conditions: list[ast.Expression] = []
    for (key, written), (_, value) in zip(before.properties.entries, element.properties.entries, strict=True):
        if _stays(key, written) and isinstance(element, ast.NodePattern):
            kept.append((key, value))
        else:
            conditions.append(visitor.compare(ast.Property(subject, key), "=", value))
        if operators.needs_entry_guard(key, written, context):
            conditions.append(operators.build_entry_guard(key, subject, written, value, context))
    return (ast.MapLiteral(tuple(kept)) if kept else None), conditions


def _split_labels(labels: ast.LabelExpression) -> tuple[ast.LabelExpression | None, list[ast.LabelExpression]]:
    """Split labels into one plain part that can stay inside, and the remaining conjuncts."""
    parts = _conjuncts(labels)
    plain = next((part for part in parts if _plain_types(part)), None)
    return plain, [part for part in parts if part is not plain]


def _conjuncts(labels: ast.LabelExpression) -> list[ast.LabelExpression]:
    if isinstance(labels, ast.LabelAnd):
        return _conjuncts(labels.left) + _conjuncts(labels.right)
    return [labels]


def _plain_relationship(
    before: _Element, element: ast.RelationshipPattern, context: RewriteContext
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
        conditions.append(visitor.compare(ast.Variable(name), "=", ast.Variable(element.variable)))
    types = element.types
    if moves and name is not None:
        each = ast.Variable(name) if length is None else ast.Variable(context.new_name())
        _, tests = _split_properties(each, before, element, context)
        if types is not None and not _plain_types(types):
            types, rest = _split_labels(types)
            tests += [visitor.label_test(each, part, of_relationship=True) for part in rest]
        if length is None:
            conditions += tests
        elif tests:
            conditions.append(ast.Quantifier("all", each.name, ast.Variable(name), visitor.all_of(tests)))
        if element.where is not None:
            conditions.append(element.where)
    plain = dataclasses.replace(element, variable=name, types=types, properties=None, where=None, length=length)
    return plain, visitor.all_of(conditions)


def move_match_conditions(written: ast.Match, node: ast.Match, context: RewriteContext) -> ast.Node:
    """Move the inner conditions of a MATCH to WHERE."""
    pairs = [move_path_conditions(a, b, context) for a, b in zip(written.patterns, node.patterns, strict=True)]
    where = visitor.all_of([*(condition for _, condition in pairs), node.where])
    return dataclasses.replace(node, patterns=tuple(path for path, _ in pairs), where=where)


def move_predicate_conditions(
    written: ast.PatternPredicate, node: ast.PatternPredicate, context: RewriteContext
) -> ast.Node:
    """Rewrite a pattern predicate with inner conditions as EXISTS { }."""
    path, condition = move_path_conditions(written.pattern, node.pattern, context)
    match = ast.Match((path,), condition)
    return ast.Subquery("EXISTS", ast.Query((ast.SingleQuery((match,)),)))


def move_comprehension_conditions(
    written: ast.PatternComprehension, node: ast.PatternComprehension, context: RewriteContext
) -> ast.Node:
    path, condition = move_path_conditions(written.pattern, node.pattern, context)
    return dataclasses.replace(node, pattern=path, where=visitor.all_of([condition, node.where]))
