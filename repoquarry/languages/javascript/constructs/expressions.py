"""Names, properties, and what passes on a value."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.modules.commonjs import CommonJs
from repoquarry.languages.javascript.property_names import property_key
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import Conditions


class Expressions:
    """Reads expressions."""

    def __init__(self, reader: Reader, documented: DocumentedTypes, conditions: Conditions, commonjs: CommonJs) -> None:
        self.reader = reader
        self.documented = documented
        self.conditions = conditions
        self.commonjs = commonjs
        reader.handlers |= {
            "identifier": self._identifier,
            "this": self._this,
            "super": self._super,
            "member_expression": self._member,
            "subscript_expression": self._subscript,
            "parenthesized_expression": self._parenthesized,
            "non_null_expression": self._first,
            "instantiation_expression": self._first,
            "spread_element": self._first,
            "template_substitution": self._first,
            "await_expression": self._await,
            "yield_expression": self._yield,
        }

    def _first(self, node: Node) -> int:
        parts = self.reader.parts(node)
        return self.reader.value(parts[0]) if parts else self.reader.nothing()

    def _identifier(self, node: Node) -> int:
        return self.reader.scopes.read(self.reader.text(node))

    def _this(self, node: Node) -> int:
        known = self.conditions.narrowed(node)
        return known if known >= 0 else self.reader.receiver()

    def _super(self, _: Node) -> int:
        reader = self.reader
        home = reader.home()
        return reader.graph.value(op.SUPER, home, reader.receiver()) if home >= 0 else reader.nothing()

    def _member(self, node: Node) -> int:
        reader = self.reader
        target, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if target is None or name is None:
            return reader.values(node.named_children)
        whole = self.commonjs.exported(node)
        if whole >= 0:
            return whole
        receiver = reader.value(target)
        value = reader.graph.rooted(op.ATTR, receiver, reader.symbol(name), reader.line(name), reader.owner)
        known = self.conditions.narrowed(node)
        return known if known >= 0 else value

    def _subscript(self, node: Node) -> int:
        reader = self.reader
        receiver = reader.value(node.child_by_field_name("object"))
        index = node.child_by_field_name("index")
        if index is None:
            return reader.nothing()
        name = property_key(reader, index, computed=True)
        line = reader.line(index)
        if name is None:
            return reader.graph.rooted(op.ITEM, receiver, -1, reader.value(index), line, reader.owner)
        symbol = reader.graph.symbol(name)
        if name.isdigit():
            return reader.graph.rooted(op.ITEM, receiver, symbol, -1, line, reader.owner)
        return reader.graph.rooted(op.ATTR, receiver, symbol, line, reader.owner)

    def _parenthesized(self, node: Node) -> int:
        return self.documented.cast(node, self._first(node))

    def _await(self, node: Node) -> int:
        return self.reader.graph.value(op.AWAIT, self._first(node))

    def _yield(self, node: Node) -> int:
        reader = self.reader
        reader.body.yields = True
        parts = reader.parts(node)
        if not parts:
            return reader.nothing()
        value = reader.value(parts[0])
        if reader.has_token(node, "*"):
            element = reader.graph.rooted(op.EACH, value, reader.line(node), reader.owner)
            reader.graph.assign(reader.body.yielded, op.COPY, element)
            return reader.graph.value(op.AWAIT, value)
        reader.graph.assign(reader.body.yielded, op.COPY, value)
        return reader.nothing()
