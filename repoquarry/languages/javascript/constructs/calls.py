"""Calls, and `new`."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.modules.commonjs import CommonJs
from repoquarry.languages.javascript.constructs.prototypes import Prototypes
from repoquarry.languages.javascript.property_names import property_key
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.attributes import DECLARED_RESULT
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.narrowing import Conditions
from repoquarry.languages.javascript.typing.types import Types


class Calls:
    """Reads calls."""

    def __init__(
        self,
        reader: Reader,
        types: Types,
        contexts: Contexts,
        conditions: Conditions,
        commonjs: CommonJs,
        prototypes: Prototypes,
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.conditions = conditions
        self.commonjs = commonjs
        self.prototypes = prototypes
        reader.handlers |= {"call_expression": self._call, "new_expression": self._new}

    def _call(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or given is None:
            return reader.values(node.named_children)
        kind = reader.kind(function)
        if kind == "import" or (kind == "identifier" and reader.text(function) == "require"):
            loaded = self.commonjs.load(function, given)
            if loaded >= 0:
                return loaded
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        self.contexts.expect_arguments(callee, given, constructs=False)
        arguments = self._arguments(given)
        if self.prototypes.inherits(function, given, arguments):
            return reader.nothing()
        result = self._called(callee, line, 0, name, arguments)
        self.conditions.note_call(node, result)
        if types is not None:
            self._bracketed(result, types)
        return self._typed_by_brackets(result, callee, types) if types is not None else result

    def _new(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        if function is None:
            return reader.values(node.named_children)
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        if given is not None:
            self.contexts.expect_arguments(callee, given, constructs=True)
        arguments = self._arguments(given) if given is not None else []
        made = self._called(callee, line, op.CONSTRUCTS, name, arguments)
        if types is not None:
            self._bracketed(made, types)
        return self._typed_by_arguments(made, callee, types) if types is not None else made

    def _callee(self, function: Node) -> tuple[int, int, int]:
        """The variable of what is called, the symbol of its name or -1, and the line to tell of."""
        reader = self.reader
        inner = function
        while reader.kind(inner) in ("parenthesized_expression", "non_null_expression") and reader.parts(inner):
            inner = reader.parts(inner)[0]
        kind = reader.kind(inner)
        if kind == "super":
            constructor = reader.graph.symbol("constructor")
            line = reader.line(inner)
            callee = reader.graph.rooted(op.ATTR, reader.value(inner), constructor, line, reader.owner)
            return callee, constructor, line
        if kind == "member_expression" and (name := inner.child_by_field_name("property")) is not None:
            return reader.value(inner), reader.symbol(name), reader.line(name)
        if kind == "subscript_expression" and (index := inner.child_by_field_name("index")) is not None:
            text = property_key(reader, index, computed=True)
            return reader.value(inner), reader.graph.symbol(text) if text else -1, reader.line(index)
        named = reader.symbol(inner) if kind == "identifier" else -1
        return reader.value(inner), named, reader.line(inner)

    def _arguments(self, node: Node) -> list[int]:
        """Kinds and variables of the arguments of a call, alternating."""
        reader = self.reader
        out: list[int] = []
        if reader.kind(node) == "template_string":
            out += (op.POSITIONAL, reader.constant("Array"))
            for child in reader.parts(node):
                if reader.kind(child) == "template_substitution":
                    out += (op.POSITIONAL, reader.value(child))
            return out
        for child in reader.parts(node):
            kind = op.SPLAT if reader.kind(child) == "spread_element" else op.POSITIONAL
            out += (kind, reader.value(child))
        return out

    def _called(self, callee: int, line: int, flags: int, name: int, arguments: list[int]) -> int:
        self.reader.calls += 1
        return self.reader.graph.call(callee, line, self.reader.owner, flags, name, arguments)

    def _bracketed(self, called: int, types: Node) -> None:
        """Notes the type arguments that a call or a `new` has in brackets."""
        self.reader.graph.effect(op.BRACKETS, called, self.types.listed(self.reader.parts(types)))

    def _typed_by_brackets(self, result: int, callee: int, types: Node) -> int:
        """`load<Foo>()`: what the function declares to give, of these arguments."""
        graph = self.reader.graph
        declared = self.contexts.attribute(callee, DECLARED_RESULT)
        given = self.types.generics.with_arguments(declared, types)
        return graph.copies((result, graph.value(op.TYPED, given, self.reader.owner)))

    def _typed_by_arguments(self, made: int, callee: int, types: Node) -> int:
        """`new Map<string, Foo>()`: its elements are what the brackets say."""
        reader, graph = self.reader, self.reader.graph
        generic = self.types.generics.with_arguments(callee, types)
        return graph.copies((made, graph.value(op.TYPED, generic, reader.owner)))
