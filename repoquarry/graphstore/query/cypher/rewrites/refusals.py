"""Predicates that find constructs which the embedded engine (kglite) answers incorrectly; most are refused, a few rewritten."""

from __future__ import annotations

import dataclasses
import math

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import (
    patterns,
    strings,
    type_guards,
)
from repoquarry.graphstore.query.cypher.semantics import scope, types
from repoquarry.graphstore.query.cypher.semantics.types import EVERY, SIGNATURES, Type
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes

_ENTITIES = frozenset({types.NODE, types.RELATIONSHIP})
_SCALAR_TYPES = frozenset({"BOOLEAN", "INTEGER", "FLOAT", "STRING"})


def has_known_type(found: Type) -> bool:
    return bool(found.kinds) and found.kinds != EVERY


def has_mistyped_argument(node: ast.Call, context: RewriteContext) -> bool:
    signature = SIGNATURES.get(node.name.lower())
    if signature is None or not signature.arguments:
        return False
    for i, argument in enumerate(node.arguments):
        wanted = signature.arguments[min(i, len(signature.arguments) - 1)]
        found = context.analysis.type_of(argument)
        if has_known_type(found) and not found.holds(*wanted.kinds) and node.name.lower() != "tail":
            return True
    return False


def has_mistyped_operand(node: ast.Node, context: RewriteContext) -> bool:
    if isinstance(node, ast.Case):
        return any(has_mistyped_operand(when, context) for when in node.whens)
    if isinstance(node, ast.Binary) and node.operator == "+":
        left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right)
        either = left.kinds | right.kinds
        numbers = left.holds(*type_guards.NUMBERS) and right.holds(*type_guards.NUMBERS)
        is_known = has_known_type(left) and has_known_type(right)
        return is_known and types.LIST not in either and types.STRING not in either and not numbers
    if isinstance(node, ast.Unary) and node.operator != "NOT":
        return False
    found = ((context.analysis.type_of(operand), wanted) for operand, wanted in type_guards.list_operands(node))
    return any(has_known_type(one) and not one.holds(*wanted) for one, wanted in found)


def is_property_of_value(node: ast.Property, context: RewriteContext) -> bool:
    """Return whether the subject cannot be a map, node or relationship: Neo4j fails at run time, the engine may read another variable."""
    if isinstance(node.subject, ast.Call):  # A function is refused by its own reason.
        return False
    found = context.analysis.type_of(node.subject)
    return has_known_type(found) and not found.holds(*type_guards.WITH_PROPERTIES)


def _mixes_numbers(found: Type) -> bool:
    if not has_known_type(found):
        return False
    if found.kinds >= type_guards.NUMBERS:
        return True
    return types.LIST in found.kinds and found.item is not None and _mixes_numbers(found.item)


def has_mixed_grouping(node: ast.Call | ast.Projection, context: RewriteContext) -> bool:
    if isinstance(node, ast.Call):
        return node.distinct and any(_mixes_numbers(context.analysis.type_of(a)) for a in node.arguments)
    keys = [i.expression for i in node.items if not scope.has_aggregation(i.expression)]
    grouped = node.distinct or len(keys) < len(node.items)
    return grouped and any(_mixes_numbers(context.analysis.type_of(key)) for key in keys)


def has_mixed_union(node: ast.Query, context: RewriteContext) -> bool:
    if node.keep_duplicates or len(node.parts) < 2:
        return False
    columns: dict[str, list[Type]] = {}
    for part in node.parts:
        last = part.clauses[-1]
        for item in last.items if isinstance(last, ast.Projection) else ():
            columns.setdefault(item.name or "", []).append(context.analysis.type_of(item.expression))
    return any(_mixes_numbers(types.union(*found)) for found in columns.values())


def is_type_list(node: ast.Call, context: RewriteContext) -> bool:
    found = context.analysis.type_of(node.arguments[0])
    return types.LIST in found.kinds and not _one_kind(found)


def _one_kind(found: Type) -> bool:
    """Return whether it is a list whose items, and nested items, have one type."""
    if found.kinds != {types.LIST}:
        return len(found.kinds) == 1
    return len(found.items.kinds) == 1 and _one_kind(found.items)


def has_compound_type(node: ast.IsTyped, context: RewriteContext) -> bool:
    return node.type_name.removesuffix(" NOT NULL") not in _SCALAR_TYPES


def has_ordered_maps(node: ast.Comparison, context: RewriteContext) -> bool:
    inequality = any(operator not in ("=", "<>") for operator, _ in node.rest)
    return inequality and any(context.analysis.type_of(one).kinds == {types.MAP} for one in node.operands)


def has_null_bound(node: ast.Slice, context: RewriteContext) -> bool:
    return any(
        bound is not None and context.analysis.type_of(bound).kinds != {types.INTEGER}
        for bound in (node.low, node.high)
    )


_ENGINE_KEYS = frozenset({"title", "type", "label", "node_type"})
"""Keys that kglite answers for every node and relationship from its own data."""


def is_engine_key(node: ast.Property, context: RewriteContext) -> bool:
    return node.key in _ENGINE_KEYS and context.analysis.type_of(node.subject).kinds <= _ENTITIES


def can_be_engine_key(node: ast.Property, context: RewriteContext) -> bool:
    kinds = context.analysis.type_of(node.subject).kinds
    return node.key in _ENGINE_KEYS and not kinds <= _ENTITIES and bool(kinds & _ENTITIES)


def rewrite_as_null(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    return visitor.NULL


def has_computed_key(node: ast.Index, context: RewriteContext) -> bool:
    kinds = context.analysis.type_of(node.subject).kinds
    if kinds == EVERY or not kinds & _ENTITIES or reads_properties(node, context):
        return False
    return not isinstance(node.index, ast.Literal) or node.index.value in _ENGINE_KEYS


def reads_properties(node: ast.Index, context: RewriteContext) -> bool:
    """Return whether it is n[key] of a variable that is a node or relationship of a pattern, or null."""
    if not isinstance(node.subject, ast.Variable) or isinstance(node.index, ast.Literal):
        return False
    found, key = context.analysis.type_of(node.subject).kinds, context.analysis.type_of(node.index).kinds
    is_element = found <= {types.NODE} or found <= {types.RELATIONSHIP}
    return is_element and key <= {types.STRING} and not patterns.can_be_copy(node.subject, context)


def read_properties(written: ast.Index, node: ast.Index, context: RewriteContext) -> ast.Node:
    return dataclasses.replace(node, subject=visitor.call("properties", node.subject))


def _is_endpoint(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in ("startnode", "endnode")


def is_loose_endpoint(node: ast.Query, context: RewriteContext) -> bool:
    """Return whether startNode(r) is used other than below `.`, labels(), a comparison and the like, where the engine returns a node."""
    held: set[int] = set()
    for part in iterate_nodes(node):
        if isinstance(part, ast.Property | ast.HasLabels):
            held.add(id(part.subject))
        elif isinstance(part, ast.Comparison):
            held |= {*map(id, part.operands)}
        elif isinstance(part, ast.Call) and part.name.lower() in ("labels", "properties", "keys"):
            held.add(id(part.arguments[0]))
        elif isinstance(part, ast.IsNull):
            held.add(id(part.operand))
    return any(_is_endpoint(part) and id(part) not in held for part in iterate_nodes(node))


def is_endpoint_of_other(node: ast.Call, context: RewriteContext) -> bool:
    return bool(type_guards.unexpected_kinds(node.arguments[0], frozenset({types.RELATIONSHIP}), context))


def is_full_map_read(node: ast.MapProjection, context: RewriteContext) -> bool:
    return context.analysis.type_of(node.subject).kinds not in ({types.NODE}, {types.RELATIONSHIP}) and any(
        key == "*" for key, _ in node.entries
    )


def has_entity_sort(node: ast.Sort, context: RewriteContext) -> bool:
    found = context.analysis.type_of(node.expression)
    return has_known_type(found) and found.holds(types.NODE, types.RELATIONSHIP, types.PATH)


def is_shortest_path_value(node: ast.PatternPredicate, context: RewriteContext) -> bool:
    return bool(node.pattern.shortest)


def is_infinite_or_nan(node: ast.Literal, context: RewriteContext) -> bool:
    return isinstance(node.value, float) and not math.isfinite(node.value)


def is_character_split(node: ast.Call, context: RewriteContext) -> bool:
    by = node.arguments[1]
    found = context.analysis.type_of(by)
    if strings.parse_separators(by):
        return False
    return (isinstance(by, ast.Literal) and by.value == "") or (has_known_type(found) and types.LIST in found.kinds)


def has_rebound_list(node: ast.RelationshipPattern, context: RewriteContext) -> bool:
    return node.length is not None and id(node) in context.analysis.rebound


def divides_by_literal_zero(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether a literal zero divides: Neo4j folds constants by other rules than it divides values."""
    divisor = node.right.value if isinstance(node.right, ast.Literal) else None
    if node.operator != "/" or divisor != 0 or divisor is False:
        return False
    return isinstance(divisor, float) or context.analysis.type_of(node.left).may_be(types.FLOAT)


def has_empty_length(node: ast.Length, context: RewriteContext) -> bool:
    return node.high is not None and node.high < (1 if node.low is None else node.low)
