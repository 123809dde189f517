"""What is declared of members beside their values: what is expected of them, the literals that tell them apart, that they may be missing."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing import discriminants
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.members import Members, OpenClasses
from repoquarry.languages.javascript.typing.types import Types


class Shapes:
    """Notes what is declared of members."""

    def __init__(self, reader: Reader, types: Types, contexts: Contexts, classes: OpenClasses) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.classes = classes

    def expect(self, name: str, annotation: Node | None, members: Members) -> None:
        """What an interface expects of objects that are given for it; with type parameters, what those say of the parameters as well.
        Of a class, the type of a field that its type parameters declare."""
        contexts = self.contexts
        if not members.is_interface and not (members.is_generic and self.types.generics.mentioned(annotation)):
            return
        expected = contexts.of_value(annotation) if members.is_generic else contexts.of_type(annotation)
        if expected >= 0:
            members.bound.setdefault(f"<{name}>", []).append(expected)

    def discriminate(self, name: str, field: Node, members: Members) -> None:
        """Notes the literals of a field, by which members of a union are told apart."""
        reader = self.reader
        if not self.contexts.is_read:
            return
        keys = discriminants.field_keys(reader, field)
        if keys and all(keys):
            members.bound[discriminants.attribute(name)] = [reader.constant("String", "\n".join(keys))]

    def note_optional(self, name: str, node: Node, members: Members) -> None:
        """Notes that a member may be missing."""
        if self.contexts.is_read and self.reader.has_token(node, "?"):
            members.bound.setdefault(discriminants.optional(name), []).append(self.reader.nothing())

    def declare_field(self, name: str, variable: int, annotation: Node) -> None:
        """A parameter of the constructor is a field."""
        members = self.classes.innermost
        if members is not None:
            members.bound.setdefault(name, []).append(variable)
            self.expect(name, annotation, members)
