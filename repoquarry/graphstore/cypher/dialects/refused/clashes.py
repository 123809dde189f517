"""What can come where another type is wanted: Neo4j fails on it or tells apart what the engine does not."""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.semantics import grouping, types
from repoquarry.graphstore.cypher.semantics.functions import SIGNATURES
from repoquarry.graphstore.cypher.semantics.types import EVERY, Type
from repoquarry.graphstore.cypher.syntax import ast

_NUMBERS = frozenset({types.INTEGER, types.FLOAT})
_SCALAR_TYPES = frozenset({"BOOLEAN", "INTEGER", "FLOAT", "STRING"})


def known(found: Type) -> bool:
    return bool(found.kinds) and found.kinds != EVERY


def mistyped_argument(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call):
        return False
    signature = SIGNATURES.get(node.name.lower())
    if signature is None or not signature.arguments:
        return False
    for i, argument in enumerate(node.arguments):
        wanted = signature.arguments[min(i, len(signature.arguments) - 1)]
        found = context.analysis.type_of(argument)
        if known(found) and not found.holds(*wanted.kinds) and node.name.lower() != "tail":
            return True
    return False


def mistyped_operand(node: ast.Node, context: Context) -> bool:
    if isinstance(node, ast.Unary) and node.operator == "NOT":
        return _no_truth(node.operand, context)
    if not isinstance(node, ast.Binary):
        return False
    if node.operator in ("AND", "OR", "XOR"):
        return _no_truth(node.left, context) or _no_truth(node.right, context)
    left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right)
    if node.operator in ("-", "*", "/", "%", "^"):
        return any(known(side) and not side.holds(*_NUMBERS) for side in (left, right))
    if node.operator == "+" and known(left) and known(right):
        either = left.kinds | right.kinds
        numbers = left.holds(*_NUMBERS) and right.holds(*_NUMBERS)
        return types.LIST not in either and types.STRING not in either and not numbers
    return False


def _no_truth(node: ast.Expression, context: Context) -> bool:
    found = context.analysis.type_of(node)
    return known(found) and not found.holds(types.BOOLEAN)


_Conditional = (
    ast.Match
    | ast.Projection
    | ast.NodePattern
    | ast.RelationshipPattern
    | ast.PatternComprehension
    | ast.ListComprehension
    | ast.Quantifier
)


def mistyped_condition(node: ast.Node, context: Context) -> bool:
    if isinstance(node, ast.Case):
        tests = [test for when in node.whens for test in when.tests] if node.subject is None else []
        return any(_no_truth(test, context) for test in tests)
    return isinstance(node, _Conditional) and node.where is not None and _no_truth(node.where, context)


_HAVE_PROPERTIES = frozenset({types.MAP, types.NODE, types.RELATIONSHIP})


def property_of_a_value(node: ast.Node, context: Context) -> bool:
    """By the schema no map, node or relationship: Neo4j fails when it runs, the engine may see another variable."""
    if not isinstance(node, ast.Property):
        return False
    found = context.analysis.type_of(node.subject)
    return known(found) and not found.holds(*_HAVE_PROPERTIES)


def _mixes_numbers(found: Type) -> bool:
    if not known(found):
        return False
    if found.kinds >= _NUMBERS:
        return True
    return types.LIST in found.kinds and found.item is not None and _mixes_numbers(found.item)


def mixed_grouping(node: ast.Node, context: Context) -> bool:
    if isinstance(node, ast.Call):
        return node.distinct and any(_mixes_numbers(context.analysis.type_of(a)) for a in node.arguments)
    if not isinstance(node, ast.Projection):
        return False
    keys = [i.expression for i in node.items if not grouping.has_aggregation(i.expression)]
    grouped = node.distinct or len(keys) < len(node.items)
    return grouped and any(_mixes_numbers(context.analysis.type_of(key)) for key in keys)


def mixed_union(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Query) or node.keep_duplicates or len(node.parts) < 2:
        return False
    columns: dict[str, list[Type]] = {}
    for part in node.parts:
        last = part.clauses[-1]
        for item in last.items if isinstance(last, ast.Projection) else ():
            name = item.alias or (item.expression.name if isinstance(item.expression, ast.Variable) else "")
            columns.setdefault(name, []).append(context.analysis.type_of(item.expression))
    return any(_mixes_numbers(types.union(*found)) for found in columns.values())


def listed_types(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "valuetype":
        return False
    found = context.analysis.type_of(node.arguments[0])
    return types.LIST in found.kinds and not _one_kind(found)


def _one_kind(found: Type) -> bool:
    """Whether it is a list whose items, and theirs, are of one kind."""
    if found.kinds != {types.LIST}:
        return len(found.kinds) == 1
    return len(found.items.kinds) == 1 and _one_kind(found.items)


def compound_type(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.IsTyped) and node.type_name.removesuffix(" NOT NULL") not in _SCALAR_TYPES


def ordered_maps(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Comparison):
        return False
    operands = [node.first, *(operand for _, operand in node.rest)]
    inequality = any(operator not in ("=", "<>") for operator, _ in node.rest)
    return inequality and any(context.analysis.type_of(o).kinds == {types.MAP} for o in operands)


def null_slice(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Slice) and any(
        bound is not None and context.analysis.type_of(bound).kinds != {types.INTEGER}
        for bound in (node.low, node.high)
    )
