"""Visitors that turn operators, declarations and destructuring in JavaScript into points-to constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, property_key
from repoquarry.languages.javascript.typing.narrowing import ConditionNarrower, TypeNarrowing

_COMPARISONS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


@dataclass(eq=False, repr=False)
class JavaScriptOperatorVisitor:
    """Visitor of operators."""

    reader: JavaScriptExtractionState
    conditions: ConditionNarrower

    def __post_init__(self) -> None:
        self.reader.handlers |= {
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

    def _where(self, known: list[TypeNarrowing], truth: bool, node: Node) -> int:
        """Read an expression where a condition on names holds."""
        reader = self.reader
        before = dict(reader.scopes.current.narrowed)
        self.conditions.apply(known, truth=truth)
        value = reader.value(node)
        after = reader.scopes.current.narrowed
        reader.scopes.current.narrowed = {name: known for name, known in before.items() if name in after}
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


#: name node, value: what happens to a name that a pattern binds
Named = Callable[[Node, int], None]

_NAMES = frozenset(("identifier", "shorthand_property_identifier_pattern", "undefined"))


@dataclass(eq=False, repr=False)
class JavaScriptPatternVisitor:
    """Visitor of targets of declarations and assignments."""

    reader: JavaScriptExtractionState
    conditions: ConditionNarrower

    def declare(self, target: Node, value: int, *, in_function: bool = False) -> None:
        """Bind new names: `const {a, b: [c]} = value`."""
        self._bind(target, value, partial(self._declare, in_function))

    def assign(self, target: Node, value: int) -> None:
        """Bind what is there: `({a: x.y, b: [c]} = value)`."""
        self._bind(target, value, self._assign)

    def _declare(self, in_function: bool, name: Node, value: int) -> None:
        reader, text = self.reader, self.reader.text(name)
        reader.graph.assign(reader.scopes.declare(text, in_function=in_function), op.COPY, value)
        if text in reader.scopes.module.names and reader.scopes.is_shared(reader.scopes.current, text):
            reader.scopes.log.assign(-1, text, reader.line(name), reader.scopes.current)

    def _assign(self, name: Node, value: int) -> None:
        self.reader.mention(name, is_assigned=True)
        self.reader.scopes.assign(self.reader.text(name), value)

    def _bind(self, target: Node, value: int, named: Named) -> None:
        kind = self.reader.kind(target)
        if kind in _NAMES:
            named(target, value)
        elif kind == "object_pattern" or kind == "object":
            self._properties(target, value, named)
        elif kind == "array_pattern" or kind == "array":
            self._elements(target, value, named)
        elif kind in ("assignment_pattern", "object_assignment_pattern", "assignment_expression"):
            self._with_default(target, value, named)
        elif kind == "member_expression":
            self._store_property(target, value)
        elif kind == "subscript_expression":
            self._store_item(target, value)
        elif kind in ("rest_pattern", "spread_element", "parenthesized_expression", "non_null_expression"):
            for child in self.reader.parts(target)[:1]:
                self._bind(child, value, named)
        elif kind in ("as_expression", "satisfies_expression"):
            self._bind(self.reader.parts(target)[0], value, named)
        else:
            self.reader.value(target)

    def _with_default(self, target: Node, value: int, named: Named) -> None:
        left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
        if left is None:
            return
        if right is not None:
            value = self.reader.graph.copies((value, self.reader.value(right)))
        self._bind(left, value, named)

    def _properties(self, target: Node, value: int, named: Named) -> None:
        graph, reader = self.reader.graph, self.reader
        for child in reader.parts(target):
            kind = reader.kind(child)
            if kind in ("pair_pattern", "pair"):
                key, inner = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and inner is not None:
                    self._bind(inner, self._property(key, value), named)
            elif kind in ("rest_pattern", "spread_element"):
                self._bind(child, value, named)
            else:
                name = child.child_by_field_name("left") if kind == "object_assignment_pattern" else child
                if name is None:
                    continue
                taken = graph.rooted(op.ATTR, value, reader.symbol(name), reader.line(name), reader.owner)
                self._bind(child, taken, named)

    def _property(self, key: Node, value: int) -> int:
        reader = self.reader
        name = property_key(reader, key)
        if name is None:
            variable = reader.value(key)
            return reader.graph.rooted(op.ITEM, value, -1, variable, reader.line(key), reader.owner)
        return reader.graph.rooted(op.ATTR, value, reader.graph.symbol(name), reader.line(key), reader.owner)

    def _elements(self, target: Node, value: int, named: Named) -> None:
        graph, reader = self.reader.graph, self.reader
        position = 0
        for child in target.children:
            if not child.is_named:
                position += child.type == ","
                continue
            kind = reader.kind(child)
            if kind == "comment":
                continue
            if kind in ("rest_pattern", "spread_element"):
                part = graph.value(op.SLICE, value, position, 0, self.reader.owner)
            else:
                key = graph.symbol(str(position))
                part = graph.rooted(op.UNPACK, value, key, reader.line(child), reader.owner)
            self._bind(child, part, named)

    def _store_property(self, target: Node, value: int) -> None:
        reader = self.reader
        receiver = reader.value(target.child_by_field_name("object"))
        name = target.child_by_field_name("property")
        if name is None:
            return
        if reader.scopes.has_paths:
            reader.scopes.widen(self.conditions.reference(target))
        reader.graph.effect(op.SETATTR, receiver, reader.symbol(name), value, reader.line(name), reader.owner)

    def _store_item(self, target: Node, value: int) -> None:
        reader = self.reader
        receiver = reader.value(target.child_by_field_name("object"))
        index = target.child_by_field_name("index")
        if index is None:
            return
        name = property_key(reader, index, computed=True)
        if name is not None and not name.isdecimal():
            symbol = reader.graph.symbol(name)
            reader.graph.effect(op.SETATTR, receiver, symbol, value, reader.line(index), reader.owner)
            return
        key, variable = (reader.graph.symbol(name), -1) if name is not None else (-1, reader.value(index))
        reader.graph.effect(op.SETITEM, receiver, key, variable, value, reader.line(target), reader.owner)
