"""Fields of classes and properties of interfaces."""

from __future__ import annotations

from typing import TypeGuard

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.classes.decorators import Decorators
from repoquarry.languages.javascript.constructs.functions.forms import Form
from repoquarry.languages.javascript.constructs.functions.functions import Functions
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.property_names import property_key
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.members import Members
from repoquarry.languages.javascript.typing.shapes import Shapes
from repoquarry.languages.javascript.typing.types import Types


class Fields:
    """Reads fields."""

    def __init__(
        self,
        reader: Reader,
        types: Types,
        contexts: Contexts,
        documented: DocumentedTypes,
        functions: Functions,
        decorators: Decorators,
        shapes: Shapes,
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.documented = documented
        self.functions = functions
        self.decorators = decorators
        self.shapes = shapes

    def read(self, node: Node, members: Members) -> None:
        """A field of a class, or a property of an interface."""
        reader = self.reader
        key = node.child_by_field_name("name") or node.child_by_field_name("property")
        value, annotation = node.child_by_field_name("value"), node.child_by_field_name("type")
        name = property_key(reader, key) if key is not None else None
        if name is None and key is not None:
            reader.value(key)
        if name is not None:
            self.shapes.note_optional(name, node, members)
        if name is not None and members.is_interface and self._is_function(annotation):
            self._declared_function(node, annotation, name, members)
            return
        written = [child for child in node.named_children if reader.kind(child) == "decorator"]
        applied = self.decorators.applied([*members.decorators, *written])
        held: list[int] = []
        if value is not None:
            self.contexts.expect(value, self.contexts.of_type(annotation))
            held.append(self._initial(node, value, name or "", members))
        if annotation is not None:
            held = [self.types.declared(annotation, held[0])] if held else [self.types.annotated(annotation)]
        elif held and (tags := self.documented.tags(node)) is not None:
            held = [self.documented.declared(tags.type, node, held[0])]
        for variable in held[:1]:
            self.decorators.decorate(variable, applied)
        held = [variable for variable in held if variable >= 0]
        if name is not None:
            self.shapes.expect(name, annotation or self._made(value), members)
            self.shapes.discriminate(name, node, members)
        if name is not None and held:
            members.bound.setdefault(name, []).extend(held)
            if annotation is not None:
                members.fields += (reader.graph.symbol(name), held[-1])

    def _made(self, value: Node | None) -> Node | None:
        """`new Map<string, T>()`: such a field is of the type that is written there; None for any other value."""
        if value is None or self.reader.kind(value) != "new_expression":
            return None
        return value if value.child_by_field_name("type_arguments") is not None else None

    def _is_function(self, annotation: Node | None) -> TypeGuard[Node]:
        return annotation is not None and self.reader.kind(self.types.inner(annotation)) == "function_type"

    def _declared_function(self, node: Node, annotation: Node, name: str, members: Members) -> None:
        """`next: (value: T) => void` in an interface is called, and implemented, as a method is."""
        form = Form(
            name, kind="method", flags=op.METHOD | op.ABSTRACT, home=members.index, always_receives=True, start=node
        )
        value, is_first = self.functions.signature(self.types.inner(annotation), form)
        if is_first:
            members.bound.setdefault(name, []).append(value)

    def _initial(self, node: Node, value: Node, name: str, members: Members) -> int:
        """The value of a field; `this` in it is the instance, or the class where the field is static."""
        reader = self.reader
        before = reader.body.receiver
        is_static = reader.has_token(node, "static")
        if is_static:
            reader.body.receiver = members.value
        receiver = reader.body.receiver if reader.kind(value) in FUNCTIONS else -1
        found = reader.named_value(value, name, receiver=receiver)
        reader.body.receiver = before
        return found
