"""Aliases of types, and expressions that say of what type they are."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.classes.classes import Classes
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.types import Types

#: types of which an alias also says what functions are given
_WITH_SHAPES = frozenset(("function_type", "union_type", "intersection_type"))


class DeclaredTypes:
    """Reads statements and expressions that are about types."""

    def __init__(self, reader: Reader, types: Types, contexts: Contexts, classes: Classes) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.classes = classes
        reader.handlers |= {
            "type_alias_declaration": self._alias,
            "as_expression": self._cast,
            "satisfies_expression": self._satisfies,
            "type_assertion": self._assertion,
            "type_annotation": self._skip,
            "type_arguments": self._skip,
            "type_parameters": self._skip,
        }

    def _alias(self, node: Node) -> int:
        reader = self.reader
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return -1
        bound = reader.scopes.declare(reader.text(name))
        if reader.kind(self.types.inner(value)) == "object_type":
            found = self.classes.alias(node, name, self.types.inner(value))
        else:
            reader.scopes.enter()
            self.types.generics.declare(node, -1)
            found = self.types.type(value)
            shape = self.contexts.of_type(value) if reader.kind(self.types.inner(value)) in _WITH_SHAPES else -1
            found = reader.graph.copies(one for one in (found, shape) if one >= 0) if found >= 0 or shape >= 0 else -1
            reader.scopes.leave()
        if found >= 0:
            reader.graph.assign(bound, op.COPY, found)
        return bound

    def _cast(self, node: Node) -> int:
        """`value as Type`; `as const` says nothing."""
        parts = self.reader.parts(node)
        value = self.reader.value(parts[0])
        return self.types.declared(parts[1], value) if len(parts) > 1 else value

    def _satisfies(self, node: Node) -> int:
        parts = self.reader.parts(node)
        return self.reader.value(parts[0])

    def _assertion(self, node: Node) -> int:
        """`<Type> value`."""
        parts = self.reader.parts(node)
        value = self.reader.value(parts[-1])
        types = self.reader.parts(parts[0]) if len(parts) > 1 else []
        return self.types.declared(types[0], value) if types else value

    def _skip(self, node: Node) -> int:
        self.types.read_all(node)
        return self.reader.nothing()
