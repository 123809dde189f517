"""Evaluation of the conditions and items of lookups, with the operators of dynamic values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.sql.dynamic_values import EntityId, compare, contains, equal, truth
from repoquarry.graphstore.query.sql.expression_compiler import label_set
from repoquarry.graphstore.query.sql.select_builder import ALL_LABELS, ALL_TYPES
from repoquarry.graphstore.query.sql.sql_types import (
    BOOLEAN,
    KIND_BITS,
    LABELS,
    NODE_PROPERTIES,
    RELATIONSHIP_PROPERTIES,
    TYPES,
)

_TEXT_TESTS = {"STARTS WITH": str.startswith, "ENDS WITH": str.endswith, "CONTAINS": str.__contains__}
_ORDERS = ("<", "<=", ">", ">=")


class Cells(Protocol):
    """Reader of properties."""

    def cell(self, entity: EntityId, key: str) -> Any: ...


def can_evaluate(node: ast.Expression) -> bool:
    """Return whether `evaluate` knows all parts of an expression."""
    match node:
        case ast.Literal() | ast.Parameter() | ast.Variable():
            return True
        case ast.Property(subject=ast.Variable()):
            return True
        case ast.HasLabels(subject=ast.Variable()):
            return True
        case ast.Unary(operator="NOT", operand=operand):
            return can_evaluate(operand) and _is_test(operand)
        case ast.IsNull(operand=operand):
            return can_evaluate(operand)
        case ast.Comparison(first=first, rest=((operator, other),)):
            is_known = operator in ("=", "<>", *_ORDERS)
            return is_known and can_evaluate(first) and can_evaluate(other)
        case ast.Binary(operator="IN", left=left, right=right):
            is_list = isinstance(right, ast.Parameter | ast.ListLiteral)
            return is_list and can_evaluate(left) and can_evaluate(right)
        case ast.Binary(operator="AND" | "OR", left=left, right=right):
            return all(can_evaluate(side) and _is_test(side) for side in (left, right))
        case ast.Binary(operator=operator, left=left, right=right) if operator in _TEXT_TESTS:
            return can_evaluate(left) and can_evaluate(right)
        case ast.ListLiteral(items=items):
            return all(isinstance(item, ast.Literal | ast.Parameter) for item in items)
    return False


def _is_test(node: ast.Expression) -> bool:
    """Return whether an expression is true, false or null, so that AND and OR cannot fail for its kind."""
    if isinstance(node, ast.Binary):
        return node.operator in ("IN", "AND", "OR", *_TEXT_TESTS)
    if isinstance(node, ast.Property):
        return {NODE_PROPERTIES.get(node.key, BOOLEAN), RELATIONSHIP_PROPERTIES.get(node.key, BOOLEAN)} == {BOOLEAN}
    return isinstance(node, ast.HasLabels | ast.Unary | ast.IsNull | ast.Comparison)


class Evaluator:
    def __init__(self, cells: Cells, parameters: Mapping[str, Any]) -> None:
        self._cells, self._parameters = cells, parameters

    def holds(self, condition: ast.Expression, row: Mapping[str, Any]) -> bool:
        """Return whether a condition is true. Raises: CypherFailure if it is no truth value."""
        return truth(self.value(condition, row)) is True

    def value(self, node: ast.Expression, row: Mapping[str, Any]) -> Any:
        match node:
            case ast.Literal():
                return node.value
            case ast.Parameter():
                return self._parameters[node.name]
            case ast.Variable():
                return row[node.name]
            case ast.Property(subject=ast.Variable(name=name)):
                return self._cells.cell(row[name], node.key)
            case ast.HasLabels(subject=ast.Variable(name=name)):
                return _has_labels(row[name], node.labels)
            case ast.ListLiteral():
                return [self.value(item, row) for item in node.items]
            case ast.IsNull():
                return (self.value(node.operand, row) is None) is not node.negated
            case ast.Unary():
                found = self.value(node.operand, row)
                return None if found is None else not found
            case ast.Comparison(rest=((operator, other),)):
                return _compared(self.value(node.first, row), operator, self.value(other, row))
            case ast.Binary():
                return self._binary(node, row)
        raise TypeError(f"no lookup evaluates {type(node).__name__}")

    def _binary(self, node: ast.Binary, row: Mapping[str, Any]) -> Any:
        left, right = self.value(node.left, row), self.value(node.right, row)
        if node.operator == "IN":
            return contains(left, right)
        if node.operator in ("AND", "OR"):
            decided = node.operator == "OR"
            if left is decided or right is decided:
                return decided
            return None if left is None or right is None else not decided
        if not isinstance(left, str) or not isinstance(right, str):
            return None
        return _TEXT_TESTS[node.operator](left, right)


def _compared(left: Any, operator: str, right: Any) -> bool | None:
    if operator in _ORDERS:
        return compare(left, right, operator)
    same = equal(left, right)
    return same if operator == "=" or same is None else not same


def _has_labels(subject: EntityId, labels: ast.LabelExpression) -> bool:
    names, every = (LABELS, ALL_LABELS) if subject.tag == "n" else (TYPES, ALL_TYPES)
    return names[subject.id >> KIND_BITS] in label_set(labels, every)
