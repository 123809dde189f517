"""Constants, templates, arrays and objects as they are written out."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.functions.functions import Functions
from repoquarry.languages.javascript.property_names import property_key, string_text
from repoquarry.languages.javascript.reader import Handler, Reader
from repoquarry.languages.javascript.typing.contexts import Contexts

#: longer arrays are one unordered heap of elements
KEYED_ELEMENTS = 64
#: objects with more properties than this are read without their names
KEYED_PROPERTIES = 2_000
#: shorter strings than this can be property names
KEYED_TEXT = 60

_CONSTANTS = {
    "number": "Number",
    "true": "Boolean",
    "false": "Boolean",
    "null": "undefined",
    "undefined": "undefined",
    "regex": "RegExp",
}


class Literals:
    """Reads literals."""

    def __init__(self, reader: Reader, contexts: Contexts, functions: Functions) -> None:
        self.reader = reader
        self.contexts = contexts
        self.functions = functions
        for kind, built_in in _CONSTANTS.items():
            reader.handlers[kind] = self._constant_of(built_in)
        reader.handlers |= {
            "string": self._string,
            "template_string": self._template,
            "array": self._array,
            "object": self._object,
        }

    def _constant_of(self, built_in: str) -> Handler:
        reader = self.reader

        def read(node: Node) -> int:
            text = reader.text(node) if built_in == "Number" and node.end_byte - node.start_byte < 10 else ""
            return reader.constant(built_in, text if text.isdigit() else "")

        return read

    def _string(self, node: Node) -> int:
        text = string_text(self.reader, node) if node.end_byte - node.start_byte < KEYED_TEXT else None
        return self.reader.constant("String", text if text and not text.endswith("*") else "")

    def _template(self, node: Node) -> int:
        reader = self.reader
        parts = [child for child in node.named_children if reader.kind(child) == "template_substitution"]
        if not parts:
            return self._string(node)
        reader.values(parts)
        first = node.named_children[0]
        beginning = reader.text(first) if reader.kind(first) == "string_fragment" else ""
        return reader.constant("String", f"{beginning}*" if beginning.isidentifier() else "")

    def _array(self, node: Node) -> int:
        reader = self.reader
        children = reader.parts(node)
        spread = [reader.kind(child) == "spread_element" for child in children]
        keyed = len(children) <= KEYED_ELEMENTS and not any(spread)
        pairs: list[int] = []
        for position, child in enumerate(children):
            if spread[position]:
                pairs += (op.SPREAD, reader.value(reader.parts(child)[0]) if reader.parts(child) else reader.nothing())
                continue
            value = reader.value(child)
            self._keep(child, value)
            pairs += (reader.graph.symbol(str(position)) if keyed else op.ANY, value)
        return reader.graph.value(op.CONTAINER, reader.graph.symbol("list"), len(pairs) >> 1, *pairs)

    def _object(self, node: Node) -> int:
        """Methods that read `this` are given the object itself."""
        reader = self.reader
        target = reader.graph.variable()
        expected = self.contexts.of(node)
        pairs: list[int] = []
        accessors: dict[str, list[int]] = {}
        children = reader.parts(node)
        for child in children:
            kind = reader.kind(child)
            if expected >= 0:
                self._expect(child, expected)
            if kind == "spread_element":
                pairs += (op.SPREAD, reader.value(reader.parts(child)[0]) if reader.parts(child) else reader.nothing())
            elif kind == "method_definition":
                self._method(child, target, pairs, accessors)
            elif kind == "pair":
                self._pair(child, target, pairs, many=len(children) > KEYED_PROPERTIES)
            elif kind == "shorthand_property_identifier":
                value = reader.scopes.read(reader.text(child))
                self._keep(child, value)
                pairs += (reader.symbol(child), value)
            else:
                reader.value(child)
        for name, (getter, setter) in accessors.items():
            pairs += (reader.graph.symbol(name), reader.graph.value(op.PROPERTY, getter, setter))
        reader.graph.assign(target, op.CONTAINER, reader.graph.symbol("dict"), len(pairs) >> 1, *pairs)
        return target

    def _expect(self, node: Node, expected: int) -> None:
        """Hands what is expected of an object to a function or an object that is one of its properties."""
        reader = self.reader
        is_pair = reader.kind(node) == "pair"
        key = node.child_by_field_name("key" if is_pair else "name")
        value = node.child_by_field_name("value") if is_pair else node
        if key is None or not self.contexts.is_written(value) or (name := property_key(reader, key)) is None:
            return
        self.contexts.expect(value, self.contexts.of_property(expected, name))

    def _pair(self, node: Node, target: int, pairs: list[int], *, many: bool) -> None:
        reader = self.reader
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None:
            return
        name = property_key(reader, key)
        if name is None:
            reader.value(key)
        variable = reader.named_value(value, name or "", receiver=target, start=node)
        self._keep(value, variable)
        pairs += (reader.graph.symbol(name) if name is not None and not many else op.ANY, variable)

    def _method(self, node: Node, target: int, pairs: list[int], accessors: dict[str, list[int]]) -> None:
        reader = self.reader
        key = node.child_by_field_name("name")
        name = property_key(reader, key) if key is not None else None
        if name is None and key is not None:
            reader.value(key)
        variable = self.functions.object_method(node, name or reader.unnamed(), target)
        if name is not None and reader.has_token(node, "get", "set"):
            accessors.setdefault(name, [-1, -1])[reader.has_token(node, "set")] = variable
        else:
            pairs += (reader.graph.symbol(name) if name is not None else op.ANY, variable)

    def _keep(self, node: Node, variable: int) -> None:
        """Notes what a table of the file keeps by name: handlers, registered classes."""
        reader = self.reader
        if reader.owner < 0 and reader.kind(node) in (
            "identifier",
            "member_expression",
            "shorthand_property_identifier",
        ):
            handler = reader.graph.symbol("handler")
            reader.graph.effect(op.MENTION, variable, reader.line(node), reader.owner, handler)
