"""Contextual typing: gives function and object literals the types that their position expects; declared types of members.

An expected type is a variable like that of a type (`types`), of which only the shape counts: attributes with names that no program has
(`type_forms`). Declared functions, interfaces and classes have these attributes in addition to their own. A call therefore reads the types
that it expects of its arguments from attributes of its callee, and parameters of a function written there have these types. Where
nothing is found, whatever is passed counts, as without types.
Source: https://www.typescriptlang.org/docs/handbook/type-inference.html#contextual-typing

`class Box<T> { item: T; get() { return this.item; } }`: calls of `get` give a `T`, as the compiler infers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import MAX_PARAMETERS, parameter_field
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, property_key
from repoquarry.languages.javascript.typing import type_forms
from repoquarry.languages.javascript.typing.type_forms import (
    DECLARED_RESULT,
    DEFAULTS,
    MADE,
    PROPERTIES,
    RESULT,
    SIGNATURE,
    ClassMembers,
    OpenClasses,
    predicate,
)
from repoquarry.languages.javascript.typing.types import TypeReader

#: types that only change how the properties of their first argument are declared
_SAME_SHAPE = frozenset(("Partial", "Required", "Readonly", "NonNullable", "NoInfer", "Pick", "Omit"))
_WRITTEN = frozenset(("arrow_function", "function_expression", "generator_function", "method_definition", "object"))
_PASSED_ON = frozenset(("parenthesized_expression", "satisfies_expression"))


class ContextualTyping:
    """Notes the expected types of places, and hands them to the functions and objects there."""

    def __init__(self, reader: JavaScriptExtractionState, types: TypeReader, *, is_read: bool) -> None:
        """`is_read`: whether the file's language has types."""
        self.reader = reader
        self.types = types
        self.is_read = is_read
        self._expected: dict[int, int] = {}
        """Node of a function or an object -> variable of the expected type, until it is read."""

    # ---- what types expect

    def of_type(self, node: Node | None) -> int:
        """Return a variable of the values that a type expects, -1 where it expects no functions or objects."""
        if node is None or not self.is_read:
            return -1
        reader = self.reader
        inner = self.types.inner(node)
        kind = reader.kind(inner)
        if kind == "function_type":
            return self._signature(inner)
        if kind == "constructor_type":
            return self._maker(inner)
        if kind == "object_type":
            return self._shape(inner)
        if kind in ("union_type", "intersection_type"):
            found = [one for child in reader.parts(inner) if (one := self.of_type(child)) >= 0]
            return reader.graph.copies(found) if found else -1
        if kind == "generic_type":
            return self._generic(inner)
        if kind == "type_identifier":
            return reader.scopes.plain(reader.text(inner))
        if kind == "nested_type_identifier":
            with self.types.unmentioned():
                return self.types.type(inner)
        return -1

    def of_value(self, annotation: Node | None) -> int:
        """Return the same of types that functions and objects are not of either: values of them say type arguments."""
        expected = self.of_type(annotation)
        return expected if expected >= 0 or not self.is_read else self._type(annotation)

    def _generic(self, node: Node) -> int:
        reader = self.reader
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        if name is None:
            return -1
        arguments = reader.parts(given) if given is not None else []
        if reader.text(name) in _SAME_SHAPE and arguments:
            return self.of_type(arguments[0])
        with self.types.unmentioned():
            return self.types.type(node)

    def _signature(self, node: Node) -> int:
        """`(a: A) => R`."""
        graph = self.reader.graph
        pairs = [n for name, variable in self.shape_of(node) for n in (graph.symbol(name), variable)]
        return graph.value(op.CONTAINER, graph.symbol(SIGNATURE), len(pairs) >> 1, *pairs)

    def _maker(self, node: Node) -> int:
        """`new (a: A) => C`: what it makes."""
        graph = self.reader.graph
        made = self._type(node.child_by_field_name("type"))
        pairs = [graph.symbol(MADE), made] if made >= 0 else []
        return graph.value(op.CONTAINER, graph.symbol(SIGNATURE), len(pairs) >> 1, *pairs)

    def _shape(self, node: Node) -> int:
        """`{ next: (a: A) => void }`."""
        graph = self.reader.graph
        pairs: list[int] = []
        for child in self.reader.parts(node):
            kind, name = self.reader.kind(child), child.child_by_field_name("name")
            expected = -1
            if kind == "property_signature":
                expected = self.of_value(child.child_by_field_name("type"))
            elif kind == "method_signature":
                expected = self._signature(child)
            key = property_key(self.reader, name) if name is not None and expected >= 0 else None
            if key is not None:
                pairs += (graph.symbol(f"<{key}>"), expected)
        return graph.value(op.CONTAINER, graph.symbol(SIGNATURE), len(pairs) >> 1, *pairs) if pairs else -1

    def shape_of(self, node: Node) -> list[tuple[str, int]]:
        """(attribute, variable of the type) of the parameters and the result of a function type or a signature."""
        reader, found, position = self.reader, [], 0
        given = node.child_by_field_name("parameters")
        for child in reader.parts(given) if given is not None else ():
            pattern, annotation = child.child_by_field_name("pattern"), child.child_by_field_name("type")
            if pattern is not None and reader.kind(pattern) == "this":
                continue
            typed = self._type(annotation) if pattern is None or reader.kind(pattern) != "rest_pattern" else -1
            if typed >= 0 and position <= MAX_PARAMETERS:
                found.append((parameter_field(position), typed))
            position += 1
        told = predicate(reader, node)
        if told is not None and (typed := self._type(told.type)) >= 0:
            found.append((told.name, typed))
        result = self._type(node.child_by_field_name("return_type"))
        if result >= 0:
            found.append((RESULT, result))
        return found

    def _type(self, annotation: Node | None) -> int:
        """Return the type of a parameter: of its value, and of its expectations where it is a function itself."""
        if annotation is None:
            return -1
        with self.types.unmentioned():
            typed = self.types.type(annotation)
        return typed if typed >= 0 else self.of_type(annotation)

    # ---- what declarations offer

    def offer(self, is_generic: bool, function: int, position: int, annotation: Node | None, line: int) -> None:
        """Record what a function declares of one of its parameters; type arguments of a generic one follow from types of any form."""
        if position <= MAX_PARAMETERS:
            expected = self.of_value(annotation) if is_generic else self.of_type(annotation)
            self._offer(function, parameter_field(position), expected, line)

    def offer_expected(self, function: int, expected: int) -> None:
        """A component that a type with brackets declares (`const List: FC<Props>`) has the properties of that type."""
        self._offer(function, parameter_field(0), self.attribute(expected, parameter_field(0)), 0)

    def offer_result(self, function: int, annotation: Node | None, line: int) -> None:
        """Record what a generic function declares to give."""
        self._offer(function, DECLARED_RESULT, self._type(annotation), line)

    def offer_defaults(self, function: int, defaults: Sequence[Node | None], line: int) -> None:
        """Record what the type parameters of a function are where nothing says it."""
        if any(one is not None for one in defaults):
            self._offer(function, DEFAULTS, self.types.listed(defaults), line)

    def _offer(self, function: int, name: str, expected: int, line: int) -> None:
        if self.is_read and expected >= 0:
            graph = self.reader.graph
            graph.effect(op.SETATTR, function, graph.symbol(name), expected, line, self.reader.owner)

    # ---- what places expect

    def expect(self, node: Node | None, expected: int) -> None:
        """Pass an expected type to what is written at a place."""
        node = self._written(node)
        if node is not None and expected >= 0:
            self._expected[node.id] = expected

    def expect_arguments(self, callee: int, given: Node, *, constructs: bool) -> None:
        """Pass a call's expectations on to the expressions written as its arguments."""
        if not self.is_read:
            return
        for position, child in enumerate(self.reader.parts(given)[: MAX_PARAMETERS + 1]):
            if self.reader.kind(child) == "spread_element":
                return
            written = self._written(child)
            if written is None:
                continue
            if constructs:
                callee, constructs = self.attribute(callee, "constructor"), False
            self._expected[written.id] = self.attribute(callee, parameter_field(position))

    def of(self, node: Node) -> int:
        """Expected type of a function or an object, -1 for none."""
        return self._expected.pop(node.id, -1)

    def attribute(self, expected: int, name: str) -> int:
        """Return a variable of an attribute of a shape."""
        reader = self.reader
        return reader.graph.value(op.ATTR, expected, reader.graph.symbol(name), 0, reader.owner)

    def of_property(self, expected: int, name: str) -> int:
        """Expected type of a property by an object's type: of a method, or of a function that a property is declared as."""
        return self.reader.graph.copies((self.attribute(expected, name), self.attribute(expected, f"<{name}>")))

    def of_properties(self, component: int) -> int:
        """Declared properties of a component: the first parameter of a function, `props` of a class."""
        if not self.is_read:
            return -1
        found = (self.attribute(component, parameter_field(0)), self.attribute(component, PROPERTIES))
        return self.reader.graph.copies(found)

    def is_written(self, node: Node | None) -> bool:
        """Return whether an expression is a function or an object."""
        return self._written(node) is not None

    def _written(self, node: Node | None) -> Node | None:
        """Return the function or object that an expression is, None for any other."""
        while node is not None and self.reader.kind(node) in _PASSED_ON:
            parts = self.reader.parts(node)
            node = parts[0] if parts else None
        return node if self.is_read and node is not None and self.reader.kind(node) in _WRITTEN else None


@dataclass(eq=False, repr=False)
class MemberDeclarations:
    """Record of the declarations of members."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    classes: OpenClasses

    def expect(self, name: str, annotation: Node | None, members: ClassMembers) -> None:
        """Types that an interface expects of objects given for it; with type parameters, those of the parameters as well.
        For a class, the type of a field that its type parameters declare."""
        contexts = self.contexts
        if not members.is_interface and not (members.is_generic and self.types.generics.mentioned(annotation)):
            return
        expected = contexts.of_value(annotation) if members.is_generic else contexts.of_type(annotation)
        if expected >= 0:
            members.bound.setdefault(f"<{name}>", []).append(expected)

    def declare_again(self, name: str, annotation: Node, members: ClassMembers) -> None:
        """Record the declared type of a field: what it holds is of that type, also what a base class or another function stores."""
        with self.types.unmentioned():
            typed = self.types.type(annotation)
        if typed >= 0:
            members.bound.setdefault(type_forms.declared_again(name), []).append(typed)

    def note_optional(self, name: str, node: Node, members: ClassMembers) -> None:
        """Record that a member may be missing."""
        if self.contexts.is_read and self.reader.has_token(node, "?"):
            members.bound.setdefault(type_forms.optional(name), []).append(self.reader.nothing())

    def declare_field(self, name: str, variable: int, annotation: Node) -> None:
        """Add a parameter of the constructor that is a field."""
        members = self.classes.innermost
        if members is not None:
            members.bound.setdefault(name, []).append(variable)
            self.expect(name, annotation, members)


FIELDS = frozenset(("field_definition", "public_field_definition", "property_signature"))
_AROUND = frozenset(("parenthesized_expression", "non_null_expression"))
#: what has return statements of its own
_OTHERS = frozenset(
    (
        "arrow_function", "function_expression", "function_declaration", "generator_function", "method_definition", "class",
        "generator_function_declaration", "class_declaration",
    )
)  # fmt: skip


def is_property(reader: JavaScriptExtractionState, parameter: Node) -> bool:
    """Return whether a parameter of a constructor is a field of the class as well."""
    has_modifier = reader.part(parameter, "accessibility_modifier", "override_modifier") is not None
    return has_modifier or reader.has_token(parameter, "readonly")


def declared_fields(reader: JavaScriptExtractionState, body: Node) -> Iterator[tuple[str, Node]]:
    """Names and declared types of the fields of a class, parameters of the constructor that are fields included."""
    for node in body.named_children:
        for one in _properties(reader, node) if reader.kind(node) == "method_definition" else [node]:
            name = one.child_by_field_name("name") or one.child_by_field_name("pattern")
            annotation = one.child_by_field_name("type")
            if name is not None and annotation is not None and (one is not node or reader.kind(node) in FIELDS):
                yield reader.text(name), annotation


def _properties(reader: JavaScriptExtractionState, method: Node) -> list[Node]:
    name, given = method.child_by_field_name("name"), method.child_by_field_name("parameters")
    if name is None or given is None or reader.text(name) != "constructor":
        return []
    return [one for one in reader.parts(given) if is_property(reader, one)]


def returned_field(reader: JavaScriptExtractionState, function: Node) -> str:
    """Return the field that every call of a function gives, `return this.item`; empty where that is not all."""
    body = function.child_by_field_name("body")
    if body is None or reader.has_token(function, "async", "*"):
        return ""
    given = [body] if reader.kind(body) != "statement_block" else _returned(reader, body)
    value = given[0] if len(given) == 1 else None
    while value is not None and reader.kind(value) in _AROUND:
        value = reader.first(value)
    if value is None or reader.kind(value) != "member_expression":
        return ""
    target, name = value.child_by_field_name("object"), value.child_by_field_name("property")
    is_own = target is not None and name is not None and reader.kind(target) == "this"
    return reader.text(name) if is_own and name is not None else ""


def _returned(reader: JavaScriptExtractionState, body: Node) -> list[Node]:
    """Values of the return statements of a body, the statement itself where it has none."""
    found: list[Node] = []
    pending = [body]
    while pending:
        one = pending.pop()
        if reader.kind(one) == "return_statement":
            found.append(reader.first(one) or one)
        elif reader.kind(one) not in _OTHERS:
            pending.extend(one.named_children)
    return found
