"""Operators."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.narrowing import Conditions, Narrowing

_COMPARISONS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


class Operators:
    """Reads operators."""

    def __init__(self, reader: Reader, conditions: Conditions) -> None:
        self.reader = reader
        self.conditions = conditions
        reader.handlers |= {
            "binary_expression": self._binary,
            "ternary_expression": self._ternary,
            "sequence_expression": self._sequence,
            "unary_expression": self._unary,
        }

    def _binary(self, node: Node) -> int:
        reader = self.reader
        left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
        if left is None or right is None or sign is None:
            return reader.values(node.named_children)
        text = reader.text(sign)
        if text not in ("&&", "||", "??"):
            reader.value(left)
            reader.value(right)
            return reader.constant("Boolean" if text in _COMPARISONS else "undefined")
        first = reader.value(left)
        known = self.conditions.of(left) if text != "??" else []
        second = self._where(known, text == "&&", right)
        return reader.graph.copies((first, second))

    def _where(self, known: list[Narrowing], truth: bool, node: Node) -> int:
        """Reads an expression where what a condition says of names holds."""
        reader = self.reader
        before = dict(reader.scopes.current.narrowed)
        self.conditions.apply(known, truth=truth)
        value = reader.value(node)
        reader.scopes.current.narrowed = before
        return value

    def _ternary(self, node: Node) -> int:
        reader = self.reader
        condition, first, second = (
            node.child_by_field_name(field) for field in ("condition", "consequence", "alternative")
        )
        if condition is None or first is None or second is None:
            return reader.values(node.named_children)
        reader.body.branches += 1
        reader.value(condition)
        known = self.conditions.of(condition)
        return reader.graph.copies((self._where(known, True, first), self._where(known, False, second)))

    def _sequence(self, node: Node) -> int:
        last = self.reader.nothing()
        for child in self.reader.parts(node):
            last = self.reader.value(child)
        return last

    def _unary(self, node: Node) -> int:
        self.reader.values(node.named_children)
        return self.reader.constant("String" if self.reader.has_token(node, "typeof") else "Boolean")
