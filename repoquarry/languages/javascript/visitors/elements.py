"""Visitors that turn JSX elements, type aliases and type assertions into points-to constraints."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState
from repoquarry.languages.javascript.typing.contextual_typing import ContextualTyping
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.classes import JavaScriptClassVisitor

_OPENING = frozenset(("jsx_opening_element", "jsx_self_closing_element"))


@dataclass(eq=False, repr=False)
class JavaScriptJsxVisitor:
    """Visitor of JSX."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping

    def __post_init__(self) -> None:
        self.reader.handlers |= {
            "jsx_element": self._element,
            "jsx_self_closing_element": self._opening,
            "jsx_opening_element": self._opening,
            "jsx_closing_element": lambda node: -1,
            "jsx_text": lambda node: -1,
        }

    def _element(self, node: Node) -> int:
        children, opening = [], None
        for child in self.reader.parts(node):
            if self.reader.kind(child) in _OPENING and opening is None:
                opening = child
            else:
                children.append(child)
        given = [self.reader.value(child) for child in children if self.reader.kind(child) != "jsx_closing_element"]
        return self._component(opening, [one for one in given if one >= 0]) if opening is not None else -1

    def _opening(self, node: Node) -> int:
        return self._component(node, [])

    def _component(self, node: Node, children: list[int]) -> int:
        reader, graph = self.reader, self.reader.graph
        name = node.child_by_field_name("name")
        is_component = name is not None and _is_component(reader.kind(name), reader.text(name))
        component = reader.value(name) if is_component else -1
        types = node.child_by_field_name("type_arguments")
        expected = self._expected(component, types) if is_component else -1
        pairs: list[int] = []
        for child in reader.parts(node):
            if reader.kind(child) == "jsx_attribute":
                self._attribute(child, pairs, expected)
            elif child not in (name, types):
                pairs += (op.SPREAD, reader.value(child))
        for variable in children:
            pairs += (graph.symbol("children"), variable)
        given = graph.value(op.CONTAINER, graph.symbol("dict"), len(pairs) >> 1, *pairs)
        if name is None or not is_component:
            return reader.constant("undefined")
        last = name.child_by_field_name("property") or name
        reader.calls += 1
        arguments = [op.POSITIONAL, given]
        return graph.call(component, reader.line(last), reader.owner, op.CONSTRUCTS, reader.symbol(last), arguments)

    def _expected(self, component: int, types: Node | None) -> int:
        """Declared properties of a component; `<Table<Item> ...>` gives its type arguments."""
        contexts = self.contexts
        expected = contexts.of_properties(component)
        if types is None or expected < 0:
            return expected
        of_class = contexts.of_properties(self.types.generics.with_arguments(component, types))
        with self.types.unmentioned():
            return self.reader.graph.copies((self.types.generics.with_arguments(expected, types), of_class))

    def _attribute(self, node: Node, pairs: list[int], expected: int) -> None:
        """`expected`: the declared properties of the component, which say what a function written here is called with."""
        reader = self.reader
        parts = reader.parts(node)
        if not parts:
            return
        if len(parts) > 1 and expected >= 0:
            inside = reader.parts(parts[1]) if reader.kind(parts[1]) == "jsx_expression" else []
            if inside and self.contexts.is_written(inside[0]):
                self.contexts.expect(inside[0], self.contexts.of_property(expected, reader.text(parts[0])))
        value = reader.value(parts[1]) if len(parts) > 1 else reader.constant("Boolean")
        written = reader.first(parts[1]) if len(parts) > 1 and reader.kind(parts[1]) == "jsx_expression" else None
        if written is not None:
            reader.mention_handler(written, value)
        pairs += (reader.symbol(parts[0]), value)


def _is_component(kind: str, text: str) -> bool:
    """Return whether the name of an element is a value: lower-case names are elements of the page.

    Source: https://facebook.github.io/jsx, https://www.typescriptlang.org/docs/handbook/jsx.html#intrinsic-elements
    """
    return kind != "jsx_namespace_name" and not (kind == "identifier" and text[:1].islower())


#: types of which an alias also says what functions are given
_WITH_SHAPES = frozenset(("function_type", "union_type", "intersection_type"))


@dataclass(eq=False, repr=False)
class JavaScriptDeclaredTypeVisitor:
    """Visitor of statements and expressions that are about types."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    classes: JavaScriptClassVisitor

    def __post_init__(self) -> None:
        self.reader.handlers |= {
            "type_alias_declaration": self._alias,
            "as_expression": self._cast,
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

    def _assertion(self, node: Node) -> int:
        """`<Type> value`."""
        parts = self.reader.parts(node)
        value = self.reader.value(parts[-1])
        types = self.reader.parts(parts[0]) if len(parts) > 1 else []
        return self.types.declared(types[0], value) if types else value

    def _skip(self, node: Node) -> int:
        self.types.read_all(node)
        return self.reader.nothing()
