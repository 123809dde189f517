"""Assignments."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.constructs.modules.commonjs import CommonJs
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.constructs.prototypes import Prototypes
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.property_names import property_key
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes

_CHOOSING = frozenset(("||=", "&&=", "??="))


class Assignments:
    """Reads assignments."""

    def __init__(
        self,
        reader: Reader,
        documented: DocumentedTypes,
        commonjs: CommonJs,
        prototypes: Prototypes,
        patterns: Patterns,
    ) -> None:
        self.reader = reader
        self.documented = documented
        self.commonjs = commonjs
        self.prototypes = prototypes
        self.patterns = patterns
        reader.handlers |= {
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
        }

    def _assignment(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        statement = self._statement_of(node)
        value = self._assigned(left, right, statement)
        if statement is not None and (tags := self.documented.tags(statement)) is not None:
            value = self.documented.declared(tags.type, node, value)
        if not self.commonjs.assign(left, value) and not self.prototypes.assign(left, right):
            self.patterns.assign(left, value)
        return value

    def _assigned(self, left: Node, right: Node, statement: Node | None) -> int:
        """The right side; a function that is assigned to a property is called on the object that has it."""
        reader = self.reader
        kind = reader.kind(left)
        if kind == "identifier":
            return reader.named_value(right, reader.text(left), start=statement)
        if kind not in ("member_expression", "subscript_expression"):
            return reader.value(right)
        name = left.child_by_field_name("property")
        index = left.child_by_field_name("index")
        text = reader.text(name) if name is not None else property_key(reader, index, computed=True) if index else None
        inner = right
        while reader.kind(inner) == "parenthesized_expression" and reader.parts(inner):
            inner = reader.parts(inner)[0]
        receiver = -1
        if reader.kind(inner) in FUNCTIONS and reader.kind(inner) != "arrow_function":
            receiver = self.prototypes.receiver(left)
        own = inner.child_by_field_name("name") if reader.kind(inner) in FUNCTIONS else None
        if own is not None:
            text = reader.text(own)
        return reader.named_value(right, text or "", receiver=receiver, start=statement)

    def _statement_of(self, node: Node) -> Node | None:
        """The statement that an expression is all of, to which a comment above it belongs; None for a part of another."""
        around = self.reader.around.get(node.id)
        return around if around is not None and self.reader.kind(around) == "expression_statement" else None

    def _augmented(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        before, value = reader.value(left), self._assigned(left, right, self._statement_of(node))
        sign = node.child_by_field_name("operator")
        if sign is None or reader.text(sign) not in _CHOOSING:
            return reader.nothing()
        self.patterns.assign(left, value)
        return reader.graph.copies((before, value))
