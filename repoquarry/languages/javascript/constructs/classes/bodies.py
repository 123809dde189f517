"""Members of classes, interfaces and enumerations."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.classes.decorators import Decorators
from repoquarry.languages.javascript.constructs.classes.fields import Fields
from repoquarry.languages.javascript.constructs.functions.forms import Form
from repoquarry.languages.javascript.constructs.functions.functions import Functions
from repoquarry.languages.javascript.property_names import property_key
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.field_types import FIELDS
from repoquarry.languages.javascript.typing.members import Members
from repoquarry.languages.javascript.typing.shapes import Shapes
from repoquarry.languages.javascript.typing.types import Types

_METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))


class ClassBodies:
    """Reads what stands in the bodies of classes."""

    def __init__(
        self,
        reader: Reader,
        types: Types,
        contexts: Contexts,
        functions: Functions,
        decorators: Decorators,
        fields: Fields,
        shapes: Shapes,
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.functions = functions
        self.decorators = decorators
        self.fields = fields
        self.shapes = shapes

    def read(self, nodes: Sequence[Node], members: Members, kind: str) -> None:
        """The members of a class, an interface or an enumeration."""
        reader = self.reader
        for node in nodes:
            what = reader.kind(node)
            try:
                if what == "comment":
                    continue
                if what == "decorator":
                    members.decorators.append(node)
                    continue
                if what in _METHODS:
                    self._method(node, what, members)
                elif what in FIELDS:
                    self.fields.read(node, members)
                elif kind == "enum":
                    self._member_of_enumeration(node, members)
                elif what == "class_static_block":
                    self._static_block(node, members)
                elif what in ("index_signature", "call_signature", "construct_signature"):
                    self._nameless_signature(node, what, members)
                else:
                    reader.value(node)
            except (IndexError, KeyError, TypeError, ValueError):
                # only broken source has nodes of another shape than the grammar says
                reader.complain(node, f"not understood: {what}")
            members.decorators = []

    def _method(self, node: Node, what: str, members: Members) -> None:
        reader = self.reader
        key = node.child_by_field_name("name")
        name = property_key(reader, key) if key is not None else None
        if name is None and key is not None:
            reader.value(key)
        applied = self.decorators.applied(members.decorators)
        is_static = reader.has_token(node, "static")
        form = Form(
            name or reader.unnamed("method"),
            kind="method",
            flags=op.METHOD | op.OF_CLASS * is_static,
            home=members.index,
            always_receives=not is_static,
            is_static=is_static,
            decorators=tuple(self.decorators.record(decorator) for decorator in members.decorators),
            start=members.decorators[0] if members.decorators else None,
        )
        if what == "method_definition" and node.child_by_field_name("body") is not None:
            form.group = self.functions.groups.pop((reader.owner, id(reader.scopes.current), form.name), None)
            value = self.functions.read(node, form)
        else:
            if members.is_interface or what == "abstract_method_signature":
                form.flags |= op.ABSTRACT
            value, is_first = self.functions.signature(node, form)
            if not is_first:
                return
        self.decorators.decorate(value, applied)
        if name is None:
            return
        self.shapes.note_optional(name, node, members)
        if reader.has_token(node, "get", "set"):
            members.accessors.setdefault(name, [-1, -1])[reader.has_token(node, "set")] = value
        else:
            bound = members.bound.setdefault(name, [])
            if value not in bound:
                bound.append(value)

    def _static_block(self, node: Node, members: Members) -> None:
        reader = self.reader
        before, reader.body.receiver = reader.body.receiver, members.value
        reader.value(node.child_by_field_name("body"))
        reader.body.receiver = before

    def _nameless_signature(self, node: Node, what: str, members: Members) -> None:
        """`new (...): T`, `(...): T`, `[key: string]: T` of a type."""
        reader = self.reader
        annotation = node.child_by_field_name("return_type") or node.child_by_field_name("type")
        if annotation is None:
            return
        typed = self.types.annotated(annotation)
        if what == "call_signature" and self.contexts.is_read:
            for attribute, expected in self.contexts.shape_of(node):
                members.bound.setdefault(attribute, []).append(expected)
        if typed >= 0 and what == "index_signature":
            receiver = reader.receiver()
            reader.graph.effect(op.SETITEM, receiver, -1, -1, typed, reader.line(node), reader.owner)

    def _member_of_enumeration(self, node: Node, members: Members) -> None:
        reader = self.reader
        name = node.child_by_field_name("name") or node
        reader.value(node.child_by_field_name("value"))
        text = property_key(reader, name)
        if text is not None:
            members.bound[text] = [reader.graph.value(op.TYPED, members.value, -1)]
